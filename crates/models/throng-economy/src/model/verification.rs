//! Verification cases of the model, for every executor: values of the first day that follow from the formulas, and the
//! course of societies in the reference runs.

mod barter;
mod definition;
mod executor;
#[cfg(test)]
mod mutants;

use throng_model::prelude::*;

use super::{Scenario, SocietiesModel};
use crate::devices::{Devices, Kind};
use crate::parameters::{Invention, Removal};
use crate::societies::SocietyCourse;
use crate::society::Society;
use executor::CaseExecutor;

verification_cases! {
    "the first day", first_day,
        "clock, gain per minute and utility of an agent alone, with 24, 48 and 4 resources (closed form)";
    "stock of the first day", first_stock, "units of each resource, largest first";
    "learning alone", learning_alone,
        "units a day without trade, 48 agents and 24 resources, days 10, 20, 50, 100, 150 (another program; 2 %)";
    "barter conserves units", barter::conserves,
        "trades, extraction and consumption explain each change of each stock; a trade raises both utilities by over 0.1";
    "days by definition", definition::days_by_definition,
        "stock and experience after 30 days of 5 agents with barter, from the published rules step by step";
    "barter speeds up growth", barter_speeds,
        "units a day with trade on days 20, 50, 75, 100 and 150, mean of 8 seeds (the authors' program; 5 %)";
    "tools multiply output", tools_multiply,
        "units a day with tools on days 100, 150 and 200, mean of 8 seeds (the authors' program; 10 %)";
    "machines raise utility", machines_dominate,
        "utility with devices for extraction on days 100 and 119, mean of 8 seeds (the authors' program; 10 %)";
    "same state everywhere", one_state,
        "state hash after 14 days in which all kinds of devices are made, a resource runs out and an agent leaves";
}

/// Simulates a scenario and returns the final society.
fn after(on: &dyn CaseExecutor, scenario: &Scenario) -> Result<Society, Failure> {
    let mut executor = on.begin(SocietiesModel::start(scenario)?)?;
    for _ in 0..scenario.days {
        executor.step()?;
    }
    executor.state()
}

fn alone(agents: u32, resources: u32, days: u32) -> Scenario {
    let devices = Devices::None;
    let market = crate::parameters::Market { menu_size: resources.min(6), ..Default::default() };
    Scenario { agents, resources, trade: false, devices, days, market, ..Scenario::default() }
}

fn first_day(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let mut found = Vec::new();
    for resources in [24, 48, 4] {
        let society = after(on, &alone(2, resources, 1))?;
        let agent = &society.agents[1];
        let utility = society.today.utility.get(1).copied().unwrap_or(f64::NAN);
        found.extend([agent.clock_min, agent.gain_per_min, utility]);
    }
    let expected = [
        601.945_935,
        15.518_056,
        21_649.563_3,
        601.986_158,
        21.337_958,
        32_442.390_2,
        601.383_523,
        4.980_676,
        7_409.378_2,
    ];
    Ok(Finding::all_close(&expected, &found, 0.51e-4))
}

fn first_stock(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    // The stock before consumption equals the units extracted.
    let stock = |resources| -> Result<Vec<u32>, Failure> {
        let society = after(on, &alone(2, resources, 1))?;
        let mut held = society.today.extracted.first().cloned().unwrap_or_default();
        held.sort_unstable_by(|a, b| b.cmp(a));
        Ok(held)
    };
    let shown = |stocks: [Vec<u32>; 3]| format!("{stocks:?}");
    let expected = [[vec![3; 19], vec![2; 5]].concat(), [vec![2; 19], vec![1; 29]].concat(), vec![17, 17, 17, 16]];
    Ok(Finding::same(&shown(expected), &shown([stock(24)?, stock(48)?, stock(4)?])))
}

/// Returns the mean of a measure over some seeds on each of `days`, and its minimum and maximum on the last day.
fn means(
    on: &dyn CaseExecutor,
    scenario: &Scenario,
    name: &str,
    days: &[u32],
    seeds: u32,
) -> Result<(Vec<f64>, [f64; 2]), Failure> {
    let last = days.iter().copied().max().unwrap_or_default();
    let on_days =
        |course: &SocietyCourse| -> Option<Vec<f64>> { days.iter().map(|&day| course.on_day(day, name)).collect() };
    let rows: Option<Vec<Vec<f64>>> = on.courses(&scenario.parameters(), seeds, last)?.iter().map(on_days).collect();
    let rows = rows.ok_or_else(|| Failure::resource("a day has no measure", "this is a bug, please report it"))?;
    let mean = |at: usize| rows.iter().map(|run| run[at]).sum::<f64>() / rows.len() as f64;
    let of_last = rows.iter().filter_map(|run| run.last().copied());
    let extremes = [of_last.clone().fold(f64::INFINITY, f64::min), of_last.fold(f64::NEG_INFINITY, f64::max)];
    Ok(((0..days.len()).map(mean).collect(), extremes))
}

