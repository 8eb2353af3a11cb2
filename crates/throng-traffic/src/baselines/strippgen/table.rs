//! The paper's table 2, and this machine's beside it, as text.

use std::fmt::Write as _;

use throng_core::{clock, three_figures};

use super::paper::TABLE_2;
use super::reproduce::Measurements;
use super::row::{Machine, Row};
use super::variant::Variant;

const NAME: usize = 32;
const CELL: usize = 12;

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
        (Machine::FullModel, "Throng's full model, first departure to end of day".to_owned()),
    ] {
        table.factors(rows, machine, &title);
    }
    table.speed_ups(rows, device);
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
            self.line(program, |percent| find(rows, machine, program, percent).map(Row::real_time_factor));
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
    use crate::baselines::strippgen::report::tests::measurements;

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
    }
}
