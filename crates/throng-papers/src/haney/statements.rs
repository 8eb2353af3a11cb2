//! What is said of the model and of the program, each statement with what was found here.

use std::fmt::Write as _;

use super::deviations::{ALL, DEVIATIONS, MODEL, PRICE_OF_ONE};
use super::reproduce::{Figure, Measurements};
use super::scenarios::Scenario;
use super::statistics::Ratio;

/// Whether a statement holds here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Confirmed,
    NotConfirmed,
    /// Differences between seeds are too large.
    CannotBeKnown,
}

impl Verdict {
    fn of(holds: bool) -> Self {
        if holds { Self::Confirmed } else { Self::NotConfirmed }
    }

    /// Whether ratios are 1, within a limit.
    fn within(limit: f64, ratios: impl Iterator<Item = Ratio> + Clone) -> Self {
        if ratios.clone().all(|ratio| ratio.difference() <= limit) {
            Self::Confirmed
        } else if ratios.clone().any(|ratio| ratio.is_surely_beyond(limit)) {
            Self::NotConfirmed
        } else {
            Self::CannotBeKnown
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::NotConfirmed => "not confirmed",
            Self::CannotBeKnown => "cannot be known from these seeds",
        }
    }
}

type Found = Option<(Verdict, String)>;

/// What is compared with what.
#[derive(Clone, Copy)]
enum To {
    Model,
    Program,
}

/// On which published days.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Days {
    Last,
    All,
}

/// The day on which trade speeds the climb.
const DAY_OF_CLIMB: u32 = 100;
/// The day on which both are at their end.
const DAY_OF_END: u32 = 200;

/// The statements, as text. Those whose societies did not run are left out.
pub fn statements(measurements: &Measurements) -> String {
    let mut text = "Statements about the model and the program, each with what was found:\n\n".to_owned();
    let mut say = |statement: &str, found: Found| {
        if let Some((verdict, found)) = found {
            let _ = writeln!(text, "* {statement}\n  {}: {found}", verdict.text());
        }
    };
    say(
        "Prices of 1 do not change the course: units and utility are within 5 % of the model on the last published day.",
        agree(measurements, PRICE_OF_ONE.name, To::Model, Days::Last, 0.05),
    );
    say(
        "Prices of 1 do not change the course: units and utility are within 10 % of the model on all published days.",
        agree(measurements, PRICE_OF_ONE.name, To::Model, Days::All, 0.1),
    );
    say(
        "No deviation by itself changes units or utility by more than 5 % on the last published day.",
        single_deviations(measurements),
    );
    for (rules, name) in [("By the model", MODEL.name), ("With all deviations", ALL.name)] {
        say(
            &format!("{rules}, units and utility are within 5 % of the program on the last published day."),
            agree(measurements, name, To::Program, Days::Last, 0.05),
        );
        say(
            &format!("{rules}, units and utility are within 10 % of the program on all published days."),
            agree(measurements, name, To::Program, Days::All, 0.1),
        );
    }
    say("Trade speeds the climb.", climb(measurements));
    say("Trade ends alike: the same units as without it.", end(measurements));
    say("Tools multiply output by about seven.", tools(measurements));
    say("Tools make inequality rise for a while: around day 50, and nearly gone by day 100.", inequality(measurements));
    text
}

/// Ratios of units and utility in a scenario, with their days.
fn ratios(
    measurements: &Measurements,
    scenario: Scenario,
    rules: &str,
    to: To,
    days: Days,
) -> Vec<(Figure, u32, Ratio)> {
    let all: Vec<_> = measurements.options.days(scenario).collect();
    let from = if days == Days::Last { all.len().saturating_sub(1) } else { 0 };
    let ratio = |figure: Figure, at: usize| {
        let day = all[at].day;
        let found = match to {
            To::Model => measurements.to_model(scenario, rules, day, figure),
            To::Program => {
                let of = measurements.statistics(scenario, rules, day, figure)?;
                Ratio::to_single(&of, figure.published(all[at])?)
            }
        };
        Some((figure, day, found?))
    };
    let of_figure = |figure| (from..all.len()).filter_map(move |at| ratio(figure, at));
    [Figure::Units, Figure::Utility].into_iter().flat_map(of_figure).collect()
}

