//! The parameters of the model. Their groups are tables of a scenario file.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use throng_core::InputError;

use crate::devices::{Devices, Kind};
use crate::model::{Scenario, refuse_scenario};

/// The parameters of the model. The defaults come from the authors' standard run.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    /// Agents of a society.
    pub agents: u32,
    /// Kinds of resources.
    pub resources: u32,
    /// Whether agents barter resources.
    pub trade: bool,
    /// Devices that agents invent, trade and make.
    pub devices: Devices,
    /// Utility of units, and their lifetime.
    pub economy: Economy,
    /// Extraction.
    pub work: Work,
    /// Barter.
    pub market: Market,
    /// The markets of devices.
    pub device_market: DeviceMarket,
    /// Assembly of devices.
    pub assembly: Assembly,
    /// Invention.
    pub invention: Invention,
    /// Effects of devices, by kind.
    pub device: DeviceTable,
    /// Powers of agents in trade; the list is repeated for all agents.
    pub trade_powers: Vec<u32>,
    /// Factors on the probability that an agent invents; the list is repeated for all agents.
    pub invention_speeds: Vec<f64>,
    /// Scheduled removals.
    pub removals: Vec<Removal>,
}

/// Utility of units, and their lifetime.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Economy {
    /// The utility of the first unit of a resource: `D` in `D x^(1/n)`, the utility of x units.
    pub utility_of_first: f64,
    /// `n` in `D x^(1/n)`, at least 1: the larger it is, the less further units are worth relative to the first.
    pub elasticity: f64,
    /// Minimum utility of a further unit. Units are worth exactly this once the curve falls to it.
    pub least_utility: f64,
    /// Mean time until a unit is consumed, days. Each day a unit is consumed with the inverse as probability.
    pub unit_lifetime_days: f64,
}

/// Extraction of resources.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Work {
    /// Minutes of work in a day.
    pub day_min: f64,
    /// Minutes for a unit without experience: `Emax`.
    pub most_effort_min: f64,
    /// Minutes for a unit with full experience: `Emin`.
    pub least_effort_min: f64,
    /// Full experience, units: `X`. More does not help.
    pub full_experience: u32,
    /// Experience lost on each day without extraction of a resource, units.
    pub forgotten_per_day: f64,
    /// A resource may be extracted if its gain is at most this much below the best, utility per minute.
    pub tolerance: f64,
}

/// The barter of resources.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Market {
    /// Rounds per market; an agent has at most one partner in a round.
    pub rounds: u32,
    /// Attempts of a pair to trade per round.
    pub attempts: u32,
    /// Resources that an agent offers to a partner.
    pub menu_size: u32,
    /// A trade takes place only if both sides gain more utility than this.
    pub least_surplus: f64,
}

/// The markets of devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DeviceMarket {
    /// Rounds per market of each kind of device.
    pub rounds: u32,
    /// Attempts of a pair to trade a device per round.
    pub attempts: u32,
}

/// Assembly of devices.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Assembly {
    /// Minutes to assemble a device without experience: `Dmax`.
    pub most_effort_min: f64,
    /// Minutes to assemble a device with full experience: `Dmin`.
    pub least_effort_min: f64,
    /// Full experience, devices: `DX`. More does not help.
    pub full_experience: u32,
    /// Days of work for which an agent keeps devices.
    pub stock_days: f64,
    /// Minutes by which a whole device wears out on a day, used or not.
    pub wear_min: f64,
    /// An agent can use another device that speeds up assembly only if it made more than this many of the assembled
    /// devices in five days, for each device that it already has and for the new one.
    pub made_for_assembler: u32,
}

/// Invention of devices.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Invention {
    /// Probability of the invention of a tool, per unit of experience in the resources that the agent considers.
    pub tool_probability: f64,
    /// Probability of the invention of another device, per device of experience in the components considered.
    pub device_probability: f64,
    /// Number of resources in a tool, one unit each.
    pub resources_in_tool: u32,
    /// Number of components in every other device.
    pub components_in_device: u32,
    /// An agent considers a resource for a tool only if it holds more units than this.
    pub more_held_than: u32,
    /// Experience in assembly that the inventor gets, devices.
    pub inventor_experience: f64,
    /// Minimum experience in assembly of an agent that has a device, devices.
    pub owner_experience: f64,
}

