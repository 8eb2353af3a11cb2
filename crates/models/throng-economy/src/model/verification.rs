//! Verification cases of the model, for every executor: values of the first day that follow from the formulas, and the
//! course of societies in the reference runs.

use throng_device::DeviceClass;
use throng_model::prelude::*;

use super::{Scenario, SocietiesModel};
use crate::devices::{Devices, Kind};
use crate::parameters::{Invention, Removal};
use crate::societies::{Societies, SocietyCourse};
use crate::society::Society;

pub const CASES: [Case; 8] = [
    Case::new(
        "the first day",
        first_day,
        "clock, gain per minute and utility of an agent alone, with 24, 48 and 4 resources (closed form)",
    ),
    Case::new("stock of the first day", first_stock, "units of each resource, largest first"),
    Case::new(
        "learning alone",
        learning_alone,
        "units a day without trade, 48 agents and 24 resources, days 10, 20, 50, 100, 150 (another program; 2 %)",
    ),
    Case::new(
        "barter conserves units",
        barter_conserves,
        "units held are units extracted less units consumed, daily, and each trade raises both utilities by over 0.1",
    ),
    Case::new(
        "barter speeds up growth",
        barter_speeds,
        "units a day with trade on days 20, 50, 75, 100 and 150, mean of 8 seeds (the authors' program; 5 %)",
    ),
    Case::new(
        "tools multiply output",
        tools_multiply,
        "units a day with tools on days 100, 150 and 200, mean of 8 seeds (the authors' program; 10 %)",
    ),
    Case::new(
        "machines raise utility",
        machines_dominate,
        "utility with devices for extraction on days 100 and 119, mean of 8 seeds (the authors' program; 10 %)",
    ),
    Case::new(
        "same state everywhere",
        one_state,
        "state hash after 14 days in which all kinds of devices are made, a resource runs out and an agent leaves",
    ),
];

/// Simulates a scenario and returns the final society.
fn after(on: &Executor, scenario: &Scenario) -> Result<Society, Failure> {
    last_state::<SocietiesModel>(on, scenario, SocietiesModel::start(scenario)?)
}

fn alone(agents: u32, resources: u32, days: u32) -> Scenario {
    let devices = Devices::None;
    let market = crate::parameters::Market { menu_size: resources.min(6), ..Default::default() };
    Scenario { agents, resources, trade: false, devices, days, market, ..Scenario::default() }
}

