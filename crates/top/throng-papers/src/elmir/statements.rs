//! The statements of the thesis, each with a verdict.

use throng_core::three_figures;

use super::cases::Case;
use super::program::Program;
use super::reproduce::ElmirMeasurements;
use crate::experiment::Statements;

/// The statements of the thesis, each with the measured result, as text.
pub fn statements(measurements: &ElmirMeasurements) -> String {
    let mut all = Statements::default();
    let mut add =
        |statement: &str, found: Option<String>| all.push(statement, found.map(|found| format!("here: {found}")));
    add(
        "GPU programs take the same time for every radius (2013: within 1 % at 2048², 2048 circles)",
        over_radii(measurements, Program::GpuShared),
    );
    add(
        "Throng's does not, since it visits only the cells that a circle reaches",
        over_radii(measurements, Program::OursOnDevice),
    );
    add(
        "reading a circle in one access pays off (2013: 1.75 times faster)",
        ratio(measurements, Program::GpuNaive, Program::GpuCoalesced),
    );
    add(
        "shared memory pays off (2013: another 1.73 times)",
        ratio(measurements, Program::GpuCoalesced, Program::GpuShared),
    );
    add(
        "the copy's time grows with the number of covered cells (2013: 20.4 to 22.5 ns per cell)",
        copies(measurements),
    );
    add(
        "the GPU is faster than the copy except for few small circles (2013: below 1 for radius 4)",
        crossover(measurements, Program::CpuCopy, Program::GpuShared),
    );
    add("the same with Throng on the device", crossover(measurements, Program::CpuCopy, Program::OursOnDevice));
    for (copy, ours) in [
        (Program::CpuCopy, Program::OursOneThread),
        (Program::CpuCopyByRows, Program::OursOneThread),
        (Program::CpuCopyByRowsAllThreads, Program::OursAllThreads),
    ] {
        let [copy_label, ours_label] = [copy, ours].map(|program| program.label(measurements.options.threads));
        add(
            &format!("{ours_label}, against {copy_label} (aim: 8 times as fast, and never slower)"),
            crossover(measurements, copy, ours),
        );
    }
    all.0
}

/// The ratios of the times of two programs in the wanted cases, ascending, each with its case.
fn ratios(
    measurements: &ElmirMeasurements,
    slow: Program,
    fast: Program,
    wanted: fn(&Case) -> bool,
) -> Vec<(f64, Case)> {
    let cases = measurements.options.cases().into_iter().filter(wanted);
    let mut ratios: Vec<(f64, Case)> =
        cases.filter_map(|case| Some((measurements.rows.ratio(case, slow, fast)?, case))).collect();
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    ratios
}

/// The maximum ratio of the times of two radii, over all resolutions and counts.
fn over_radii(measurements: &ElmirMeasurements, program: Program) -> Option<String> {
    let options = &measurements.options;
    let mut worst = 1.0f64;
    for case in options.cases() {
        let times =
            options.radii.iter().filter_map(|&radius| measurements.rows.median(Case { radius, ..case }, program));
        let (low, high) = times.fold((f64::INFINITY, 0.0f64), |(low, high), time| (low.min(time), high.max(time)));
        if high > 0.0 {
            worst = worst.max(high / low);
        }
    }
    (measurements.rows.ran(program) && options.radii.len() > 1)
        .then(|| format!("at most {} times longer for one radius than another", three_figures(worst)))
}

/// The median ratio of two programs over the cases with at least a million cells, where launch overhead is negligible.
fn ratio(measurements: &ElmirMeasurements, slow: Program, fast: Program) -> Option<String> {
    let ratios = ratios(measurements, slow, fast, |case| case.resolution >= 1024);
    let ((median, _), count) = (ratios.get(ratios.len() / 2)?, ratios.len());
    let [median, low, high] = [*median, ratios[0].0, ratios[count - 1].0].map(three_figures);
    Some(format!("{median} times faster (median of {count} cases; {low} to {high})"))
}

/// Nanoseconds per covered cell.
fn copies(measurements: &ElmirMeasurements) -> Option<String> {
    let most = measurements.options.counts.iter().copied().max()?;
    let cases = measurements.options.cases().into_iter().filter(|case| case.count == most);
    let mut each: Vec<f64> = cases
        .filter_map(|case| Some(measurements.rows.median(case, Program::CpuCopy)? * 1e9 / case.covered()))
        .collect();
    each.sort_unstable_by(f64::total_cmp);
    let (&low, &high) = (each.first()?, each.last()?);
    Some(format!("{} to {} ns per cell, with {most} circles", three_figures(low), three_figures(high)))
}

/// The number of cases in which a program is faster than a copy, with the median and the minimum speed-up.
fn crossover(measurements: &ElmirMeasurements, copy: Program, program: Program) -> Option<String> {
    let ratios = ratios(measurements, copy, program, |_| true);
    let (median, _) = ratios.get(ratios.len() / 2)?;
    let (least, Case { radius, resolution, count }) = ratios[0];
    Some(format!(
        "faster in {} of {} cases, {} times in the median; least {} times, with radius {radius}, {resolution}², {count} \
         circles",
        ratios.iter().filter(|(ratio, _)| *ratio >= 1.0).count(),
        ratios.len(),
        three_figures(*median),
        three_figures(least),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elmir::cases::Options;
    use crate::elmir::report::tests::measurements;
    use crate::elmir::reproduce::measured;
    use crate::experiment::statements::found;

    #[test]
    fn statements_cover_only_measured_programs() {
        let text = statements(&measurements());
        assert!(text.contains("faster in 1 of 1 cases"), "{text}");
        assert!(!text.contains("for every radius") && !text.contains("shared memory pays"), "{text}");
        assert!(!text.contains("ours, 1 thread"), "ours was not measured: {text}");
    }

    #[test]
    fn ours_is_compared_with_both_copies_on_equal_threads() {
        let mut all = measurements();
        all.options = Options { counts: vec![64, 128, 2048], threads: 4, ..all.options };
        all.rows.0.clear();
        for (case, [copy, rows, ours, rows_of_all, ours_of_all]) in all.options.cases().into_iter().zip([
            [3.0, 1.0, 2.0, 0.5, 1.0],
            [8.0, 2.0, 2.0, 2.0, 0.5],
            [8.0, 4.0, 1.0, 3.0, 1.0],
        ]) {
            for (program, seconds) in [
                (Program::CpuCopy, copy),
                (Program::CpuCopyByRows, rows),
                (Program::OursOneThread, ours),
                (Program::CpuCopyByRowsAllThreads, rows_of_all),
                (Program::OursAllThreads, ours_of_all),
            ] {
                all.rows.0.push(measured(case, program, &[seconds]));
            }
        }
        let text = statements(&all);
        let least = "with radius 15, 2048², 64 circles";
        for (against, expected) in [
            ("ours, 1 thread, against CPU memory copy, 1 thread", "3 of 3 cases, 4.00 times in the median; least 1.50"),
            (
                "ours, 1 thread, against CPU copy by rows, 1 thread",
                "2 of 3 cases, 1.00 times in the median; least 0.5000",
            ),
            (
                "ours, 4 threads, against CPU copy by rows, 4 threads",
                "2 of 3 cases, 3.00 times in the median; least 0.5000",
            ),
        ] {
            assert_eq!(found(&text, against).unwrap(), format!("here: faster in {expected} times, {least}"));
        }
    }
}
