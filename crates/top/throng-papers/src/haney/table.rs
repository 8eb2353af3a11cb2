//! The measurements next to the published ones, as a Markdown document.

use std::fmt::Write as _;

use super::deviations::{ALL, DEVIATIONS, MODEL, PRICE_OF_ONE};
use super::reproduce::{Figure, HaneyMeasurements};
use super::scenarios::Scenario;
use crate::experiment::{Cell, Table};

/// Builds the document with all tables.
pub fn table(measurements: &HaneyMeasurements) -> String {
    let options = &measurements.options;
    let (seeds, s) = (options.seeds, if options.seeds == 1 { "" } else { "s" });
    let mut text = format!(
        "Societies of 24 agents and 24 resources. The program's figures come from one run with seed 1. The \
         others are means over {seeds} seed{s}, with minimum and maximum in brackets. Units and utility are per \
         agent.\n\n"
    );
    for &scenario in &options.scenarios {
        let others = [PRICE_OF_ONE.name, ALL.name];
        by_day(measurements, scenario, "units extracted", &[Figure::Units], &others, &mut text);
        by_day(measurements, scenario, "utility", &[Figure::Utility], &others, &mut text);
        if scenario.published().iter().any(|published| Figure::Tools.published(published).is_some()) {
            let shown = "Gini coefficient of utility, complexity (units in the device with which a unit is extracted) and \
                         tools made by an agent";
            let figures = [Figure::Gini, Figure::Complexity, Figure::Tools];
            by_day(measurements, scenario, shown, &figures, &[ALL.name], &mut text);
        }
    }
    deviations(measurements, &mut text);
    text
}

/// Figures by day: of the program, of the model, and with deviations. The table of a single figure adds its
/// range.
fn by_day(
    measurements: &HaneyMeasurements,
    scenario: Scenario,
    shown: &str,
    figures: &[Figure],
    others: &[&'static str],
    text: &mut String,
) {
    let name = scenario.name();
    let _ = writeln!(text, "{}{} ({}): {shown}.\n", name[..1].to_uppercase(), &name[1..], scenario.about());
    // Scenarios in which deviations have no effect run only the model.
    let ran = |name: &&&str| measurements.runs(scenario, name).next().is_some();
    let rules: Vec<&str> = std::iter::once(MODEL.name).chain(others.iter().filter(ran).copied()).collect();
    let mut table = Table::new(0, ["day"]);
    for figure in figures {
        let prefix = if figures.len() > 1 { format!("{}: ", figure.name()) } else { String::new() };
        let sources = std::iter::once("program").chain(rules.iter().copied());
        table = table.and(sources.map(|source| format!("{prefix}{source}")));
    }
    for published in measurements.options.days(scenario) {
        let mut cells = vec![Cell::from(published.day)];
        for &figure in figures {
            cells.push(figure.published(published).map(|value| figure.text(value)).into());
            for &rules in &rules {
                let found = measurements.statistics(scenario, rules, published.day, figure);
                cells.push(Cell::from(found.map(|found| {
                    let [mean, least, greatest] =
                        [found.mean, found.least, found.greatest].map(|value| figure.text(value));
                    let has_range = rules == MODEL.name && figures.len() == 1;
                    if has_range { format!("{mean} ({least} to {greatest})") } else { mean }
                })));
            }
        }
        table.row(cells);
    }
    text.push_str(&table.markdown());
}

/// Describes each deviation, and its effect on the last day of each scenario.
fn deviations(measurements: &HaneyMeasurements, text: &mut String) {
    const FIGURES: [Figure; 3] = [Figure::Units, Figure::Utility, Figure::Traded];
    text.push_str("Deviations of the program from the model:\n\n");
    for deviation in DEVIATIONS {
        let _ = writeln!(text, "* {}: {}", deviation.name, deviation.program);
    }
    let last = |scenario: Scenario| measurements.options.days(scenario).last().map(|published| published.day);
    let scenarios = measurements.options.scenarios.iter().filter(|&&scenario| scenario != Scenario::Alone);
    let scenarios: Vec<(Scenario, u32)> = scenarios.filter_map(|&scenario| Some((scenario, last(scenario)?))).collect();
    let days = scenarios.iter().map(|(scenario, day)| format!("{} {day}", scenario.name()));
    let _ = writeln!(
        text,
        "\nRatios of means to those of the model on the last published day ({}), with standard errors: units \
         extracted, utility, and units traded. \"same\" means that all figures of all societies equal the \
         model's.\n",
        days.collect::<Vec<_>>().join(", ")
    );
    let of_scenario =
        |&(scenario, _): &(Scenario, u32)| FIGURES.map(|figure| format!("{}: {}", scenario.name(), figure.name()));
    let mut table = Table::new(0, ["deviation"]).and(scenarios.iter().flat_map(of_scenario));
    for deviation in DEVIATIONS.into_iter().chain([ALL]) {
        let mut cells = vec![Cell::from(deviation.name)];
        for &(scenario, day) in &scenarios {
            let is_same = measurements.is_same_as_model(scenario, deviation.name);
            cells.extend(FIGURES.map(|figure| {
                let ratio = measurements.to_model(scenario, deviation.name, day, figure).map(|ratio| ratio.text());
                Cell::from(if is_same { Some("same".to_owned()) } else { ratio })
            }));
        }
        table.row(cells);
    }
    text.push_str(&table.markdown());
}
