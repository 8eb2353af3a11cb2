//! The first half of a step: activities end, and vehicles cross nodes.
//!
//! `crate::rules::node_transition` defines the order in which vehicles from several in-links cross;
//! `crate::rules::crossing` defines whether a vehicle crosses.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::agents::end_activities;
use super::calendar::{step_at, sweep};
use super::emit::{Event, EventOrigin, count, reserve_events, write};
use super::flow::{flow_capacity, kind_real, recompute_upper_bound};
use super::journey::{PHASE_NODES, abort, event_header};
use super::lists::{Ends, link_real, link_word, node_word, person_word, remove_first};
use super::queue;
use super::state::{DeviceState, KernelConfig, StepParameters};
use super::transit;
use super::upstream_end;
use crate::rules::crossing::{Crossing, crossing};
use crate::rules::draws::node_draw;
use crate::rules::journey::NO_MODE;
use crate::rules::node_transition::{self, Attempt, NodeView, NodeViewExpand};
use throng_device::philox;
use throng_traffic_scenario::events::EventKind;

/// The first half of a step as a separate launch.
#[cube(launch_unchecked)]
pub fn agents_and_nodes(
    state: &mut DeviceState,
    params: &StepParameters,
    threads: u32,
    #[comptime] config: KernelConfig,
) {
    step_nodes(state, params, ABSOLUTE_POS as u32, threads, config);
}

/// Executes the first half of a step. The first threads process the lists of agents that are due; each of the others
/// processes one node. If there are fewer threads than lists and nodes, each thread processes several, because software
/// devices take a long time to start a thread.
#[cube]
pub fn step_nodes(
    state: &mut DeviceState,
    params: &StepParameters,
    thread: u32,
    threads: u32,
    #[comptime] config: KernelConfig,
) {
    let mut item = thread;
    if item == 0u32 {
        sweep(state, params, params.step + params.run.calendar_slots - 1u32, 1u32);
    }
    while item < params.run.lists_per_slot {
        end_activities(state, params, item, config);
        item += threads;
    }
    while item < params.run.lists_per_slot + params.run.nodes {
        let node = item - params.run.lists_per_slot;
        let first = state.nodes[node_word(node, FIRST_IN_LINK)];
        let end = state.nodes[node_word(node + 1u32, FIRST_IN_LINK)];
        // Nodes without in-links are never active. The comparison makes the thread read all three words at once.
        let mut active = select(first < end, state.node_active[node as usize], 0u32);
        // Executed at most once: software devices skip loops that no thread enters, but not branches.
        while active != 0u32 {
            cross_node(state, params, node, first, end, config);
            active = 0u32;
        }
        item += threads;
    }
}

/// Moves vehicles over a node for one step.
#[cube]
fn cross_node<'w>(
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    number: u32,
    first: u32,
    end: u32,
    #[comptime] config: KernelConfig,
) {
    if comptime!(config.selection.by_priority()) {
        // Priorities are initialised from the capacities when the node is first active.
        if state.nodes[node_word(number, ACTIVE_AT)] == 0u32 {
            for link in first..end {
                state.priorities[(link * 2u32) as usize] = state.priorities[(link * 2u32 + 1u32) as usize];
            }
        }
    }
    let mut node = NodeOnDevice::<'w> { state, params, number, first, end, draws: 0u32, crossed: 0u32, config };
    let stays_active = node_transition::step::<NodeOnDevice<'w>>(&mut node, config.selection, true);
    node.finish(stays_active);
}

/// A node that is moving vehicles.
#[derive(CubeType)]
pub struct NodeOnDevice<'w> {
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    /// Executor index of the node.
    number: u32,
    /// The in-links: first and end.
    first: u32,
    end: u32,
    /// Number of draws in this step.
    draws: u32,
    /// Number of vehicles that crossed in this step.
    crossed: u32,
    #[cube(comptime)]
    config: KernelConfig,
}