/// Whether units and utility are the same within a limit, in all scenarios that ran.
fn agree(measurements: &Measurements, rules: &str, to: To, days: Days, limit: f64) -> Found {
    let mut all = Vec::new();
    let mut texts = Vec::new();
    for &scenario in &measurements.options.scenarios {
        let of_scenario = ratios(measurements, scenario, rules, to, days);
        let farthest = |figure: Figure| {
            let of_figure = of_scenario.iter().filter(|(of, ..)| *of == figure);
            of_figure.max_by(|(.., a), (.., b)| a.difference().total_cmp(&b.difference()))
        };
        let cells = [Figure::Units, Figure::Utility].into_iter().filter_map(farthest);
        let cells = cells.map(|(figure, day, ratio)| format!("{} {} (day {day})", figure.name(), ratio.text()));
        let cells = cells.collect::<Vec<_>>().join(", ");
        if !cells.is_empty() {
            texts.push(format!("{}: {cells}", scenario.name()));
        }
        all.extend(of_scenario.into_iter().map(|(.., ratio)| ratio));
    }
    let which = if days == Days::All { "ratios farthest from 1: " } else { "" };
    (!all.is_empty()).then(|| (Verdict::within(limit, all.iter().copied()), format!("{which}{}", texts.join("; "))))
}

/// Whether deviations change little, each by itself.
fn single_deviations(measurements: &Measurements) -> Found {
    let mut all: Vec<(&str, Scenario, Figure, u32, Ratio)> = Vec::new();
    for &scenario in &measurements.options.scenarios {
        for deviation in DEVIATIONS {
            let of = ratios(measurements, scenario, deviation.name, To::Model, Days::Last);
            all.extend(of.into_iter().map(|(figure, day, ratio)| (deviation.name, scenario, figure, day, ratio)));
        }
    }
    let verdict = Verdict::within(0.05, all.iter().map(|(.., ratio)| *ratio));
    let farthest = all.into_iter().max_by(|(.., a), (.., b)| a.difference().total_cmp(&b.difference()));
    farthest.map(|(name, scenario, figure, day, ratio)| {
        let (scenario, figure) = (scenario.name(), figure.name());
        (verdict, format!("the ratio farthest from 1 is {}, of {name} ({scenario}: {figure}, day {day})", ratio.text()))
    })
}

/// Units with trade over those without, by the model; and the same of the program.
fn trade_over_alone(measurements: &Measurements, day: u32) -> Option<(Ratio, String)> {
    let units = |scenario| measurements.statistics(scenario, MODEL.name, day, Figure::Units);
    let ratio = Ratio::of_means(&units(Scenario::Trade)?, &units(Scenario::Alone)?)?;
    let program = |scenario: Scenario| {
        let mut rows = scenario.published().iter();
        rows.find(|published| published.day == day).map(|published| published.units)
    };
    let of_program = program(Scenario::Trade)? / program(Scenario::Alone)?;
    let found = format!(
        "on day {day} agents extract {} times what they do without trade; the program {of_program:.2} times",
        ratio.text()
    );
    Some((ratio, found))
}

fn climb(measurements: &Measurements) -> Found {
    let (ratio, found) = trade_over_alone(measurements, DAY_OF_CLIMB)?;
    let verdict = match ratio.value > 1.0 {
        true if !ratio.is_surely_beyond(0.0) => Verdict::CannotBeKnown,
        is_faster => Verdict::of(is_faster),
    };
    Some((verdict, found))
}

fn end(measurements: &Measurements) -> Found {
    let (ratio, found) = trade_over_alone(measurements, DAY_OF_END)?;
    Some((Verdict::within(0.05, [ratio].into_iter()), found))
}

/// By how much output grows with tools. "About" is read as within 10 %.
fn tools(measurements: &Measurements) -> Found {
    let published = Scenario::Tools.published();
    let (first, last) = (published.first()?, published.last()?);
    let growth = |rules: &str| {
        let on = |day| measurements.statistics(Scenario::Tools, rules, day, Figure::Units);
        Ratio::of_means(&on(last.day)?, &on(first.day)?)
    };
    let of_model = growth(MODEL.name)?;
    let others =
        [PRICE_OF_ONE, ALL].into_iter().filter_map(|deviation| Some((deviation.name, growth(deviation.name)?)));
    let others: String = others.map(|(name, ratio)| format!(", {name} {}", ratio.text())).collect();
    let found = format!(
        "units of day {} over those of day {}: model {}{others}, the program {:.2}",
        last.day,
        first.day,
        of_model.text(),
        last.units / first.units
    );
    let to_seven = Ratio { value: of_model.value / 7.0, error: of_model.error.map(|error| error / 7.0) };
    Some((Verdict::within(0.1, [to_seven].into_iter()), found))
}

