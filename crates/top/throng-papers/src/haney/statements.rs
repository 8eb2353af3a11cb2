//! Statements about the model and the program, each with a verdict.

use std::fmt::Write as _;

use super::deviations::{ALL, DEVIATIONS, MODEL, PRICE_OF_ONE};
use super::published::Published;
use super::reproduce::{Figure, HaneyMeasurements};
use super::scenarios::Scenario;
use super::statistics::Ratio;
use crate::experiment::{Judgement, MeasuredOn, Statements, Verdict};

/// Whether ratios are 1, up to a limit.
fn within(limit: f64, ratios: &[Ratio]) -> Verdict {
    if ratios.iter().all(|ratio| ratio.farthest() <= limit) {
        Verdict::Confirmed
    } else if ratios.iter().any(|ratio| ratio.nearest() > limit) {
        Verdict::NotConfirmed
    } else {
        Verdict::Undecided
    }
}

/// A verdict with its evidence, and with the reason if it is undecided.
fn line(verdict: Verdict, found: &str) -> Judgement {
    let reason = if verdict == Verdict::Undecided { "from these seeds, " } else { "" };
    verdict.with_evidence(format!("{reason}{found}"))
}

/// The results in the denominators of ratios.
#[derive(Clone, Copy)]
enum Reference {
    Model,
    Program,
}

/// The compared published days.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Days {
    Last,
    All,
}

/// The ratio of a figure on a day.
struct OnDay {
    rules: &'static str,
    figure: Figure,
    day: u32,
    ratio: Ratio,
}

/// The day on which trade accelerates growth.
const DAY_OF_CLIMB: u32 = 100;
/// The day by which societies with and without trade have reached their final level.
const DAY_OF_END: u32 = 200;

/// The statements about the model and the program, each with its verdict. A ratio only counts as within or beyond a
/// limit if this holds by two standard errors.
pub(crate) fn statements(measurements: &HaneyMeasurements) -> Statements {
    let mut all = Statements::on(MeasuredOn::Cpu);
    all.push(
        "",
        "Prices of 1 do not change the end: units and utility are within 5 % of the model on the last published day.",
        agree(measurements, PRICE_OF_ONE.name, Reference::Model, Days::Last, 0.05),
    );
    all.push(
        "",
        "Prices of 1 do not change the course: units and utility are within 10 % of the model on all published days.",
        agree(measurements, PRICE_OF_ONE.name, Reference::Model, Days::All, 0.1),
    );
    all.push(
        "",
        "No other deviation by itself changes units or utility by more than 5 % on the last published day.",
        other_deviations(measurements),
    );
    for (rules, name) in [("By the model", MODEL.name), ("With all deviations", ALL.name)] {
        all.push(
            "",
            format!("{rules}, units and utility are within 5 % of the program on the last published day."),
            agree(measurements, name, Reference::Program, Days::Last, 0.05),
        );
        all.push(
            "",
            format!("{rules}, units and utility are within 10 % of the program on all published days."),
            agree(measurements, name, Reference::Program, Days::All, 0.1),
        );
    }
    all.push("", "Trade speeds the climb.", trade_accelerates_growth(measurements));
    all.push(
        "",
        "Trade does not change the end: units are the same as without it.",
        trade_keeps_final_level(measurements),
    );
    all.push("", "Tools multiply output by about seven.", tools(measurements));
    all.push(
        "",
        "With tools, inequality rises and falls again: at the end, most of the rise is gone.",
        inequality(measurements, DAY_OF_END),
    );
    all.push(
        "",
        "With tools, inequality rises only for a short time: by day 100, most of the rise is gone.",
        inequality(measurements, 100),
    );
    all
}

