//! What is compiled into kernels.

use crate::devices::Kind;
use crate::parameters::{DeviceMarket, Parameters, Removal};
use crate::rules::phases::{Phase, phases};
use crate::society::MEMORY;

/// Numbers that are compiled into kernels: all societies of a launch have them in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Agents of a society.
    pub agents: u32,
    /// Kinds of resources.
    pub resources: u32,
    /// Kinds of devices; their numbers are those of [`Kind`].
    pub kinds: u32,
    /// Kinds of devices for extraction, which have the first numbers.
    pub extracting: u32,
    /// The most components of a device.
    pub components: u32,
    /// Partners in the trade of a kind of device that an agent remembers.
    pub partners: u32,
    /// Resources on a menu.
    pub menu_size: u32,
}

impl Shape {
    pub fn new(parameters: &Parameters) -> Self {
        let count = |kinds: &[Kind]| kinds.iter().filter(|&&kind| parameters.devices.contain(kind)).count() as u32;
        // In each round of the days that it remembers, an agent has at most one partner.
        let met = parameters.device_market.rounds.saturating_mul(MEMORY as u32);
        Self {
            agents: parameters.agents,
            resources: parameters.resources,
            kinds: count(&Kind::ALL),
            extracting: count(&Kind::EXTRACTING),
            components: parameters.invention.resources_in_tool.max(parameters.invention.components_in_device),
            partners: met.min(parameters.agents - 1).max(1),
            menu_size: parameters.market.menu_size,
        }
    }

    /// Units of a cube: one for each resource, in whole warps.
    pub fn units(&self) -> u32 {
        self.resources.next_multiple_of(32)
    }

    /// Words with a bit for each agent.
    pub fn agent_words(&self) -> u32 {
        self.agents.div_ceil(32)
    }
}

/// What societies must have in common to be simulated in one sequence of launches.
#[derive(Debug, Clone, PartialEq)]
pub struct Common {
    pub shape: Shape,
    pub phases: Vec<Phase>,
    pub trade: bool,
    /// Rounds and attempts of a market of resources.
    pub rounds: u32,
    pub attempts: u32,
    pub device_market: DeviceMarket,
    pub resources_in_tool: u32,
    pub components_in_device: u32,
    pub removals: Vec<Removal>,
}

impl Common {
    pub fn new(parameters: &Parameters) -> Self {
        let Parameters { market, device_market, invention, .. } = parameters;
        Self {
            shape: Shape::new(parameters),
            phases: phases(parameters.devices),
            trade: parameters.trade,
            rounds: market.rounds,
            attempts: market.attempts,
            device_market: *device_market,
            resources_in_tool: invention.resources_in_tool,
            components_in_device: invention.components_in_device,
            removals: parameters.removals.clone(),
        }
    }

    /// Markets of resources on a day.
    pub fn markets_of_day(&self) -> u32 {
        self.phases.iter().filter(|phase| matches!(phase, Phase::Market(_))).count() as u32
    }

    /// Rounds of barter on a day.
    pub fn rounds_of_day(&self) -> u32 {
        if self.trade { self.markets_of_day() * self.rounds } else { 0 }
    }
}
