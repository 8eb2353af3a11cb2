//! The paper's table 2, and this machine's beside it, as text.

use std::fmt::Write as _;

use throng_core::{clock, three_figures};

use super::published::{GTX_280, TABLE_2};
use super::reproduce::Measurements;
use super::row::{Machine, Row};
use super::variant::Variant;

const NAME: usize = 36;
const CELL: usize = 15;

/// All real-time factors and speed-ups as a table for a terminal.
pub fn table(measurements: &Measurements) -> String {
    let mut table = Table { text: String::new(), percents: &measurements.options.percents };
    table.head("real-time factor", |percent| format!("{percent} %"));
    table.title("published in 2009");
    for published in TABLE_2 {
        table.line(published.name, |percent| published.at(percent));
    }
    let options = &measurements.options;
    let window = format!(
        "{} to {}",
        clock::format(f64::from(options.from_s)),
        clock::format(f64::from(options.from_s + options.steps))
    );
    let device = measurements.device.as_deref().unwrap_or_default();
    let rows = &measurements.rows;
    for (machine, title) in [
        (Machine::Cpu, format!("this machine, 1 CPU thread, {window}")),
        (Machine::Device, format!("{device}, {window}, 3 launches per step, RING2 and RINGNODES2 4")),
        (Machine::DeviceAllDay, format!("{device}, 00:00:00 to 24:00:00")),
        (Machine::FullModel, "Throng's full model, this machine, first departure to end of day".to_owned()),
        (Machine::FullModelOnDevice, format!("Throng's full model, {device}, first departure to end of day")),
    ] {
        table.factors(rows, machine, &title);
    }
    table.speed_ups(rows, device);
    table.full_model(rows, device);
    let ring_nodes = Variant::RING_NODES.to_string();
    let reference = |percent| find(rows, Machine::Cpu, &ring_nodes, percent);
    let count = |count: Option<usize>| count.map_or_else(|| "-".to_owned(), |count| count.to_string());
    table.head("agents who drive", |percent| count(reference(percent).map(|row| row.agents)));
    table.head("of them on the road at the end", |percent| count(reference(percent).and_then(|row| row.in_traffic)));
    table.head("legs ended by then", |percent| count(reference(percent).map(|row| row.legs_ended as usize)));
    table.text
}
struct Table<'a> {
    text: String,
    percents: &'a [f64],
}

impl Table<'_> {
    fn head(&mut self, name: &str, cell: impl Fn(f64) -> String) {
        let _ = write!(self.text, "{name:<NAME$}");
        for &percent in self.percents {
            let _ = write!(self.text, "{:>CELL$}", cell(percent));
        }
        self.text.push('\n');
    }

    fn title(&mut self, title: &str) {
        let _ = writeln!(self.text, "{title}");
    }

    fn line(&mut self, name: &str, value: impl Fn(f64) -> Option<f64>) {
        self.head(&format!("  {name}"), |percent| value(percent).map_or_else(|| "-".to_owned(), three_figures));
    }

    fn factors(&mut self, rows: &[Row], machine: Machine, title: &str) {
        let programs = programs(rows, machine);
        if !programs.is_empty() {
            self.title(title);
        }
        for program in programs {
            let row = |percent| find(rows, machine, program, percent);
            self.line(program, |percent| row(percent).map(Row::real_time_factor));
            if self.percents.iter().any(|&percent| row(percent).is_some_and(|row| row.walls_s.len() > 1)) {
                self.head("    slowest-fastest run", |percent| {
                    row(percent).and_then(Row::spread).map_or_else(
                        || "-".to_owned(),
                        |(slowest, fastest)| format!("{}-{}", three_figures(slowest), three_figures(fastest)),
                    )
                });
            }
        }
    }

    /// The same program on the same window: device against one CPU thread.
    fn speed_ups(&mut self, rows: &[Row], device: &str) {
        let programs = programs(rows, Machine::Device);
        if !programs.is_empty() {
            self.title(&format!("speed-up of {device} over 1 CPU thread, same program"));
        }
        for program in programs {
            self.line(program, |percent| speed_up(rows, program, percent));
        }
    }

    /// The full model against the paper's program: on the same device, which compares the programs, and as published, which
    /// compares GPUs sixteen years apart as well.
    fn full_model(&mut self, rows: &[Row], device: &str) {
        let Some(&full_model) = programs(rows, Machine::FullModelOnDevice).first() else { return };
        let factor = |percent| Some(find(rows, Machine::FullModelOnDevice, full_model, percent)?.real_time_factor());
        let ring_nodes = Variant::RING_NODES.to_string();
        self.title(&format!("how many times faster Throng's full model is on {device}, whole day, without events"));
        self.line(&format!("than {ring_nodes} on the same device"), |percent| {
            let same_device = find(rows, Machine::DeviceAllDay, &ring_nodes, percent)?;
            Some(factor(percent)? / same_device.real_time_factor())
        });
        self.line(&format!("than the paper's {}", GTX_280.name), |percent| {
            Some(factor(percent)? / GTX_280.at(percent)?)
        });
    }
}

