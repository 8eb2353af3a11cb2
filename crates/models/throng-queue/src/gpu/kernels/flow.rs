//! The flow capacity of links in device memory; the rule is `crate::rules::flow_capacity`.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::lists::{link_real, link_word, person_word};
use super::state::DeviceState;
use crate::rules::flow_capacity::FlowCapacity;

/// Returns a real of the vehicle type whose index is in the lowest bits of a word.
#[cube]
pub fn kind_real(state: &DeviceState, ahead_kind: u32, real: u32) -> f64 {
    let kind = ahead_kind & comptime!((1u32 << KIND_BITS) - 1);
    state.kinds[(kind * KIND_REALS + real) as usize]
}

/// Returns the passenger car equivalents of a vehicle.
#[cube]
pub fn pcu(state: &DeviceState, person: u32) -> f64 {
    kind_real(state, state.persons[person_word(person, AHEAD_KIND)], PCU)
}

/// Returns the flow that a vehicle uses.
#[cube]
pub fn consumption(state: &DeviceState, person: u32) -> f64 {
    kind_real(state, state.persons[person_word(person, AHEAD_KIND)], CONSUMPTION)
}

/// Loads the flow accumulator of a link.
#[cube]
pub fn flow_capacity(state: &DeviceState, link: u32) -> FlowCapacity {
    FlowCapacity {
        per_step: state.flows[link_real(link, PER_STEP)],
        accumulated: state.flows[link_real(link, ACCUMULATED)],
        updated_at: state.flows[link_real(link, UPDATED_AT)],
        upper_bound: state.flows[link_real(link, REST)],
    }
}

/// Recomputes the upper bound of the flow, as [`FlowCapacity::recompute_upper_bound`] does with the CPU executor's
/// buffer: subtracts the flow used by each vehicle in the buffer, front first.
#[cube]
pub fn recompute_upper_bound(state: &mut DeviceState, link: u32) {
    let mut rest = state.flows[link_real(link, PER_STEP)];
    let mut person = state.links[link_word(link, BUFFER)];
    while person != NONE {
        rest -= consumption(state, person);
        person = state.persons[person_word(person, NEXT)];
    }
    state.flows[link_real(link, REST)] = rest;
}
