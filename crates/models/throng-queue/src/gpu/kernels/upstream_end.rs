//! The upstream ends of links in device memory; the rules are `crate::rules::upstream_end` and
//! `crate::rules::inflow_capacity`. They are stepped in every step in which a link holds vehicles or holes.
//!
//! Holes come from a common pool. A link keeps the holes that have arrived and reuses them.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::emit::fail;
use super::flow::kind_real;
use super::lists::{link_real, link_word};
use super::state::{DeviceState, KernelConfig, StepParameters};
use crate::rules::inflow_capacity::Inflow;
use crate::rules::upstream_end::{UpstreamEnd, hole_has_arrived, stays_active};

#[cube]
fn upstream_real(link: u32, real: u32) -> usize {
    (link * UPSTREAM_REALS + real) as usize
}

/// Returns the upstream end of a link; `used` and `storage` have already been loaded.
#[cube]
pub fn upstream_end(
    state: &DeviceState,
    link: u32,
    used: f64,
    storage: f64,
    #[comptime] config: KernelConfig,
) -> UpstreamEnd {
    let mut remaining = 0.0f64;
    let mut inflow = 0.0f64;
    if comptime!(config.dynamics.has_holes()) {
        remaining = state.upstream_ends[upstream_real(link, REMAINING)];
    }
    if comptime!(config.dynamics.has_inflow_capacity()) {
        inflow = state.upstream_ends[upstream_real(link, INFLOW)];
    }
    UpstreamEnd { used, storage, remaining, inflow }
}

/// Records that a vehicle of a type enters the link.
#[cube]
pub fn enter(
    state: &mut DeviceState,
    link: u32,
    before: UpstreamEnd,
    ahead_kind: u32,
    pcu: f64,
    #[comptime] config: KernelConfig,
) {
    let mut end = before;
    let mut consumption = 0.0f64;
    if comptime!(config.dynamics.has_inflow_capacity()) {
        consumption = kind_real(state, ahead_kind, CONSUMPTION);
    }
    end.enter(pcu, consumption, config.dynamics);
    state.flows[link_real(link, USED)] = end.used;
    if comptime!(config.dynamics.has_holes()) {
        state.upstream_ends[upstream_real(link, REMAINING)] = end.remaining;
    }
    if comptime!(config.dynamics.has_inflow_capacity()) {
        state.upstream_ends[upstream_real(link, INFLOW)] = end.inflow;
    }
}

#[cube]
fn inflow_of(state: &DeviceState, link: u32) -> Inflow {
    Inflow {
        accumulated: state.upstream_ends[upstream_real(link, INFLOW)],
        max: state.upstream_ends[upstream_real(link, MAX_INFLOW)],
    }
}

#[cube]
fn hole_real(hole: u32, real: u32) -> usize {
    (hole * HOLE_REALS + real) as usize
}

/// Turns the storage capacity of a vehicle that has left the queue into a hole.
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
        if comptime!(config.dynamics.has_inflow_capacity()) {
            state.upstream_ends[upstream_real(link, INFLOW)] = inflow_of(state, link).refilled();
        }
        let first = link_word(link, HOLES);
        let mut hole = state.links[first];
        let mut arriving = true;
        while arriving {
            if hole == NONE {
                arriving = false;
            } else if hole_has_arrived(state.holes[hole_real(hole, ARRIVES_AT)], params.time) {
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

/// Ends the step of a link, as the CPU executor does. Returns true if the next step changes the upstream end: a hole is
/// under way, or the inflow is below its maximum.
#[cube]
pub fn end_step(state: &mut DeviceState, link: u32, idle: bool, #[comptime] config: KernelConfig) -> bool {
    let under_way = state.links[link_word(link, HOLES)] != NONE;
    let active = stays_active(idle, under_way);
    state.links[link_word(link, UPSTREAM_STATE)] = select(active, STEPPED_WITH_LINK, NOT_STEPPED);
    let mut changes = under_way;
    if comptime!(config.dynamics.has_inflow_capacity()) {
        changes = changes || (active && !inflow_of(state, link).is_full());
    }
    changes
}
