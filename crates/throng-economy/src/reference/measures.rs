//! What is measured at the end of a day, before stock is consumed.

use super::Society;

/// Figures of a day.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Today {
    /// Units that all agents extracted.
    pub units_extracted: u64,
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
    use super::gini;

    #[test]
    fn gini_by_hand() {
        assert!(gini(&[3.0; 4]).abs() < 1e-15);
        assert_eq!(gini(&[0.0, 0.0, 0.0, 8.0]), 0.75);
        assert_eq!(gini(&[3.0, 1.0]), 0.25);
    }
}
