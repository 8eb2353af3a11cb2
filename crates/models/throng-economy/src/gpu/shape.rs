//! Compile-time parameters of kernels.

use crate::devices::Kind;
use crate::parameters::{DeviceMarket, Parameters, Removal};
use crate::rules::phases::{Phase, phases};
use crate::society::MEMORY;

/// Compile-time parameters of kernels, common to all societies of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Agents per society.
    pub agents: u32,
    /// Kinds of resources.
    pub resources: u32,
    /// Number of kinds of devices, with the indices of [`Kind`].
    pub kinds: u32,
    /// Kinds of devices for extraction, which have the first indices.
    pub extracting: u32,
    /// Maximum number of components of a device.
    pub components: u32,
    /// Partners in the trade of a kind of device that an agent remembers.
    pub partners: u32,
    /// Resources on a menu.
    pub menu_size: u32,
}

impl Shape {
    pub fn new(parameters: &Parameters) -> Self {
        let count = |kinds: &[Kind]| kinds.iter().filter(|&&kind| parameters.devices.contain(kind)).count() as u32;
        // In each round of the remembered days, an agent has at most one partner.
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

    /// Returns the number of units of a cube: one per resource, rounded up to whole warps.
    pub fn units(&self) -> u32 {
        self.resources.next_multiple_of(32)
    }

    /// Returns the number of words in a bit set of agents.
    pub fn agent_words(&self) -> u32 {
        self.agents.div_ceil(32)
    }
}

/// Parameters that societies must share to be simulated in one sequence of launches.
#[derive(Debug, Clone, PartialEq)]
pub struct Common {
    pub shape: Shape,
    pub phases: Vec<Phase>,
    pub trade: bool,
    /// Rounds and attempts per market of resources.
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

    /// Returns the number of markets of resources per day.
    pub fn markets_of_day(&self) -> u32 {
        self.phases.iter().filter(|phase| matches!(phase, Phase::Market(_))).count() as u32
    }

    /// Returns the number of rounds of barter per day.
    pub fn rounds_of_day(&self) -> u32 {
        if self.trade { self.markets_of_day() * self.rounds } else { 0 }
    }
}
