//! Agents that are due: those whose activity or teleport is over.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::calendar;
use super::journey::end_activity;
use super::lists::person_word;
use super::state::{DeviceState, KernelConfig, StepParameters};
use super::transit;

/// Ends the activities of all agents in a list whose activity is over. Agents who were teleported to a stop in the
/// previous step join those who wait there.
#[cube]
pub fn end_activities(state: &mut DeviceState, params: &StepParameters, list: u32, #[comptime] config: KernelConfig) {
    let mut person = calendar::take(state, params, list, 0u32);
    while person != NONE {
        let next = state.persons[person_word(person, NEXT)];
        if state.due_times[person as usize] > params.time {
            calendar::add(state, params, person, params.step + 1u32, 0u32);
        } else {
            let mut ends = true.runtime();
            if comptime!(config.journeys.transit) {
                ends = state.persons[person_word(person, STATUS)] != STATUS_REACHES_STOP;
                if !ends {
                    transit::join_reached(state, params, person);
                }
            }
            if ends {
                end_activity(state, params, person, config);
                state.counters[LAST_AGENT_STEP as usize].fetch_max(params.batch_step + 1u32);
            }
        }
        person = next;
    }
}

/// Takes one list of teleported agents. Returns those whose teleport is over, and reschedules the others.
#[cube]
pub fn take_teleports(state: &mut DeviceState, params: &StepParameters, list: u32) -> u32 {
    let mut person = calendar::take(state, params, list, 1u32);
    let mut arriving = NONE.runtime();
    while person != NONE {
        let next = state.persons[person_word(person, NEXT)];
        if state.due_times[person as usize] > params.time {
            calendar::add(state, params, person, params.step + 1u32, 1u32);
        } else {
            state.persons[person_word(person, NEXT)] = arriving;
            arriving = person;
            state.counters[LAST_AGENT_STEP as usize].fetch_max(params.batch_step + 1u32);
        }
        person = next;
    }
    arriving
}
