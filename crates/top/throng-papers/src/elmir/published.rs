//! Tables A.1 to A.3 of the thesis: times on an i7-920 and a GTX 660.

use std::sync::LazyLock;

use super::cases::Case;
use super::program::Program;
use super::three_sigma::Spread;

/// Means and standard deviations in milliseconds, a line per case, with a pair of columns for each program of
/// [`Program::PUBLISHED`].
const TABLES: &str = include_str!("published.csv");

static ROWS: LazyLock<Vec<(Case, [Spread; 5])>> = LazyLock::new(|| TABLES.lines().skip(1).filter_map(row).collect());

/// The case and the times of a line, or `None` if it is malformed, which a test rules out.
fn row(line: &str) -> Option<(Case, [Spread; 5])> {
    let cells: Vec<f64> = line.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
    let [radius, resolution, count, times @ ..] = cells.as_slice() else { return None };
    let case = Case { radius: *radius as f32, resolution: *resolution as u32, count: *count as u32 };
    let times = times.chunks_exact(2).map(|pair| Spread { mean: pair[0] / 1e3, deviation: pair[1] / 1e3 });
    Some((case, times.collect::<Vec<_>>().try_into().ok()?))
}

/// Mean and standard deviation of a program of the thesis in a case, seconds.
pub fn times(case: Case, program: Program) -> Option<Spread> {
    let column = Program::PUBLISHED.iter().position(|&published| published == program)?;
    ROWS.iter().find(|(of, _)| *of == case).map(|(_, times)| times[column])
}

/// Mean time of a program of the thesis in a case, seconds.
pub fn seconds(case: Case, program: Program) -> Option<f64> {
    Some(times(case, program)?.mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elmir::cases::Options;

    #[test]
    fn the_tables_have_all_cases_of_the_thesis() {
        let cases = Options::default().cases();
        assert_eq!((ROWS.len(), cases.len()), (240, 240));
        for case in cases {
            for program in Program::PUBLISHED {
                let found = times(case, program).unwrap();
                assert!(found.mean > 0.0 && found.deviation >= 0.0, "{case:?}, {program:?}: {found:?}");
            }
        }
    }

    #[test]
    fn the_times_of_the_largest_case_are_those_in_the_text() {
        let case = Case { radius: 15.0, resolution: 2048, count: 2048 };
        let found = times(case, Program::GpuShared).unwrap();
        assert!((found.mean - 0.106_66).abs() < 1e-12 && (found.deviation - 0.392e-3).abs() < 1e-12, "{found:?}");
        assert!((seconds(case, Program::CpuNaive).unwrap() - 137.1316).abs() < 1e-9);
        assert_eq!(times(case, Program::OursOnDevice), None);
        assert_eq!(times(Case { count: 65, ..case }, Program::GpuShared), None);
    }
}
