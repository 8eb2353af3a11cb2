//! The phases of a day for many societies: a cube for each agent or pair, a unit for each resource.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

pub mod barter;
pub mod end_of_day;
pub mod extraction;
pub mod partners;

use std::marker::PhantomData;

use throng_device::cubecl::{self, prelude::*};
use throng_device::philox::Draws;
use throng_device::{Buffer, exact};

use crate::rules::worth::beyond_table;

/// Utility and effort as arrays.
#[derive(CubeType, CubeLaunch)]
pub struct Tables {
    /// Utility of 0, 1, 2, ... units.
    pub of_units: Array<f64>,
    /// Utility of the next unit when 0, 1, 2, ... are held; the last entry also when more are.
    pub of_next: Array<f64>,
    /// The inverse of these.
    pub inverse_of_next: Array<f64>,
    /// Minutes for a unit with an experience of 0, 1, 2, ... units; the last entry also with more.
    pub minutes: Array<f64>,
}

/// Utility and effort on a device.
pub struct TableBuffers {
    pub of_units: Buffer<f64>,
    pub of_next: Buffer<f64>,
    pub inverse_of_next: Buffer<f64>,
    pub minutes: Buffer<f64>,
}

impl TableBuffers {
    /// The argument of a launch; made inside its closure.
    pub fn arg<R: Runtime>(&self) -> TablesLaunch<R> {
        TablesLaunch {
            of_units: self.of_units.arg(),
            of_next: self.of_next.arg(),
            inverse_of_next: self.inverse_of_next.arg(),
            minutes: self.minutes.arg(),
            _phantom_runtime: PhantomData,
        }
    }
}

/// The utility of the next unit.
#[cube]
pub fn of_next(tables: &Tables, held: u32) -> f64 {
    tables.of_next[min(held as usize, tables.of_next.len() - 1)]
}

/// Its inverse.
#[cube]
pub fn inverse_of_next(tables: &Tables, held: u32) -> f64 {
    tables.inverse_of_next[min(held as usize, tables.inverse_of_next.len() - 1)]
}

/// The utility of all units. `zero` is [`NEGATIVE_ZERO`](exact::NEGATIVE_ZERO).
#[cube]
pub fn of_units(tables: &Tables, units: u32, zero: f64) -> f64 {
    let last = tables.of_units.len() - 1;
    let mut utility = tables.of_units[min(units as usize, last)];
    if units as usize > last {
        let of_further = tables.of_next[tables.of_next.len() - 1];
        utility = beyond_table(exact::copied(utility), of_further, units - last as u32, zero);
    }
    utility
}

/// Minutes for a unit.
#[cube]
pub fn minutes(tables: &Tables, experience: f64) -> f64 {
    tables.minutes[min(experience as u32 as usize, tables.minutes.len() - 1)]
}

/// The draws of an entity of a society.
#[cube]
pub fn draws(seeds: &Array<u32>, society: u32, entity: u32, day: u32, purpose: u32) -> Draws {
    let at = 2 * society as usize;
    Draws { seed_low: seeds[at], seed_high: seeds[at + 1], entity, step: day, purpose }
}
