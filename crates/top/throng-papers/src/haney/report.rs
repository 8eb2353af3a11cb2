//! The measurements as files.

use throng_output::csv as tables;

use super::reproduce::Measurements;
use super::statements::statements;
use super::table::table;

/// What the comparison leaves out.
const LEFT_OUT: &str = "\
What is not compared:

* In the barter of resources the program miscounts the cost of lots beyond its table of utilities. How is not \
recorded, so that no deviation stands for it.
* Two columns of the program's long output, avgGathered and avgHeld, have each other's names. This has no effect on a \
society.
* With devices that speed up assembly the program crashes, and there are no figures to compare: the scenario \
extracting leaves these devices out.
";

/// All names that files may have.
pub fn names() -> Vec<String> {
    ["haney.csv", "haney.md"].map(str::to_owned).to_vec()
}

/// `haney.csv` and `haney.md`.
pub fn files(measurements: &Measurements) -> Vec<(String, Vec<u8>)> {
    vec![("haney.csv".to_owned(), csv(measurements)), ("haney.md".to_owned(), text(measurements).into_bytes())]
}

/// The tables, the statements, and what is left out.
pub fn text(measurements: &Measurements) -> String {
    [&table(measurements), &statements(measurements), "\n", LEFT_OUT].concat()
}

/// A row per run and published day.
pub fn csv(measurements: &Measurements) -> Vec<u8> {
    let mut out = Vec::new();
    tables::push_header(
        &mut out,
        &["scenario", "deviations", "seed", "day", "units", "utility", "gini", "complexity", "traded", "tools"],
    );
    for row in &measurements.rows {
        let mut line = tables::Row::new(&mut out);
        line.text(row.scenario.name()).text(row.deviations).integer(row.seed as i64).integer(row.day.into());
        line.number(row.units).number(row.utility).number(row.gini).number(row.complexity);
        line.number(row.traded).number(row.tools).end();
    }
    out
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
        let csv = String::from_utf8(csv(&measurements)).unwrap();
        let lines: Vec<&str> = csv.lines().collect();
        // Days 10 and 20.
        assert_eq!(lines.len(), 1 + compared().count() * 2 * 2);
        assert!(lines[1].starts_with("trade;model;1;10;68") && lines[2].starts_with("trade;model;1;20;"), "{csv}");
        let text = text(&measurements);
        for deviation in compared() {
            assert!(text.contains(&format!("| {} |", deviation.name)), "{}: {text}", deviation.name);
            assert!(csv.contains(&format!("trade;{};2;20;", deviation.name)));
        }
        // Without devices, rules of devices make no difference.
        assert!(text.contains("| short-recipes | same | same | same |\n"), "{text}");
        assert!(!text.contains("| price-of-one | same |"), "{text}");
        assert_eq!(names(), files(&measurements).into_iter().map(|(name, _)| name).collect::<Vec<_>>());
    }

    #[test]
    fn threads_do_not_matter() {
        let run = |threads| {
            let options = Options { scenarios: vec![Scenario::Alone], seeds: 3, last_day: 20, threads };
            reproduce(&options, &NoProgress).unwrap().rows
        };
        assert_eq!(run(1), run(3));
    }
}
