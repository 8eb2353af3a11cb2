//! The flow capacity of links: `crate::rules::flow_capacity` on the device, operation by operation.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::lists::{link_real, link_word, person_word};
use super::state::{DeviceState, KernelConfig, StepParameters};

/// A real of the vehicle type whose number is in the lowest bits of a word.
#[cube]
pub fn kind_real(state: &DeviceState, ahead_kind: u32, real: u32) -> f64 {
    let kind = ahead_kind & comptime!((1u32 << KIND_BITS) - 1);
    state.kinds[(kind * KIND_REALS + real) as usize]
}

/// Passenger car equivalents of a vehicle.
#[cube]
pub fn pcu(state: &DeviceState, person: u32) -> f64 {
    kind_real(state, state.persons[person_word(person, AHEAD_KIND)], PCU)
}

/// The flow that a vehicle uses.
#[cube]
pub fn consumption(state: &DeviceState, person: u32) -> f64 {
    kind_real(state, state.persons[person_word(person, AHEAD_KIND)], CONSUMPTION)
}

/// Slow update: adds the flow of one step.
#[cube]
pub fn refill_one_step(state: &mut DeviceState, link: u32) {
    let accumulated = state.flows[link_real(link, ACCUMULATED)];
    let rest = state.flows[link_real(link, REST)];
    if accumulated < rest {
        let more = accumulated + state.flows[link_real(link, PER_STEP)];
        state.flows[link_real(link, ACCUMULATED)] = f64::min(more, rest);
    }
}

/// Whether the vehicle may leave now. With the fast update, the flow of all time since the last update is added first.
#[cube]
pub fn has_capacity(
    state: &mut DeviceState,
    params: &StepParameters,
    link: u32,
    person: u32,
    #[comptime] config: KernelConfig,
) -> bool {
    let mut accumulated = state.flows[link_real(link, ACCUMULATED)];
    if comptime!(config.fast_update) {
        let updated_at = state.flows[link_real(link, UPDATED_AT)];
        let rest = state.flows[link_real(link, REST)];
        let per_step = state.flows[link_real(link, PER_STEP)];
        if updated_at < params.time && accumulated < rest {
            let mut steps = params.time - updated_at;
            if params.run.step_s != 1.0f64 {
                steps /= params.run.step_s;
            }
            // The product must be rounded before the addition, so compilers must not fuse the two.
            let more = fma(steps, per_step, params.run.zero);
            accumulated = f64::min(accumulated + more, rest);
            state.flows[link_real(link, ACCUMULATED)] = accumulated;
            state.flows[link_real(link, UPDATED_AT)] = params.time;
        }
    }
    accumulated > 0.0f64 || pcu(state, person) <= params.run.easing
}

/// A vehicle goes into the buffer.
#[cube]
pub fn consume(state: &mut DeviceState, params: &StepParameters, link: u32, person: u32) {
    let used = consumption(state, person);
    state.flows[link_real(link, ACCUMULATED)] -= used;
    state.flows[link_real(link, UPDATED_AT)] = params.time;
    state.flows[link_real(link, REST)] -= used;
}

/// Recomputes the bound of the flow: what the vehicles in the buffer have used, subtracted in their order.
#[cube]
pub fn recompute_rest(state: &mut DeviceState, link: u32) {
    let mut rest = state.flows[link_real(link, PER_STEP)];
    let mut person = state.links[link_word(link, BUFFER)];
    while person != NONE {
        rest -= consumption(state, person);
        person = state.persons[person_word(person, NEXT)];
    }
    state.flows[link_real(link, REST)] = rest;
}
