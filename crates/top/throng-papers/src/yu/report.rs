//! The measurements as files: tables, a chart for each flow and program, and one for all cases.

use throng_output::csv as tables;
use throng_output::svg::{Axis, Chart, Graphic, Series};
use throng_pedestrians::Flow;

use super::cases::{Case, directions};
use super::method::Method;
use super::reproduce::Measurements;
use super::table::table;

/// The name of a chart.
fn chart_name(flow: Flow, method: Method) -> String {
    format!("yu_{}_{}.svg", flow.name(), method.file())
}

/// The programs that have charts.
const CHARTS: [Method; 4] = [Method::Cpu, Method::OneStep, Method::MultiStep(0), Method::Device];

/// All names that files may have.
pub fn names() -> Vec<String> {
    let charts = Flow::ALL.into_iter().flat_map(|flow| CHARTS.map(|method| chart_name(flow, method)));
    ["yu.csv", "yu_memory.csv", "yu.md", "yu_all.svg"].map(str::to_owned).into_iter().chain(charts).collect()
}

/// `yu.csv`, `yu_memory.csv`, `yu.md`, and the charts that are worth drawing.
pub fn files(measurements: &Measurements) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![
        ("yu.csv".to_owned(), csv(measurements)),
        ("yu_memory.csv".to_owned(), memory_csv(measurements)),
        ("yu.md".to_owned(), table(measurements).into_bytes()),
    ];
    for &flow in &measurements.options.flows {
        for method in Method::all(measurements.options.sums).into_iter().filter(|&method| method != Method::Naive) {
            let chart = chart(measurements, flow, method);
            if chart.is_worth_drawing() {
                files.push((chart_name(flow, method), chart.render().into_bytes()));
            }
        }
    }
    let chart = chart_of_all(measurements);
    if chart.is_worth_drawing() {
        files.push(("yu_all.svg".to_owned(), chart.render().into_bytes()));
    }
    files
}

const COLUMNS: [&str; 12] = [
    "size",
    "density",
    "directions",
    "field",
    "program",
    "ticks",
    "runs",
    "median_s",
    "fastest_s",
    "slowest_s",
    "ms_per_tick",
    "device_bytes",
];

/// A row per measurement.
pub fn csv(measurements: &Measurements) -> Vec<u8> {
    let mut out = Vec::new();
    tables::push_header(&mut out, &COLUMNS);
    for row in &measurements.rows {
        let seconds = &row.seconds;
        let mut line = tables::Row::new(&mut out);
        line.integer(row.case.side.into()).number(row.case.density).integer(directions(row.case.flow) as i64);
        line.integer(measurements.options.field.into()).text(&row.method.name()).integer(row.ticks.into());
        line.integer(seconds.len() as i64).number(seconds[seconds.len() / 2]);
        line.number(seconds[0]).number(seconds[seconds.len() - 1]).number(row.ms_per_tick());
        match row.bytes {
            Some(bytes) => line.integer(bytes as i64),
            None => line.empty(),
        };
        line.end();
    }
    out
}

/// A row per field size.
pub fn memory_csv(measurements: &Measurements) -> Vec<u8> {
    let mut out = Vec::new();
    let columns =
        ["size", "field", "fan_out", "one_step_bytes", "multi_step_bytes", "throng_bytes", "ticks", "ms_per_tick"];
    tables::push_header(&mut out, &columns);
    for row in &measurements.memory {
        let mut line = tables::Row::new(&mut out);
        line.integer(measurements.options.memory_side.into()).integer(row.field.into()).integer(row.fan_out.into());
        line.integer(row.one_step as i64).integer(row.multi_step as i64);
        match row.throng {
            Some(bytes) => line.integer(bytes as i64),
            None => line.empty(),
        };
        // What is not finite is an empty field.
        line.integer(row.ticks.into()).number(row.ms_per_tick.unwrap_or(f64::NAN)).end();
    }
    out
}

/// As figures 6 to 9: the speed-up of a program over the CPU model, over the size; a line for each density.
pub fn chart(measurements: &Measurements, flow: Flow, method: Method) -> Chart {
    let options = &measurements.options;
    let mut sizes = options.sizes.clone();
    sizes.sort_unstable();
    let series = |&density: &f64| {
        let point = |&side: &u32| {
            let ratio = measurements.ratio(Case { side, density, flow }, Method::Naive, method)?;
            Some((f64::from(side), ratio))
        };
        Series { name: format!("density {density}"), points: sizes.iter().filter_map(point).collect() }
    };
    Chart {
        label: format!(
            "Speed-up of {} over stored fields on one thread, {}-directional",
            method.name(),
            directions(flow)
        ),
        x: Axis::new("side of the world", "space units"),
        y: Axis::new("speed-up", ""),
        series: options.densities.iter().map(series).filter(|series| !series.points.is_empty()).collect(),
        ..Chart::default()
    }
}

