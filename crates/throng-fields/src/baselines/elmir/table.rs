//! The measurements beside the published ones, as text.

use std::fmt::Write as _;

use throng_core::three_figures;

use super::cases::Case;
use super::program::Program;
use super::published::Published;
use super::reproduce::Measurements;

const NAME: usize = 30;
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
        line(&format!("  {}, 2013", program.name()), &|case| published.seconds(case, program).map(millis));
    }
    for program in Program::ALL {
        line(&format!("  {}", program.name()), &|case| measurements.median_s(case, program).map(millis));
    }
    for (name, slow, fast) in [
        ("naive / coalesced", Program::GpuNaive, Program::GpuCoalesced),
        ("coalesced / shared", Program::GpuCoalesced, Program::GpuShared),
        ("CPU copy / GPU shared", Program::CpuCopy, Program::GpuShared),
    ] {
        line(&format!("  {name}, 2013"), &|case| {
            Some(three_figures(published.seconds(case, slow)? / published.seconds(case, fast)?))
        });
        line(&format!("  {name}"), &|case| {
            Some(three_figures(measurements.median_s(case, slow)? / measurements.median_s(case, fast)?))
        });
    }
    for (name, slow, fast) in [
        ("CPU copy / ours, 1 thread", Program::CpuCopy, Program::OursOneThread),
        ("CPU copy / ours, all threads", Program::CpuCopy, Program::OursAllThreads),
        ("GPU shared / ours, device", Program::GpuShared, Program::OursOnDevice),
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
    use crate::baselines::elmir::report::tests::measurements;

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
        assert_eq!(line("CPU copy / GPU shared, 2013"), ["18.8"]);
        assert_eq!(line("CPU copy / GPU shared  "), ["160"]);
        assert!(!text.contains("ours, with transfers"), "{text}");
    }
}