/// Checks that each mean differs from the expected value by at most the fraction `tolerance`; the finding shows the
/// spread on the last day.
fn within(tolerance: f64, expected: &[f64], (found, [min, max]): &(Vec<f64>, [f64; 2])) -> Finding {
    let shown = |values: &[f64]| values.iter().map(|value| format!("{value:.1}")).collect::<Vec<_>>().join(", ");
    let near = |(expected, found): (&f64, &f64)| (found / expected - 1.0).abs() <= tolerance;
    Finding {
        expected: format!("{} +- {:.0} %", shown(expected), 100.0 * tolerance),
        found: format!("{} ({min:.1} to {max:.1})", shown(found)),
        holds: expected.len() == found.len() && expected.iter().zip(found).all(near),
    }
}

fn learning_alone(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let found = means(on, &alone(48, 24, 150), "extracted", &[10, 20, 50, 100, 150], 1)?;
    Ok(within(0.02, &[68.0, 68.5, 79.5, 155.3, 199.8], &found))
}

fn with(devices: Devices) -> Scenario {
    Scenario { devices, ..Scenario::default() }
}

fn barter_speeds(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let found = means(on, &with(Devices::None), "extracted", &[20, 50, 75, 100, 150], on.seeds())?;
    Ok(within(0.05, &[69.0, 86.9, 190.6, 198.8, 199.0], &found))
}

fn tools_multiply(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let found = means(on, &with(Devices::Tools), "extracted", &[100, 150, 200], on.seeds())?;
    Ok(within(0.1, &[383.0, 483.6, 496.2], &found))
}

fn machines_dominate(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let found = means(on, &with(Devices::Extracting), "utility", &[100, 119], on.seeds())?;
    Ok(within(0.1, &[106_764.0, 120_976.0], &found))
}

/// A society with all kinds of devices, in which a resource runs out and an agent leaves.
fn inventive() -> Scenario {
    let removal = |day, resource, agent| Removal { day, resource, with_stock: true, agent };
    let default = Scenario::default();
    Scenario {
        agents: 7,
        resources: 9,
        days: 14,
        devices: Devices::All,
        invention: Invention {
            tool_probability: 0.1,
            device_probability: 0.5,
            resources_in_tool: 3,
            components_in_device: 2,
            more_held_than: 12,
            ..default.invention
        },
        removals: vec![removal(9, Some(4), None), removal(11, None, Some(5))],
        ..default
    }
}

fn one_state(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let society = after(on, &inventive())?;
    let unused = Kind::ALL.into_iter().find(|&kind| society.recipes.of(kind).next().is_none());
    if let Some(kind) = unused {
        return Ok(Finding {
            expected: format!("{} are invented", kind.plural()),
            found: "none".to_owned(),
            holds: false,
        });
    }
    Ok(Finding::same("3743a545a01da501", &format!("{:016x}", society.hash())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold<'c>(on: &Executor, cases: impl IntoIterator<Item = &'c Case>) {
        for case in cases {
            let finding = (case.check)(on).unwrap();
            assert!(finding.holds, "{}: {} instead of {}", case.name, finding.found, finding.expected);
        }
    }

    /// The cases without means over many runs.
    fn exact_cases() -> impl Iterator<Item = &'static Case> {
        let exact = [
            "the first day",
            "stock of the first day",
            "barter conserves units",
            "days by definition",
            "same state everywhere",
        ];
        assert!(exact.iter().all(|name| CASES.iter().any(|case| case.name == *name)));
        SocietiesModel::CASES.iter().filter(move |case| exact.contains(&case.name))
    }

    #[test]
    fn exact_cases_hold_on_the_cpu() {
        hold(&Executor::cpu(), exact_cases());
    }

    /// Means over many runs, and devices.
    mod exhaustive {
        use super::*;

        #[test]
        fn all_cases_hold_on_the_cpu() {
            hold(&Executor::cpu(), CASES);
        }

        #[test]
        fn exact_cases_hold_on_devices() {
            use throng_testing_devices::{devices, with_f64};

            for device in with_f64(devices()) {
                hold(&Executor::from(device), exact_cases());
            }
        }
    }
}
