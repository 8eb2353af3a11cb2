//! Output of events and errors through buffers in which an atomic counter reserves positions.
//!
//! The order of reservations differs from run to run. The step, phase and owner of an event, and its position among the
//! events of that owner, suffice to sort events afterwards.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::state::{DeviceState, KernelConfig, StepParameters};

/// The origin of an event. Events of a step are sorted by phase and owner; those of the same owner stay in the order in
/// which they were recorded.
#[derive(CubeType, Clone, Copy)]
pub struct EventOrigin {
    pub phase: u32,
    pub owner: u32,
}

/// The words of an event; `header` is its kind and mode.
#[derive(CubeType, Clone, Copy)]
pub struct Event {
    pub header: u32,
    pub person: u32,
    pub link: u32,
    pub detail: u32,
}

/// Reserves positions for `count` events; returns the first.
#[cube]
pub fn reserve_events(state: &DeviceState, count: u32) -> u32 {
    state.counters[EVENTS as usize].fetch_add(count)
}

/// Writes an event to a reserved position. An event beyond the end of the buffer is only counted, and the batch is
/// repeated.
#[cube]
pub fn write(state: &mut DeviceState, params: &StepParameters, origin: &EventOrigin, index: u32, event: Event) {
    if index < params.run.event_capacity {
        let at = (index * EVENT_WORDS) as usize;
        state.events[at] = event.header | (origin.phase << PHASE_SHIFT) | (params.batch_step << STEP_SHIFT);
        state.events[at + 1] = event.person;
        state.events[at + 2] = event.link;
        state.events[at + 3] = event.detail;
        state.events[at + 4] = origin.owner;
    }
}

/// Records one event.
#[cube]
pub fn emit(
    state: &mut DeviceState,
    params: &StepParameters,
    origin: &EventOrigin,
    event: Event,
    #[comptime] config: KernelConfig,
) {
    if comptime!(config.record) {
        let index = reserve_events(state, 1u32);
        write(state, params, origin, index, event);
    }
}

/// Adds to a counter of the batch.
#[cube]
pub fn count(state: &DeviceState, #[comptime] counter: u32, amount: u32) {
    state.counters[counter as usize].fetch_add(amount);
}

/// Counts an agent as finished.
#[cube]
pub fn done(state: &DeviceState, params: &StepParameters) {
    count(state, AGENTS_DONE, 1u32);
    state.counters[LAST_DONE_STEP as usize].fetch_max(params.batch_step + 1u32);
}

/// Records an error, which stops the run.
#[cube]
pub fn fail(state: &mut DeviceState, params: &StepParameters, code: u32, person: u32, element: u32, link: u32) {
    let index = state.counters[ERRORS as usize].fetch_add(1u32);
    if index < MAX_ERRORS {
        let at = (index * ERROR_WORDS) as usize;
        state.errors[at] = code;
        state.errors[at + 1] = person;
        state.errors[at + 2] = element;
        state.errors[at + 3] = link;
        state.errors[at + 4] = params.batch_step;
    }
}
