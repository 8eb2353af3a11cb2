//! What an agent has.

use crate::Parameters;
use crate::curves::Utility;

/// An agent. Vectors have an element for each resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    /// Units in stock.
    pub held: Vec<u32>,
    /// Experience in extraction, units.
    pub experience: Vec<f64>,
    /// What a further unit was worth when the agent last looked, for its choice of what to offer.
    pub valued: Vec<f64>,
    /// Utility per minute of the last unit that was extracted.
    pub gain_per_min: f64,
    /// The clock at the end of the last day, minutes: the last unit may overrun it.
    pub clock_min: f64,
}

impl Agent {
    /// An agent without stock and experience.
    pub fn new(parameters: &Parameters, utility: &Utility) -> Self {
        let resources = parameters.resources as usize;
        Self {
            held: vec![0; resources],
            experience: vec![0.0; resources],
            valued: vec![utility.of_next(0); resources],
            gain_per_min: 0.0,
            clock_min: 0.0,
        }
    }

    /// Looks at the whole stock.
    pub fn value_stock(&mut self, utility: &Utility) {
        for resource in 0..self.held.len() {
            self.value(resource, utility);
        }
    }

    /// Looks at the stock of a resource.
    pub fn value(&mut self, resource: usize, utility: &Utility) {
        self.valued[resource] = utility.of_next(self.held[resource]);
    }

    /// The utility of the whole stock.
    pub fn utility(&self, utility: &Utility) -> f64 {
        self.held.iter().map(|&held| utility.of(held)).sum()
    }
}
