//! The upstream ends of links with holes and inflow capacity: `crate::rules::upstream_end`, stepped in every step in
//! which a link holds vehicles or holes.
//!
//! Holes come from a common pool. A link keeps those that have arrived and reuses them.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::emit::fail;
use super::lists::link_word;
use super::state::{DeviceState, KernelConfig, StepParameters};

#[cube]
fn upstream_real(link: u32, real: u32) -> usize {
    (link * UPSTREAM_REALS + real) as usize
}

/// Whether holes and inflow allow a vehicle to enter.
#[cube]
pub fn accepts(state: &DeviceState, link: u32, #[comptime] config: KernelConfig) -> bool {
    let mut room = state.upstream_ends[upstream_real(link, REMAINING)] > 0.0f64;
    if comptime!(config.is_kinematic()) {
        room = room && (state.upstream_ends[upstream_real(link, INFLOW)] > 0.0f64);
    }
    room
}

/// A vehicle enters.
#[cube]
pub fn enter(state: &mut DeviceState, link: u32, pcu: f64, consumption: f64, #[comptime] config: KernelConfig) {
    state.upstream_ends[upstream_real(link, REMAINING)] -= pcu;
    if comptime!(config.is_kinematic()) {
        state.upstream_ends[upstream_real(link, INFLOW)] -= consumption;
    }
}

#[cube]
fn hole_real(hole: u32, real: u32) -> usize {
    (hole * HOLE_REALS + real) as usize
}

/// A vehicle has left the queue: its room becomes a hole.
#[cube]
pub fn free(state: &mut DeviceState, params: &StepParameters, link: u32, person: u32, pcu: f64) {
    let mut hole = state.links[link_word(link, SPARE_HOLES)];
    if hole == NONE {
        hole = state.calendar[(2u32 * params.run.calendar_slots * params.run.lists_per_slot) as usize].fetch_add(1u32);
    } else {
        state.links[link_word(link, SPARE_HOLES)] = u32::cast_from(state.holes[hole_real(hole, NEXT_HOLE)]);
    }
    if hole >= params.run.hole_capacity {
        fail(state, params, ERROR_HOLES, person, 0u32, link);
    } else {
        state.holes[hole_real(hole, ARRIVES_AT)] = params.time + state.upstream_ends[upstream_real(link, HOLE_TIME)];
        state.holes[hole_real(hole, SIZE)] = pcu;
        state.holes[hole_real(hole, NEXT_HOLE)] = f64::cast_from(NONE.runtime());
        let first = link_word(link, HOLES);
        if state.links[first] == NONE {
            state.links[first] = hole;
        } else {
            let last = state.links[first + 1];
            state.holes[hole_real(last, NEXT_HOLE)] = f64::cast_from(hole);
        }
        state.links[first + 1] = hole;
    }
}

/// Begins the step of a link; `idle` if it holds neither queued nor waiting vehicles.
#[cube]
pub fn begin_step(
    state: &mut DeviceState,
    params: &StepParameters,
    link: u32,
    idle: bool,
    #[comptime] config: KernelConfig,
) {
    if !idle {
        state.links[link_word(link, UPSTREAM_STATE)] = STEPPED_WITH_LINK.runtime();
    }
    if state.links[link_word(link, UPSTREAM_STATE)] != NOT_STEPPED {
        if comptime!(config.is_kinematic()) {
            let most = state.upstream_ends[upstream_real(link, MAX_INFLOW)];
            state.upstream_ends[upstream_real(link, INFLOW)] =
                f64::min(state.upstream_ends[upstream_real(link, INFLOW)] + most, most);
        }
        let first = link_word(link, HOLES);
        let mut hole = state.links[first];
        let mut arriving = true;
        while arriving {
            if hole == NONE {
                arriving = false;
            } else if state.holes[hole_real(hole, ARRIVES_AT)] < params.time {
                state.upstream_ends[upstream_real(link, REMAINING)] += state.holes[hole_real(hole, SIZE)];
                let next = u32::cast_from(state.holes[hole_real(hole, NEXT_HOLE)]);
                state.links[first] = next;
                state.holes[hole_real(hole, NEXT_HOLE)] = f64::cast_from(state.links[link_word(link, SPARE_HOLES)]);
                state.links[link_word(link, SPARE_HOLES)] = hole;
                hole = next;
            } else {
                arriving = false;
            }
        }
    }
}

/// Ends the step of a link, as `crate::rules::upstream_end::HolesAndInflow::end_step` does. True if the next step
/// changes something here: a hole is under way, or the inflow is below its maximum.
#[cube]
pub fn end_step(state: &mut DeviceState, link: u32, idle: bool, #[comptime] config: KernelConfig) -> bool {
    let under_way = state.links[link_word(link, HOLES)] != NONE;
    let active = under_way || !idle;
    state.links[link_word(link, UPSTREAM_STATE)] = select(active, STEPPED_WITH_LINK, NOT_STEPPED);
    let mut changes = under_way;
    if comptime!(config.is_kinematic()) {
        let most = state.upstream_ends[upstream_real(link, MAX_INFLOW)];
        let inflow = state.upstream_ends[upstream_real(link, INFLOW)];
        changes = changes || (active && f64::min(inflow + most, most) != inflow);
    }
    changes
}
