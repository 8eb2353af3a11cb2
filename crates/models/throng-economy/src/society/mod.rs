//! A society on the CPU: views of it for the rules of its day, and who is visited when. Each file has a phase.

mod agent;
mod agents_view;
mod consumption;
mod deviations;
mod device_market;
mod extraction;
mod invention;
mod market;
mod measures;
mod model;
mod production;
mod recipes;
mod removals;

use throng_core::Philox;
use throng_device::philox::Draws;

use crate::Parameters;
use crate::rules::phases::{Phase, phases};
pub use agent::{Agent, MEMORY, OwnDevices};
pub use deviations::Deviations;
pub(crate) use invention::draw;
pub use market::{Barter, Lot, MarketRound, Trade};
pub use measures::{Today, gini};
pub use model::Model;
pub use recipes::{Recipe, Recipes};

/// What a draw is for. Counters are (agent, day, purpose and round, number).
pub mod purpose {
    /// Which of the best resources is extracted.
    pub const EXTRACTED: u32 = 1 << 16;
    /// Which agents meet in a round of a market; the round is added.
    pub const PARTNERS: u32 = 2 << 16;
    /// Which units are consumed; the resource is added.
    pub const CONSUMED: u32 = 3 << 16;
    /// The order in which agents invent.
    pub const INVENTORS: u32 = 4 << 16;
    /// What an agent considers, whether it invents a device, and for what; the kind is added.
    pub const INVENTED: u32 = 5 << 16;
    /// Which agents meet in a round of the market of a kind of device; the round is added, and the kind takes the place of the
    /// agent.
    pub const DEVICE_PARTNERS: u32 = 6 << 16;
}

/// Agents times resources of a society whose agents several threads simulate: a smaller one is done before they start.
const LARGE: usize = 1 << 14;

/// A society of agents.
#[derive(Debug, Clone)]
pub struct Society {
    /// The numbers of the model.
    pub parameters: Parameters,
    /// What units are worth, and how long work takes.
    pub model: Model,
    /// Of what devices are made.
    pub recipes: Recipes,
    /// The agents.
    pub agents: Vec<Agent>,
    /// Whether an agent was not removed.
    pub is_present: Vec<bool>,
    /// Whether a resource was not removed.
    pub is_left: Vec<bool>,
    /// Days that are over.
    pub days: u32,
    /// What was measured on the last day.
    pub today: Today,
    /// Utility of each agent on the last three days, today first.
    pub(crate) utility_of_days: [Vec<f64>; 3],
    draws: Philox,
    /// The seed of all draws.
    pub seed: u64,
    /// Rules of the authors' program in place of those of the model.
    pub deviations: Deviations,
}

impl Society {
    /// A society before its first day.
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let model = Model::new(parameters);
        let resources = parameters.resources as usize;
        let agents: Vec<Agent> = (0..parameters.agents).map(|_| Agent::new(parameters, &model.utility)).collect();
        Self {
            parameters: parameters.clone(),
            recipes: Recipes::new(parameters),
            model,
            is_present: vec![true; agents.len()],
            agents,
            is_left: vec![true; resources],
            days: 0,
            today: Today::default(),
            utility_of_days: Default::default(),
            draws: Philox::new(seed),
            seed,
            deviations: Deviations::NONE,
        }
    }

    /// Whether the agents are so many that several threads are faster than one. The results do not depend on it.
    fn is_large(&self) -> bool {
        self.agents.len() * self.is_left.len() >= LARGE
    }

    /// The draws of an entity today.
    fn draws_for(&self, entity: u32, purpose: u32) -> Draws {
        let (seed_low, seed_high) = (self.seed as u32, (self.seed >> 32) as u32);
        Draws { seed_low, seed_high, entity, step: self.days, purpose }
    }

    /// Nothing was measured yet.
    fn begin_day(&mut self) {
        self.days += 1;
        let extracted = vec![vec![0; self.is_left.len()]; self.agents.len()];
        let devices_made = std::array::from_fn(|_| vec![0; self.is_left.len()]);
        self.today = Today { extracted, devices_made, ..Today::default() };
    }

    /// A day: what was scheduled for the end of yesterday is removed; the phases follow; then the day is measured, stock is consumed,
    /// and devices wear out.
    pub fn day(&mut self) {
        self.remove_scheduled();
        self.begin_day();
        for phase in phases(self.parameters.devices) {
            match phase {
                Phase::Market(number) => self.market(number),
                Phase::DeviceMarket(kind) => self.trade_devices(kind),
                Phase::OwnDevices(kind) => self.make_for_themselves(kind),
                Phase::Production => self.produce(),
                Phase::Extraction => self.extract(),
                Phase::Invention => self.invent(),
                Phase::Forgetting => self.forget_assembly(),
            }
        }
        for agent in &mut self.agents {
            agent.value_stock(&self.model.utility);
        }
        self.measure();
        self.consume();
        self.wear();
    }
}

#[cfg(test)]
mod tests;
