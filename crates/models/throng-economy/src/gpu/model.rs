//! The curves and parameters of a society on a device, as the rules see them.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::philox::Draws;

use super::tables::{Tables, table_offset};
use crate::rules::prelude::*;
use crate::rules::worth::beyond_table;

/// The model of a society on a device: the offsets of its parameter set in the tables.
#[derive(CubeType, Clone, Copy)]
pub struct ModelOnDevice<'w> {
    tables: &'w Tables,
    society: u32,
    units: u32,
    last_units: u32,
    next: u32,
    last_next: u32,
    effort: u32,
    last_effort: u32,
    assembly: u32,
    last_assembly: u32,
    numbers: u32,
    zero: f64,
    /// Agents per society.
    #[cube(comptime)]
    agents: u32,
}

/// Creates the view of the model of a society.
#[cube]
pub fn model_of<'w>(tables: &'w Tables, society: u32, #[comptime] agents: u32) -> ModelOnDevice<'w> {
    let set = tables.societies[3 * society as usize] as usize;
    let at = set * comptime!(table_offset::COUNT);
    let numbers = set * comptime!(number::COUNT + 2 * agents as usize);
    ModelOnDevice::<'w> {
        tables,
        society,
        units: tables.places[at + comptime!(table_offset::UNITS)],
        last_units: tables.places[at + comptime!(table_offset::LAST_UNITS)],
        next: tables.places[at + comptime!(table_offset::NEXT)],
        last_next: tables.places[at + comptime!(table_offset::LAST_NEXT)],
        effort: tables.places[at + comptime!(table_offset::EFFORT)],
        last_effort: tables.places[at + comptime!(table_offset::LAST_EFFORT)],
        assembly: tables.places[at + comptime!(table_offset::ASSEMBLY)],
        last_assembly: tables.places[at + comptime!(table_offset::LAST_ASSEMBLY)],
        numbers: numbers as u32,
        zero: tables.numbers[numbers + comptime!(number::ZERO)],
        agents,
    }
}

#[cube]
impl ModelOnDevice<'_> {
    /// Whether an agent of the society was not removed.
    pub fn is_present(&self, agent: u32) -> bool {
        self.tables.remains[agent as usize] == 1u32
    }

    /// Whether a resource was not removed.
    pub fn is_left(&self, resource: u32) -> bool {
        self.tables.remains[(comptime!(self.agents) + resource) as usize] == 1u32
    }

    /// The power of an agent of the society in trade.
    pub fn trade_power(&self, agent: u32) -> u32 {
        self.tables.numbers[self.numbers as usize + comptime!(number::COUNT) + agent as usize] as u32
    }

    /// Factor on the probability that an agent of the society invents.
    pub fn invention_speed(&self, agent: u32) -> f64 {
        let first = comptime!(number::COUNT + self.agents as usize);
        self.tables.numbers[self.numbers as usize + first + agent as usize]
    }

    /// Returns the draws of an entity of the society.
    pub fn draws(&self, entity: u32, day: u32, purpose: u32) -> Draws {
        let at = 3 * self.society as usize;
        let (seed_low, seed_high) = (self.tables.societies[at + 1], self.tables.societies[at + 2]);
        Draws { seed_low, seed_high, entity, step: day, purpose }
    }
}

#[cube]
impl ModelView for ModelOnDevice<'_> {
    fn of_units(&self, units: u32) -> f64 {
        let mut utility = self.tables.of_units[(self.units + min(units, self.last_units)) as usize];
        if units > self.last_units {
            let of_further = self.tables.of_next[(self.next + self.last_next) as usize];
            utility = beyond_table(exact::copied(utility), of_further, units - self.last_units, self.zero);
        }
        utility
    }

    fn of_next(&self, held: u32) -> f64 {
        self.tables.of_next[(self.next + min(held, self.last_next)) as usize]
    }

    fn inverse_of_next(&self, held: u32) -> f64 {
        self.tables.inverse_of_next[(self.next + min(held, self.last_next)) as usize]
    }

    fn effort(&self, experience: f64) -> f64 {
        self.tables.effort[(self.effort + min(experience as u32, self.last_effort)) as usize]
    }

    fn minutes_until_whole(&self, experience: u32) -> f64 {
        self.tables.until[(self.effort + experience) as usize]
    }

    fn last_effort(&self) -> u32 {
        self.last_effort
    }

    fn assembly(&self, experience: f64) -> f64 {
        self.tables.assembly[(self.assembly + min(experience as u32, self.last_assembly)) as usize]
    }

    fn number(&self, #[comptime] which: usize) -> f64 {
        self.tables.numbers[self.numbers as usize + which]
    }

    fn of_kind(&self, kind: u32, #[comptime] which: usize) -> f64 {
        let at = self.numbers as usize + comptime!(number::KINDS) + comptime!(number::OF_KIND) * kind as usize;
        self.tables.numbers[at + which]
    }

    fn about(&self, kind: u32, #[comptime] which: usize) -> u32 {
        self.tables.kinds[comptime!(kind_property::COUNT) * kind as usize + which]
    }

    fn level(&self, kind: u32, level: u32) -> u32 {
        let at = comptime!(kind_property::COUNT) * kind as usize + comptime!(kind_property::FIRST_LEVEL);
        self.tables.kinds[at + level as usize]
    }

    fn in_production(&self, place: u32) -> u32 {
        self.tables.kinds[comptime!(kind_property::PRODUCTION) + place as usize]
    }

    fn zero(&self) -> f64 {
        self.zero
    }
}
