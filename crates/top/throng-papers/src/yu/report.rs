//! Output files of the measurements: tables, a chart for each flow and program, and one for all cases.

use throng_output::svg::{Axis, Chart};
use throng_pedestrians::Flow;

use super::cases::{Case, directions};
use super::method::Method;
use super::reproduce::YuMeasurements;
use super::table::table;
use crate::experiment::chart::{chart, chart_file, line};
use crate::experiment::{Table, cells, file, names};

/// File name of a chart.
fn chart_name(flow: Flow, method: Method) -> String {
    format!("yu_{}_{}.svg", flow.name(), method.file())
}

/// Names of all files that may be written.
pub fn all_names() -> Vec<String> {
    let programs = [Method::Cpu, Method::OneStep, Method::MultiStep(0), Method::Device];
    let charts = Flow::ALL.into_iter().flat_map(|flow| programs.map(|method| chart_name(flow, method)));
    names("yu.csv yu_memory.csv yu.md yu_all.svg").into_iter().chain(charts).collect()
}

/// Returns `yu.csv`, `yu_memory.csv`, `yu.md`, and the charts that have enough points.
pub fn files(measurements: &YuMeasurements) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![
        file("yu.csv", csv(measurements).csv()),
        file("yu_memory.csv", memory_csv(measurements).csv()),
        file("yu.md", table(measurements)),
    ];
    for &flow in &measurements.options.flows {
        for method in Method::all(measurements.options.sums).into_iter().filter(|&method| method != Method::Naive) {
            files.extend(chart_file(chart_name(flow, method), &speed_ups(measurements, flow, method)));
        }
    }
    files.extend(chart_file("yu_all.svg", &chart_of_all(measurements)));
    files
}

/// One row per measurement.
fn csv(measurements: &YuMeasurements) -> Table {
    let columns = "size, density, directions, field, program, ticks, runs, median_s, fastest_s, slowest_s, ms_per_tick, \
                   device_bytes";
    let mut table = Table::of(0, columns);
    for row in &*measurements.rows {
        let Case { side, density, flow } = row.case;
        let what =
            cells![side, density, directions(flow), measurements.options.field, row.program.name(), row.figures.ticks];
        table.row([what, row.times.cells(1.0), cells![row.ms_per_tick(), row.figures.bytes]].concat());
    }
    table
}

/// One row per field size.
fn memory_csv(measurements: &YuMeasurements) -> Table {
    let columns = "size, field, fan_out, one_step_bytes, multi_step_bytes, throng_bytes, ticks, ms_per_tick";
    let mut table = Table::of(0, columns);
    for row in &measurements.memory {
        let (side, ms) = (measurements.options.memory_side, row.ms_per_tick);
        table.row(cells![side, row.field, row.fan_out, row.one_step, row.multi_step, row.throng, row.ticks, ms]);
    }
    table
}

/// Like figures 6 to 9: speed-up of a program over the CPU model by size, with one line per density.
fn speed_ups(measurements: &YuMeasurements, flow: Flow, method: Method) -> Chart {
    let options = &measurements.options;
    let mut sizes = options.sizes.clone();
    sizes.sort_unstable();
    let of_density = |&density: &f64| {
        line(format!("density {density}"), &sizes, |side| {
            Some((f64::from(side), measurements.ratio(Case { side, density, flow }, Method::Naive, method)?))
        })
    };
    let (name, count) = (method.name(), directions(flow));
    let label = format!("Speed-up of {name} over stored fields on one thread, {count}-directional");
    let lines = options.densities.iter().map(of_density).collect();
    chart(label, Axis::new("side of the world", "space units"), Axis::new("speed-up", ""), false, lines)
}

/// Like figure 10: time of the one-step cache divided by the times of the others, in all cases.
fn chart_of_all(measurements: &YuMeasurements) -> Chart {
    let cases: Vec<(Case, u32)> = measurements.options.cases().into_iter().zip(1..).collect();
    let lines = [Method::MultiStep(measurements.options.sums), Method::Device].map(|method| {
        line(method.name(), &cases, |(case, number)| {
            Some((f64::from(number), measurements.ratio(case, Method::OneStep, method)?))
        })
    });
    let x = Axis::count("case: flow by flow, size by size, density by density");
    let y = Axis::new("time of the one-step cache / time", "");
    chart("Time of the one-step cache over the others, all cases", x, y, false, lines.into())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::experiment::{Row, Rows, Times};
    use crate::yu::cases::Options;
    use crate::yu::memory::FieldSizeMeasurement;
    use crate::yu::reproduce::{Refused, TickMeasurement};

    /// Two sizes; in the larger one, the multi-step cache did not fit.
    pub(in super::super) fn measurements() -> YuMeasurements {
        let options =
            Options { sizes: vec![100, 200], densities: vec![0.5], flows: vec![Flow::Eight], ..Options::default() };
        let row = |case, program: Method, ticks: u32, ms: f64| Row {
            case,
            program,
            times: Times::of([0.5, 1.0, 2.0].map(|times| times * ms * f64::from(ticks) / 1e3).to_vec()),
            figures: TickMeasurement { ticks, bytes: program.is_on_device().then_some(1000) },
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
        let memory = FieldSizeMeasurement {
            field: 21,
            fan_out: 64,
            one_step: gib,
            multi_step: gib / 2,
            throng: Some(gib / 4),
            ms_per_tick: Some(3.0),
            ticks: 20,
        };
        YuMeasurements { options, rows: Rows(rows), refused: vec![refused], memory: vec![memory] }
    }

    #[test]
    fn a_row_has_its_spread_and_its_bytes() {
        let text = String::from_utf8(csv(&measurements()).csv()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 7);
        assert_eq!(lines[1], "100;0.5;8;7;stored fields, 1 thread;10;3;2;1;4;200;");
        assert_eq!(lines[2], "100;0.5;8;7;one-step cache;100;3;1;0.5;2;10;1000");
        let text = String::from_utf8(memory_csv(&measurements()).csv()).unwrap();
        assert_eq!(text.lines().nth(1), Some("2000;21;64;1073741824;536870912;268435456;20;3"));
    }

    #[test]
    fn charts_show_only_measured_programs() {
        let of_two_sizes: Vec<String> = files(&measurements()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(of_two_sizes, ["yu.csv", "yu_memory.csv", "yu.md"], "two points are too few for a chart");
        let mut measurements = measurements();
        measurements.options.sizes.push(400);
        let largest = Case { side: 400, density: 0.5, flow: Flow::Eight };
        let of_larger = measurements.rows[3..].to_vec();
        measurements.rows.0.extend(of_larger.into_iter().map(|row| Row { case: largest, ..row }));
        let found = files(&measurements);
        let found: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        let charts = ["yu_eight_one_step.svg", "yu_eight_throng.svg", "yu_all.svg"];
        assert_eq!(found, [&["yu.csv", "yu_memory.csv", "yu.md"][..], &charts].concat());
        assert!(found.iter().all(|name| all_names().iter().any(|declared| declared == name)));
        let all = chart_of_all(&measurements);
        assert_eq!(all.series[0].points, [(1.0, 10.0), (2.0, 10.0), (3.0, 10.0)]);
        let of_throng = speed_ups(&measurements, Flow::Eight, Method::Device);
        assert_eq!(of_throng.series[0].points, [(100.0, 200.0), (200.0, 400.0), (400.0, 400.0)]);
    }
}
