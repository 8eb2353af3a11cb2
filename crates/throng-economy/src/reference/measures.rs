//! What is measured at the end of a day, before stock is consumed.

use super::Society;

/// Figures of a day.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Today {
    /// Units that all agents extracted.
    pub units_extracted: u64,
    /// Units of each resource that each agent extracted.
    pub extracted: Vec<Vec<u32>>,
    /// Units of these that were extracted with tools.
    pub units_with_tools: u64,
    /// Tools that were built.
    pub tools_built: u64,
    /// Tools that changed hands.
    pub tools_traded: u64,
    /// Units that changed hands.
    pub units_traded: u64,
    /// Units in all stocks.
    pub units_held: u64,
    /// Utility of the stock of each agent.
    pub utility: Vec<f64>,
}

impl Society {
    pub(super) fn measure(&mut self) {
        self.today.units_held = self.agents.iter().flat_map(|agent| &agent.held).map(|&held| u64::from(held)).sum();
        self.today.utility = self.agents.iter().map(|agent| agent.utility(&self.utility)).collect();
    }
}

impl Today {
    /// How far each resource is in few hands: the sum of the squares of the shares of agents in what was extracted (the index of
    /// Herfindahl and Hirschman), from 1 / agents to 1. `None` for a resource of which nothing was extracted.
    pub fn concentration(&self) -> Vec<Option<f64>> {
        let resources = self.extracted.first().map_or(0, Vec::len);
        let of = |resource: usize| {
            let units = || self.extracted.iter().map(|of_agent| f64::from(of_agent[resource]));
            let all: f64 = units().sum();
            (all > 0.0).then(|| units().map(|units| units * units).sum::<f64>() / (all * all))
        };
        (0..resources).map(of).collect()
    }

    /// The mean number of units of resources that are in the device with which a unit was extracted.
    pub fn complexity(&self, resources_in_tool: u32) -> f64 {
        self.units_with_tools as f64 / self.units_extracted as f64 * f64::from(resources_in_tool)
    }
}

/// The Gini coefficient: 0 if all have the same, nearly 1 if one has all. NaN if there is nothing to have.
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
    1.0 + 1.0 / count - 2.0 * sum_of_sums / (count * sum)
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
    }
}
