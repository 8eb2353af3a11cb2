//! The measurements as files: a table, and a chart for each radius.

use throng_output::csv as tables;
use throng_output::svg::{Axis, Chart, Graphic, Series};

use super::beyond::Measured;
use super::cases::Case;
use super::program::Program;
use super::published::Published;
use super::reproduce::Measurements;

const COLUMNS: [&str; 11] = [
    "radius",
    "resolution",
    "entities",
    "program",
    "threads",
    "runs",
    "median_ms",
    "fastest_ms",
    "slowest_ms",
    "published_ms",
    "covered_cells",
];

/// The measurements as files: `elmir.csv` and, for each radius with at least three numbers of circles, `elmir_r15.svg` and so
/// on.
pub fn files(measurements: &Measurements, published: &Published) -> Vec<(String, Vec<u8>)> {
    let table = ("elmir.csv".to_owned(), csv(measurements, published));
    let charts = measurements.options.radii.iter().filter_map(|&radius| {
        let chart = chart(measurements, published, radius);
        chart.is_worth_drawing().then(|| (format!("elmir_r{radius}.svg"), chart.render().into_bytes()))
    });
    std::iter::once(table).chain(charts).collect()
}

/// The measurements beyond the thesis: a row for each; those without circles cover no cell.
pub fn beyond_csv(all: &[Measured]) -> Vec<u8> {
    let mut out = Vec::new();
    tables::push_header(&mut out, &["measured", "median_ms", "fastest_ms", "slowest_ms", "covered_cells"]);
    for Measured { what, median_s, spread_s: (fastest_s, slowest_s), covered } in all {
        let mut line = tables::Row::new(&mut out);
        line.text(what).decimal(median_s * 1e3, 6).decimal(fastest_s * 1e3, 6).decimal(slowest_s * 1e3, 6);
        line.decimal(*covered, 0).end();
    }
    out
}

/// A row per measurement.
pub fn csv(measurements: &Measurements, published: &Published) -> Vec<u8> {
    let mut out = Vec::new();
    tables::push_header(&mut out, &COLUMNS);
    for row in &measurements.rows {
        let (fastest, slowest) = row.spread_s();
        let then = published.seconds(row.case, row.program).map_or(f64::NAN, |seconds| seconds * 1e3);
        let mut line = tables::Row::new(&mut out);
        line.decimal(f64::from(row.case.radius), 3).integer(row.case.resolution.into()).integer(row.case.count.into());
        line.text(row.program.name());
        match row.program.threads(measurements.options.threads) {
            Some(threads) => line.integer(threads as i64),
            None => line.empty(),
        };
        line.integer(row.seconds.len() as i64).decimal(row.median_s() * 1e3, 6);
        line.decimal(fastest * 1e3, 6).decimal(slowest * 1e3, 6).decimal(then, 3).decimal(row.case.covered(), 0).end();
    }
    out
}

/// Milliseconds over the number of circles at the largest resolution, for one radius.
pub fn chart(measurements: &Measurements, published: &Published, radius: f32) -> Chart {
    let options = &measurements.options;
    let resolution = options.resolutions.iter().copied().max().unwrap_or(0);
    let mut counts = options.counts.clone();
    counts.sort_unstable();
    let line = |name: String, seconds: &dyn Fn(Case) -> Option<f64>| {
        let point = |&count: &u32| {
            let case = Case { radius, resolution, count };
            Some((f64::from(count), libm::log10(seconds(case)? * 1e3)))
        };
        Series { name, points: counts.iter().filter_map(point).collect() }
    };
    let then = [Program::CpuCopy, Program::GpuShared]
        .map(|program| line(format!("{}, 2013", program.label(1)), &|case| published.seconds(case, program)));
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
    .map(|program| line(program.label(options.threads), &|case| measurements.median_s(case, program)));
    Chart {
        label: format!("Time over the number of circles of radius {radius}, {resolution} x {resolution} cells"),
        x: Axis::count("circles"),
        y: Axis::new("time", "ms").in_powers_of_ten(),
        series: then.into_iter().chain(now).filter(|series| !series.points.is_empty()).collect(),
        ..Chart::default()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::elmir::cases::Options;
    use crate::elmir::reproduce::Row;

    /// One case with two programs.
    pub(in super::super) fn measurements() -> Measurements {
        let case = Case { radius: 15.0, resolution: 2048, count: 2048 };
        let row = |program, seconds: &[f64]| Row { case, program, seconds: seconds.to_vec() };
        Measurements {
            options: Options { radii: vec![15.0], resolutions: vec![2048], counts: vec![2048], ..Options::default() },
            device: Some("cuda:0 (Card)".into()),
            rows: vec![row(Program::CpuCopy, &[0.07, 0.08, 0.2]), row(Program::GpuShared, &[0.0004, 0.0005, 0.0006])],
        }
    }

    #[test]
    fn a_row_has_its_spread_and_the_published_mean() {
        let text = String::from_utf8(csv(&measurements(), &Published::headline())).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        let expected = "15.000;2048;2048;GPU shared;;3;0.500000;0.400000;0.600000;106.660;92651968";
        assert!(lines[1].starts_with("15.000;2048;2048;CPU memory copy;1;3;80.000000;"), "{text}");
        assert_eq!(lines[2].rsplit_once(';').unwrap().0, expected.rsplit_once(';').unwrap().0);
        assert!(lines.iter().all(|line| line.split(';').count() == COLUMNS.len()), "{text}");
    }

    #[test]
    fn what_goes_beyond_the_thesis_has_a_row_each() {
        let field = Measured { what: "a field".into(), median_s: 2e-5, spread_s: (1e-5, 3e-5), covered: 1e6 };
        let sweep = Measured { what: "a sweep".into(), covered: 0.0, ..field.clone() };
        let text = String::from_utf8(beyond_csv(&[field, sweep])).unwrap();
        let expected = [
            "measured;median_ms;fastest_ms;slowest_ms;covered_cells",
            "a field;0.020000;0.010000;0.030000;1000000",
            "a sweep;0.020000;0.010000;0.030000;0",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_chart_has_a_line_for_each_program_that_ran() {
        let chart = chart(&measurements(), &Published::headline(), 15.0);
        let names: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(
            names,
            ["CPU memory copy, 1 thread, 2013", "GPU shared, 2013", "CPU memory copy, 1 thread", "GPU shared"]
        );
        assert_eq!(chart.series[2].points, [(2048.0, libm::log10(80.0))]);
    }
}
