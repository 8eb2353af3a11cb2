//! The arguments of kernels: parameters, and the arrays of a check.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::prelude::*;
use throng_device::exact::copied;
use throng_device::neighbours::{DeviceCellLists, Neighbours};
use throng_device::{Buffer, Device, DeviceError, KernelArrays, KernelParameter, cubecl};

use super::super::rules::contest::Rule;
use super::super::rules::decision::Position;
use super::super::scene::Scene;
use super::super::world::World;

/// Words per route: position, and the new position if the disc moves.
pub(super) const ROUTE: u32 = 4;
/// Words per piece of wall: first end, and the vector to the second one.
pub(super) const PIECE: u32 = 4;

/// Number of counters of decisions that a pass left open, which come first. Pass `n` uses counter `n` modulo this,
/// reads that of the previous pass, and resets that of the next one.
pub(super) const OPEN_COUNTERS: u32 = 3;
/// First of two alternating counters of open decisions after each round of the last kernel.
pub(super) const LEFT: u32 = OPEN_COUNTERS;
/// Number of wishes so far whose step was too long.
pub(super) const TOO_LONG_WISHES: u32 = OPEN_COUNTERS + 2;
/// Lowest index of their discs, stored as `NONE - index`; 0 if there are none.
pub(super) const FIRST_TOO_LONG: u32 = OPEN_COUNTERS + 3;
/// Whether the last kernel has left decisions open.
pub(super) const UNFINISHED: u32 = OPEN_COUNTERS + 4;
/// Number of counters.
pub(super) const COUNTERS: usize = OPEN_COUNTERS as usize + 5;

/// Compile-time parameters of kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Config {
    pub rule: Rule,
    /// Whether all discs have one radius.
    pub equal_radii: bool,
    /// Whether steps have a maximum length, so that only discs near a position have targets near it.
    pub bounded: bool,
    pub has_walls: bool,
    /// Whether discs have ids other than their index.
    pub has_ids: bool,
}

#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Parameters {
    pub world: World,
    pub discs: u32,
    /// Largest radius, units.
    pub largest: i32,
    /// Longest step, units; `i32::MAX` if steps may have any length.
    pub longest: i32,
    pub wall_columns: u32,
    pub seed_low: u32,
    pub seed_high: u32,
    pub step_low: u32,
    pub step_high: u32,
}

/// One position per disc.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Points {
    pub xs: Array<i32>,
    pub ys: Array<i32>,
}

impl<'b> PointsBuffers<'b> {
    /// Takes the buffers of x and y.
    pub fn of([xs, ys]: [&'b Buffer<i32>; 2]) -> Self {
        Self { xs, ys }
    }
}

/// The positions and the wishes of discs.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Moves {
    pub at: Points,
    pub to: Points,
}

/// The discs in a step.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct Discs {
    pub routes: Array<i32>,
    pub priorities: Array<u32>,
    /// One radius for all discs, or one per disc.
    pub radii: Array<i32>,
    /// One id per disc, or a single unused word.
    pub ids: Array<u32>,
}

/// The discs in a step, and their order by cell.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Crowd {
    pub discs: Discs,
    pub lists: Neighbours,
}

/// The decisions about the discs, and the grid.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct Decisions {
    pub states: Array<Atomic<u32>>,
    pub counters: Array<Atomic<u32>>,
    /// Index of the disc whose centre is in each cell.
    pub slots: Array<u32>,
}

// Views hold a reference to the parameters.
impl CubeType for &Parameters {
    type ExpandType = ParametersExpand;
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

    /// Returns the id of a disc, on which its priority depends.
    pub fn id(&self, disc: u32, #[comptime] config: Config) -> u32 {
        let mut id = copied(disc);
        if comptime!(config.has_ids) {
            id = self.ids[disc as usize];
        }
        id
    }

    pub fn position(&self, disc: u32) -> Position {
        let at = (disc * ROUTE) as usize;
        Position { x: self.routes[at], y: self.routes[at + 1] }
    }

    pub fn target(&self, disc: u32) -> Position {
        let at = (disc * ROUTE) as usize;
        Position { x: self.routes[at + 2], y: self.routes[at + 3] }
    }
}

/// The arrays of a check on a device.
#[derive(Debug)]
pub(super) struct DiscBuffers {
    pub discs: DiscsBuffers,
    pub decisions: DecisionsBuffers,
}

impl DiscBuffers {
    pub fn new(device: &Device, scene: &Scene, ids: &[u32]) -> Result<Self, DeviceError> {
        let Scene { world, radii, .. } = scene;
        let discs = radii.discs();
        Ok(Self {
            discs: DiscsBuffers {
                routes: device.empty("routes", discs * ROUTE as usize)?,
                priorities: device.empty("priorities", discs)?,
                radii: device.upload("radii", radii.as_slice())?,
                ids: device.upload("ids", if ids.is_empty() { &[0] } else { ids })?,
            },
            decisions: DecisionsBuffers {
                states: device.empty("decisions", discs)?,
                counters: device.upload("counters", &[0; COUNTERS])?,
                slots: device.empty("slots", world.cells())?,
            },
        })
    }

    /// Returns the discs with their order.
    pub fn crowd<'b>(&'b self, lists: &'b DeviceCellLists) -> CrowdBuffers<'b> {
        CrowdBuffers { discs: &self.discs, lists }
    }
}
