//! The rules' view of the floor, and the traces of steps.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, cubecl};

use super::super::rules::direction::{DIRECTIONS, NONE};
use super::super::rules::directional::trace_after_tick;
use super::super::rules::floor::{EMPTY, FloorView, FloorViewExpand, FreeFromView, FreeFromViewExpand, WALL};
use super::super::rules::grid::NOWHERE;
use super::super::rules::sources::{OffsetsView, OffsetsViewExpand, StrengthsView, StrengthsViewExpand};
use super::super::rules::vote::exchange;
use super::state::{Config, FREE, Floor, NUMBER_BITS, Parameters, exchange_of};

/// View of the floor. Surroundings are read from global memory: a cube's tile with a halo of 3 space units and nine
/// words per space unit, with traces, would take 55 kB of shared memory, more than some devices have.
#[derive(CubeType)]
pub struct FloorOnDevice<'w> {
    pub floor: &'w Floor,
    /// Number of columns of a field.
    #[cube(comptime)]
    pub side: u32,
}

#[cube]
impl FloorView for FloorOnDevice<'_> {
    fn occupant(&self, unit: u32) -> u32 {
        let mut occupant = WALL.runtime();
        if unit != NOWHERE {
            occupant = self.floor.occupants[unit as usize];
        }
        occupant
    }
}

#[cube]
impl FreeFromView for FloorOnDevice<'_> {
    fn free_from(&self, unit: u32) -> u32 {
        self.floor.periods.free_from[unit as usize]
    }
}

#[cube]
impl StrengthsView for FloorOnDevice<'_> {
    fn strength(&self, #[comptime] field: u32, ring: u32) -> i32 {
        self.floor.tables.strengths[(comptime!(field * (self.side / 2 + 1)) + ring) as usize]
    }
}

#[cube]
impl OffsetsView for FloorOnDevice<'_> {
    fn offset(&self, number: u32) -> u32 {
        self.floor.tables.offsets[number as usize]
    }

    fn heading(&self, occupant: u32) -> u32 {
        occupant >> NUMBER_BITS
    }

    fn trace(&self, unit: u32, heading: u32) -> u32 {
        self.floor.planes.traces[(unit * DIRECTIONS + heading) as usize]
    }
}

/// The intents before a vote, and the occupants after it.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Voted {
    pub intents: Array<u32>,
    pub occupants: Array<u32>,
}

/// After a vote, lets all traces decay, and adds those of pedestrians that made a step: one unit per space unit.
#[cube(launch)]
pub(super) fn leave_traces(params: &Parameters, voted: &Voted, traces: &mut Array<u32>, #[comptime] config: Config) {
    let unit = ABSOLUTE_POS as u32;
    let width = params.grid.width;
    if unit < width * params.grid.height {
        let occupant = voted.occupants[unit as usize];
        let intent = voted.intents[unit as usize];
        let mut has_entered = intent == FREE && occupant != EMPTY;
        if comptime!(config.exchanges) {
            let direction = exchange_of(intent);
            if direction != NONE {
                let beside = params.grid.neighbour((unit % width) as i32, (unit / width) as i32, direction);
                has_entered = exchange(direction, exchange_of(voted.intents[beside as usize]));
            }
        }
        #[unroll]
        for heading in 0..DIRECTIONS {
            let at = (unit * DIRECTIONS + heading) as usize;
            let has_step = has_entered && occupant >> NUMBER_BITS == heading;
            traces[at] = trace_after_tick(traces[at], has_step, comptime!(config.trace_decay));
        }
    }
}
