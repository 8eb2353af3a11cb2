//! The measurements as files: a table and a chart.

use throng_output::csv as tables;
use throng_output::svg::{Axis, Chart, Graphic, Series};

use super::published::TABLE_2;
use super::reproduce::Measurements;
use super::row::{Machine, Row};
use super::table::{find, programs, speed_up};
use super::variant::Variant;

const COLUMNS: [&str; 16] = [
    "machine",
    "program",
    "sample_percent",
    "agents",
    "from",
    "simulated_s",
    "runs",
    "wall_s",
    "fastest_s",
    "slowest_s",
    "real_time_factor",
    "speed_up",
    "launches_per_step",
    "legs_ended",
    "in_traffic",
    "state_hash",
];

/// The names of the files.
pub const FILE_NAMES: [&str; 2] = ["strippgen.csv", "strippgen.svg"];

/// A table and a chart, each with its name of [`FILE_NAMES`].
pub fn files(measurements: &Measurements) -> Vec<(String, Vec<u8>)> {
    let contents = [csv(measurements), chart(measurements).render().into_bytes()];
    FILE_NAMES.map(str::to_owned).into_iter().zip(contents).collect()
}

/// A row per published figure and per measurement. The speed-up is that of the device over one CPU thread with the same
/// program and, for published figures, over the published Java program.
pub fn csv(measurements: &Measurements) -> Vec<u8> {
    let mut out = Vec::new();
    tables::push_header(&mut out, &COLUMNS);
    for published in TABLE_2 {
        for (percent, factor) in published.real_time_factors {
            let mut row = tables::Row::new(&mut out);
            row.text("published").text(published.name).number(percent);
            row.empty().empty().empty().empty().empty().empty().empty().number(factor);
            row.number(TABLE_2[0].at(percent).map_or(f64::NAN, |java| factor / java));
            row.empty().empty().empty().empty().end();
        }
    }
    for row in &measurements.rows {
        push(&mut out, row, &measurements.rows);
    }
    out
}

fn push(out: &mut Vec<u8>, measured: &Row, all: &[Row]) {
    let mut row = tables::Row::new(out);
    row.text(measured.machine.name()).text(&measured.program).number(measured.percent);
    row.integer(measured.agents as i64).time(measured.from_s).number(measured.simulated_s);
    row.integer(measured.walls_s.len() as i64).number(measured.wall_s());
    row.number(measured.walls_s[0]).number(measured.walls_s[measured.walls_s.len() - 1]);
    row.number(measured.real_time_factor());
    let on_device = measured.machine == Machine::Device;
    let speed_up = on_device.then(|| speed_up(all, &measured.program, measured.percent)).flatten();
    row.number(speed_up.unwrap_or(f64::NAN));
    let mut optional = |value: Option<i64>| {
        match value {
            Some(value) => row.integer(value),
            None => row.empty(),
        };
    };
    optional(measured.launches_per_step.map(i64::from));
    optional(Some(measured.legs_ended as i64));
    optional(measured.in_traffic.map(|vehicles| vehicles as i64));
    row.text(&measured.hash.map_or(String::new(), |hash| format!("{hash:016x}"))).end();
}

/// Real-time factors over samples, published and measured, in powers of ten.
pub fn chart(measurements: &Measurements) -> Chart {
    let rows = &measurements.rows;
    let mut series: Vec<Series> = TABLE_2
        .iter()
        .map(|published| Series {
            name: published.short.to_owned(),
            points: published
                .real_time_factors
                .iter()
                .map(|&(percent, factor)| (percent, libm::log10(factor)))
                .collect(),
        })
        .collect();
    let ring_nodes = Variant::RING_NODES.to_string();
    let mut measured = vec![(Machine::Cpu, ring_nodes.as_str(), "1 CPU thread")];
    measured.push((Machine::Device, &ring_nodes, "device"));
    // The first program of each is without events: on one thread, on the device.
    for (machine, name) in
        [(Machine::FullModel, "full model, 1 CPU thread"), (Machine::FullModelOnDevice, "full model, device")]
    {
        measured.extend(programs(rows, machine).first().map(|&program| (machine, program, name)));
    }
    let mut percents = measurements.options.percents.clone();
    percents.sort_by(f64::total_cmp);
    for (machine, program, name) in measured {
        let factor = |&percent: &f64| {
            let row = find(rows, machine, program, percent)?;
            Some((percent, libm::log10(row.real_time_factor())))
        };
        let points: Vec<(f64, f64)> = percents.iter().filter_map(factor).collect();
        if !points.is_empty() {
            series.push(Series { name: name.to_owned(), points });
        }
    }
    Chart {
        label: "Real-time factor over the sample of the population".into(),
        x: Axis::new("sample of the population", "%"),
        y: Axis::new("real-time factor (measured: RINGNODES)", "").in_powers_of_ten(),
        series,
        ..Chart::default()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::strippgen::reproduce::Options;
    use crate::strippgen::row::tests::ring_nodes;

    /// RINGNODES on both machines for two samples.
    pub(in super::super) fn measurements() -> Measurements {
        Measurements {
            options: Options { percents: vec![1.0, 100.0], from_s: 27_000, steps: 60, ..Options::default() },
            device: Some("vulkan:0 (Card)".into()),
            network: (10, 5),
            left_out: 0,
            rows: vec![
                ring_nodes(Machine::Cpu, 1.0, &[1.0]),
                ring_nodes(Machine::Device, 1.0, &[0.08, 0.1, 0.2]),
                ring_nodes(Machine::Cpu, 100.0, &[2.0]),
                ring_nodes(Machine::Device, 100.0, &[0.1]),
            ],
        }
    }

    #[test]
    fn published_and_measured_rows_have_the_same_columns() {
        let text = String::from_utf8(csv(&measurements())).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + 12 + 4);
        assert!(lines.iter().all(|line| line.split(';').count() == COLUMNS.len()), "{text}");
        assert!(text.contains("published;GeForce GTX 280;100;;;;;;;;6699;62.02777777777778;;;;\r\n"), "{text}");
        for measured in [
            "device;RINGNODES;1;10;07:30:00;60;3;0.1;0.08;0.2;600;10;3;5;7;00000000000000ff\r\n",
            "cpu;RINGNODES;1;10;07:30:00;60;1;1;1;1;60;;;5;7;00000000000000ff\r\n",
        ] {
            assert!(text.contains(measured), "{text}");
        }
    }

    #[test]
    fn the_chart_has_a_line_for_each_machine() {
        let chart = chart(&measurements());
        let names: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names.len(), 5, "{names:?}");
        assert_eq!(names[4], "device");
        assert_eq!(chart.series[4].points[0], (1.0, libm::log10(600.0)));
        assert!(chart.render().contains(">10\u{202f}000</text>"));
    }
}
