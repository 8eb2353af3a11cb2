//! The measurements next to the published ones, as text.

use throng_core::counted;

use super::cases::Case;
use super::program::Program;
use super::published;
use super::reproduce::ElmirMeasurements;
use crate::experiment::{Cell, Table};

/// Milliseconds of every program at the largest resolution and number of circles, by radius, with the ratios of the
/// thesis.
pub fn table(measurements: &ElmirMeasurements) -> String {
    use Program::{
        CpuCopy, CpuCopyByRows, CpuCopyByRowsAllThreads, GpuCoalesced, GpuNaive, GpuShared, OursAllThreads,
        OursOnDevice, OursOneThread,
    };
    let (options, rows) = (&measurements.options, &measurements.rows);
    let largest = |values: &[u32]| values.iter().copied().max().unwrap_or(0);
    let (resolution, count) = (largest(&options.resolutions), largest(&options.counts));
    let cases: Vec<Case> = options.radii.iter().map(|&radius| Case { radius, resolution, count }).collect();
    let mut table = Table::new(1, [format!("ms, {resolution}², {count} circles")])
        .and(options.radii.iter().map(|radius| format!("radius {radius}")));
    let mut line = |name: String, value: &dyn Fn(Case) -> Option<f64>| {
        table.row_if_any(format!("  {name}"), cases.iter().map(|&case| Cell::from(value(case))));
    };
    let then = published::seconds;
    for program in Program::PUBLISHED {
        line(format!("{}, 2013", program.label(1)), &|case| then(case, program).map(|seconds| seconds * 1e3));
    }
    for program in Program::ALL {
        line(program.label(options.threads), &|case| rows.median(case, program).map(|seconds| seconds * 1e3));
    }
    for (name, slow, fast) in [
        ("naive / coalesced", GpuNaive, GpuCoalesced),
        ("coalesced / shared", GpuCoalesced, GpuShared),
        ("CPU copy, 1 thread / GPU shared", CpuCopy, GpuShared),
    ] {
        line(format!("{name}, 2013"), &|case| Some(then(case, slow)? / then(case, fast)?));
        line(name.to_owned(), &|case| rows.ratio(case, slow, fast));
    }
    // Each program next to Throng's on the same number of threads.
    let by_rows = format!("copy by rows / ours, {} each", counted(options.threads as u64, "thread"));
    for (name, slow, fast) in [
        ("memory copy / ours, 1 thread each", CpuCopy, OursOneThread),
        ("copy by rows / ours, 1 thread each", CpuCopyByRows, OursOneThread),
        (&by_rows, CpuCopyByRowsAllThreads, OursAllThreads),
        ("GPU shared / ours, device", GpuShared, OursOnDevice),
    ] {
        line(name.to_owned(), &|case| rows.ratio(case, slow, fast));
    }
    line("GPU shared 2013 / ours, device".to_owned(), &|case| {
        Some(then(case, GpuShared)? / rows.median(case, OursOnDevice)?)
    });
    table.aligned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elmir::report::tests::measurements;
    use crate::elmir::reproduce::measured;

    /// The cells of the row with this name.
    fn cells(measurements: &ElmirMeasurements, name: &str) -> String {
        let text = table(measurements);
        let cells = text.lines().find_map(|line| line.trim_start().strip_prefix(&format!("{name}  ")));
        cells.unwrap_or_else(|| panic!("{name}: {text}")).trim().to_owned()
    }

    #[test]
    fn programs_are_listed_beside_published_programs() {
        for (name, expected) in [
            ("GPU shared, 2013", "107"),
            ("GPU shared", "0.500"),
            ("CPU copy, 1 thread / GPU shared, 2013", "18.8"),
            ("CPU copy, 1 thread / GPU shared", "160"),
        ] {
            assert_eq!(cells(&measurements(), name), expected, "{name}");
        }
        let text = table(&measurements());
        assert!(!text.contains("ours, with transfers"), "{text}");
    }

    #[test]
    fn copies_are_listed_beside_ours_on_equal_threads() {
        let mut measurements = measurements();
        measurements.options.threads = 16;
        let case = measurements.options.cases()[0];
        // The copy took 80 ms.
        measurements.rows.0.extend([
            measured(case, Program::CpuCopyByRows, &[0.03]),
            measured(case, Program::OursOneThread, &[0.04]),
            measured(case, Program::CpuCopyByRowsAllThreads, &[0.01]),
            measured(case, Program::OursAllThreads, &[0.004]),
        ]);
        for (name, expected) in [
            ("CPU memory copy, 1 thread, 2013", "2000"),
            ("CPU memory copy, 1 thread", "80.0"),
            ("CPU copy by rows, 1 thread", "30.0"),
            ("CPU copy by rows, 16 threads", "10.0"),
            ("ours, 16 threads", "4.00"),
            ("memory copy / ours, 1 thread each", "2.00"),
            ("copy by rows / ours, 1 thread each", "0.750"),
            ("copy by rows / ours, 16 threads each", "2.50"),
        ] {
            assert_eq!(cells(&measurements, name), expected, "{name}");
        }
        assert!(!table(&measurements).contains("all threads"));
    }
}