/// The effects of a kind of device.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeviceNumbers {
    /// Units of work done with the device in the time of one unit without it.
    pub factor: f64,
    /// Minutes of work after which the device is used up.
    pub lifetime_min: f64,
    /// Experience in assembly gained by making one, devices.
    pub experience: f64,
}

/// Some of the values of a kind; the others keep their defaults.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SomeNumbers {
    factor: Option<f64>,
    lifetime_min: Option<f64>,
    experience: Option<f64>,
}

/// Reads the values of kind `KIND`; missing ones keep their defaults.
fn over_default<'de, const KIND: usize, D: Deserializer<'de>>(deserializer: D) -> Result<DeviceNumbers, D::Error> {
    let SomeNumbers { factor, lifetime_min, experience } = SomeNumbers::deserialize(deserializer)?;
    let default = *Parameters::default().of(Kind::ALL[KIND]);
    Ok(DeviceNumbers {
        factor: factor.unwrap_or(default.factor),
        lifetime_min: lifetime_min.unwrap_or(default.lifetime_min),
        experience: experience.unwrap_or(default.experience),
    })
}

/// The effects of devices, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DeviceTable {
    /// Tools, made of resources; they speed up extraction.
    #[serde(deserialize_with = "over_default::<0, _>")]
    pub tool: DeviceNumbers,
    /// Machines, made of tools; they speed up extraction.
    #[serde(deserialize_with = "over_default::<1, _>")]
    pub machine: DeviceNumbers,
    /// Factories, made of machines; they speed up extraction.
    #[serde(deserialize_with = "over_default::<2, _>")]
    pub factory: DeviceNumbers,
    /// Industries, made of factories; they speed up extraction.
    #[serde(deserialize_with = "over_default::<3, _>")]
    pub industry: DeviceNumbers,
    /// Devmachines, made of tools; they speed up the assembly of tools.
    #[serde(deserialize_with = "over_default::<4, _>")]
    pub devmachine: DeviceNumbers,
    /// Devfactories, made of devmachines; they speed up the assembly of machines.
    #[serde(deserialize_with = "over_default::<5, _>")]
    pub devfactory: DeviceNumbers,
}

/// A scheduled shock: a resource runs out, or an agent leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Removal {
    /// Day at the end of which the removal takes place.
    pub day: u32,
    /// Index of a resource, from 0: it can no longer be extracted, and devices for it are lost.
    pub resource: Option<u32>,
    /// Whether all stock of the resource and all experience in it are lost as well.
    #[serde(default)]
    pub with_stock: bool,
    /// Alternatively the index of an agent, from 0: it leaves with all its possessions.
    pub agent: Option<u32>,
}

impl Parameters {
    /// Returns the effects of a kind of device.
    pub fn of(&self, kind: Kind) -> &DeviceNumbers {
        match kind {
            Kind::Tool => &self.device.tool,
            Kind::Machine => &self.device.machine,
            Kind::Factory => &self.device.factory,
            Kind::Industry => &self.device.industry,
            Kind::DevMachine => &self.device.devmachine,
            Kind::DevFactory => &self.device.devfactory,
        }
    }

    /// Checks all values.
    ///
    /// # Errors
    /// All values that are out of range or contradict each other.
    pub fn check(&self) -> Result<(), InputError> {
        refuse_scenario(&Scenario::of(self))
    }

    /// Returns the device minutes for extraction that are enough for an agent.
    pub fn stock_min(&self) -> f64 {
        self.assembly.stock_days * self.work.day_min
    }

    /// Returns how many of the 2^32 values of a drawn word, counted from 0, mean that the unit is consumed.
    pub fn consumed_words(&self) -> u64 {
        (4_294_967_296.0 / self.economy.unit_lifetime_days) as u64
    }

