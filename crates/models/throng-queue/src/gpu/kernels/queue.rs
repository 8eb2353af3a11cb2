//! The vehicles driving on a link: first in, first out, or by earliest exit time.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::lists::{append, link_word, prepend, remove_first};
use super::passing;
use super::state::{DeviceState, KernelConfig, StepParameters};

/// Returns the vehicle that leaves next, or `NONE`.
#[cube]
pub fn first(state: &DeviceState, link: u32, #[comptime] config: KernelConfig) -> u32 {
    if comptime!(config.passing) { passing::first(state, link) } else { state.links[link_word(link, QUEUE)] }
}

/// Adds a vehicle that has entered the link.
#[cube]
pub fn push(state: &mut DeviceState, link: u32, person: u32, #[comptime] config: KernelConfig) {
    if comptime!(config.passing) {
        passing::push(state, link, person);
    } else {
        append(state, link, person, QUEUE);
    }
}

/// Adds a vehicle that departs on the link where it arrives, in front of all others.
#[cube]
pub fn push_to_front(
    state: &mut DeviceState,
    params: &StepParameters,
    link: u32,
    person: u32,
    #[comptime] config: KernelConfig,
) {
    state.due_times[person as usize] = params.run.neg_infinity;
    if comptime!(config.passing) {
        passing::push(state, link, person);
    } else {
        prepend(state, link, person, QUEUE);
    }
}

/// Removes the vehicle that leaves next, which is `person`.
#[cube]
pub fn pop(state: &mut DeviceState, link: u32, person: u32, #[comptime] config: KernelConfig) {
    if comptime!(config.passing) {
        passing::pop(state, link, person);
    } else {
        remove_first(state, link, person, QUEUE);
    }
}