/// Whether the Gini coefficient is greatest near day 50 and has lost more than half of its rise by day 100.
fn inequality(measurements: &Measurements) -> Found {
    let gini = |day| Some(measurements.statistics(Scenario::Tools, MODEL.name, day, Figure::Gini)?.mean);
    let of_days: Vec<(u32, f64)> = measurements
        .options
        .days(Scenario::Tools)
        .filter_map(|published| Some((published.day, gini(published.day)?)))
        .collect();
    let (first, late) = (gini(of_days.first()?.0)?, gini(100)?);
    let &(day, greatest) = of_days.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let lost = (greatest - late) / (greatest - first);
    let days: Vec<String> = of_days.iter().map(|(day, gini)| format!("{gini:.4} (day {day})")).collect();
    let holds = (20..=75).contains(&day) && lost > 0.5;
    Some((Verdict::of(holds), format!("by the model, the Gini coefficient is {}", days.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::super::reproduce::{Options, Row};
    use super::*;

    /// Societies with two seeds each, whose units and utility differ by so much from their mean.
    fn measurements(runs: &[(Scenario, &'static str, u32, f64)], spread: f64) -> Measurements {
        let row = |&(scenario, deviations, day, units): &(Scenario, &'static str, u32, f64), seed: u64| {
            let units = if seed == 1 { units - spread } else { units + spread };
            let utility = units;
            Row { scenario, deviations, seed, day, units, utility, gini: 0.0, complexity: 0.0, traded: 0.0, tools: 0.0 }
        };
        let rows = runs.iter().flat_map(|run| [row(run, 1), row(run, 2)]).collect();
        Measurements { options: Options { seeds: 2, ..Options::default() }, rows }
    }

    /// The line after a statement that begins so.
    fn verdict(measurements: &Measurements, statement: &str) -> Option<String> {
        let text = statements(measurements);
        let mut lines = text.lines().skip_while(|line| !line.starts_with(&format!("* {statement}")));
        lines.nth(1).map(|line| line.trim().to_owned())
    }

    #[test]
    fn prices_are_judged_by_their_effect() {
        let text = |units, spread| {
            let runs = [(Scenario::Trade, MODEL.name, 200, 100.0), (Scenario::Trade, PRICE_OF_ONE.name, 200, units)];
            verdict(&measurements(&runs, spread), "Prices of 1").unwrap()
        };
        assert_eq!(text(103.0, 0.0), "confirmed: trade: units 1.03 ± 0.00 (day 200), utility 1.03 ± 0.00 (day 200)");
        assert!(text(109.0, 0.0).starts_with("not confirmed: "));
        assert!(text(109.0, 5.0).starts_with("cannot be known from these seeds: "));
        assert_eq!(verdict(&measurements(&[], 0.0), "Prices of 1"), None);
    }

    #[test]
    fn trade_is_compared_with_its_absence() {
        let runs = |climb, end| {
            [(100, 150.0, climb), (200, 200.0, end)]
                .into_iter()
                .flat_map(|(day, alone, trade)| {
                    [(Scenario::Alone, MODEL.name, day, alone), (Scenario::Trade, MODEL.name, day, trade)]
                })
                .collect::<Vec<_>>()
        };
        let as_published = measurements(&runs(195.0, 199.0), 1.0);
        let text = verdict(&as_published, "Trade speeds the climb").unwrap();
        assert!(text.starts_with("confirmed: on day 100 agents extract 1.30 ± 0.01 times"), "{text}");
        assert!(verdict(&as_published, "Trade ends alike").unwrap().starts_with("confirmed: "));
        let other = measurements(&runs(140.0, 250.0), 1.0);
        assert!(verdict(&other, "Trade speeds the climb").unwrap().starts_with("not confirmed: "));
        assert!(verdict(&other, "Trade ends alike").unwrap().starts_with("not confirmed: "));
        let uncertain = measurements(&runs(155.0, 200.0), 50.0);
        assert!(verdict(&uncertain, "Trade speeds the climb").unwrap().starts_with("cannot be known"));
    }

    #[test]
    fn growth_with_tools_is_about_seven() {
        let text = |last| {
            let runs = [(Scenario::Tools, MODEL.name, 10, 68.0), (Scenario::Tools, MODEL.name, 200, last)];
            verdict(&measurements(&runs, 0.5), "Tools multiply").unwrap()
        };
        assert!(
            text(493.0).starts_with("confirmed: units of day 200 over those of day 10: model 7.25"),
            "{}",
            text(493.0)
        );
        assert!(text(300.0).starts_with("not confirmed: "));
    }
}
