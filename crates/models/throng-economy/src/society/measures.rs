//! Measurements at the end of a day, before stock is consumed.

use super::{Society, Trade};
use crate::devices::{KINDS, Kind};
use crate::rules::inequality::{concentration, gini_coefficient};
use crate::rules::measures::mean_complexity;

/// The measurements of a day.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Today {
    /// Units of each resource that each agent extracted.
    pub extracted: Vec<Vec<u32>>,
    /// Units extracted by hand.
    pub units_by_hand: u64,
    /// Units extracted with each kind of device, by [`Kind`] as an index.
    pub units_with: [u64; KINDS],
    /// Devices made, by kind and resource.
    pub devices_made: [Vec<u32>; KINDS],
    /// Inventions: the kind, its resource, and the inventor.
    pub inventions: Vec<(Kind, usize, usize)>,
    /// Trades of resources, in chronological order.
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

    /// Returns the Gini coefficient of the utility of agents, summed over the last three days.
    pub fn gini(&self) -> f64 {
        gini(&self.utility_of_last_days())
    }

    /// Returns the utility of each agent that was not removed, summed over the last three days.
    pub fn utility_of_last_days(&self) -> Vec<f64> {
        let sum = |agent: usize| self.utility_of_days.iter().filter_map(|day| day.get(agent)).sum();
        (0..self.agents.len()).filter(|&agent| self.is_present[agent]).map(sum).collect()
    }

    /// Returns the mean complexity of the device used per unit extracted today, in units of resources.
    pub fn complexity(&self) -> f64 {
        let units: f64 = Kind::EXTRACTING
            .into_iter()
            .map(|kind| self.today.units_with[kind as usize] as f64 * self.parameters.units_in(kind) as f64)
            .sum();
        mean_complexity(units, self.today.units_extracted() as f64)
    }
}

impl Today {
    /// Returns the number of devices of a kind that were made.
    pub fn made(&self, kind: Kind) -> u64 {
        self.devices_made[kind as usize].iter().map(|&made| u64::from(made)).sum()
    }

    /// Returns the units extracted by all agents.
    pub fn units_extracted(&self) -> u64 {
        self.units_by_hand + self.units_with.iter().sum::<u64>()
    }

    /// Returns the units in all stocks.
    pub fn units_held(&self) -> u64 {
        self.held.iter().flatten().map(|&held| u64::from(held)).sum()
    }

    /// Returns the units that changed hands by barter.
    pub fn units_traded(&self) -> u64 {
        self.trades.iter().map(|trade| u64::from(trade.lot.given) + u64::from(trade.lot.received)).sum()
    }

    /// Returns the concentration of the extraction of each resource: the sum of the squares of the agents' fractions
    /// (Herfindahl-Hirschman index), from 1 / agents to 1. `None` for a resource that was not extracted.
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

/// Returns the Gini coefficient: 0 if all have the same or nothing, nearly 1 if one has everything. A single thread
/// sorts; a unit of a cube counts the values that precede its own, which takes as many comparisons as there are pairs
/// of agents.
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
    fn concentration_matches_values_computed_by_hand() {
        let today = Today { extracted: vec![vec![3, 0, 2], vec![1, 0, 0]], ..Today::default() };
        assert_eq!(today.concentration(), [Some(10.0 / 16.0), None, Some(1.0)]);
    }

    #[test]
    fn gini_coefficients_match_values_computed_by_hand() {
        assert!(gini(&[3.0; 4]).abs() < 1e-15);
        assert_eq!(gini(&[0.0, 0.0, 0.0, 8.0]), 0.75);
        assert_eq!(gini(&[3.0, 1.0]), 0.25);
        assert_eq!(gini(&[0.0, 0.0]), 0.0);
    }
}