    /// Returns the power of an agent in trade.
    pub fn trade_power(&self, agent: usize) -> u32 {
        self.trade_powers[agent % self.trade_powers.len()]
    }

    /// Returns the factor on an agent's probability of invention.
    pub fn invention_speed(&self, agent: usize) -> f64 {
        self.invention_speeds[agent % self.invention_speeds.len()]
    }

    /// Returns the number of components of a device of a kind.
    pub fn components(&self, kind: Kind) -> u32 {
        if kind == Kind::Tool { self.invention.resources_in_tool } else { self.invention.components_in_device }
    }

    /// Returns the units of resources in a device of a kind, including those in its components.
    pub fn units_in(&self, kind: Kind) -> u64 {
        u64::from(self.components(kind)) * kind.made_of().map_or(1, |component| self.units_in(component))
    }
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            agents: 24,
            resources: 24,
            trade: true,
            devices: Devices::None,
            economy: Economy::default(),
            work: Work::default(),
            market: Market::default(),
            device_market: DeviceMarket::default(),
            assembly: Assembly::default(),
            invention: Invention::default(),
            device: DeviceTable::default(),
            trade_powers: vec![1],
            invention_speeds: vec![1.0],
            removals: Vec::new(),
        }
    }
}

impl Default for Economy {
    fn default() -> Self {
        Self { utility_of_first: 600.0, elasticity: 2.5, least_utility: 1.0, unit_lifetime_days: 5.0 }
    }
}

impl Default for Work {
    fn default() -> Self {
        Self {
            day_min: 600.0,
            most_effort_min: 9.0,
            least_effort_min: 3.0,
            full_experience: 600,
            forgotten_per_day: 3.0,
            tolerance: 0.0,
        }
    }
}

impl Default for Market {
    fn default() -> Self {
        Self { rounds: 12, attempts: 8, menu_size: 6, least_surplus: 0.1 }
    }
}

impl Default for DeviceMarket {
    fn default() -> Self {
        Self { rounds: 12, attempts: 4 }
    }
}

impl Default for Assembly {
    fn default() -> Self {
        Self {
            most_effort_min: 27.0,
            least_effort_min: 9.0,
            full_experience: 40,
            stock_days: 2.0,
            wear_min: 3.0,
            made_for_assembler: 5,
        }
    }
}

impl Default for Invention {
    fn default() -> Self {
        Self {
            tool_probability: 7.5e-5,
            device_probability: 1.25e-3,
            resources_in_tool: 5,
            components_in_device: 6,
            more_held_than: 3,
            inventor_experience: 6.0,
            owner_experience: 2.0,
        }
    }
}

impl Default for DeviceTable {
    fn default() -> Self {
        let numbers = |factor, lifetime_min, experience| DeviceNumbers { factor, lifetime_min, experience };
        Self {
            tool: numbers(3.0, 150.0, 1.0),
            machine: numbers(9.0, 300.0, 2.0),
            factory: numbers(27.0, 600.0, 4.0),
            industry: numbers(81.0, 1200.0, 8.0),
            devmachine: numbers(9.0, 600.0, 4.0),
            devfactory: numbers(9.0, 600.0, 8.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_contain_units_of_resources() {
        let units = Kind::BY_PRODUCTION.map(|kind| Parameters::default().units_in(kind));
        assert_eq!(units, [5, 30, 30, 180, 180, 1080]);
    }

    /// Parsed like a scenario that changes one value of a kind.
    #[test]
    fn omitted_numbers_keep_their_defaults() {
        let table: DeviceTable = serde_json::from_str(r#"{ "devmachine": { "factor": 4.0 } }"#).unwrap();
        let default = DeviceTable::default();
        let devmachine = DeviceNumbers { factor: 4.0, ..default.devmachine };
        assert_eq!(table, DeviceTable { devmachine, ..default });
        assert!(serde_json::from_str::<DeviceTable>(r#"{ "tool": { "faktor": 4.0 } }"#).is_err());
    }
}
