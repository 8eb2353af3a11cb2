//! Vehicles that stay at the stops of a link, out of the queue.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::super::record::*;
use super::super::lists::person_word;
use super::super::queue;
use super::super::state::{DeviceState, KernelConfig, StepParameters};
use super::{call_word, driver_word, stop_word};

/// Returns the index of the first vehicle at the stops of a link.
#[cube]
fn first_index(params: &StepParameters, link: u32) -> usize {
    (params.run.transit.vehicles_at_stops + link) as usize
}

/// Returns the first vehicle in the list of those at the stops of a link, or `NONE`.
#[cube]
pub fn first_at_stops(state: &DeviceState, params: &StepParameters, link: u32) -> u32 {
    state.transit_words[first_index(params, link)]
}

/// Adds a vehicle to those at the stops of a link, at the end. Returns the first one.
#[cube]
pub fn join_stops(state: &mut DeviceState, params: &StepParameters, link: u32, first: u32, person: u32) -> u32 {
    state.persons[person_word(person, NEXT)] = NONE;
    let mut new_first = first;
    if first == NONE {
        new_first = person;
        state.transit_words[first_index(params, link)] = person;
    } else {
        let mut last = first;
        let mut next = state.persons[person_word(last, NEXT)];
        while next != NONE {
            last = next;
            next = state.persons[person_word(last, NEXT)];
        }
        state.persons[person_word(last, NEXT)] = person;
    }
    new_first
}

/// Returns the vehicles at the stops of a link whose exit time has come to the front of the queue. The first to leave
/// is the last to be put in front. Returns the first of those that stay, or `NONE`.
#[cube]
pub fn leave_stops(
    state: &mut DeviceState,
    params: &StepParameters,
    link: u32,
    at_stops: u32,
    #[comptime] config: KernelConfig,
) -> u32 {
    let mut first = at_stops;
    let mut leaving = true.runtime();
    while leaving {
        let mut last = NONE.runtime();
        let mut before_last = NONE.runtime();
        let mut before = NONE.runtime();
        let mut person = first;
        while person != NONE {
            let mut is_later = state.due_times[person as usize] <= params.time;
            if is_later && last != NONE {
                let (exit, other) = (state.due_times[person as usize], state.due_times[last as usize]);
                let has_lower_id = vehicle_rank(state, params, person) < vehicle_rank(state, params, last);
                is_later = exit > other || (exit == other && has_lower_id);
            }
            if is_later {
                last = person;
                before_last = before;
            }
            before = person;
            person = state.persons[person_word(person, NEXT)];
        }
        leaving = last != NONE;
        if leaving {
            let next = state.persons[person_word(last, NEXT)];
            if before_last == NONE {
                first = next;
                state.transit_words[first_index(params, link)] = next;
            } else {
                state.persons[person_word(before_last, NEXT)] = next;
            }
            queue::push_to_front(state, params, link, last, config);
        }
    }
    first
}

#[cube]
fn vehicle_rank(state: &DeviceState, params: &StepParameters, driver: u32) -> u32 {
    let vehicle = state.persons[person_word(driver, VEHICLE)];
    state.transit_words[(params.run.transit.vehicle_ranks + vehicle) as usize]
}

/// Returns the vehicle that leaves first of those in a list, or `NONE`.
#[cube]
pub fn next_to_leave(state: &DeviceState, at_stops: u32) -> u32 {
    let mut first = at_stops;
    let mut person = at_stops;
    while person != NONE {
        if state.due_times[person as usize] < state.due_times[first as usize] {
            first = person;
        }
        person = state.persons[person_word(person, NEXT)];
    }
    first
}

/// Whether the stop of a vehicle's next call blocks the vehicles behind it.
#[cube]
pub fn stop_is_blocking(state: &DeviceState, params: &StepParameters, driver: u32) -> bool {
    let call = state.transit_words[driver_word(params, driver, CALL)];
    let stop = state.transit_words[call_word(params, call, CALL_STOP)];
    state.transit_words[stop_word(stop, IS_BLOCKING)] != 0u32
}
