//! The first half of a step: activities end, and vehicles cross nodes.
//!
//! Vehicles from several in-links cross in the order defined by `crate::rules::node_transition`.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::agents::end_activities;
use super::calendar::{step_at, sweep};
use super::draw::uniform;
use super::emit::{EventOrigin, count, reserve_events, write};
use super::flow::{consumption, kind_real, pcu, recompute_rest};
use super::journey::{NO_MODE, PHASE_NODES, abort, event_header};
use super::lists::{link_real, link_word, node_word, person_word, remove_first};
use super::queue;
use super::state::{DeviceState, KernelConfig, StepParameters};
use super::upstream_end;
use throng_traffic_scenario::events::EventKind;

/// The purpose number of draws at nodes.
const NODE_DRAW: u32 = 1;
/// Capacities below this are rounding errors of sums.
const NO_CAPACITY: f64 = 1e-10;

/// The result of trying to move a vehicle, in bits: it has left the buffer, its next link was full, it has entered that
/// link.
const MOVED: u32 = 1;
const JAMMED: u32 = 2;
const ENTERED_NEXT: u32 = 4;

/// The first half of a step in a launch of its own.
#[cube(launch_unchecked)]
pub fn agents_and_nodes(
    state: &mut DeviceState,
    params: &StepParameters,
    threads: u32,
    #[comptime] config: KernelConfig,
) {
    step_nodes(state, params, ABSOLUTE_POS as u32, threads, config);
}

/// The first threads process the lists of agents that are due; each of the others processes one node. With fewer
/// threads than lists and nodes, each thread continues with further ones: software devices take long to start a thread.
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
        let mut active = state.node_active[node as usize];
        let first = state.nodes[node_word(node, FIRST_IN_LINK)];
        let end = state.nodes[node_word(node + 1u32, FIRST_IN_LINK)];
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
fn cross_node(
    state: &mut DeviceState,
    params: &StepParameters,
    node: u32,
    first: u32,
    end: u32,
    #[comptime] config: KernelConfig,
) {
    let mut capacity = 0.0f64;
    let mut candidates = 0u32;
    // This loop writes nothing, so that all links are read at once.
    for link in first..end {
        let buffered = state.links[link_word(link, BUFFERED)];
        let candidate = state.links[link_word(link, CANDIDATE)];
        let of_link = state.flows[link_real(link, CAPACITY)];
        capacity += select(buffered > 0u32, of_link, 0.0f64);
        candidates += select(buffered > 0u32, 1u32, candidate);
    }
    for link in first..end {
        if state.links[link_word(link, BUFFERED)] > 0u32 {
            state.links[link_word(link, CANDIDATE)] = 1u32;
        }
    }
    if comptime!(config.selection.by_priority()) {
        // Priorities start from the capacities when the node is first active.
        if state.nodes[node_word(node, ACTIVE_AT)] == 0u32 {
            for link in first..end {
                state.priorities[(link * 2u32) as usize] = state.priorities[(link * 2u32 + 1u32) as usize];
            }
        }
    }
    let mut crossed = 0u32;
    if capacity > NO_CAPACITY {
        if comptime!(config.selection.by_priority()) {
            crossed = by_priority(state, params, node, first, end, capacity, config);
        } else {
            crossed = by_lottery(state, params, node, first, end, capacity, candidates, config);
        }
    }
    let mut active = 0u32;
    if capacity > NO_CAPACITY {
        for link in first..end {
            active = u32::max(active, u32::min(state.links[link_word(link, BUFFERED)], 1u32));
        }
    }
    if active == 0u32 {
        state.node_active[node as usize] = 0u32;
    }
    // Counted per node, because all threads would contend for a common counter.
    state.nodes[node_word(node, CROSSED)] += crossed;
    // After vehicles have left, MATSim visits the node once more.
    state.nodes[node_word(node, ACTIVE_AT)] = params.step + select(capacity > NO_CAPACITY, 2u32, 1u32);
}

