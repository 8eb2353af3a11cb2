//! Output files of the measurements: tables, a chart for each flow and program, and one for all cases.

use throng_output::svg::{Axis, Chart};
use throng_pedestrians::{Flow, SectorMap};

use super::cases::{Case, directions};
use super::fan_out::TABLE_II;
use super::method::Method;
use super::reproduce::YuMeasurements;
use super::table::{pairs, table};
use crate::experiment::chart::{chart, chart_file, line};
use crate::experiment::{SpeedUp, Table, cells, file, names};

/// File name of a chart.
fn chart_name(flow: Flow, method: Method) -> String {
    format!("yu_{}_{}.svg", flow.name(), method.file())
}

/// The programs with charts.
fn charted(sums: u32) -> Vec<Method> {
    Method::all(sums).into_iter().filter(|&method| method != Method::Naive).collect()
}

/// Names of all files that may be written.
pub fn all_names() -> Vec<String> {
    let programs = charted(0);
    let charts = Flow::ALL.into_iter().flat_map(|flow| programs.iter().map(move |&method| chart_name(flow, method)));
    let others = "yu.csv yu_memory.csv yu_ablation.csv yu.md yu_all.svg yu_fan_outs.svg";
    names(others).into_iter().chain(charts).collect()
}

/// Returns `yu.csv`, `yu_memory.csv`, `yu_ablation.csv`, `yu.md`, and the charts with enough points.
pub fn files(measurements: &YuMeasurements) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![
        file("yu.csv", csv(measurements).csv()),
        file("yu_memory.csv", memory_csv(measurements).csv()),
        file("yu_ablation.csv", ablation_csv(measurements).csv()),
        file("yu.md", table(measurements)),
    ];
    for &flow in &measurements.options.flows {
        for method in charted(measurements.options.sums) {
            files.extend(chart_file(chart_name(flow, method), &speed_ups(measurements, flow, method)));
        }
    }
    files.extend(chart_file("yu_all.svg", &chart_of_all(measurements)));
    files.extend(chart_file("yu_fan_outs.svg", &fan_outs()));
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
    let columns = "size, field, fan_out, one_step_bytes, multi_step_bytes, throng_bytes, ticks, ms_per_tick, \
                   multi_step_ms_per_tick";
    let mut table = Table::of(0, columns);
    for row in &measurements.memory {
        let (side, ms) = (measurements.options.memory_side, row.ms_per_tick);
        let memory = cells![side, row.field, row.fan_out, row.one_step, row.multi_step, row.throng];
        table.row([memory, cells![row.ticks, ms, row.multi_step_ms]].concat());
    }
    table
}

