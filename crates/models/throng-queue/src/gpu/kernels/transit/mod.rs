//! Public transport in device memory: persons who wait at stops or ride, and vehicles at stops. The rules are
//! `crate::rules::stops` and `crate::rules::doors`.
//!
//! A stop belongs to its link, like the vehicles there and the persons who wait or ride in them; while a vehicle is
//! in a buffer, its passengers belong to the end node.

mod at_stops;
mod link_stops;
mod passengers;
mod persons;
mod waiting;

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::emit::fail;
use super::lists::person_word;
use super::state::{DeviceState, StepParameters};

pub use at_stops::{AtStopsOnDevice, stays_at_stop};
pub use link_stops::{first_at_stops, join_stops, leave_stops, next_to_leave, stop_is_blocking};
pub use passengers::abort_passengers;
pub use waiting::{arrival_order, join_reached, wait_at_stop};

#[cube]
fn stop_word(stop: u32, word: u32) -> usize {
    (stop * STOP_WORDS + word) as usize
}

#[cube]
fn call_word(params: &StepParameters, call: u32, word: u32) -> usize {
    (params.run.transit.calls + call * CALL_WORDS + word) as usize
}

#[cube]
fn driver_word(params: &StepParameters, driver: u32, word: u32) -> usize {
    (params.run.transit.drivers + (driver - params.run.transit.first_driver) * DRIVER_WORDS + word) as usize
}

#[cube]
fn driver_real(params: &StepParameters, driver: u32, real: u32) -> usize {
    (params.run.transit.driver_reals + (driver - params.run.transit.first_driver) * DRIVER_REALS + real) as usize
}

#[cube]
fn denied_word(params: &StepParameters, entry: u32, word: u32) -> usize {
    (params.run.transit.denied + entry * DENIED_WORDS + word) as usize
}

/// Returns the index of the list of agents who have reached a stop.
#[cube]
fn reached_at(params: &StepParameters, stop: u32) -> usize {
    (2u32 * params.run.links + stop) as usize
}

/// Whether a person drives a vehicle of public transport.
#[cube]
pub fn is_driver(params: &StepParameters, person: u32) -> bool {
    person >= params.run.transit.first_driver
}

#[cube]
fn plan_word(state: &DeviceState, person: u32, word: u32) -> u32 {
    let element = state.persons[person_word(person, ELEMENT)];
    state.plans[(element * PLAN_WORDS + word) as usize]
}

/// Begins a departure of public transport at a leg, given as a plan element.
#[cube]
pub fn begin_departure(state: &mut DeviceState, params: &StepParameters, driver: u32, element: u32) {
    let leg = element * PLAN_WORDS;
    let first = state.plans[(leg + FIRST_CALL) as usize];
    state.transit_words[driver_word(params, driver, CALL)] = first;
    state.transit_words[driver_word(params, driver, FIRST_OF_CALLS)] = first;
    state.transit_words[driver_word(params, driver, CALL_END)] = state.plans[(leg + END_OF_CALLS) as usize];
    state.transit_words[driver_word(params, driver, HAS_ARRIVED)] = 0u32;
    let mut departed = state.transit_reals[driver_real(params, driver, ENDED)];
    let before = element - 1u32;
    let code = state.plans[(before * PLAN_WORDS + CODE) as usize];
    if (code & IS_LEG) == 0u32 && (code & HAS_TIME) != 0u32 {
        departed = f64::max(departed, state.plan_times[(before * PLAN_REALS) as usize]);
    }
    state.transit_reals[driver_real(params, driver, DEPARTED)] = departed;
}

/// Ends a departure: the vehicle must have called at all stops.
#[cube]
pub fn end_departure(state: &mut DeviceState, params: &StepParameters, driver: u32, link: u32) {
    if is_driver(params, driver) {
        state.transit_reals[driver_real(params, driver, ENDED)] = params.time;
        let call = state.transit_words[driver_word(params, driver, CALL)];
        if call < state.transit_words[driver_word(params, driver, CALL_END)] {
            let stop = state.transit_words[call_word(params, call, CALL_STOP)];
            fail(state, params, ERROR_STOP_NOT_REACHED, driver, stop, link);
        }
    }
}

/// Returns the link of a stop.
#[cube]
pub fn link_of(state: &DeviceState, stop: u32) -> u32 {
    state.transit_words[stop_word(stop, STOP_LINK)]
}
