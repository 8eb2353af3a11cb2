//! Persons who wait at stops.
//!
//! Agents who reach a stop in the first half of a step join a list, which the link's thread appends to the waiting
//! list before it serves the stop. Teleported persons join it in the next step, because links and teleports run
//! concurrently; their place in the order of waiting persons is that of the teleport.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::super::record::*;
use super::super::lists::{person_word, sorted};
use super::super::state::{DeviceState, StepParameters};
use super::persons::append_persons;
use super::{plan_word, reached_at, stop_word};

/// Returns the order in which persons reach a stop: by step, and those who are teleported after the others.
#[cube]
pub fn arrival_order(params: &StepParameters, teleported: bool) -> u32 {
    2u32 * params.step + select(teleported, 1u32, 0u32)
}

/// Lets a person wait at a stop; `is_own`: its link is being stepped.
#[cube]
pub fn wait_at_stop(
    state: &mut DeviceState,
    params: &StepParameters,
    person: u32,
    stop: u32,
    reached: u32,
    is_own: bool,
) {
    let (line, call) = (plan_word(state, person, RIDE_LINE), plan_word(state, person, PLANNED_CALL));
    state.persons[person_word(person, LINE)] = line;
    state.persons[person_word(person, ALIGHTING_CALL)] = call;
    state.persons[person_word(person, STATUS)] = STATUS_AT_STOP;
    state.persons[person_word(person, DENIED_BY)] = NONE;
    state.persons[person_word(person, STOP_ORDER)] = reached;
    if is_own {
        let waiting = stop_word(stop, WAITING_PERSONS);
        let first = state.transit_words[waiting];
        let latest = first_reached(state, params, stop);
        take_reached(state, params, stop, first, latest);
        append_persons(state, waiting, person, person);
    } else {
        let before = state.departures[reached_at(params, stop)].swap(person);
        state.persons[person_word(person, NEXT)] = before;
    }
}

/// Lets a person who has reached the stop in the previous step join those who wait.
#[cube]
pub fn join_reached(state: &mut DeviceState, params: &StepParameters, person: u32) {
    let stop = plan_word(state, person, ACCESS_STOP);
    let reached = state.persons[person_word(person, STOP_ORDER)];
    wait_at_stop(state, params, person, stop, reached, false.runtime());
}

/// Returns the agents who have reached a stop and are not yet among those who wait there, as a list in any order.
#[cube]
pub fn first_reached(state: &DeviceState, params: &StepParameters, stop: u32) -> u32 {
    state.departures[reached_at(params, stop)].load()
}

/// Appends the agents who have reached a stop to those who wait there, in order. Returns the first of them all.
/// `first`: the first of those who wait, or `NONE`.
#[cube]
pub fn take_reached(state: &mut DeviceState, params: &StepParameters, stop: u32, first: u32, latest: u32) -> u32 {
    let mut new_first = first;
    if latest != NONE {
        state.departures[reached_at(params, stop)].store(NONE.runtime());
        let list = sorted(state, latest, true);
        append_persons(state, stop_word(stop, WAITING_PERSONS), list.first, list.last);
        if first == NONE {
            new_first = list.first;
        }
    }
    new_first
}
