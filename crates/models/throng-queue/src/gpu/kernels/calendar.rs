//! Calendars of the agents that are due: lists by step, so that a step visits only the agents that are due in it.
//!
//! Each slot of a calendar represents a step and has several lists, each processed by one thread. Agents that are due
//! beyond the last slot are kept in it until they are moved. The slot of the previous step is never filled, so it can
//! be swept.

use throng_core::clock::MAX_SECONDS;
use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::lists::person_word;
use super::state::{DeviceState, StepParameters};

/// Returns the step in which a time is reached, or up to three steps earlier; `NONE` for times beyond the range of
/// times of day. Like `Clock::step_at`, but with 32-bit steps, and without divisions by 1.
#[cube]
pub fn step_at(params: &StepParameters, time: f64) -> u32 {
    let mut step = 0u32;
    if time > comptime!(MAX_SECONDS) {
        step = NONE.runtime();
    } else if time > params.run.start {
        let mut steps = time - params.run.start;
        if params.run.step_s != 1.0f64 {
            steps /= params.run.step_s;
        }
        steps = f64::ceil(steps);
        if steps > 4e9f64 {
            step = NONE.runtime();
        } else {
            step = u32::cast_from(steps);
            // Unless steps are whole seconds, their times are rounded sums.
            step -= u32::min(step, params.run.early);
        }
    }
    step
}

/// Adds a person to the list of the step in which its time is reached, but not before `earliest`. Persons that wait
/// forever are in no list. `calendar_index`: 0 for activities, 1 for teleports.
#[cube]
pub fn add(state: &mut DeviceState, params: &StepParameters, person: u32, earliest: u32, calendar_index: u32) {
    let due = u32::max(step_at(params, state.due_times[person as usize]), earliest);
    if due != NONE {
        let step = u32::min(due, params.step + (params.run.calendar_slots - 2u32));
        let slot = (step & (params.run.calendar_slots - 1u32)) + calendar_index * params.run.calendar_slots;
        state.calendar_slot_used[slot as usize] = 1u32;
        let list = slot * params.run.lists_per_slot + (person & (params.run.lists_per_slot - 1u32));
        let before = state.calendar[list as usize].swap(person);
        state.persons[person_word(person, NEXT)] = before;
    }
}

/// Removes and returns a list of the current step.
#[cube]
pub fn take(state: &mut DeviceState, params: &StepParameters, list: u32, calendar_index: u32) -> u32 {
    let slot = (params.step & (params.run.calendar_slots - 1u32)) + calendar_index * params.run.calendar_slots;
    let mut found = NONE.runtime();
    if state.calendar_slot_used[slot as usize] != 0u32 {
        found = state.calendar[(slot * params.run.lists_per_slot + list) as usize].swap(NONE);
    }
    found
}

/// Marks a slot as empty: the activity slot of the step after its activities have ended, or the teleport slot of the
/// previous step. Called by one thread in the half of the step that takes nothing from the slot.
#[cube]
pub fn sweep(state: &mut DeviceState, params: &StepParameters, step: u32, calendar_index: u32) {
    state.calendar_slot_used
        [((step & (params.run.calendar_slots - 1u32)) + calendar_index * params.run.calendar_slots) as usize] = 0u32;
}