/// Ratios of units and utility in a scenario.
fn ratios(
    measurements: &HaneyMeasurements,
    scenario: Scenario,
    rules: &'static str,
    reference: Reference,
    days: Days,
) -> Vec<OnDay> {
    let all: Vec<&Published> = measurements.options.days(scenario).collect();
    let from = if days == Days::Last { all.len().saturating_sub(1) } else { 0 };
    let ratio = |figure: Figure, published: &Published| {
        let day = published.day;
        let ratio = match reference {
            Reference::Model => measurements.to_model(scenario, rules, day, figure),
            Reference::Program => {
                let of = measurements.statistics(scenario, rules, day, figure)?;
                Ratio::to_single(&of, figure.published(published)?)
            }
        };
        Some(OnDay { rules, figure, day, ratio: ratio? })
    };
    let of_figure = |figure| all[from..].iter().filter_map(move |published| ratio(figure, published));
    [Figure::Units, Figure::Utility].into_iter().flat_map(of_figure).collect()
}

fn judged(limit: f64, ratios: &[OnDay]) -> Verdict {
    within(limit, &ratios.iter().map(|on_day| on_day.ratio).collect::<Vec<_>>())
}

/// The ratio that decides the verdict.
fn deciding<'r>(verdict: Verdict, ratios: impl Iterator<Item = &'r OnDay>) -> Option<&'r OnDay> {
    let distance = |on_day: &OnDay| match verdict {
        Verdict::NotConfirmed => on_day.ratio.nearest(),
        Verdict::Confirmed | Verdict::Undecided => on_day.ratio.farthest(),
    };
    ratios.max_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// Whether units and utility are the same up to a limit, for each scenario that ran.
fn agree(
    measurements: &HaneyMeasurements,
    rules: &'static str,
    reference: Reference,
    days: Days,
    limit: f64,
) -> Vec<Judgement> {
    let mut found = Vec::new();
    for &scenario in &measurements.options.scenarios {
        let of_scenario = ratios(measurements, scenario, rules, reference, days);
        let verdict = judged(limit, &of_scenario);
        let cell = |figure: Figure| {
            let of_figure = of_scenario.iter().filter(|on_day| on_day.figure == figure);
            let OnDay { day, ratio, .. } = deciding(verdict, of_figure)?;
            Some(format!("{} {} (day {day})", figure.name(), ratio.text()))
        };
        let cells: Vec<String> = [Figure::Units, Figure::Utility].into_iter().filter_map(cell).collect();
        let which = if days == Days::All { "decided by " } else { "" };
        if !cells.is_empty() {
            found.push(line(verdict, &format!("{}: {which}{}", scenario.name(), cells.join(", "))));
        }
    }
    found
}

/// Whether each deviation other than prices of 1 changes little on its own.
fn other_deviations(measurements: &HaneyMeasurements) -> Vec<Judgement> {
    let mut found = Vec::new();
    for &scenario in &measurements.options.scenarios {
        let others = DEVIATIONS.into_iter().filter(|deviation| *deviation != PRICE_OF_ONE);
        // Deviations without any effect are not compared by their means, which have errors.
        let others = others.filter(|deviation| !measurements.is_same_as_model(scenario, deviation.name));
        let of_scenario: Vec<OnDay> = others
            .flat_map(|deviation| ratios(measurements, scenario, deviation.name, Reference::Model, Days::Last))
            .collect();
        let verdict = judged(0.05, &of_scenario);
        if let Some(OnDay { rules, figure, day, ratio }) = deciding(verdict, of_scenario.iter()) {
            let (name, figure) = (scenario.name(), figure.name());
            let ratio = ratio.text();
            found.push(line(verdict, &format!("{name}: decided by {figure} {ratio} with {rules} (day {day})")));
        }
    }
    found
}

/// The ratio of the units with trade to those without in the model, and a text that adds the program's ratio.
fn trade_over_alone(measurements: &HaneyMeasurements, day: u32) -> Option<(Ratio, String)> {
    let units = |scenario| measurements.statistics(scenario, MODEL.name, day, Figure::Units);
    let ratio = Ratio::of_means(&units(Scenario::Trade)?, &units(Scenario::Alone)?)?;
    let program = |scenario: Scenario| {
        Figure::Units.published(scenario.published().iter().find(|published| published.day == day)?)
    };
    let of_program = program(Scenario::Trade)? / program(Scenario::Alone)?;
    let found = format!(
        "on day {day} agents extract {} times as much as without trade; in the program, {of_program:.2} times",
        ratio.text()
    );
    Some((ratio, found))
}

