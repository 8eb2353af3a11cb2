//! Who is due when: lists by step, so that a step looks only at those who are due in it.
//!
//! Each slot of a calendar stands for a step and has several lists, which as many threads walk. Who is due beyond the
//! last slot waits in that and moves on. The slot of the step before is never used, so that it can be swept.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::lists::person_word;
use super::state::{StepParameters, DeviceState};

/// The step in which a time is reached, or up to two before it, as `Clock::step_at`; `NONE` for times beyond all days.
#[cube]
pub fn step_at(params: &StepParameters, time: f64) -> u32 {
    let mut step = 0u32;
    if time > 1e9f64 {
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
            // With steps that are no whole seconds their times are sums with rounding of their own.
            step -= u32::min(step, params.run.early);
        }
    }
    step
}

/// Puts a person into the list of the step in which its time is reached, at the earliest `earliest`; who waits for ever is
/// in none. `which`: 0 for activities, 1 for teleports.
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

/// Takes a list of the present step.
#[cube]
pub fn take(state: &mut DeviceState, params: &StepParameters, list: u32, calendar_index: u32) -> u32 {
    let slot = (params.step & (params.run.calendar_slots - 1u32)) + calendar_index * params.run.calendar_slots;
    let mut found = NONE.runtime();
    if state.calendar_slot_used[slot as usize] != 0u32 {
        found = state.calendar[(slot * params.run.lists_per_slot + list) as usize].swap(NONE);
    }
    found
}

/// Notes that a slot is empty: that of activities after those of the step have ended, and that of the teleports of the
/// step before. Called by one thread in a half of the step that takes nothing from it.
#[cube]
pub fn sweep(state: &mut DeviceState, params: &StepParameters, step: u32, calendar_index: u32) {
    state.calendar_slot_used[((step & (params.run.calendar_slots - 1u32)) + calendar_index * params.run.calendar_slots) as usize] = 0u32;
}
