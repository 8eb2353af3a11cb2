//! What is measured at the end of a day, before stock is consumed.

use super::{Society, Trade};
use crate::devices::{KINDS, Kind};
use crate::rules::inequality::{concentration, gini_coefficient};
use crate::rules::measures::mean_complexity;

/// Figures of a day.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Today {
    /// Units of each resource that each agent extracted.
    pub extracted: Vec<Vec<u32>>,
    /// Units extracted by hand.
    pub units_by_hand: u64,
    /// Units extracted with each kind of device, by [`Kind`] as an index.
    pub units_with: [u64; KINDS],
    /// Devices that were made, by kind and resource.
    pub devices_made: [Vec<u32>; KINDS],
    /// Inventions: what, for which resource, and by which agent.
    pub inventions: Vec<(Kind, usize, usize)>,
    /// The barter of resources, in its order.
    pub trades: Vec<Trade>,
    /// Units of each resource in the stock of each agent.
    pub held: Vec<Vec<u32>>,
    /// Utility of the stock of each agent.
    pub utility: Vec<f64>,
}

impl Society {
    pub(super) fn measure(&mut self) {
        self.today.held = self.agents.iter().map(|agent| agent.held.clone()).collect();
        self.today.utility = self.agents.iter().map(|agent| agent.utility(&self.model.utility)).collect();
        self.utility_of_days.rotate_right(1);
        self.utility_of_days[0].clone_from(&self.today.utility);
    }

    /// The Gini coefficient of the utility of agents, summed over the last three days.
    pub fn gini(&self) -> f64 {
        gini(&self.utility_of_last_days())
    }

    /// The utility of each agent that was not removed, summed over the last three days.
    pub fn utility_of_last_days(&self) -> Vec<f64> {
        let sum = |agent: usize| self.utility_of_days.iter().filter_map(|day| day.get(agent)).sum();
        (0..self.agents.len()).filter(|&agent| self.is_present[agent]).map(sum).collect()
    }

    /// The mean number of units of resources that are in the device with which a unit was extracted today.
    pub fn complexity(&self) -> f64 {
        let units: f64 = Kind::EXTRACTING
            .into_iter()
            .map(|kind| self.today.units_with[kind as usize] as f64 * self.parameters.units_in(kind) as f64)
            .sum();
        mean_complexity(units, self.today.units_extracted() as f64)
    }
}

impl Today {
    /// Devices of a kind that were made.
    pub fn made(&self, kind: Kind) -> u64 {
        self.devices_made[kind as usize].iter().map(|&made| u64::from(made)).sum()
    }

    /// Units that all agents extracted.
    pub fn units_extracted(&self) -> u64 {
        self.units_by_hand + self.units_with.iter().sum::<u64>()
    }

    /// Units in all stocks.
    pub fn units_held(&self) -> u64 {
        self.held.iter().flatten().map(|&held| u64::from(held)).sum()
    }

    /// Units that changed hands by barter.
    pub fn units_traded(&self) -> u64 {
        self.trades.iter().map(|trade| u64::from(trade.lot.given) + u64::from(trade.lot.received)).sum()
    }

    /// How far the extraction of each resource is in few hands: the sum of the squares of the shares of agents (the index of
    /// Herfindahl and Hirschman), from 1 / agents to 1. `None` for a resource of which nothing was extracted.
    pub fn concentration(&self) -> Vec<Option<f64>> {
        let resources = self.extracted.first().map_or(0, Vec::len);
        let of = |resource: usize| {
            let units = || self.extracted.iter().map(|of_agent| f64::from(of_agent[resource]));
            let all: f64 = units().sum();
            (all > 0.0).then(|| concentration(units().map(|units| units * units).sum(), all))
        };
        (0..resources).map(of).collect()
    }
}

/// The Gini coefficient: 0 if all have the same, nearly 1 if one has all. 0 if there is nothing. One thread sorts, where a unit of
/// a cube counts the values before its own, which takes as many comparisons as pairs of agents.
pub fn gini(of_agents: &[f64]) -> f64 {
    let mut sorted = of_agents.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut sum = 0.0;
    let mut sum_of_sums = 0.0;
    for value in &sorted {
        sum += value;
        sum_of_sums += sum;
    }
    let count = sorted.len() as f64;
    gini_coefficient(count, sum, sum_of_sums)
}

#[cfg(test)]
mod tests {
    use super::{Today, gini};

    #[test]
    fn concentration_by_hand() {
        let today = Today { extracted: vec![vec![3, 0, 2], vec![1, 0, 0]], ..Today::default() };
        assert_eq!(today.concentration(), [Some(10.0 / 16.0), None, Some(1.0)]);
    }

    #[test]
    fn gini_by_hand() {
        assert!(gini(&[3.0; 4]).abs() < 1e-15);
        assert_eq!(gini(&[0.0, 0.0, 0.0, 8.0]), 0.75);
        assert_eq!(gini(&[3.0, 1.0]), 0.25);
        assert_eq!(gini(&[0.0, 0.0]), 0.0);
    }
}
