//! The numbers of the model.

use crate::devices::{DeviceNumbers, Devices, KINDS, Kind};
use crate::society::Removal;

/// The numbers of the model; the defaults are those of the authors' standard run.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    /// Agents of a society.
    pub agents: u32,
    /// Kinds of resources.
    pub resources: u32,
    /// Whether agents barter resources.
    pub trade: bool,
    /// Which devices agents invent, trade and build.
    pub devices: Devices,
    /// Minutes of work in a day.
    pub day_min: f64,
    /// The utility of the first unit of a resource: `D` in `D x^(1/n)`.
    pub utility_of_first: f64,
    /// `n` in `D x^(1/n)`: with a larger one, further units are worth less beside the first.
    pub elasticity: f64,
    /// The least utility of a further unit. Units are worth exactly this from where the curve falls to it.
    pub least_utility: f64,
    /// Minutes for a unit without experience: `Emax`.
    pub most_effort_min: f64,
    /// Minutes for a unit with full experience: `Emin`.
    pub least_effort_min: f64,
    /// Units after which more experience does not help: `X`.
    pub full_experience: u32,
    /// Experience that is lost on each day without extraction of a resource.
    pub forgotten_per_day: f64,
    /// A resource is extracted if its gain per minute is less than the best by no more than this.
    pub extraction_tolerance: f64,
    /// Rounds of a market of resources; an agent has at most one partner in a round.
    pub market_rounds: u32,
    /// Attempts of a pair to trade resources in a round.
    pub trade_attempts: u32,
    /// Resources that an agent offers to a partner.
    pub menu_size: u32,
    /// A trade takes place only if both sides gain more utility than this.
    pub least_surplus: f64,
    /// Mean days until a unit is consumed.
    pub unit_lifetime_days: f64,
    /// Resources of which a tool takes a unit each.
    pub resources_in_tool: u32,
    /// Components of all other devices.
    pub components_in_device: u32,
    /// Factor, lifetime and experience of each kind, by [`Kind`] as an index.
    pub of_kind: [DeviceNumbers; KINDS],
    /// Minutes by which a whole device wears out on a day, used or not.
    pub wear_min: f64,
    /// Minutes to assemble a device without experience: `Dmax`.
    pub most_assembly_min: f64,
    /// Minutes to assemble a device with full experience: `Dmin`.
    pub least_assembly_min: f64,
    /// Experience in assembly beyond which more does not help: `DX`.
    pub full_assembly_experience: u32,
    /// The probability of the invention of a tool, for each unit of experience in the resources considered.
    pub tool_probability: f64,
    /// The probability of the invention of another device, for each unit of experience in the components considered.
    pub device_probability: f64,
    /// The inventor's experience in assembly.
    pub inventor_experience: f64,
    /// The least experience in assembly of an agent that has a device.
    pub owner_experience: f64,
    /// An agent considers a resource for a tool only if it holds more units than this.
    pub held_for_invention: u32,
    /// Rounds of the market of each kind of device.
    pub device_rounds: u32,
    /// Attempts of a pair to trade a device in a round.
    pub device_attempts: u32,
    /// Days of work for which an agent makes devices for itself.
    pub device_stock_days: f64,
    /// An agent has use for a device that speeds up assembly once it has made more than this many of the assembled devices in
    /// five days, for each device it has and the next.
    pub made_for_assembler: u32,
    /// What is removed, and when.
    pub removals: Vec<Removal>,
}

impl Parameters {
    /// The numbers of a kind of device.
    pub fn of(&self, kind: Kind) -> &DeviceNumbers {
        &self.of_kind[kind as usize]
    }

    /// Components of a device of a kind.
    pub fn components(&self, kind: Kind) -> u32 {
        if kind == Kind::Tool { self.resources_in_tool } else { self.components_in_device }
    }

    /// Units of resources in a device of a kind, with those in its components.
    pub fn units_in(&self, kind: Kind) -> u64 {
        u64::from(self.components(kind)) * kind.made_of().map_or(1, |component| self.units_in(component))
    }
}

impl Default for Parameters {
    fn default() -> Self {
        let device = |factor, lifetime_min, experience| DeviceNumbers { factor, lifetime_min, experience };
        Self {
            agents: 24,
            resources: 24,
            trade: true,
            devices: Devices::None,
            day_min: 600.0,
            utility_of_first: 600.0,
            elasticity: 2.5,
            least_utility: 1.0,
            most_effort_min: 9.0,
            least_effort_min: 3.0,
            full_experience: 600,
            forgotten_per_day: 3.0,
            extraction_tolerance: 0.0,
            market_rounds: 12,
            trade_attempts: 8,
            menu_size: 6,
            least_surplus: 0.1,
            unit_lifetime_days: 5.0,
            resources_in_tool: 5,
            components_in_device: 6,
            of_kind: [
                device(3.0, 150.0, 1.0),
                device(9.0, 300.0, 2.0),
                device(27.0, 600.0, 4.0),
                device(81.0, 1200.0, 8.0),
                device(9.0, 600.0, 4.0),
                device(9.0, 600.0, 8.0),
            ],
            wear_min: 3.0,
            most_assembly_min: 27.0,
            least_assembly_min: 9.0,
            full_assembly_experience: 40,
            tool_probability: 7.5e-5,
            device_probability: 1.25e-3,
            inventor_experience: 6.0,
            owner_experience: 2.0,
            held_for_invention: 3,
            device_rounds: 12,
            device_attempts: 4,
            device_stock_days: 2.0,
            made_for_assembler: 5,
            removals: Vec::new(),
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
}
