//! The paper's table 2, next to this machine's, as text.

use throng_core::{clock, three_figures};

use super::program::{Measured, Program};
use super::published::{GTX_280, TABLE_2};
use super::reproduce::StrippgenMeasurements;
use super::variant::Variant;
use crate::experiment::{Cell, Table, cells};

/// All real-time factors and speed-ups, as a table for a terminal.
pub fn table(measurements: &StrippgenMeasurements) -> String {
    let StrippgenMeasurements { options, rows, .. } = measurements;
    let device = measurements.device.as_deref().unwrap_or_default();
    let percents = &options.percents;
    let mut table = Table::new(1, ["real-time factor"]).and(percents.iter().map(|percent| format!("{percent} %")));
    let line = |table: &mut Table, name: String, cell: &dyn Fn(f64) -> Cell| {
        table.row([cells![name], percents.iter().map(|&percent| cell(percent)).collect()].concat());
    };
    table.row(cells!["published in 2009"]);
    for published in TABLE_2 {
        line(&mut table, format!("  {}", published.name), &|percent| published.at(percent).into());
    }
    let [from, to] = [options.from_s, options.from_s + options.steps].map(|s| clock::format(f64::from(s)));
    let programs = rows.programs();
    let of = |section: usize| programs.iter().copied().filter(move |program| program.section() == section);
    for (section, title) in [
        format!("this machine, 1 CPU thread, {from} to {to}"),
        format!("{device}, {from} to {to}, 3 launches per step, RING2 and RINGNODES2 4"),
        format!("{device}, 00:00:00 to 24:00:00"),
        "Throng's full model, this machine, first departure to end of day".to_owned(),
        format!("Throng's full model, {device}, first departure to end of day"),
    ]
    .into_iter()
    .enumerate()
    {
        let programs: Vec<Program> = of(section).collect();
        if !programs.is_empty() {
            table.row(cells![title]);
        }
        for program in programs {
            line(&mut table, format!("  {}", program.name()), &|percent| rows.factor(percent, program).into());
            table.row_if_any(
                "    slowest-fastest run",
                percents.iter().map(|&percent| {
                    let spread = rows.row(percent, program).and_then(Measured::spread);
                    Cell::from(spread.map(|spread| format!("{}-{}", three_figures(spread.0), three_figures(spread.1))))
                }),
            );
        }
    }
    // The same program on the same window: the device against one CPU thread.
    if of(1).next().is_some() {
        table.row(cells![format!("speed-up of {device} over 1 CPU thread, same program")]);
    }
    let variants =
        of(1).filter_map(|program| if let Program::Device(variant) = program { Some(variant) } else { None });
    for variant in variants {
        line(&mut table, format!("  {variant}"), &|percent| rows.speed_up(percent, variant).into());
    }
    // The full model against the paper's program: on the same device, which compares the programs, and against the
    // published figures, which also compares this device with the paper's GPU.
    if let Some(full_model) = rows.full_model_on_device() {
        let title = format!("how many times faster Throng's full model is on {device}, whole day, without events");
        table.row(cells![title]);
        let factor = |percent| rows.factor(percent, full_model);
        line(&mut table, format!("  than {} on the same device", Variant::RING_NODES), &|percent| {
            factor(percent).zip(rows.factor(percent, Program::DeviceAllDay)).map(|(full, same)| full / same).into()
        });
        line(&mut table, format!("  than the paper's {}", GTX_280.name), &|percent| {
            factor(percent).zip(GTX_280.at(percent)).map(|(full, published)| full / published).into()
        });
    }
    let reference = |percent| rows.row(percent, Program::Cpu(Variant::RING_NODES)).map(|row| &row.figures);
    line(&mut table, "agents who drive".to_owned(), &|percent| reference(percent).map(|found| found.agents).into());
    line(&mut table, "of them on the road at the end".to_owned(), &|percent| {
        reference(percent).and_then(|found| found.in_traffic).into()
    });
    line(&mut table, "legs ended by then".to_owned(), &|percent| {
        reference(percent).map(|found| found.legs_ended).into()
    });
    table.aligned()
}

#[cfg(test)]
mod tests {
    use throng_device::DeviceId;

    use super::*;
    use crate::strippgen::program::tests::minute;
    use crate::strippgen::report::tests::measurements;

    /// The cells of the first row whose name starts with `name`.
    fn cells(text: &str, name: &str) -> Vec<String> {
        let cells = text.lines().find_map(|line| line.trim_start().strip_prefix(name));
        cells.unwrap_or_else(|| panic!("{name}: {text}")).split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn rows_are_listed_beside_published_rows() {
        let text = table(&measurements());
        for (name, expected) in [
            ("real-time factor", ["1", "%", "100", "%"].as_slice()),
            ("GeForce GTX 280", &["-", "6699"]),
            ("Java, Pentium 2.2 GHz", &["-", "108"]),
            ("agents who drive", &["10", "1000"]),
            ("of them on the road at the end", &["7", "7"]),
            ("slowest-fastest run", &["300-750", "-"]),
        ] {
            assert_eq!(cells(&text, name), expected, "{name}");
        }
        let sections: Vec<&str> = text.lines().filter(|line| !line.starts_with(' ')).collect();
        assert!(sections.contains(&"this machine, 1 CPU thread, 07:30:00 to 07:31:00"), "{text}");
        assert!(sections.contains(&"speed-up of vulkan:0 (Card) over 1 CPU thread, same program"), "{text}");
        let ring_nodes: Vec<_> = text.lines().filter_map(|line| line.trim_start().strip_prefix("RINGNODES")).collect();
        let factors = ring_nodes.iter().map(|line| line.split_whitespace().collect::<Vec<_>>());
        assert_eq!(factors.collect::<Vec<_>>(), [["60.0", "30.0"], ["600", "600"], ["10.0", "20.0"]]);
        assert!(!text.contains("same device"), "the full model was not measured: {text}");
    }

    #[test]
    fn the_full_model_is_compared_with_the_papers_program_on_the_same_device() {
        let mut measurements = measurements();
        // An hour takes 0.18 s, and 0.36 s with the paper's program: real-time factors of 20,000 and 10,000.
        let hour = |program, wall_s| {
            let mut row = minute(program, 100.0, &[wall_s]);
            row.figures.simulated_s = 3600.0;
            row
        };
        let device = DeviceId::parse("vulkan:0").unwrap();
        measurements.rows.0.extend([
            hour(Program::DeviceAllDay, 0.36),
            hour(Program::FullModel { threads: 1, events: false }, 36.0),
            hour(Program::FullModelOnDevice { device, events: false }, 0.18),
            hour(Program::FullModelOnDevice { device, events: true }, 0.72),
        ]);
        let text = table(&measurements);
        assert!(text.contains("how many times faster"), "{text}");
        assert_eq!(cells(&text, "than RINGNODES on the same device"), ["-", "2.00"]);
        // 20,000 / 6,699.
        assert_eq!(cells(&text, "than the paper's GeForce GTX 280"), ["-", "2.99"]);
    }
}