/// One row per technique and size.
fn ablation_csv(measurements: &YuMeasurements) -> Table {
    let columns = "size, technique, rank_in_paper, with_ms, without_ms, ratio, least_ratio, greatest_ratio, runs";
    let mut table = Table::of(0, columns);
    for side in measurements.ablation.sizes() {
        for effect in measurements.ablation.effects(side) {
            let (name, rank) = (effect.technique.name(), effect.technique.published_rank());
            let SpeedUp { median, least, greatest, runs } = effect.ratio;
            table.row(cells![side, name, rank, effect.with_ms, effect.without_ms, median, least, greatest, runs]);
        }
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

/// Like figure 10: ratios of the times of two programs, in all cases.
fn chart_of_all(measurements: &YuMeasurements) -> Chart {
    let cases: Vec<(Case, u32)> = measurements.options.cases().into_iter().zip(1..).collect();
    let lines = pairs(measurements.options.sums).map(|(slower, faster)| {
        line(format!("{} / {}", slower.name(), faster.name()), &cases, |(case, number)| {
            Some((f64::from(number), measurements.ratio(case, slower, faster)?))
        })
    });
    let x = Axis::count("case: flow by flow, size by size, density by density");
    chart("Ratios of times per tick, all cases", x, Axis::new("ratio of times", ""), false, lines.into())
}

/// Figure 4: fan-outs of the paper and of Throng's map, and the square through the paper's last one.
fn fan_outs() -> Chart {
    let (smallest, largest) = (TABLE_II[0].0, TABLE_II[TABLE_II.len() - 1]);
    let ratio = |side: u32| f64::from(side) / f64::from(smallest);
    let square = f64::from(largest.1) / (ratio(largest.0) * ratio(largest.0));
    let of = |name: String, fan_out: &dyn Fn(u32, u32) -> f64| {
        line(name, &TABLE_II, |(side, published, _)| Some((ratio(side), fan_out(side, published))))
    };
    let map = SectorMap::default();
    let lines = vec![
        of("the paper".to_owned(), &|_, published| f64::from(published)),
        of(format!("here, {}", map.name()), &|side, _| f64::from(map.fan_out(side, side))),
        of(format!("{square:.2} times the square of the ratio"), &|side, _| square * ratio(side) * ratio(side)),
    ];
    let (x, y) = (Axis::new("side of a field / 7", ""), Axis::new("strength fan-out", ""));
    chart("Strength fan-out over the ratio of field sizes", x, y, false, lines)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::experiment::{Row, Rows, Times};
    use crate::yu::ablation::Ablation;
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
            multi_step_ms: Some(7.0),
        };
        YuMeasurements {
            options,
            rows: Rows(rows),
            refused: vec![refused],
            memory: vec![memory],
            ablation: Ablation::default(),
        }
    }

    #[test]
    fn a_row_has_its_spread_and_its_bytes() {
        let text = String::from_utf8(csv(&measurements()).csv()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 7);
        assert_eq!(lines[1], "100;0.5;8;7;stored fields, 1 thread;10;3;2;1;4;200;");
        assert_eq!(lines[2], "100;0.5;8;7;one-step cache;100;3;1;0.5;2;10;1000");
        let text = String::from_utf8(memory_csv(&measurements()).csv()).unwrap();
        assert_eq!(text.lines().nth(1), Some("2000;21;64;1073741824;536870912;268435456;20;3;7"));
    }

    #[test]
    fn the_papers_fan_outs_are_near_the_square() {
        let chart = fan_outs();
        let of = |series: usize, point: usize| chart.series[series].points[point];
        assert_eq!([of(0, 1), of(1, 1)], [(3.0, 61.0), (3.0, 64.0)]);
        for point in 1..TABLE_II.len() {
            assert!((of(0, point).1 / of(2, point).1 - 1.0).abs() < 0.02, "{:?}", of(0, point));
        }
    }

    #[test]
    fn charts_show_only_measured_programs() {
        let of_two_sizes: Vec<String> = files(&measurements()).into_iter().map(|(name, _)| name).collect();
        let tables = ["yu.csv", "yu_memory.csv", "yu_ablation.csv", "yu.md"];
        assert_eq!(of_two_sizes, [&tables[..], &["yu_fan_outs.svg"]].concat(), "two points are too few for a chart");
        let mut measurements = measurements();
        measurements.options.sizes.push(400);
        let largest = Case { side: 400, density: 0.5, flow: Flow::Eight };
        let of_larger = measurements.rows[3..].to_vec();
        measurements.rows.0.extend(of_larger.into_iter().map(|row| Row { case: largest, ..row }));
        let found = files(&measurements);
        let found: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        let charts = ["yu_eight_one_step.svg", "yu_eight_throng.svg", "yu_all.svg", "yu_fan_outs.svg"];
        assert_eq!(found, [&tables[..], &charts].concat());
        assert!(found.iter().all(|name| all_names().iter().any(|declared| declared == name)));
        let all = chart_of_all(&measurements);
        assert_eq!(all.series[0].points, [(1.0, 10.0), (2.0, 10.0), (3.0, 10.0)]);
        let of_throng = speed_ups(&measurements, Flow::Eight, Method::Device);
        assert_eq!(of_throng.series[0].points, [(100.0, 200.0), (200.0, 400.0), (400.0, 400.0)]);
    }
}