/// Draws in-links in proportion to their capacity.
#[cube]
fn by_lottery(
    state: &mut DeviceState,
    params: &StepParameters,
    node: u32,
    first: u32,
    end: u32,
    whole_capacity: f64,
    all_candidates: u32,
    #[comptime] config: KernelConfig,
) -> u32 {
    let mut capacity = whole_capacity;
    let mut candidates = all_candidates;
    let mut draws = 0u32;
    let mut crossed = 0u32;
    while capacity > NO_CAPACITY && candidates > 0u32 {
        let mut drawn = NONE.runtime();
        if candidates == 1u32 {
            for link in first..end {
                if state.links[link_word(link, CANDIDATE)] != 0u32 && drawn == NONE {
                    drawn = link;
                }
            }
        } else {
            let number = state.nodes[node_word(node, NUMBER)];
            let share = uniform(params.run.seed_low, params.run.seed_high, number, params.step, NODE_DRAW, draws);
            draws += 1u32;
            drawn = drawn_in_link(state, first, end, share * capacity);
        }
        if drawn != NONE {
            let mut outcome = 0u32;
            let mut out = true;
            if comptime!(config.selection.empties_whole_buffer()) {
                let emptied = empty_buffer(state, params, node, drawn, config);
                crossed += emptied.crossed;
                outcome = emptied.outcome;
            } else {
                if state.links[link_word(drawn, BUFFERED)] > 0u32 {
                    outcome = move_first(state, params, node, drawn, config);
                }
                crossed += outcome / ENTERED_NEXT;
                out = (outcome & MOVED) == 0u32;
            }
            if out {
                capacity -= state.flows[link_real(drawn, CAPACITY)];
                state.links[link_word(drawn, CANDIDATE)] = 0u32;
                candidates -= 1u32;
            }
            if comptime!(config.selection.is_blocked_by_full_link()) {
                if (outcome & JAMMED) != 0u32 {
                    candidates = 0u32;
                }
            }
        }
    }
    crossed
}

/// The in-link at which the sum of capacities reaches the threshold; `NONE` if rounding put it beyond the last one.
#[cube]
fn drawn_in_link(state: &DeviceState, first: u32, end: u32, threshold: f64) -> u32 {
    let mut found = NONE.runtime();
    let mut passed = 0.0f64;
    for link in first..end {
        if state.links[link_word(link, CANDIDATE)] != 0u32 {
            passed += state.flows[link_real(link, CAPACITY)];
            // An infinite sum cannot be divided: the last candidate is next.
            let beyond = threshold > 1.7e308f64;
            if beyond || (passed >= threshold && found == NONE) {
                found = link;
            }
        }
    }
    found
}

/// The result of emptying a buffer.
#[derive(CubeType, Clone, Copy)]
struct Emptied {
    outcome: u32,
    crossed: u32,
}

/// Moves vehicles until the buffer is empty or its first vehicle cannot move.
#[cube]
fn empty_buffer(
    state: &mut DeviceState,
    params: &StepParameters,
    node: u32,
    link: u32,
    #[comptime] config: KernelConfig,
) -> Emptied {
    let mut all = 0u32;
    let mut crossed = 0u32;
    let mut moving = state.links[link_word(link, BUFFERED)] > 0u32;
    while moving {
        let outcome = move_first(state, params, node, link, config);
        all |= outcome;
        crossed += outcome / ENTERED_NEXT;
        moving = ((outcome & MOVED) != 0u32) && (state.links[link_word(link, BUFFERED)] > 0u32);
    }
    Emptied { outcome: all, crossed }
}

/// Selects the in-link with the lowest accumulated inverse capacity; the first full out-link ends the step.
#[cube]
fn by_priority(
    state: &mut DeviceState,
    params: &StepParameters,
    node: u32,
    first: u32,
    end: u32,
    whole_capacity: f64,
    #[comptime] config: KernelConfig,
) -> u32 {
    let mut capacity = whole_capacity;
    let mut crossed = 0u32;
    let mut last_sent = 0.0f64;
    let mut blocked = NONE.runtime();
    let mut going = true;
    while going {
        // Compared as 32-bit floats, so that sums that differ only by rounding tie.
        let mut lowest = f32::cast_from(f32::MAX);
        let mut chosen = NONE.runtime();
        for link in first..end {
            if state.links[link_word(link, CANDIDATE)] != 0u32 {
                let priority = f32::cast_from(state.priorities[(link * 2u32) as usize]);
                if priority < lowest {
                    lowest = priority;
                    chosen = link;
                }
            }
        }
        if chosen == NONE {
            going = false;
        } else {
            let mut outcome = 0u32;
            if state.links[link_word(chosen, BUFFERED)] > 0u32 {
                outcome = move_first(state, params, node, chosen, config);
            }
            crossed += outcome / ENTERED_NEXT;
            if (outcome & MOVED) != 0u32 {
                last_sent = state.priorities[(chosen * 2u32) as usize];
                state.priorities[(chosen * 2u32) as usize] =
                    last_sent + state.priorities[(chosen * 2u32 + 1u32) as usize];
            } else {
                capacity -= state.flows[link_real(chosen, CAPACITY)];
                state.links[link_word(chosen, CANDIDATE)] = 0u32;
            }
            if (outcome & JAMMED) != 0u32 {
                blocked = chosen;
                going = false;
            }
            if capacity <= NO_CAPACITY {
                going = false;
            }
        }
    }
    for link in first..end {
        if link != blocked && state.links[link_word(link, CANDIDATE)] == 0u32 {
            state.priorities[(link * 2u32) as usize] = last_sent + state.priorities[(link * 2u32 + 1u32) as usize];
        }
        state.priorities[(link * 2u32) as usize] -= last_sent;
    }
    crossed
}