/// As figure 10: times of the one-step cache over those of the others, in all cases.
pub fn chart_of_all(measurements: &Measurements) -> Chart {
    let cases = measurements.options.cases();
    let series = |method: Method| {
        let point = |(number, &case): (usize, &Case)| {
            Some(((number + 1) as f64, measurements.ratio(case, Method::OneStep, method)?))
        };
        Series { name: method.name(), points: cases.iter().enumerate().filter_map(point).collect() }
    };
    let series = [Method::MultiStep(measurements.options.sums), Method::Device].map(series);
    Chart {
        label: "Time of the one-step cache over the others, all cases".into(),
        x: Axis::count("case: flow by flow, size by size, density by density"),
        y: Axis::new("time of the one-step cache / time", ""),
        series: series.into_iter().filter(|series| !series.points.is_empty()).collect(),
        ..Chart::default()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::yu::cases::Options;
    use crate::yu::memory::MemoryRow;
    use crate::yu::reproduce::{Refused, Row};

    /// Two sizes, in the larger of which the multi-step cache did not fit.
    pub(in super::super) fn measurements() -> Measurements {
        let options =
            Options { sizes: vec![100, 200], densities: vec![0.5], flows: vec![Flow::Eight], ..Options::default() };
        let row = |case, method, ticks: u32, ms: f64| Row {
            case,
            method,
            ticks,
            seconds: [0.5, 1.0, 2.0].map(|times| times * ms * f64::from(ticks) / 1e3).to_vec(),
            bytes: method.is_on_device().then_some(1000),
        };
        let cases = options.cases();
        let mut rows = Vec::new();
        for (case, faster) in cases.iter().zip([1.0, 0.5]) {
            rows.push(row(*case, Method::Naive, 10, 200.0));
            rows.push(row(*case, Method::OneStep, 100, 10.0 * faster));
            rows.push(row(*case, Method::Device, 1000, faster));
        }
        let refused = Refused { case: cases[1], method: Method::MultiStep(4), reason: "too large".to_owned() };
        let gib = 1 << 30;
        let memory = MemoryRow {
            field: 21,
            fan_out: 64,
            one_step: gib,
            multi_step: gib / 2,
            throng: Some(gib / 4),
            ms_per_tick: Some(3.0),
            ticks: 20,
        };
        Measurements {
            options,
            device: Some("cuda:0 (Card)".into()),
            rows,
            refused: vec![refused],
            memory: vec![memory],
        }
    }

    #[test]
    fn a_row_has_its_spread_and_its_bytes() {
        let text = String::from_utf8(csv(&measurements())).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 7);
        assert_eq!(lines[1], "100;0.5;8;7;stored fields, 1 thread;10;3;2;1;4;200;");
        assert_eq!(lines[2], "100;0.5;8;7;one-step cache;100;3;1;0.5;2;10;1000");
        assert!(lines.iter().all(|line| line.split(';').count() == COLUMNS.len()), "{text}");
        let text = String::from_utf8(memory_csv(&measurements())).unwrap();
        assert_eq!(text.lines().nth(1), Some("2000;21;64;1073741824;536870912;268435456;20;3"));
    }

    #[test]
    fn charts_are_those_of_programs_that_ran() {
        let of_two_sizes: Vec<String> = files(&measurements()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(of_two_sizes, ["yu.csv", "yu_memory.csv", "yu.md"], "two points are no chart");
        let mut measurements = measurements();
        measurements.options.sizes.push(400);
        let largest = Case { side: 400, density: 0.5, flow: Flow::Eight };
        let of_larger = measurements.rows[3..].to_vec();
        measurements.rows.extend(of_larger.into_iter().map(|row| Row { case: largest, ..row }));
        let found = files(&measurements);
        let found: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            found,
            ["yu.csv", "yu_memory.csv", "yu.md", "yu_eight_one_step.svg", "yu_eight_throng.svg", "yu_all.svg"]
        );
        assert!(found.iter().all(|name| names().iter().any(|declared| declared == name)));
        let all = chart_of_all(&measurements);
        assert_eq!(all.series[0].points, [(1.0, 10.0), (2.0, 10.0), (3.0, 10.0)]);
        let of_throng = chart(&measurements, Flow::Eight, Method::Device);
        assert_eq!(of_throng.series[0].points, [(100.0, 200.0), (200.0, 400.0), (400.0, 400.0)]);
    }
}