#[cube]
impl NodeView for NodeOnDevice<'_> {
    fn in_links(&self) -> u32 {
        self.end - self.first
    }

    fn offers(&self, i: u32) -> bool {
        self.state.links[link_word(self.first + i, BUFFERED)] > 0u32
    }

    fn capacity(&self, i: u32) -> f64 {
        self.state.flows[link_real(self.first + i, CAPACITY)]
    }

    fn inverse_capacity(&self, i: u32) -> f64 {
        self.state.priorities[((self.first + i) * 2u32 + 1u32) as usize]
    }

    fn candidate(&self, i: u32) -> bool {
        self.state.links[link_word(self.first + i, CANDIDATE)] != 0u32
    }

    fn set_candidate(&mut self, i: u32, candidate: bool) {
        self.state.links[link_word(self.first + i, CANDIDATE)] = select(candidate, 1u32, 0u32);
    }

    fn priority(&self, i: u32) -> f64 {
        self.state.priorities[((self.first + i) * 2u32) as usize]
    }

    fn set_priority(&mut self, i: u32, priority: f64) {
        self.state.priorities[((self.first + i) * 2u32) as usize] = priority;
    }

    fn draw(&mut self) -> f64 {
        let key = self.state.nodes[node_word(self.number, NUMBER)];
        let run = self.params.run;
        let draw = node_draw(key, self.params.step, self.draws);
        let (low, high) = (run.seed_low, run.seed_high);
        let drawn = philox::unit(low, high, draw.entity, draw.step, draw.purpose, draw.index);
        self.draws += 1u32;
        drawn
    }

    fn draws_for_single_candidate(&self) -> bool {
        // Only Java's generator draws in this case, and scenarios that use it run on the CPU.
        false.runtime()
    }

    fn move_first(&mut self, i: u32) -> Attempt {
        let result = move_first(self.state, self.params, self.number, self.first + i, self.config);
        if result.crosses {
            self.crossed += 1u32;
        }
        Attempt { moved: result.moved, jammed: result.jammed }
    }
}

#[cube]
impl NodeOnDevice<'_> {
    /// Stores the results of the step. `stays_active`: an in-link with a positive capacity offered a vehicle.
    fn finish(&mut self, stays_active: bool) {
        let mut active = 0u32;
        if stays_active {
            for link in self.first..self.end {
                active = u32::max(active, u32::min(self.state.links[link_word(link, BUFFERED)], 1u32));
            }
        }
        if active == 0u32 {
            self.state.node_active[self.number as usize] = 0u32;
        }
        // Crossings are counted per node, because all threads would contend for a common counter.
        self.state.nodes[node_word(self.number, CROSSED)] += self.crossed;
        // MATSim visits the node once more after vehicles have left.
        self.state.nodes[node_word(self.number, ACTIVE_AT)] = self.params.step + select(stays_active, 2u32, 1u32);
    }
}

/// Tries to move the first vehicle in the buffer of an in-link.
///
/// Memory latency dominates, so everything is loaded before any of it is used: first the record of the vehicle, then,
/// at the same time, the next link and the following part of the route. The CPU executor finds most of this in caches,
/// and loads the next link only where it needs it.
#[cube]
fn move_first(
    state: &mut DeviceState,
    params: &StepParameters,
    node: u32,
    link: u32,
    #[comptime] config: KernelConfig,
) -> Crossing {
    let person = state.links[link_word(link, BUFFER)];
    let last_moved = state.flows[link_real(link, LAST_MOVED)];
    let next = state.persons[person_word(person, NEXT_LINK)];
    let position = state.persons[person_word(person, POSITION)] + 1u32;
    let ahead_kind = state.persons[person_word(person, AHEAD_KIND)] - comptime!(1u32 << KIND_BITS);
    // If there is no next link, any valid index will do.
    let at = select(next < NO_SUCH_LINK, next, link);
    let from = state.links[link_word(at, FROM)];
    let queue_first = state.links[link_word(at, QUEUE)];
    let queue_last = state.links[link_word(at, QUEUE + 1u32)];
    let used = state.flows[link_real(at, USED)];
    let storage = state.flows[link_real(at, STORAGE)];
    let before = upstream_end::upstream_end(state, at, used, storage, config);
    let size = kind_real(state, ahead_kind, PCU);
    let mut speed = 0u32;
    if params.run.speeds > 1u32 {
        speed = u32::cast_from(kind_real(state, ahead_kind, SPEED_CLASS));
    }
    let travel_time = state.travel_times[(at * params.run.speeds + speed) as usize];
    let following = state.route_links[(position + 1u32) as usize];

    let result = crossing(
        next < NO_SUCH_LINK && from == node,
        before.accepts(config.dynamics),
        params.time - last_moved,
        params.run.stuck_time_s,
        params.run.remove_stuck != 0u32,
    );
    if result.pushed {
        count(state, PUSHED, 1u32);
    }
    if result.crosses {
        upstream_end::enter(state, next, before, ahead_kind, size, config);
        pop_from_buffer(state, params, link, person, config);
        emit_crossing(state, params, node, link, next, person, config);
        state.persons[person_word(person, POSITION)] = position;
        state.persons[person_word(person, AHEAD_KIND)] = ahead_kind;
        let ends = Ends { first: queue_first, last: queue_last };
        join_queue(state, params, next, person, params.time + travel_time, ends, config);
        // This load has the longest latency, and nothing else depends on it.
        state.persons[person_word(person, NEXT_LINK)] =
            select((ahead_kind >> KIND_BITS) > 0u32, following, ARRIVE.runtime());
    } else if result.removed {
        if result.jammed {
            count(state, REMOVED, 1u32);
        }
        remove(state, params, node, link, person, config);
    }
    result
}

