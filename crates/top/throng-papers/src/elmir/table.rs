//! The measurements beside the published ones, as text.

use std::fmt::Write as _;

use throng_core::three_figures;

use super::cases::Case;
use super::program::Program;
use super::published::Published;
use super::reproduce::Measurements;

const NAME: usize = 42;
const CELL: usize = 13;

/// Milliseconds of every program at the largest resolution and number of circles, radius by radius, and the ratios of the
/// thesis.
pub fn table(measurements: &Measurements, published: &Published) -> String {
    let options = &measurements.options;
    let largest = |values: &[u32]| values.iter().copied().max().unwrap_or(0);
    let (resolution, count) = (largest(&options.resolutions), largest(&options.counts));
    let cases: Vec<Case> = options.radii.iter().map(|&radius| Case { radius, resolution, count }).collect();
    let mut text = String::new();
    let mut line = |name: &str, cell: &dyn Fn(Case) -> Option<String>| {
        let cells: Vec<Option<String>> = cases.iter().map(|&case| cell(case)).collect();
        if cells.iter().any(Option::is_some) {
            let _ = write!(text, "{name:<NAME$}");
            for cell in cells {
                let _ = write!(text, "{:>CELL$}", cell.unwrap_or_else(|| "-".to_owned()));
            }
            text.push('\n');
        }
    };
    let millis = |seconds: f64| three_figures(seconds * 1e3);
    line(&format!("ms, {resolution}², {count} circles"), &|case| Some(format!("radius {}", case.radius)));
    for program in Program::PUBLISHED {
        line(&format!("  {}, 2013", program.label(1)), &|case| published.seconds(case, program).map(millis));
    }
    for program in Program::ALL {
        line(&format!("  {}", program.label(options.threads)), &|case| {
            measurements.median_s(case, program).map(millis)
        });
    }
    for (name, slow, fast) in [
        ("naive / coalesced", Program::GpuNaive, Program::GpuCoalesced),
        ("coalesced / shared", Program::GpuCoalesced, Program::GpuShared),
        ("CPU copy, 1 thread / GPU shared", Program::CpuCopy, Program::GpuShared),
    ] {
        line(&format!("  {name}, 2013"), &|case| {
            Some(three_figures(published.seconds(case, slow)? / published.seconds(case, fast)?))
        });
        line(&format!("  {name}"), &|case| {
            Some(three_figures(measurements.median_s(case, slow)? / measurements.median_s(case, fast)?))
        });
    }
    // Each beside ours on as many threads.
    let threads = options.threads;
    for (name, slow, fast) in [
        ("memory copy / ours, 1 thread each".to_owned(), Program::CpuCopy, Program::OursOneThread),
        ("copy by rows / ours, 1 thread each".to_owned(), Program::CpuCopyByRows, Program::OursOneThread),
        (
            format!("copy by rows / ours, {threads} threads each"),
            Program::CpuCopyByRowsAllThreads,
            Program::OursAllThreads,
        ),
        ("GPU shared / ours, device".to_owned(), Program::GpuShared, Program::OursOnDevice),
    ] {
        line(&format!("  {name}"), &|case| {
            Some(three_figures(measurements.median_s(case, slow)? / measurements.median_s(case, fast)?))
        });
    }
    line("  GPU shared 2013 / ours, device", &|case| {
        let ours = measurements.median_s(case, Program::OursOnDevice)?;
        Some(three_figures(published.seconds(case, Program::GpuShared)? / ours))
    });
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elmir::report::tests::measurements;
    use crate::elmir::reproduce::Row;

    #[test]
    fn programs_stand_beside_the_published_ones() {
        let text = table(&measurements(), &Published::headline());
        let line = |name: &str| {
            let line =
                text.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_else(|| panic!("{text}"));
            line[NAME..].split_whitespace().collect::<Vec<_>>()
        };
        assert_eq!(line("GPU shared, 2013"), ["107"]);
        assert_eq!(line("GPU shared  "), ["0.5000"]);
        assert_eq!(line("CPU copy, 1 thread / GPU shared, 2013"), ["18.8"]);
        assert_eq!(line("CPU copy, 1 thread / GPU shared  "), ["160"]);
        assert!(!text.contains("ours, with transfers"), "{text}");
    }

    #[test]
    fn copies_stand_beside_ours_on_as_many_threads() {
        let mut measurements = measurements();
        measurements.options.threads = 16;
        let case = measurements.options.cases()[0];
        // The copy took 80 ms.
        for (program, seconds) in [
            (Program::CpuCopyByRows, 0.03),
            (Program::OursOneThread, 0.04),
            (Program::CpuCopyByRowsAllThreads, 0.01),
            (Program::OursAllThreads, 0.004),
        ] {
            measurements.rows.push(Row { case, program, seconds: vec![seconds] });
        }
        let text = table(&measurements, &Published::headline());
        let cell = |name: &str| {
            let line = text.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
            line[NAME..].trim().to_owned()
        };
        for (name, expected) in [
            ("CPU memory copy, 1 thread, 2013", "2000"),
            ("CPU memory copy, 1 thread  ", "80.0"),
            ("CPU copy by rows, 1 thread", "30.0"),
            ("CPU copy by rows, 16 threads", "10.0"),
            ("ours, 16 threads", "4.00"),
            ("memory copy / ours, 1 thread each", "2.00"),
            ("copy by rows / ours, 1 thread each", "0.7500"),
            ("copy by rows / ours, 16 threads each", "2.50"),
        ] {
            assert_eq!(cell(name), expected, "{name}: {text}");
        }
        assert!(!text.contains("all threads"), "{text}");
    }
}
