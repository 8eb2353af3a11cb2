//! The books of a society: trades and extracted units explain every change of its stock.

use throng_model::prelude::*;

use super::super::{Scenario, SocietiesModel};
use super::definition::kept;
use super::executor::CaseExecutor;
use super::with;
use crate::devices::Devices;
use crate::society::Society;

const DAYS: u32 = 30;

/// The stock of all agents.
type Stock = Vec<Vec<i64>>;

fn stock(society: &Society) -> Stock {
    society.agents.iter().map(|agent| agent.held.iter().map(|&held| held.into()).collect()).collect()
}

/// Applies the trades of a market, and counts those that take what is not there, or give an agent at most 0.1 utility.
fn apply_trades(stock: &mut Stock, society: &Society, market: u32) -> usize {
    let economy = &society.parameters.economy;
    let utility = |units: i64| economy.utility_of_first * libm::pow(units as f64, 1.0 / economy.elasticity);
    let mut wrong = 0;
    for trade in society.today.trades.iter().filter(|trade| trade.at.market == market) {
        let [given, received] = [trade.lot.given, trade.lot.received].map(i64::from);
        let [i, j] = trade.lot.resources;
        for (agent, of_i, of_j) in [(trade.agents[0], -given, received), (trade.agents[1], given, -received)] {
            let before = utility(stock[agent][i]) + utility(stock[agent][j]);
            stock[agent][i] += of_i;
            stock[agent][j] += of_j;
            let is_covered = stock[agent][i] >= 0 && stock[agent][j] >= 0;
            let gain = utility(stock[agent][i]) + utility(stock[agent][j]) - before;
            wrong += usize::from(!is_covered || gain.partial_cmp(&0.1) != Some(std::cmp::Ordering::Greater));
        }
    }
    wrong
}

/// Adds the units extracted on a day: by hand, each adds one to the experience, which is below its limit.
fn add_extracted(stock: &mut Stock, before: &Society, now: &Society) {
    for (agent, stock) in stock.iter_mut().enumerate() {
        for (resource, stock) in stock.iter_mut().enumerate() {
            let [before, now] = [before, now].map(|society| society.agents[agent].experience[resource]);
            *stock += (now - before).max(0.0) as i64;
        }
    }
}

pub fn conserves(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let scenario = Scenario { agents: 9, resources: 12, ..with(Devices::None) };
    let mut executor = on.begin(SocietiesModel::start(&scenario)?)?;
    let mut before = executor.state()?;
    let (mut wrong, mut trades) = (0, 0);
    for day in 1..=DAYS {
        executor.step()?;
        let now = executor.state()?;
        let mut expected = stock(&before);
        wrong += apply_trades(&mut expected, &now, 0);
        add_extracted(&mut expected, &before, &now);
        wrong += apply_trades(&mut expected, &now, 1);
        for (agent, expected) in expected.iter().enumerate() {
            for (resource, &expected) in expected.iter().enumerate() {
                let before_consumption = u32::try_from(expected).unwrap_or(0);
                let draws = Philox::new(scenario.seed.into());
                let kept = kept(&scenario.parameters(), draws, day, [agent, resource], before_consumption);
                wrong += usize::from(now.agents[agent].held[resource] != kept);
            }
        }
        trades += now.today.trades.len();
        before = now;
    }
    let is_learned = before.agents.iter().flat_map(|agent| &agent.experience).any(|&units| units >= 600.0);
    if trades < 100 || is_learned {
        return Ok(Finding {
            expected: "at least 100 trades, before any experience is full".to_owned(),
            found: format!("{trades}, {}", if is_learned { "after one is full" } else { "before" }),
            holds: false,
        });
    }
    Ok(Finding::no_difference("stocks or trades", wrong))
}