/// Tries to move the first vehicle in the buffer of an in-link.
///
/// Memory latency dominates, so everything is loaded before any of it is used: first the record of the vehicle, then,
/// at once, the next link and the following part of the route.
#[cube]
fn move_first(
    state: &mut DeviceState,
    params: &StepParameters,
    node: u32,
    link: u32,
    #[comptime] config: KernelConfig,
) -> u32 {
    let person = state.links[link_word(link, BUFFER)];
    let last_moved = state.flows[link_real(link, LAST_MOVED)];
    let next = state.persons[person_word(person, NEXT_LINK)];
    let position = state.persons[person_word(person, POSITION)] + 1u32;
    let ahead_kind = state.persons[person_word(person, AHEAD_KIND)] - comptime!(1u32 << KIND_BITS);
    // Any link will do if there is no next one.
    let at = select(next < NO_SUCH_LINK, next, link);
    let from = state.links[link_word(at, FROM)];
    let queue_first = state.links[link_word(at, QUEUE)];
    let queue_last = state.links[link_word(at, QUEUE + 1u32)];
    let used = state.flows[link_real(at, USED)];
    let storage = state.flows[link_real(at, STORAGE)];
    let size = kind_real(state, ahead_kind, PCU);
    let mut speed = 0u32;
    if params.run.speeds > 1u32 {
        speed = u32::cast_from(kind_real(state, ahead_kind, SPEED_CLASS));
    }
    let travel_time = state.travel_times[(at * params.run.speeds + speed) as usize];
    let after = state.route_links[(position + 1u32) as usize];

    let connected = next < NO_SUCH_LINK && from == node;
    let mut outcome = MOVED.runtime();
    if connected {
        let mut room = used < storage;
        if comptime!(config.has_holes()) {
            room = room && upstream_end::accepts(state, next, config);
        }
        let mut crosses = room;
        if !room {
            outcome = JAMMED.runtime();
            if params.time - last_moved > params.run.stuck_time_s {
                if params.run.remove_stuck != 0u32 {
                    count(state, REMOVED, 1u32);
                    remove(state, params, node, link, person, config);
                } else {
                    count(state, PUSHED, 1u32);
                    crosses = true;
                    outcome = MOVED | JAMMED;
                }
            }
        }
        if crosses {
            outcome |= ENTERED_NEXT;
            state.flows[link_real(next, USED)] = used + size;
            pop_from_buffer(state, params, link, person, config);
            emit_crossing(state, params, node, link, next, person, config);
            state.persons[person_word(person, POSITION)] = position;
            state.persons[person_word(person, AHEAD_KIND)] = ahead_kind;
            enter(state, params, next, person, params.time + travel_time, queue_first, queue_last, config);
            // This load has the longest latency, and nothing else depends on it.
            state.persons[person_word(person, NEXT_LINK)] =
                select((ahead_kind >> KIND_BITS) > 0u32, after, ARRIVE.runtime());
        }
    } else {
        remove(state, params, node, link, person, config);
    }
    outcome
}

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
    if comptime!(config.fast_update) {
        state.flows[link_real(link, UPDATED_AT)] = params.time - params.run.step_s;
    }
    if left == 0u32 {
        state.flows[link_real(link, REST)] = state.flows[link_real(link, PER_STEP)];
    } else {
        recompute_rest(state, link);
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
        write(state, params, &origin, index, event_header(EventKind::LeftLink, NO_MODE.runtime()), NONE, link, vehicle);
        write(
            state,
            params,
            &origin,
            index + 1u32,
            event_header(EventKind::EnteredLink, NO_MODE.runtime()),
            NONE,
            next,
            vehicle,
        );
    }
}

/// A vehicle enters a link, whose queue has the given first and last vehicle, and reaches its end at `exit`.
#[cube]
fn enter(
    state: &mut DeviceState,
    params: &StepParameters,
    link: u32,
    person: u32,
    exit: f64,
    queue_first: u32,
    queue_last: u32,
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
        if queue_first == NONE {
            state.links[link_word(link, QUEUE)] = person;
            wanted = u32::max(step_at(params, exit), params.step);
        } else {
            state.persons[person_word(queue_last, NEXT)] = person;
        }
        state.links[link_word(link, QUEUE + 1u32)] = person;
    }
    if comptime!(config.has_holes()) {
        let size = pcu(state, person);
        let flow = consumption(state, person);
        upstream_end::enter(state, link, size, flow, config);
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
        write(state, params, &origin, index, event_header(EventKind::LeftLink, NO_MODE.runtime()), NONE, link, vehicle);
    }
    let element = state.persons[person_word(person, ELEMENT)];
    let mode = state.plans[(element * PLAN_WORDS + CODE) as usize] & 0xFFu32;
    abort(state, params, &origin, person, link, mode, config);
}