fn first_day(on: &Executor) -> Result<Finding, Failure> {
    let mut found = Vec::new();
    for resources in [24, 48, 4] {
        let society = after(on, &alone(2, resources, 1))?;
        let agent = &society.agents[1];
        found.extend([agent.clock_min, agent.gain_per_min, society.today.utility[1]]);
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

fn first_stock(on: &Executor) -> Result<Finding, Failure> {
    // The stock before consumption equals the units extracted.
    let stock = |resources| -> Result<Vec<u32>, Failure> {
        let society = after(on, &alone(2, resources, 1))?;
        let mut held = society.today.extracted[0].clone();
        held.sort_unstable_by(|a, b| b.cmp(a));
        Ok(held)
    };
    let shown = |stocks: [Vec<u32>; 3]| format!("{stocks:?}");
    let expected = [[vec![3; 19], vec![2; 5]].concat(), [vec![2; 19], vec![1; 29]].concat(), vec![17, 17, 17, 16]];
    Ok(Finding::same(&shown(expected), &shown([stock(24)?, stock(48)?, stock(4)?])))
}

/// Returns the mean of a measure over the seeds 1 to `seeds` on each of `days`, and its minimum and maximum on the last
/// day.
fn means(
    on: &Executor,
    scenario: &Scenario,
    name: &str,
    days: &[u32],
    seeds: u32,
) -> Result<(Vec<f64>, [f64; 2]), Failure> {
    let last = days.iter().copied().max().unwrap_or_default();
    let societies = Societies::builder().replicates(&scenario.parameters(), 1..=seeds.into()).on(on).build()?;
    let on_days =
        |course: &SocietyCourse| -> Option<Vec<f64>> { days.iter().map(|&day| course.on_day(day, name)).collect() };
    let rows: Option<Vec<Vec<f64>>> = societies.simulate(last)?.iter().map(on_days).collect();
    let rows = rows.ok_or_else(|| Failure::resource("a day has no measure", "this is a bug, please report it"))?;
    let mean = |at: usize| rows.iter().map(|run| run[at]).sum::<f64>() / f64::from(seeds);
    let of_last = rows.iter().filter_map(|run| run.last().copied());
    let extremes = [of_last.clone().fold(f64::INFINITY, f64::min), of_last.fold(f64::NEG_INFINITY, f64::max)];
    Ok(((0..days.len()).map(mean).collect(), extremes))
}

/// Returns the executor for cases that simulate devices for a hundred days or more. On a software device these cases
/// would take minutes, so they run on the CPU; [`one_state`] shows that the results are the same.
fn not_in_software(on: &Executor) -> Executor {
    let is_software = on.device().is_some_and(|device| device.info().class == DeviceClass::Software);
    if is_software { Executor::cpu() } else { on.clone() }
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

fn learning_alone(on: &Executor) -> Result<Finding, Failure> {
    let found = means(on, &alone(48, 24, 150), "extracted", &[10, 20, 50, 100, 150], 1)?;
    Ok(within(0.02, &[68.0, 68.5, 79.5, 155.3, 199.8], &found))
}

fn with(devices: Devices) -> Scenario {
    Scenario { devices, ..Scenario::default() }
}

fn barter_speeds(on: &Executor) -> Result<Finding, Failure> {
    let found = means(on, &with(Devices::None), "extracted", &[20, 50, 75, 100, 150], 8)?;
    Ok(within(0.05, &[69.0, 86.9, 190.6, 198.8, 199.0], &found))
}

fn tools_multiply(on: &Executor) -> Result<Finding, Failure> {
    let found = means(&not_in_software(on), &with(Devices::Tools), "extracted", &[100, 150, 200], 8)?;
    Ok(within(0.1, &[383.0, 483.6, 496.2], &found))
}

fn machines_dominate(on: &Executor) -> Result<Finding, Failure> {
    let found = means(&not_in_software(on), &with(Devices::Extracting), "utility", &[100, 119], 8)?;
    Ok(within(0.1, &[106_764.0, 120_976.0], &found))
}

fn one_state(on: &Executor) -> Result<Finding, Failure> {
    let removal = |day, resource, agent| Removal { day, resource, with_stock: true, agent };
    let default = Scenario::default();
    let scenario = Scenario {
        agents: 7,
        resources: 9,
        days: 14,
        devices: Devices::All,
        invention: Invention {
            tool_probability: 0.1,
            device_probability: 0.5,
            resources_in_tool: 3,
            components_in_device: 2,
            ..default.invention
        },
        removals: vec![removal(9, Some(4), None), removal(11, None, Some(5))],
        ..default
    };
    let society = after(on, &scenario)?;
    let unused = Kind::ALL.into_iter().find(|&kind| society.recipes.of(kind).next().is_none());
    if let Some(kind) = unused {
        return Ok(Finding {
            expected: format!("{} are invented", kind.plural()),
            found: "none".to_owned(),
            holds: false,
        });
    }
    Ok(Finding::same("247b49479ae1c250", &format!("{:016x}", society.hash())))
}

fn barter_conserves(on: &Executor) -> Result<Finding, Failure> {
    let scenario = Scenario { agents: 9, resources: 12, ..with(Devices::None) };
    let mut executor = SocietiesModel::executor(on, &scenario, SocietiesModel::start(&scenario)?)?;
    let mut before = executor.state()?;
    let (mut wrong, mut trades) = (0, 0);
    for _ in 0..60 {
        executor.step()?;
        let now = executor.state()?;
        let held = |society: &Society| {
            society.agents.iter().flat_map(|agent| &agent.held).map(|&held| u64::from(held)).sum::<u64>()
        };
        // Stock is measured before consumption.
        wrong += usize::from(now.today.units_held() != held(&before) + now.today.units_extracted());
        trades += now.today.trades.len();
        wrong +=
            now.today.trades.iter().filter(|trade| trade.lot.surplus.iter().any(|&surplus| surplus <= 0.1)).count();
        before = now;
    }
    if trades < 100 {
        return Ok(Finding { expected: "at least 100 trades".to_owned(), found: trades.to_string(), holds: false });
    }
    Ok(Finding::no_difference("days or trades", wrong))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold<'c>(cases: impl IntoIterator<Item = &'c Case>) {
        for case in cases {
            let finding = (case.check)(&Executor::cpu()).unwrap();
            assert!(finding.holds, "{}: {} instead of {}", case.name, finding.found, finding.expected);
        }
    }

    #[test]
    fn exact_cases_hold_on_the_cpu() {
        let exact = ["the first day", "stock of the first day", "barter conserves units", "same state everywhere"];
        let cases: Vec<&Case> = CASES.iter().filter(|case| exact.contains(&case.name)).collect();
        assert_eq!(cases.len(), exact.len());
        hold(cases);
    }

    /// Means over many runs.
    mod exhaustive {
        use super::*;

        #[test]
        fn all_cases_hold_on_the_cpu() {
            hold(&CASES);
        }
    }
}
