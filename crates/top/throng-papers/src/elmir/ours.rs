//! Throng's programs beside those of the thesis in all cases, as text.

use std::fmt::Write as _;

use throng_core::three_figures;

use super::cases::Case;
use super::program::Program;
use super::reproduce::ElmirMeasurements;

/// For each pair of a program of the thesis and one of Throng's on the same number of threads, the number of cases in
/// which Throng's is faster. (The aim on the CPU was 8 times as fast, and never slower.)
pub fn ours(measurements: &ElmirMeasurements) -> String {
    let mut text = String::new();
    for (theirs, ours) in [
        (Program::CpuCopy, Program::OursOneThread),
        (Program::CpuCopyByRows, Program::OursOneThread),
        (Program::CpuCopyByRowsAllThreads, Program::OursAllThreads),
        (Program::CpuCopy, Program::OursOnDevice),
        (Program::GpuShared, Program::OursOnDevice),
    ] {
        let [of_theirs, of_ours] = [theirs, ours].map(|program| program.label(measurements.options.threads));
        if let Some(found) = crossover(measurements, theirs, ours) {
            let _ = writeln!(text, "{of_ours}, against {of_theirs}: {found}");
        }
    }
    text
}

/// The number of cases in which a program is faster than another one, with the median and the minimum speed-up.
fn crossover(measurements: &ElmirMeasurements, theirs: Program, ours: Program) -> Option<String> {
    let cases = measurements.options.cases().into_iter();
    let mut ratios: Vec<(f64, Case)> =
        cases.filter_map(|case| Some((measurements.rows.ratio(case, theirs, ours)?, case))).collect();
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (median, _) = ratios.get(ratios.len() / 2)?;
    let (least, case) = ratios[0];
    Some(format!(
        "faster in {} of {} cases, {} times in the median; least {} times, {}",
        ratios.iter().filter(|(ratio, _)| *ratio >= 1.0).count(),
        ratios.len(),
        three_figures(*median),
        three_figures(least),
        case.text(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elmir::cases::Options;
    use crate::elmir::report::tests::measurements;
    use crate::elmir::reproduce::measured;

    #[test]
    fn ours_is_compared_with_both_copies_on_equal_threads() {
        let mut all = measurements();
        assert_eq!(ours(&all), "", "ours was not measured");
        all.options = Options { counts: vec![64, 128, 2048], threads: 4, ..all.options };
        all.rows.0.clear();
        for (case, [copy, rows, one, rows_of_all, threads]) in all.options.cases().into_iter().zip([
            [3.0, 1.0, 2.0, 0.5, 1.0],
            [8.0, 2.0, 2.0, 2.0, 0.5],
            [8.0, 4.0, 1.0, 3.0, 1.0],
        ]) {
            for (program, seconds) in [
                (Program::CpuCopy, copy),
                (Program::CpuCopyByRows, rows),
                (Program::OursOneThread, one),
                (Program::CpuCopyByRowsAllThreads, rows_of_all),
                (Program::OursAllThreads, threads),
            ] {
                all.rows.0.push(measured(case, program, &[seconds]));
            }
        }
        let expected = "\
ours, 1 thread, against CPU memory copy, 1 thread: faster in 3 of 3 cases, 4.00 times in the median; least 1.50 times, \
with 64 circles of radius 15 and 2048² cells
ours, 1 thread, against CPU copy by rows, 1 thread: faster in 2 of 3 cases, 1.00 times in the median; least 0.500 times, \
with 64 circles of radius 15 and 2048² cells
ours, 4 threads, against CPU copy by rows, 4 threads: faster in 2 of 3 cases, 3.00 times in the median; least 0.500 \
times, with 64 circles of radius 15 and 2048² cells
";
        assert_eq!(ours(&all), expected);
    }
}
