//! Output files of the measurements: a table, and a chart for each radius.

use throng_output::svg::{Axis, Chart};

use super::cases::Case;
use super::program::Program;
use super::published::Published;
use super::reproduce::ElmirMeasurements;
use crate::experiment::chart::{chart, chart_file, line};
use crate::experiment::{Table, cells, file};

/// Returns `elmir.csv` and, for each radius with at least three numbers of circles, a chart such as `elmir_r15.svg`.
pub fn files(measurements: &ElmirMeasurements, published: &Published) -> Vec<(String, Vec<u8>)> {
    let table = file("elmir.csv", csv(measurements, published).csv());
    let charts = measurements.options.radii.iter().filter_map(|&radius| {
        chart_file(format!("elmir_r{radius}.svg"), &chart_of_radius(measurements, published, radius))
    });
    std::iter::once(table).chain(charts).collect()
}

/// One row per measurement.
fn csv(measurements: &ElmirMeasurements, published: &Published) -> Table {
    let columns = "radius, resolution, entities, program, threads, runs, median_ms, fastest_ms, slowest_ms, published_ms, \
                   covered_cells";
    let mut table = Table::of(0, columns);
    for row in &*measurements.rows {
        let (case, program) = (row.case, row.program);
        let (name, threads) = (program.name(), program.threads(measurements.options.threads));
        let then = published.milliseconds(case, program);
        let what = cells![case.radius, case.resolution, case.count, name, threads];
        table.row([what, row.times.cells(1e3), cells![then, case.covered().round() as u64]].concat());
    }
    table
}

/// Chart of milliseconds over the number of circles at the largest resolution, for one radius.
fn chart_of_radius(measurements: &ElmirMeasurements, published: &Published, radius: f32) -> Chart {
    let options = &measurements.options;
    let resolution = options.resolutions.iter().copied().max().unwrap_or(0);
    let mut counts = options.counts.clone();
    counts.sort_unstable();
    let of = |name, seconds: &dyn Fn(Case) -> Option<f64>| {
        line(name, &counts, |count| Some((f64::from(count), seconds(Case { radius, resolution, count })? * 1e3)))
    };
    let then = [Program::CpuCopy, Program::GpuShared]
        .map(|program| of(format!("{}, 2013", program.label(1)), &|case| published.seconds(case, program)));
    let now = [
        Program::CpuCopy,
        Program::CpuCopyByRows,
        Program::CpuCopyByRowsAllThreads,
        Program::GpuNaive,
        Program::GpuShared,
        Program::OursOneThread,
        Program::OursAllThreads,
        Program::OursOnDevice,
    ]
    .map(|program| of(program.label(options.threads), &|case| measurements.rows.median(case, program)));
    let label = format!("Time over the number of circles of radius {radius}, {resolution} x {resolution} cells");
    let lines = then.into_iter().chain(now).collect();
    chart(label, Axis::count("circles"), Axis::new("time", "ms"), true, lines)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::elmir::cases::Options;
    use crate::elmir::reproduce::measured;
    use crate::experiment::Rows;

    /// One case with two programs.
    pub(in super::super) fn measurements() -> ElmirMeasurements {
        let case = Case { radius: 15.0, resolution: 2048, count: 2048 };
        ElmirMeasurements {
            options: Options { radii: vec![15.0], resolutions: vec![2048], counts: vec![2048], ..Options::default() },
            rows: Rows(vec![
                measured(case, Program::CpuCopy, &[0.07, 0.08, 0.2]),
                measured(case, Program::GpuShared, &[0.0004, 0.0005, 0.0006]),
            ]),
        }
    }

    #[test]
    fn a_row_has_its_spread_and_the_published_mean() {
        let text = String::from_utf8(csv(&measurements(), &Published::headline()).csv()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        let expected = "15;2048;2048;GPU shared;;3;0.5;0.4;0.6;106.66;92651968";
        assert!(lines[1].starts_with("15;2048;2048;CPU memory copy;1;3;80;"), "{text}");
        assert_eq!(lines[2].rsplit_once(';').unwrap().0, expected.rsplit_once(';').unwrap().0);
    }

    #[test]
    fn the_chart_has_a_line_for_each_program_that_ran() {
        let chart = chart_of_radius(&measurements(), &Published::headline(), 15.0);
        let names: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(
            names,
            ["CPU memory copy, 1 thread, 2013", "GPU shared, 2013", "CPU memory copy, 1 thread", "GPU shared"]
        );
        assert_eq!(chart.series[2].points, [(2048.0, libm::log10(80.0))]);
    }
}
