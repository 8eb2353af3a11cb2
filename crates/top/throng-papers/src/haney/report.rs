//! Output files of the measurements.

use super::reproduce::{HaneyMeasurements, Row};
use super::table::table;
use crate::experiment::{Cell, Table, cells, file};

/// Limits of the comparison.
const LEFT_OUT: &str = "\
Limits of the comparison:

* In the barter of resources, the program miscounts the cost of lots beyond its table of utilities. The details are \
not recorded, so there is no deviation for it.
* Two columns of the program's long output, avgGathered and avgHeld, have swapped names. This has no effect on \
societies.
* With devices that speed up assembly, the program crashes, so there are no figures to compare: the scenario \
extracting leaves these devices out.
";

/// Returns `haney.csv` and `haney.md`.
pub fn files(measurements: &HaneyMeasurements) -> Vec<(String, Vec<u8>)> {
    vec![file("haney.csv", csv(measurements).csv()), file("haney.md", text(measurements))]
}

/// The tables, and the limits of the comparison.
pub fn text(measurements: &HaneyMeasurements) -> String {
    [&table(measurements), LEFT_OUT].concat()
}

/// One row per run and published day.
fn csv(measurements: &HaneyMeasurements) -> Table {
    let columns = "scenario, deviations, seed, day, units, utility, gini, complexity, traded, tools";
    let mut table = Table::of(0, columns);
    for Row { scenario, deviations, seed, day, figures } in &measurements.rows {
        table.row([cells![scenario.name(), *deviations, *seed, *day], figures.map(Cell::from).to_vec()].concat());
    }
    table
}

#[cfg(test)]
mod tests {
    use throng_core::NoProgress;

    use super::super::deviations::compared;
    use super::super::reproduce::{Options, reproduce};
    use super::super::scenarios::Scenario;
    use super::*;

    #[test]
    fn a_quick_experiment_has_a_row_per_run_and_day() {
        let options = Options { scenarios: vec![Scenario::Trade], seeds: 2, last_day: 20, threads: 2 };
        let measurements = reproduce(&options, &NoProgress).unwrap();
        let csv = String::from_utf8(csv(&measurements).csv()).unwrap();
        let lines: Vec<&str> = csv.lines().collect();
        // Days 10 and 20.
        assert_eq!(lines.len(), 1 + compared().count() * 2 * 2);
        assert!(lines[1].starts_with("trade;model;1;10;68") && lines[2].starts_with("trade;model;1;20;"), "{csv}");
        let text = text(&measurements);
        for deviation in compared() {
            assert!(text.contains(&format!("| {} |", deviation.name)), "{}: {text}", deviation.name);
            assert!(csv.contains(&format!("trade;{};2;20;", deviation.name)));
        }
        // In a scenario without devices, rules about devices make no difference.
        assert!(text.contains("| short-recipes | same | same | same |\n"), "{text}");
        assert!(!text.contains("| price-of-one | same |"), "{text}");
    }

    #[test]
    fn results_do_not_depend_on_threads() {
        let run = |threads| {
            let options = Options { scenarios: vec![Scenario::Alone], seeds: 3, last_day: 20, threads };
            reproduce(&options, &NoProgress).unwrap().rows
        };
        assert_eq!(run(1), run(3));
    }
}
