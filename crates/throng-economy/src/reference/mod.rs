//! The model by its definition, in one thread: slow, and as close to its description as it can be.

mod agent;
mod consumption;
mod extraction;
mod market;
mod measures;

use throng_core::Philox;

use crate::Parameters;
use crate::curves::{Effort, Utility};
pub use agent::Agent;
pub use market::{Lot, barter};
pub use measures::{Today, gini};

/// What a draw is for. Counters are (agent, day, purpose and round, number).
pub mod purpose {
    /// Which of the best resources is extracted.
    pub const EXTRACTED: u32 = 1 << 16;
    /// Who meets whom in a round of a market; the round is added.
    pub const PARTNERS: u32 = 2 << 16;
    /// Which units are consumed; the resource is added.
    pub const CONSUMED: u32 = 3 << 16;
}

/// A society of agents.
#[derive(Debug, Clone)]
pub struct Society {
    /// The numbers of the model.
    pub parameters: Parameters,
    /// What units are worth.
    pub utility: Utility,
    /// How long extraction takes.
    pub effort: Effort,
    /// The agents.
    pub agents: Vec<Agent>,
    /// Days that are over.
    pub days: u32,
    /// What was measured on the last day.
    pub today: Today,
    draws: Philox,
}

impl Society {
    /// A society before its first day.
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let utility = Utility::new(parameters);
        let agents = (0..parameters.agents).map(|_| Agent::new(parameters, &utility)).collect();
        Self {
            parameters: parameters.clone(),
            effort: Effort::of_extraction(parameters),
            utility,
            agents,
            days: 0,
            today: Today::default(),
            draws: Philox::new(seed),
        }
    }

    /// A day: market, extraction, market again; then the day is measured, and stock is consumed.
    pub fn day(&mut self) {
        self.days += 1;
        self.today = Today::default();
        self.market(0);
        self.extract();
        self.market(1);
        for agent in &mut self.agents {
            agent.value_stock(&self.utility);
        }
        self.measure();
        self.consume();
    }
}

#[cfg(test)]
mod tests;