fn trade_accelerates_growth(measurements: &HaneyMeasurements) -> Option<Judgement> {
    let (ratio, found) = trade_over_alone(measurements, DAY_OF_CLIMB)?;
    let verdict = if ratio.nearest() == 0.0 { Verdict::Undecided } else { Verdict::of(ratio.value > 1.0) };
    Some(line(verdict, &found))
}

fn trade_keeps_final_level(measurements: &HaneyMeasurements) -> Option<Judgement> {
    let (ratio, found) = trade_over_alone(measurements, DAY_OF_END)?;
    Some(line(within(0.05, &[ratio]), &found))
}

/// The growth of output with tools, from a first day that is the same with and without devices. "About seven" is read
/// as 6 to 8.
fn tools(measurements: &HaneyMeasurements) -> Option<Judgement> {
    let (first, last) = (Scenario::Alone.published().first()?, Scenario::Tools.published().last()?);
    let on_first = measurements.statistics(Scenario::Alone, MODEL.name, first.day, Figure::Units)?;
    let growth = |rules: &str| {
        Ratio::of_means(&measurements.statistics(Scenario::Tools, rules, last.day, Figure::Units)?, &on_first)
    };
    let of_model = growth(MODEL.name)?;
    let mut found = format!(
        "units of day {} over those of day {}: model {}, program {:.2}",
        last.day,
        first.day,
        of_model.text(),
        Figure::Units.published(last)? / Figure::Units.published(first)?
    );
    for deviation in [PRICE_OF_ONE, ALL] {
        if let Some(ratio) = growth(deviation.name) {
            let _ = write!(found, ", {} {}", deviation.name, ratio.text());
        }
    }
    let to_seven = Ratio { value: of_model.value / 7.0, error: of_model.error.map(|error| error / 7.0) };
    Some(line(within(1.0 / 7.0, &[to_seven]), &found))
}

/// Whether the Gini coefficient has lost more than half of its rise by a day.
fn inequality(measurements: &HaneyMeasurements, until: u32) -> Option<Judgement> {
    let gini = |published: &'static Published| {
        let found = measurements.statistics(Scenario::Tools, MODEL.name, published.day, Figure::Gini)?;
        Some((published, found.mean))
    };
    let days: Vec<(&Published, f64)> =
        measurements.options.days(Scenario::Tools).take_while(|row| row.day <= until).filter_map(gini).collect();
    let (&(_, first), &(last_day, last)) = (days.first()?, days.last()?);
    if last_day.day < until {
        return None;
    }
    let &(of_greatest, greatest) = days.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let mut found = format!(
        "by the model, the Gini coefficient is {first:.4} at first, {greatest:.4} on day {} and {last:.4} on day \
         {until}",
        of_greatest.day
    );
    let of_program = days.iter().filter_map(|(row, _)| Some((row.day, Figure::Gini.published(row)?)));
    let of_program = of_program.max_by(|a, b| a.1.total_cmp(&b.1)).zip(Figure::Gini.published(last_day));
    if let Some(((day, greatest), last)) = of_program {
        let _ = write!(found, "; in the program, {greatest:.4} on day {day} and {last:.4} on day {until}");
    }
    let lost = (greatest - last) / (greatest - first);
    Some(line(Verdict::of(lost > 0.5), &found))
}

#[cfg(test)]
mod tests {
    use super::super::reproduce::{Options, Row};
    use super::*;
    use crate::experiment::statements::found;

