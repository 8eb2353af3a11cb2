//! The measurements beside the published ones, as a document in Markdown.

use std::fmt::Write as _;

use super::deviations::{ALL, DEVIATIONS, MODEL, PRICE_OF_ONE};
use super::reproduce::{Figure, Measurements};
use super::scenarios::Scenario;

/// All tables.
pub fn table(measurements: &Measurements) -> String {
    let options = &measurements.options;
    let (seeds, s) = (options.seeds, if options.seeds == 1 { "" } else { "s" });
    let mut text = format!(
        "Societies of 24 agents and 24 resources. The program's figures are those of one run with seed 1. Those here \
         are means over {seeds} seed{s}; in brackets, the least and the greatest. Units and utility are those of an \
         agent.\n\n"
    );
    for &scenario in &options.scenarios {
        for figure in [Figure::Units, Figure::Utility] {
            course(measurements, scenario, figure, &mut text);
        }
        if scenario.published().iter().any(|published| published.tools.is_some()) {
            devices(measurements, scenario, &mut text);
        }
    }
    deviations(measurements, &mut text);
    text
}

fn head(text: &mut String, columns: &[String]) {
    let _ = writeln!(text, "| {} |\n|{}", columns.join(" | "), "---:|".repeat(columns.len()));
}

/// Name of the scenario, and of what its table shows.
fn title(text: &mut String, scenario: Scenario, shown: &str) {
    let mut name = scenario.name().to_owned();
    name[..1].make_ascii_uppercase();
    let _ = writeln!(text, "{name} ({}): {shown}.\n", scenario.about());
}

/// A figure day by day.
fn course(measurements: &Measurements, scenario: Scenario, figure: Figure, text: &mut String) {
    let shown = match figure {
        Figure::Units => "units extracted",
        other => other.name(),
    };
    title(text, scenario, shown);
    // The model alone is run where deviations cannot show.
    let others = [PRICE_OF_ONE, ALL].map(|deviation| deviation.name);
    let others: Vec<&str> =
        others.into_iter().filter(|name| measurements.runs(scenario, name).next().is_some()).collect();
    let columns: Vec<String> =
        ["day", "program", MODEL.name].into_iter().chain(others.iter().copied()).map(str::to_owned).collect();
    head(text, &columns);
    for published in measurements.options.days(scenario) {
        let day = published.day;
        let program = figure.published(published).map_or_else(String::new, |value| figure.text(value));
        let model = measurements.statistics(scenario, MODEL.name, day, figure).map_or_else(String::new, |found| {
            let [mean, least, greatest] = [found.mean, found.least, found.greatest].map(|value| figure.text(value));
            format!("{mean} ({least} to {greatest})")
        });
        let _ = write!(text, "| {day} | {program} | {model} |");
        for name in &others {
            let _ = write!(text, " {} |", mean(measurements, scenario, name, day, figure));
        }
        text.push('\n');
    }
    text.push('\n');
}

fn mean(measurements: &Measurements, scenario: Scenario, name: &str, day: u32, figure: Figure) -> String {
    let found = measurements.statistics(scenario, name, day, figure);
    found.map_or_else(String::new, |found| figure.text(found.mean))
}

/// Inequality, complexity and tools day by day.
fn devices(measurements: &Measurements, scenario: Scenario, text: &mut String) {
    const FIGURES: [Figure; 3] = [Figure::Gini, Figure::Complexity, Figure::Tools];
    title(
        text,
        scenario,
        "Gini coefficient of utility, complexity (units in the device with which a unit is extracted) and tools \
         made by an agent",
    );
    let of_figure =
        |figure: Figure| ["program", MODEL.name, ALL.name].map(|source| format!("{}: {source}", figure.name()));
    let columns: Vec<String> = ["day".to_owned()].into_iter().chain(FIGURES.into_iter().flat_map(of_figure)).collect();
    head(text, &columns);
    for published in measurements.options.days(scenario) {
        let day = published.day;
        let _ = write!(text, "| {day} |");
        for figure in FIGURES {
            let program = figure.published(published).map_or_else(String::new, |value| figure.text(value));
            let [model, all] = [MODEL.name, ALL.name].map(|name| mean(measurements, scenario, name, day, figure));
            let _ = write!(text, " {program} | {model} | {all} |");
        }
        text.push('\n');
    }
    text.push('\n');
}

/// What each deviation is, and what it changes on the last day of each scenario.
fn deviations(measurements: &Measurements, text: &mut String) {
    const FIGURES: [Figure; 3] = [Figure::Units, Figure::Utility, Figure::Traded];
    text.push_str("What the program does otherwise than the model:\n\n");
    for deviation in DEVIATIONS {
        let _ = writeln!(text, "* {}: {}", deviation.name, deviation.program);
    }
    let last = |scenario: Scenario| measurements.options.days(scenario).last().map(|published| published.day);
    let scenarios: Vec<(Scenario, u32)> = measurements
        .options
        .scenarios
        .iter()
        .filter(|&&scenario| scenario != Scenario::Alone)
        .filter_map(|&scenario| Some((scenario, last(scenario)?)))
        .collect();
    let days = scenarios.iter().map(|(scenario, day)| format!("{} {day}", scenario.name()));
    let _ = writeln!(
        text,
        "\nRatios to the model of means on the last published day ({}), with their standard errors: units extracted, \
         utility, and units traded. \"same\" means that all figures of all societies are those of the model.\n",
        days.collect::<Vec<_>>().join(", ")
    );
    let of_scenario =
        |&(scenario, _): &(Scenario, u32)| FIGURES.map(|figure| format!("{}: {}", scenario.name(), figure.name()));
    let columns: Vec<String> =
        ["deviation".to_owned()].into_iter().chain(scenarios.iter().flat_map(of_scenario)).collect();
    head(text, &columns);
    for deviation in DEVIATIONS.into_iter().chain([ALL]) {
        let _ = write!(text, "| {} |", deviation.name);
        for &(scenario, day) in &scenarios {
            let is_same = measurements.is_same_as_model(scenario, deviation.name);
            for figure in FIGURES {
                let ratio = measurements.to_model(scenario, deviation.name, day, figure);
                let cell =
                    if is_same { "same".to_owned() } else { ratio.map_or_else(String::new, |ratio| ratio.text()) };
                let _ = write!(text, " {cell} |");
            }
        }
        text.push('\n');
    }
    text.push('\n');
}
