//! Output files of the measurements: a table and charts.

use throng_output::svg::{Axis, Chart, Graphic};

use super::program::{Measured, Program};
use super::published::TABLE_2;
use super::reproduce::StrippgenMeasurements;
use super::variant::Variant;
use crate::experiment::chart::{chart, chart_file, line};
use crate::experiment::{Cell, Table, cells, file};

/// Names of the files.
pub const NAMES: &str = "strippgen.csv strippgen.svg strippgen_cpu.svg strippgen_device.svg";

/// Returns a table, a chart of real-time factors, and charts of the speed-ups of all variants over the published Java
/// program, which correspond to the paper's figures 5 to 7.
pub fn files(measurements: &StrippgenMeasurements) -> Vec<(String, Vec<u8>)> {
    let mut files =
        vec![file("strippgen.csv", csv(measurements).csv()), file("strippgen.svg", factors(measurements).render())];
    files.extend(chart_file("strippgen_cpu.svg", &over_java(measurements, "one CPU thread", Program::Cpu)));
    if measurements.device.is_some() {
        files.extend(chart_file("strippgen_device.svg", &over_java(measurements, "the device", Program::Device)));
    }
    files
}

/// One row per published figure and per measurement. The speed-up compares the device with one CPU thread of
/// the same program; published figures are compared with the published Java program.
fn csv(measurements: &StrippgenMeasurements) -> Table {
    let columns = "machine, program, sample_percent, agents, from, simulated_s, runs, wall_s, fastest_s, slowest_s, \
                   real_time_factor, speed_up, launches_per_step, legs_ended, in_traffic, state_hash";
    let mut table = Table::of(0, columns);
    for published in TABLE_2 {
        for (percent, factor) in published.real_time_factors {
            let speed_up = TABLE_2[0].at(percent).map(|java| factor / java);
            let what = [cells!["published", published.name, percent], vec![Cell::Empty; 7]].concat();
            table.row([what, cells![factor, speed_up], vec![Cell::Empty; 4]].concat());
        }
    }
    for row @ Measured { case, program, times, figures } in &*measurements.rows {
        let what = cells![program.machine(), program.name(), *case, figures.agents, Cell::Time(figures.from_s)];
        let speed_up = match program {
            Program::Device(variant) => measurements.rows.speed_up(*case, *variant),
            _ => None,
        };
        let hash = figures.hash.map(|hash| format!("{hash:016x}"));
        let found = cells![program.launches_per_step(), figures.legs_ended, figures.in_traffic, hash];
        let factors = cells![row.real_time_factor(), speed_up];
        table.row([what, cells![figures.simulated_s], times.cells(1.0), factors, found].concat());
    }
    table
}

/// Real-time factors by sample, published and measured, on a logarithmic axis.
fn factors(measurements: &StrippgenMeasurements) -> Chart {
    let rows = &measurements.rows;
    let published = TABLE_2.map(|published| line(published.short, &published.real_time_factors, Some));
    let mut measured = vec![
        (Program::Cpu(Variant::RING_NODES), "1 CPU thread"),
        (Program::Device(Variant::RING_NODES), "device"),
        (Program::FullModel { threads: 1, events: false }, "full model, 1 CPU thread"),
    ];
    measured.extend(rows.full_model_on_device().map(|program| (program, "full model, device")));
    let mut percents = measurements.options.percents.clone();
    percents.sort_by(f64::total_cmp);
    let measured = measured
        .into_iter()
        .map(|(program, name)| line(name, &percents, |percent| Some((percent, rows.factor(percent, program)?))));
    let x = Axis::new("sample of the population", "%");
    let y = Axis::new("real-time factor (measured: RINGNODES)", "");
    let lines = published.into_iter().chain(measured).collect();
    chart("Real-time factor over the sample of the population", x, y, true, lines)
}

/// The real-time factors of all variants, divided by that of the Java program of 2009 in the same sample. Two
/// processors are compared here as well.
fn over_java(measurements: &StrippgenMeasurements, machine: &str, program: fn(Variant) -> Program) -> Chart {
    let mut percents = measurements.options.percents.clone();
    percents.sort_by(f64::total_cmp);
    let over = |percent: f64, factor: f64| Some((percent, factor / TABLE_2[0].at(percent)?));
    let published = TABLE_2[1..]
        .iter()
        .map(|published| line(published.short, &percents, |percent| over(percent, published.at(percent)?)));
    let measured = Variant::ALL.map(|variant| {
        let factor = |percent| measurements.rows.factor(percent, program(variant));
        line(variant.to_string(), &percents, |percent| over(percent, factor(percent)?))
    });
    let x = Axis::new("sample of the population", "%");
    let label = format!("Speed-up of the programs on {machine} over the Java program of 2009");
    chart(label, x, Axis::count("speed-up over Java, 2009"), true, published.chain(measured).collect())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::experiment::Rows;
    use crate::strippgen::program::tests::minute;
    use crate::strippgen::reproduce::Options;

    /// RINGNODES on both machines for two samples.
    pub(in super::super) fn measurements() -> StrippgenMeasurements {
        let [cpu, device] = [Program::Cpu(Variant::RING_NODES), Program::Device(Variant::RING_NODES)];
        StrippgenMeasurements {
            options: Options { percents: vec![1.0, 100.0], from_s: 27_000, steps: 60, ..Options::default() },
            device: Some("vulkan:0 (Card)".into()),
            network: (10, 5),
            left_out: 0,
            rows: Rows(vec![
                minute(cpu, 1.0, &[1.0]),
                minute(device, 1.0, &[0.08, 0.1, 0.2]),
                minute(cpu, 100.0, &[2.0]),
                minute(device, 100.0, &[0.1]),
            ]),
        }
    }

    #[test]
    fn published_and_measured_rows_have_the_same_columns() {
        let text = String::from_utf8(csv(&measurements()).csv()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + 12 + 4);
        assert!(lines.iter().all(|line| line.split(';').count() == 16), "{text}");
        assert!(text.contains("published;GeForce GTX 280;100;;;;;;;;6699;62.02777777777778;;;;\r\n"), "{text}");
        for measured in [
            "device;RINGNODES;1;10;07:30:00;60;3;0.1;0.08;0.2;600;10;3;5;7;00000000000000ff\r\n",
            "cpu;RINGNODES;1;10;07:30:00;60;1;1;1;1;60;;;5;7;00000000000000ff\r\n",
        ] {
            assert!(text.contains(measured), "{text}");
        }
    }

    #[test]
    fn variants_are_compared_with_the_java_program_of_the_same_sample() {
        let chart = over_java(&measurements(), "the device", Program::Device);
        let names: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["8600 GT 2009", "GTX 280 2009", "RINGNODES"]);
        // The paper has no figure for 1 %; with all agents, a real-time factor of 600 against 108.
        assert_eq!(chart.series[2].points, [(100.0, libm::log10(600.0 / 108.0))]);
    }

    #[test]
    fn the_chart_has_a_line_for_each_machine() {
        let chart = factors(&measurements());
        let names: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names.len(), 5, "{names:?}");
        assert_eq!(names[4], "device");
        assert_eq!(chart.series[4].points[0], (1.0, libm::log10(600.0)));
        assert!(chart.render().contains(">10\u{202f}000</text>"));
    }
}
