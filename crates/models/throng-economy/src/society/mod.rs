//! A society on the CPU: its views for the rules of a day, and the order in which agents are visited. One file per
//! phase.

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

use throng_core::{InputError, Philox};
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

/// Purposes of draws. Counters are (agent, day, purpose and round, number).
pub mod purpose {
    /// The choice among the best resources to extract.
    pub const EXTRACTED: u32 = 1 << 16;
    /// Pairs of a round of a market; the round is added.
    pub const PARTNERS: u32 = 2 << 16;
    /// The units consumed; the resource is added.
    pub const CONSUMED: u32 = 3 << 16;
    /// The order in which agents invent.
    pub const INVENTORS: u32 = 4 << 16;
    /// The resources that an agent considers, the success of an invention, and its resource; the kind is added.
    pub const INVENTED: u32 = 5 << 16;
    /// Pairs of a round of the market of a kind of device; the round is added, and the kind replaces the agent.
    pub const DEVICE_PARTNERS: u32 = 6 << 16;
}

/// Minimum of agents times resources for which several threads pay off: smaller societies finish before threads start.
const LARGE: usize = 1 << 14;

/// A society: its agents, recipes and current day.
#[derive(Debug, Clone)]
pub struct Society {
    /// The parameters of the model.
    pub parameters: Parameters,
    /// Utility of units, and duration of work.
    pub model: Model,
    /// The recipes of devices.
    pub recipes: Recipes,
    /// Agents by index; a removed agent is replaced by an empty one.
    pub agents: Vec<Agent>,
    /// Whether each agent was not removed.
    pub is_present: Vec<bool>,
    /// Whether each resource was not removed.
    pub is_left: Vec<bool>,
    /// Number of completed days.
    pub days: u32,
    /// The measurements of the last day.
    pub today: Today,
    /// Utility of each agent on the last three days, today first.
    pub(crate) utility_of_days: [Vec<f64>; 3],
    draws: Philox,
    /// The seed of all draws.
    pub seed: u64,
    /// Rules of the authors' program that replace those of the model.
    pub deviations: Deviations,
}

impl Society {
    /// Creates a society before its first day.
    ///
    /// # Errors
    /// As for [`Parameters::check`].
    pub fn new(parameters: &Parameters, seed: u64) -> Result<Self, InputError> {
        parameters.check()?;
        Ok(Self::of(parameters, seed))
    }

    /// Creates a society from valid parameters.
    pub(crate) fn of(parameters: &Parameters, seed: u64) -> Self {
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

    /// Whether the society is so large that several threads are faster than one. The results do not depend on it.
    fn is_large(&self) -> bool {
        self.agents.len() * self.is_left.len() >= LARGE
    }

    /// Returns the draws of an entity today.
    fn draws_for(&self, entity: u32, purpose: u32) -> Draws {
        let (seed_low, seed_high) = (self.seed as u32, (self.seed >> 32) as u32);
        Draws { seed_low, seed_high, entity, step: self.days, purpose }
    }

    /// Resets the measurements of the day.
    fn begin_day(&mut self) {
        self.days += 1;
        let extracted = vec![vec![0; self.is_left.len()]; self.agents.len()];
        let devices_made = std::array::from_fn(|_| vec![0; self.is_left.len()]);
        self.today = Today { extracted, devices_made, ..Today::default() };
    }

    /// Simulates a day: the removals scheduled for the end of yesterday, then the phases, then the measurement of the
    /// day, the consumption of stock and the wear of devices.
    pub fn day(&mut self) {
        self.day_with(Self::carry_out);
    }

    /// Simulates a day whose phases are carried out by `carry_out`.
    pub(crate) fn day_with(&mut self, carry_out: impl Fn(&mut Self, Phase)) {
        self.remove_scheduled();
        self.begin_day();
        for phase in phases(self.parameters.devices) {
            carry_out(self, phase);
        }
        for agent in &mut self.agents {
            agent.value_stock(&self.model.utility);
        }
        self.measure();
        self.consume();
        self.wear();
    }

    /// Carries out a phase for all agents.
    pub(crate) fn carry_out(&mut self, phase: Phase) {
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
}

#[cfg(test)]
mod tests;