    /// Societies with two seeds each, whose units and utility are `spread` below and above their mean.
    fn measurements(runs: &[(Scenario, &'static str, u32, f64)], spread: f64) -> HaneyMeasurements {
        let row = |&(scenario, deviations, day, units): &(Scenario, &'static str, u32, f64), seed: u64| {
            let units = if seed == 1 { units - spread } else { units + spread };
            Row { scenario, deviations, seed, day, figures: [units, units, 0.0, 0.0, 0.0, 0.0] }
        };
        let rows = runs.iter().flat_map(|run| [row(run, 1), row(run, 2)]).collect();
        HaneyMeasurements { options: Options { seeds: 2, ..Options::default() }, rows }
    }

    fn verdict(measurements: &HaneyMeasurements, statement: &str) -> Option<String> {
        found(&statements(measurements), statement)
    }

    #[test]
    fn prices_are_judged_by_their_effect() {
        let text = |units, spread| {
            let runs = [(Scenario::Trade, MODEL.name, 200, 100.0), (Scenario::Trade, PRICE_OF_ONE.name, 200, units)];
            verdict(&measurements(&runs, spread), "Prices of 1").unwrap()
        };
        assert_eq!(text(103.0, 0.0), "confirmed: trade: units 1.03 ± 0.00 (day 200), utility 1.03 ± 0.00 (day 200)");
        assert!(text(109.0, 0.0).starts_with("not confirmed: "));
        assert!(text(103.0, 5.0).starts_with("cannot be known: from these seeds, "));
        assert!(text(109.0, 5.0).starts_with("cannot be known: from these seeds, "));
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
        assert!(verdict(&as_published, "Trade does not change the end").unwrap().starts_with("confirmed: "));
        let other = measurements(&runs(140.0, 250.0), 1.0);
        assert!(verdict(&other, "Trade speeds the climb").unwrap().starts_with("not confirmed: "));
        assert!(verdict(&other, "Trade does not change the end").unwrap().starts_with("not confirmed: "));
        for climb in [155.0, 145.0] {
            let uncertain = verdict(&measurements(&runs(climb, 200.0), 50.0), "Trade speeds the climb").unwrap();
            assert!(uncertain.starts_with("cannot be known: from these seeds, "), "{uncertain}");
        }
    }

    #[test]
    fn growth_with_tools_by_a_factor_of_seven_is_confirmed() {
        let text = |last| {
            let runs = [(Scenario::Alone, MODEL.name, 1, 67.0), (Scenario::Tools, MODEL.name, 200, last)];
            verdict(&measurements(&runs, 0.5), "Tools multiply").unwrap()
        };
        assert!(
            text(493.0).starts_with("confirmed: units of day 200 over those of day 1: model 7.36"),
            "{}",
            text(493.0)
        );
        assert!(text(300.0).starts_with("not confirmed: "));
    }

    #[test]
    fn inequality_is_judged_by_the_remainder_of_its_rise() {
        let mut all = measurements(&[10, 50, 100, 200].map(|day| (Scenario::Tools, MODEL.name, day, 100.0)), 0.0);
        for row in &mut all.rows {
            row.figures[Figure::Gini as usize] = match row.day {
                10 => 0.01,
                50 => 0.03,
                100 => 0.025,
                _ => 0.015,
            };
        }
        assert!(verdict(&all, "With tools, inequality rises and falls").unwrap().starts_with("confirmed: "));
        let until_100 = verdict(&all, "With tools, inequality rises only").unwrap();
        assert!(until_100.starts_with("not confirmed: "), "{until_100}");
        assert!(until_100.ends_with("in the program, 0.0290 on day 50 and 0.0140 on day 100"), "{until_100}");
        all.rows.retain(|row| row.day < 100);
        assert_eq!(verdict(&all, "With tools, inequality rises"), None);
    }

    #[test]
    fn a_deviation_without_effect_is_not_judged_by_its_errors() {
        let other = DEVIATIONS[1].name;
        let text = |units| {
            let runs = [(Scenario::Trade, MODEL.name, 200, 100.0), (Scenario::Trade, other, 200, units)];
            verdict(&measurements(&runs, 1.0), "No other deviation")
        };
        assert!(text(110.0).unwrap().starts_with("not confirmed: trade: decided by u"));
        assert_eq!(text(100.0), None);
    }
}
