//! What the model promises, on every executor: figures of the first day that follow from the formulas, and the course of
//! societies in the reference runs.

use rayon::prelude::*;
use throng_model::prelude::*;

use super::measures::{MEASURES, measure};
use super::{Scenario, Societies};
use crate::devices::Devices;
use crate::society::Society;

pub const CASES: [Case; 7] = [
    Case::new(
        "the first day",
        first_day,
        "clock, gain per minute and utility of an agent alone, of 24, 48 and 4 resources (closed form)",
    ),
    Case::new("stock of the first day", first_stock, "units of each resource, the most first"),
    Case::new(
        "learning alone",
        learning_alone,
        "units a day without trade, 48 agents and 24 resources, days 10, 20, 50, 100, 150 (another program; 2 %)",
    ),
    Case::new(
        "barter conserves",
        barter_conserves,
        "units held are units extracted less units consumed, day by day, and each trade raises both utilities by 0.1",
    ),
    Case::new(
        "barter speeds the climb",
        barter_speeds,
        "units a day with trade on days 20, 50, 75, 100 and 150, mean of 8 seeds (the authors' program; 5 %)",
    ),
    Case::new(
        "tools multiply output",
        tools_multiply,
        "units a day with tools on days 100, 150 and 200, mean of 8 seeds (the authors' program; 10 %; always on the CPU)",
    ),
    Case::new(
        "machines come to dominate",
        machines_dominate,
        "utility with devices for extraction on days 100 and 119, mean of 8 seeds (the authors' program; 10 %; always on the CPU)",
    ),
];

/// The society after some days.
fn after(device: Option<&AnyDevice>, scenario: &Scenario) -> Result<Society, Failure> {
    last_state::<Societies>(device, scenario, Societies::start(scenario)?)
}

fn alone(agents: u32, resources: u32, days: u32) -> Scenario {
    let devices = Devices::None;
    let market = crate::parameters::Market { menu_size: resources.min(6), ..Default::default() };
    Scenario { agents, resources, trade: false, devices, days, market, ..Scenario::default() }
}

fn first_day(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let mut found = Vec::new();
    for resources in [24, 48, 4] {
        let society = after(device, &alone(2, resources, 1))?;
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

fn first_stock(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    // The stock before consumption is what was extracted.
    let stock = |resources| -> Result<Vec<u32>, Failure> {
        let society = after(device, &alone(2, resources, 1))?;
        let mut held = society.today.extracted[0].clone();
        held.sort_unstable_by(|a, b| b.cmp(a));
        Ok(held)
    };
    let shown = |stocks: [Vec<u32>; 3]| format!("{stocks:?}");
    let expected = [[vec![3; 19], vec![2; 5]].concat(), [vec![2; 19], vec![1; 29]].concat(), vec![17, 17, 17, 16]];
    Ok(Finding::same(&shown(expected), &shown([stock(24)?, stock(48)?, stock(4)?])))
}

/// A measure on some days, mean of seeds from 1, and the smallest and greatest of the last day.
fn means(
    device: Option<&AnyDevice>,
    scenario: &Scenario,
    name: &str,
    days: &[u64],
    seeds: u32,
) -> Result<(Vec<f64>, [f64; 2]), Failure> {
    let place = MEASURES.iter().position(|measure| measure.0 == name).unwrap_or_default();
    let of_seed = |seed: u32| -> Result<Vec<f64>, Failure> {
        let scenario = Scenario { seed, ..scenario.clone() };
        let mut executor = Societies::executor(device, &scenario, Societies::start(&scenario)?)?;
        let mut found = Vec::new();
        for day in 1..=days.iter().copied().max().unwrap_or_default() {
            executor.step()?;
            if days.contains(&day) {
                found.push(measure(&executor.state()?)[place]);
            }
        }
        Ok(found)
    };
    let runs = if device.is_some() {
        (1..=seeds).map(of_seed).collect::<Result<Vec<_>, _>>()?
    } else {
        (1..=seeds).into_par_iter().map(of_seed).collect::<Result<Vec<_>, _>>()?
    };
    let mean = |at: usize| runs.iter().map(|run| run[at]).sum::<f64>() / f64::from(seeds);
    let last = runs.iter().filter_map(|run| run.last().copied());
    let extremes = [last.clone().fold(f64::INFINITY, f64::min), last.fold(f64::NEG_INFINITY, f64::max)];
    Ok(((0..days.len()).map(mean).collect(), extremes))
}

/// Whether each mean is within a share of what is expected; the spread of the last day is shown.
fn within(share: f64, expected: &[f64], (found, [least, most]): &(Vec<f64>, [f64; 2])) -> Finding {
    let shown = |values: &[f64]| values.iter().map(|value| format!("{value:.1}")).collect::<Vec<_>>().join(", ");
    let near = |(expected, found): (&f64, &f64)| (found / expected - 1.0).abs() <= share;
    Finding {
        expected: format!("{} +- {:.0} %", shown(expected), 100.0 * share),
        found: format!("{} ({least:.1} to {most:.1})", shown(found)),
        holds: expected.len() == found.len() && expected.iter().zip(found).all(near),
    }
}

fn learning_alone(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let found = means(device, &alone(48, 24, 150), "extracted", &[10, 20, 50, 100, 150], 1)?;
    Ok(within(0.02, &[68.0, 68.5, 79.5, 155.3, 199.8], &found))
}

fn with(devices: Devices) -> Scenario {
    Scenario { devices, ..Scenario::default() }
}

fn barter_speeds(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let found = means(device, &with(Devices::None), "extracted", &[20, 50, 75, 100, 150], 8)?;
    Ok(within(0.05, &[69.0, 86.9, 190.6, 198.8, 199.0], &found))
}

// Devices do not simulate societies that make devices: the next two cases run on the CPU for all of them.
fn tools_multiply(_: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let found = means(None, &with(Devices::Tools), "extracted", &[100, 150, 200], 8)?;
    Ok(within(0.1, &[383.0, 483.6, 496.2], &found))
}

fn machines_dominate(_: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let found = means(None, &with(Devices::Extracting), "utility", &[100, 119], 8)?;
    Ok(within(0.1, &[106_764.0, 120_976.0], &found))
}

fn barter_conserves(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let scenario = Scenario { agents: 9, resources: 12, ..with(Devices::None) };
    let mut executor = Societies::executor(device, &scenario, Societies::start(&scenario)?)?;
    let mut before = executor.state()?;
    let (mut wrong, mut trades) = (0, 0);
    for _ in 0..60 {
        executor.step()?;
        let now = executor.state()?;
        let held = |society: &Society| {
            society.agents.iter().flat_map(|agent| &agent.held).map(|&held| u64::from(held)).sum::<u64>()
        };
        // Consumption comes after the measurement of what is held.
        wrong += usize::from(now.today.units_held != held(&before) + now.today.units_extracted());
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

    #[test]
    fn the_cases_hold_on_the_cpu() {
        for case in CASES {
            let finding = (case.check)(None).unwrap();
            assert!(finding.holds, "{}: {} instead of {}", case.name, finding.found, finding.expected);
        }
    }
}
