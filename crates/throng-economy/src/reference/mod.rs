//! The model by its definition, in one thread: slow, and as close to its description as it can be.

mod agent;
mod consumption;
mod extraction;
mod invention;
mod market;
mod measures;
mod production;
mod tool_market;
mod tool_value;

use throng_core::Philox;

use crate::Parameters;
use crate::curves::{Effort, Utility};
pub use agent::{Agent, MEMORY};
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
    /// The order in which agents invent.
    pub const INVENTORS: u32 = 4 << 16;
    /// What an agent thinks of, whether it has an idea, and which one.
    pub const INVENTED: u32 = 5 << 16;
    /// Who meets whom in a round of the market of tools; the round is added.
    pub const TOOL_PARTNERS: u32 = 6 << 16;
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
    /// How long building takes.
    pub building: Effort,
    /// Of what a tool for each resource is made, if that was invented: the same for all agents.
    pub recipes: Vec<Option<Vec<usize>>>,
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
            building: Effort::of_building(parameters),
            recipes: vec![None; parameters.resources as usize],
            utility,
            agents,
            days: 0,
            today: Today::default(),
            draws: Philox::new(seed),
        }
    }

    /// Nothing was measured yet.
    fn begin_day(&mut self) {
        let extracted = vec![vec![0; self.parameters.resources as usize]; self.agents.len()];
        self.today = Today { extracted, ..Today::default() };
    }

    /// All agents in an order that is drawn for today (Fisher and Yates).
    fn random_order(&self, purpose: u32) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.agents.len()).collect();
        for last in (1..order.len()).rev() {
            let other = self.draws.below(last as u32 + 1, 0, self.days, purpose, last as u32);
            order.swap(last, other as usize);
        }
        order
    }

    /// A day: tools are traded and built; market, extraction, market again; inventions; then the day is measured, and stock is
    /// consumed.
    pub fn day(&mut self) {
        self.days += 1;
        self.begin_day();
        if self.parameters.tools {
            self.market(0);
            self.trade_tools();
            self.build_for_themselves();
            self.market(1);
            self.build();
        }
        self.market(2);
        self.extract();
        self.market(3);
        if self.parameters.tools {
            self.invent();
            self.forget_building();
        }
        for agent in &mut self.agents {
            agent.value_stock(&self.utility);
        }
        self.measure();
        self.consume();
        self.wear();
    }
}

#[cfg(test)]
mod tests;