/// Removes the first vehicle of a buffer. The CPU executor makes up for skipped flow updates here; kernels skip none.
#[cube]
fn pop_from_buffer(
    state: &mut DeviceState,
    params: &StepParameters,
    link: u32,
    person: u32,
    #[comptime] config: KernelConfig,
) {
    let left = state.links[link_word(link, BUFFERED)] - 1u32;
    remove_first(state, link, person, BUFFER);
    state.links[link_word(link, BUFFERED)] = left;
    state.flows[link_real(link, LAST_MOVED)] = params.time;
    if comptime!(config.links.fast_update) {
        let mut flow = flow_capacity(state, link);
        flow.leave_buffer(params.time, params.run.step_s);
        state.flows[link_real(link, UPDATED_AT)] = flow.updated_at;
    }
    if left == 0u32 {
        state.flows[link_real(link, REST)] = state.flows[link_real(link, PER_STEP)];
    } else {
        recompute_upper_bound(state, link);
    }
    if comptime!(config.volumes) {
        state.volumes[link as usize] += 1u32;
    }
    // The link may have flow capacity again.
    state.due[link as usize].fetch_min(params.step);
}

/// Records that the vehicle of `person` crosses from `link` to `next`.
#[cube]
fn emit_crossing(
    state: &mut DeviceState,
    params: &StepParameters,
    node: u32,
    link: u32,
    next: u32,
    person: u32,
    #[comptime] config: KernelConfig,
) {
    if comptime!(config.record) {
        let origin = EventOrigin { phase: PHASE_NODES.runtime(), owner: node };
        let index = reserve_events(state, 2u32);
        let vehicle = state.persons[person_word(person, VEHICLE)];
        let left = event_header(EventKind::LeftLink, NO_MODE.runtime());
        let entered = event_header(EventKind::EnteredLink, NO_MODE.runtime());
        let left = Event { header: left, person: NONE.runtime(), link, detail: vehicle };
        write(state, params, &origin, index, left);
        let entered = Event { header: entered, person: NONE.runtime(), link: next, detail: vehicle };
        write(state, params, &origin, index + 1u32, entered);
    }
}

/// Adds a vehicle to the queue of a link. The vehicle reaches the end of the link
/// at `exit`, seconds of the day.
#[cube]
fn join_queue(
    state: &mut DeviceState,
    params: &StepParameters,
    link: u32,
    person: u32,
    exit: f64,
    ends: Ends,
    #[comptime] config: KernelConfig,
) {
    state.due_times[person as usize] = exit;
    let mut wanted = NONE.runtime();
    if comptime!(config.passing) {
        queue::push(state, link, person, config);
        if queue::first(state, link, config) == person {
            wanted = u32::max(step_at(params, exit), params.step);
        }
    } else {
        state.persons[person_word(person, NEXT)] = NONE;
        if ends.first == NONE {
            state.links[link_word(link, QUEUE)] = person;
            wanted = u32::max(step_at(params, exit), params.step);
        } else {
            state.persons[person_word(ends.last, NEXT)] = person;
        }
        state.links[link_word(link, QUEUE + 1u32)] = person;
    }
    if comptime!(config.dynamics.has_holes()) {
        wanted = params.step;
    }
    if wanted != NONE {
        state.due[link as usize].fetch_min(wanted);
    }
}

/// Removes the first vehicle in the buffer and its driver from the simulation.
#[cube]
fn remove(
    state: &mut DeviceState,
    params: &StepParameters,
    node: u32,
    link: u32,
    person: u32,
    #[comptime] config: KernelConfig,
) {
    pop_from_buffer(state, params, link, person, config);
    let origin = EventOrigin { phase: PHASE_NODES.runtime(), owner: node };
    if comptime!(config.record) {
        let index = reserve_events(state, 1u32);
        let vehicle = state.persons[person_word(person, VEHICLE)];
        let header = event_header(EventKind::LeftLink, NO_MODE.runtime());
        let left = Event { header, person: NONE.runtime(), link, detail: vehicle };
        write(state, params, &origin, index, left);
    }
    if comptime!(config.journeys.transit) {
        transit::abort_passengers(state, params, &origin, person, config);
    }
    let element = state.persons[person_word(person, ELEMENT)];
    let mode = state.plans[(element * PLAN_WORDS + CODE) as usize] & 0xFFu32;
    abort(state, params, &origin, person, link, mode, config);
}
