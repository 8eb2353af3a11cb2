//! Output files of the measurements: tables and charts.

use super::charts::Figure;
use super::published;
use super::reproduce::ElmirMeasurements;
use super::three_sigma::{Range, Spread};
use crate::elmir::program::Program;
use crate::experiment::chart::chart_file;
use crate::experiment::{Cell, Table, cells, file};

/// Returns `elmir.csv`, `elmir_speed_up.csv` and the figures of the thesis that have at least three points.
pub fn files(measurements: &ElmirMeasurements) -> Vec<(String, Vec<u8>)> {
    let tables =
        [file("elmir.csv", csv(measurements).csv()), file("elmir_speed_up.csv", speed_ups(measurements).csv())];
    let figures = Figure::all(&measurements.options).into_iter();
    tables
        .into_iter()
        .chain(figures.filter_map(|figure| chart_file(figure.file(), &figure.chart(measurements))))
        .collect()
}

/// One row per measurement.
fn csv(measurements: &ElmirMeasurements) -> Table {
    let columns = "radius, resolution, entities, program, threads, runs, median_ms, fastest_ms, slowest_ms, mean_ms, \
                   deviation_ms, published_ms, published_deviation_ms, covered_cells";
    let mut table = Table::of(0, columns);
    let both = |spread: Option<Spread>| {
        [spread.map(|spread| spread.mean * 1e3), spread.map(|spread| spread.deviation * 1e3)].map(Cell::from).to_vec()
    };
    for row in &*measurements.rows {
        let (case, program) = (row.case, row.program);
        let (name, threads) = (program.name(), program.threads(measurements.options.threads));
        let what = cells![case.radius, case.resolution, case.count, name, threads];
        let (here, then) = (both(Spread::of(&row.times)), both(published::times(case, program)));
        table.row([what, row.times.cells(1e3), here, then, cells![case.covered().round() as u64]].concat());
    }
    table
}

/// One row per case: the speed-up of the shared-memory program over the copy, here and in the thesis.
fn speed_ups(measurements: &ElmirMeasurements) -> Table {
    let columns = "radius, resolution, entities, least, mean, greatest, published_least, published_mean, \
                   published_greatest";
    let mut table = Table::of(0, columns);
    let three = |range: Option<Range>| {
        let value = |of: fn(Range) -> f64| Cell::from(range.map(of));
        vec![value(|range| range.least), value(|range| range.mean), value(|range| range.greatest)]
    };
    for case in measurements.options.cases() {
        let then = published::times(case, Program::CpuCopy).zip(published::times(case, Program::GpuShared));
        let then = then.map(|(copy, shared)| Range::of(copy, shared));
        let what = cells![case.radius, case.resolution, case.count];
        table.row([what, three(measurements.speed_up(case)), three(then)].concat());
    }
    table
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::cases::{Case, Options};
    use super::*;
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
        let text = String::from_utf8(csv(&measurements()).csv()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[1].starts_with("15;2048;2048;CPU memory copy;1;3;80;"), "{text}");
        assert!(lines[2].starts_with("15;2048;2048;GPU shared;;3;0.5;0.4;0.6;0.5;"), "{text}");
        assert!(lines[2].contains(";106.66;0.392;"), "{text}");
    }

    #[test]
    fn the_speed_up_of_a_case_stands_beside_the_published_one() {
        let text = String::from_utf8(speed_ups(&measurements()).csv()).unwrap();
        let cells: Vec<f64> = text.lines().nth(1).unwrap().split(';').map(|cell| cell.parse().unwrap()).collect();
        // The mean of the copy is 0.35 / 3 s, that of the GPU 0.0005 s.
        assert!((cells[4] - 0.35 / 3.0 / 0.0005).abs() < 1e-9 && (cells[7] - 2000.29 / 106.66).abs() < 1e-9, "{text}");
    }
}
