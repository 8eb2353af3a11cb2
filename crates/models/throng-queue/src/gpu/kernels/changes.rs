//! Network change events: new capacities and travel times of some links.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::flow::recompute_upper_bound;
use super::lists::{link_real, link_word};
use super::state::{DeviceState, KernelConfig, StepParameters};
use super::transit::first_at_stops;
use crate::rules::node_transition::was_closed;

/// Number of reals per changed link before its travel times: flow per step, storage, capacity, inverse capacity,
/// inflow.
pub const CHANGE_REALS: u32 = 5;

/// Applies new attributes before the step in `params`. The flow is refilled, whichever attribute changed.
#[cube(launch)]
pub fn change_links(
    state: &mut DeviceState,
    changed: &Array<u32>,
    values: &Array<f64>,
    count: u32,
    params: &StepParameters,
    #[comptime] config: KernelConfig,
) {
    let i = ABSOLUTE_POS as u32;
    if i < count {
        let link = changed[i as usize];
        let at = (i * (CHANGE_REALS + params.run.speeds)) as usize;
        state.flows[link_real(link, PER_STEP)] = values[at];
        state.flows[link_real(link, ACCUMULATED)] = values[at];
        recompute_upper_bound(state, link);
        state.flows[link_real(link, STORAGE)] = values[at + 1];
        state.flows[link_real(link, CAPACITY)] = values[at + 2];
        if comptime!(config.selection.by_priority()) {
            state.priorities[(link * 2u32 + 1u32) as usize] = values[at + 3];
            if was_closed(state.priorities[(link * 2u32) as usize]) {
                state.priorities[(link * 2u32) as usize] = values[at + 3];
            }
        }
        if comptime!(config.dynamics.has_holes()) {
            state.upstream_ends[(link * UPSTREAM_REALS + REMAINING) as usize] = values[at + 1];
            if comptime!(config.dynamics.has_inflow_capacity()) {
                state.upstream_ends[(link * UPSTREAM_REALS + MAX_INFLOW) as usize] = values[at + 4];
            }
        }
        for speed in 0..params.run.speeds {
            state.travel_times[(link * params.run.speeds + speed) as usize] =
                values[at + comptime!(CHANGE_REALS as usize) + speed as usize];
        }
        let idle = state.links[link_word(link, QUEUE)] == NONE && state.links[link_word(link, WAITING)] == NONE;
        let mut active = !idle;
        if comptime!(config.journeys.transit) {
            active = active || first_at_stops(state, params, link) != NONE;
        }
        if comptime!(config.dynamics.has_holes()) {
            active = active || state.links[link_word(link, UPSTREAM_STATE)] != NOT_STEPPED;
        }
        if active {
            state.due[link as usize].store(params.step);
        }
    }
}
