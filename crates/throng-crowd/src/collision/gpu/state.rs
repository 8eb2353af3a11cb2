//! The arguments of kernels: parameters, and the arrays of a check.

#![allow(missing_docs, reason = "what #[cube] makes of a struct has no documentation")]

use std::marker::PhantomData;

use throng_device::cubecl::prelude::*;
use throng_device::{Buffer, KernelParameter, cubecl};

use super::super::rules::contest::Rule;
use super::super::world::World;

/// Words of a way: position, and where the disc will be if it moves.
pub(super) const WAY: u32 = 4;
/// Words of a piece of wall: first end, and the vector to the second one.
pub(super) const PIECE: u32 = 4;

/// Counters: passes set the one of their number if a decision is left open; then come the length of the list of these,
/// and what is known of wishes that are too long.
pub(super) const PASSES: u32 = 6;
/// How many decisions are open after the last pass.
pub(super) const OPEN: u32 = PASSES;
/// Open decisions after each round of the last kernel, in turns.
pub(super) const LEFT: u32 = PASSES + 1;
/// All wishes so far whose step was too long.
pub(super) const TOO_LONG_WISHES: u32 = PASSES + 3;
/// The disc with the lowest number among them.
pub(super) const FIRST_TOO_LONG: u32 = PASSES + 4;
/// Number of counters.
pub(super) const COUNTERS: usize = PASSES as usize + 5;

/// What is compiled into kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Config {
    pub rule: Rule,
    /// Whether all discs have one radius.
    pub equal_radii: bool,
    /// Whether steps have a longest length, so that targets near a place belong to discs near it.
    pub bounded: bool,
    pub has_walls: bool,
}

#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Parameters {
    pub world: World,
    pub discs: u32,
    /// The largest radius.
    pub largest: i32,
    /// The longest step; `i32::MAX` if steps may have any length.
    pub longest: i32,
    pub wall_columns: u32,
    pub seed_low: u32,
    pub seed_high: u32,
    pub step_low: u32,
    pub step_high: u32,
}

/// The discs in a step.
#[derive(CubeType, CubeLaunch)]
pub struct Discs {
    pub ways: Array<i32>,
    pub priorities: Array<u32>,
    pub states: Array<Atomic<u32>>,
    /// One for all, or one for each disc.
    pub radii: Array<i32>,
    /// The disc whose centre is in each cell.
    pub slots: Array<u32>,
    pub counters: Array<Atomic<u32>>,
}

#[cube]
impl Discs {
    pub fn radius(&self, disc: u32, #[comptime] config: Config) -> i32 {
        let mut radius = self.radii[0];
        if comptime!(!config.equal_radii) {
            radius = self.radii[disc as usize];
        }
        radius
    }

    pub fn x(&self, disc: u32) -> i32 {
        self.ways[(disc * WAY) as usize]
    }

    pub fn y(&self, disc: u32) -> i32 {
        self.ways[(disc * WAY + 1) as usize]
    }

    pub fn wished_x(&self, disc: u32) -> i32 {
        self.ways[(disc * WAY + 2) as usize]
    }

    pub fn wished_y(&self, disc: u32) -> i32 {
        self.ways[(disc * WAY + 3) as usize]
    }
}

/// The arrays of a check on a device.
#[derive(Debug)]
pub(super) struct DiscBuffers {
    pub ways: Buffer<i32>,
    pub priorities: Buffer<u32>,
    pub states: Buffer<u32>,
    pub radii: Buffer<i32>,
    pub slots: Buffer<u32>,
    pub counters: Buffer<u32>,
}

impl DiscBuffers {
    /// The arrays as an argument of a kernel; made inside the closure of a launch.
    pub fn arg<R: Runtime>(&self) -> DiscsLaunch<R> {
        DiscsLaunch {
            ways: self.ways.arg(),
            priorities: self.priorities.arg(),
            states: self.states.arg(),
            radii: self.radii.arg(),
            slots: self.slots.arg(),
            counters: self.counters.arg(),
            _phantom_runtime: PhantomData,
        }
    }
}
