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
fn first_at_stops(params: &StepParameters, link: u32) -> usize {
    (params.run.transit.vehicles_at_stops + link) as usize
}

/// Adds a vehicle to those at the stops of a link, at the end.
#[cube]
pub fn join_stops(state: &mut DeviceState, params: &StepParameters, link: u32, person: u32) {
    state.persons[person_word(person, NEXT)] = NONE;
    let first = first_at_stops(params, link);
    let mut last = state.transit_words[first];
    if last == NONE {
        state.transit_words[first] = person;
    } else {
        let mut next = state.persons[person_word(last, NEXT)];
        while next != NONE {
            last = next;
            next = state.persons[person_word(last, NEXT)];
        }
        state.persons[person_word(last, NEXT)] = person;
    }
}

/// Returns the vehicles at the stops of a link whose exit time has come to the front of the queue. The first to leave
/// is the last to be put in front.
#[cube]
pub fn leave_stops(state: &mut DeviceState, params: &StepParameters, link: u32, #[comptime] config: KernelConfig) {
    let first = first_at_stops(params, link);
    let mut leaving = state.transit_words[first] != NONE;
    while leaving {
        let mut last = NONE.runtime();
        let mut before_last = NONE.runtime();
        let mut before = NONE.runtime();
        let mut person = state.transit_words[first];
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
                state.transit_words[first] = next;
            } else {
                state.persons[person_word(before_last, NEXT)] = next;
            }
            queue::push_to_front(state, params, link, last, config);
        }
    }
}

#[cube]
fn vehicle_rank(state: &DeviceState, params: &StepParameters, driver: u32) -> u32 {
    let vehicle = state.persons[person_word(driver, VEHICLE)];
    state.transit_words[(params.run.transit.vehicle_ranks + vehicle) as usize]
}

/// Returns the vehicle at the stops of a link that leaves first, or `NONE`.
#[cube]
pub fn next_to_leave(state: &DeviceState, params: &StepParameters, link: u32) -> u32 {
    let mut first = state.transit_words[first_at_stops(params, link)];
    let mut person = first;
    while person != NONE {
        if state.due_times[person as usize] < state.due_times[first as usize] {
            first = person;
        }
        person = state.persons[person_word(person, NEXT)];
    }
    first
}

/// Whether a link has vehicles at stops.
#[cube]
pub fn has_vehicles_at_stops(state: &DeviceState, params: &StepParameters, link: u32) -> bool {
    state.transit_words[first_at_stops(params, link)] != NONE
}

/// Whether the stop of a vehicle's next call blocks the vehicles behind it.
#[cube]
pub fn stop_is_blocking(state: &DeviceState, params: &StepParameters, driver: u32) -> bool {
    let call = state.transit_words[driver_word(params, driver, CALL)];
    let stop = state.transit_words[call_word(params, call, CALL_STOP)];
    state.transit_words[stop_word(stop, IS_BLOCKING)] != 0u32
}