/// How many times faster the device is than one thread with the same program.
pub(super) fn speed_up(rows: &[Row], program: &str, percent: f64) -> Option<f64> {
    let factor = |machine| find(rows, machine, program, percent).map(Row::real_time_factor);
    Some(factor(Machine::Device)? / factor(Machine::Cpu)?)
}

/// The programs of a machine, each once, in the order in which they ran.
pub(super) fn programs(rows: &[Row], machine: Machine) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| row.machine == machine) {
        if !names.contains(&row.program.as_str()) {
            names.push(&row.program);
        }
    }
    names
}

pub(super) fn find<'a>(rows: &'a [Row], machine: Machine, program: &str, percent: f64) -> Option<&'a Row> {
    rows.iter().find(|row| row.machine == machine && row.program == program && row.percent == percent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strippgen::report::tests::measurements;
    use crate::strippgen::row::tests::ring_nodes;

    #[test]
    fn rows_stand_beside_the_published_ones() {
        let text = table(&measurements());
        let line = |name: &str| {
            let line =
                text.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_else(|| panic!("{text}"));
            line.split_whitespace().skip(name.split(' ').count()).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(line("real-time factor"), ["1", "%", "100", "%"]);
        assert_eq!(line("GeForce GTX 280"), ["-", "6699"]);
        assert_eq!(line("Java, Pentium 2.2 GHz"), ["-", "108"]);
        assert_eq!(line("agents who drive"), ["10", "1000"]);
        assert_eq!(line("of them on the road at the end"), ["7", "7"]);
        let sections: Vec<&str> = text.lines().filter(|line| !line.starts_with(' ')).collect();
        assert!(sections.contains(&"this machine, 1 CPU thread, 07:30:00 to 07:31:00"), "{text}");
        assert!(sections.contains(&"speed-up of vulkan:0 (Card) over 1 CPU thread, same program"), "{text}");
        let ring_nodes: Vec<_> = text.lines().filter_map(|line| line.trim_start().strip_prefix("RINGNODES")).collect();
        let factors = ring_nodes.iter().map(|line| line.split_whitespace().collect::<Vec<_>>());
        assert_eq!(factors.collect::<Vec<_>>(), [["60.0", "30.0"], ["600", "600"], ["10.0", "20.0"]]);
        assert_eq!(line("slowest-fastest run"), ["300-750", "-"]);
        assert!(!text.contains("same device"), "the full model was not measured: {text}");
    }

    #[test]
    fn the_full_model_is_compared_with_the_papers_program_on_the_same_device() {
        let mut measurements = measurements();
        // An hour in 0.18 s and, with the program of the paper, in 0.36 s: real-time factors of 20,000 and 10,000.
        let hour = |machine, program: &str, wall_s| Row {
            simulated_s: 3600.0,
            program: program.into(),
            ..ring_nodes(machine, 100.0, &[wall_s])
        };
        measurements.rows.extend([
            hour(Machine::DeviceAllDay, "RINGNODES", 0.36),
            hour(Machine::FullModel, "CPU, 1 thread", 36.0),
            hour(Machine::FullModelOnDevice, "vulkan:0", 0.18),
            hour(Machine::FullModelOnDevice, "vulkan:0, with events", 0.72),
        ]);
        let text = table(&measurements);
        let lines: Vec<&str> = text.lines().collect();
        let title = lines.iter().position(|line| line.starts_with("how many times faster")).unwrap();
        let cells = |line: &str| line[NAME..].split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert!(lines[title + 1].contains("RINGNODES on the same device"), "{text}");
        assert_eq!(cells(lines[title + 1]), ["-", "2.00"]);
        // 20,000 / 6,699.
        assert_eq!(cells(lines[title + 2]), ["-", "2.99"]);
    }
}
