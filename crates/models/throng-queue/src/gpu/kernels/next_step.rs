//! Finds the next step in which anything is due, so that the steps before it can be skipped.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::lists::departures_at;
use super::state::{DeviceState, StepParameters};

/// Computes the number of steps from the one in `params` to the next one in which anything is due, and stores `NONE`
/// minus it in the counters. The threads of the launch, in any number, share the entities.
#[cube(launch)]
pub fn horizon(state: &mut DeviceState, params: &StepParameters, threads: u32) {
    let mut nearest = NONE.runtime();
    let mut i = ABSOLUTE_POS as u32;
    while i < params.run.nodes {
        if state.node_active[i as usize] != 0u32 {
            nearest = 1u32;
        }
        i += threads;
    }
    i = ABSOLUTE_POS as u32;
    while i < params.run.links {
        let at = state.due[i as usize].load();
        if state.departures[departures_at(params, params.step + 1u32, i)].load() != NONE {
            nearest = 1u32;
        } else if at != NONE {
            nearest = u32::min(nearest, u32::max(at, params.step + 1u32) - params.step);
        }
        i += threads;
    }
    i = ABSOLUTE_POS as u32;
    while i < 2u32 * params.run.calendar_slots {
        if state.calendar_slot_used[i as usize] != 0u32 {
            let ahead = (i - params.step) & (params.run.calendar_slots - 1u32);
            // The current slot is empty, but not yet swept.
            if ahead > 0u32 {
                nearest = u32::min(nearest, ahead);
            }
        }
        i += threads;
    }
    if ABSOLUTE_POS == 0 {
        state.counters[STEPS_MADE as usize].store(params.batch_step + 1u32);
    }
    if nearest != NONE {
        state.counters[HORIZON as usize].fetch_max(NONE - nearest);
    }
}
