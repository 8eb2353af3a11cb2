//! Passengers: for each call of a vehicle, a list of those who alight there, in the order in which they boarded.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::super::record::*;
use super::super::emit::EventOrigin;
use super::super::journey::abort;
use super::super::lists::person_word;
use super::super::state::{DeviceState, KernelConfig, StepParameters};
use super::persons::{append_persons, remove_person};
use super::{driver_word, is_driver, plan_word};

/// Returns the beginning of the list of passengers who alight at a call of the leg, counted from 0. `lists`: the
/// beginning of the first list.
#[cube]
pub fn passenger_list(lists: u32, call: u32) -> u32 {
    lists + call * PASSENGER_LIST_WORDS
}

/// As above, for a call of a driver.
#[cube]
fn list_of(state: &DeviceState, params: &StepParameters, driver: u32, call: u32) -> u32 {
    let first = state.transit_words[driver_word(params, driver, FIRST_OF_CALLS)];
    let lists = state.transit_words[driver_word(params, driver, PASSENGER_LISTS)];
    passenger_list(lists, call - first)
}

/// Adds a person to the passengers who alight at a call. The caller counts those on board.
#[cube]
pub fn board(state: &mut DeviceState, params: &StepParameters, driver: u32, call: u32, person: u32) {
    let boarded = driver_word(params, driver, BOARDED);
    state.persons[person_word(person, BOARDING_ORDER)] = state.transit_words[boarded];
    state.transit_words[boarded] += 1u32;
    let list = list_of(state, params, driver, call);
    append_persons(state, list as usize, person, person);
    state.transit_words[(list + ALIGHTING_PERSONS) as usize] += 1u32;
}

/// Removes and returns the first passenger of a list, which is not empty.
#[cube]
pub fn take_first(state: &mut DeviceState, list: u32) -> u32 {
    let person = state.transit_words[list as usize];
    remove_person(state, list as usize, NONE.runtime(), person);
    state.transit_words[(list + ALIGHTING_PERSONS) as usize] -= 1u32;
    person
}

/// Removes the passengers of a vehicle that is removed from the simulation, where they boarded, in that order.
#[cube]
pub fn abort_passengers(
    state: &mut DeviceState,
    params: &StepParameters,
    origin: &EventOrigin,
    driver: u32,
    #[comptime] config: KernelConfig,
) {
    if is_driver(params, driver) {
        let end = state.transit_words[driver_word(params, driver, CALL_END)];
        while state.transit_words[driver_word(params, driver, ABOARD)] > 0u32 {
            let mut first_order = NONE.runtime();
            let mut first_call = NONE.runtime();
            let mut call = state.transit_words[driver_word(params, driver, CALL)];
            while call < end {
                let person = state.transit_words[list_of(state, params, driver, call) as usize];
                if person != NONE {
                    let order = state.persons[person_word(person, BOARDING_ORDER)];
                    if order < first_order {
                        first_order = order;
                        first_call = call;
                    }
                }
                call += 1u32;
            }
            let person = take_first(state, list_of(state, params, driver, first_call));
            state.transit_words[driver_word(params, driver, ABOARD)] -= 1u32;
            let link = plan_word(state, person, ACCESS_LINK);
            let mode = plan_word(state, person, CODE) & 0xFFu32;
            abort(state, params, origin, person, link, mode, config);
        }
    }
}
