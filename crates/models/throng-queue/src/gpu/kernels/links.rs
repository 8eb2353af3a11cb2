//! The second half of a step: vehicles enter traffic, reach the end of their link, and arrive; teleports end.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::agents::take_teleports;
use super::calendar::{step_at, sweep};
use super::emit::{EventOrigin, emit};
use super::flow::{consume, flow_capacity, has_capacity, pcu, refill_one_step};
use super::journey::{PHASE_LINKS, PHASE_TELEPORTS, arrive, end_teleport, event_header, following, proceed};
use super::lists::{append, append_departures, departures_at, link_real, link_word, person_word, remove_first};
use super::queue;
use super::state::{DeviceState, KernelConfig, StepParameters};
use super::upstream_end;
use crate::rules::link_exit::{self, QueueView, QueueViewExpand, WaitingView, WaitingViewExpand};
use throng_traffic_scenario::events::EventKind;

/// The second half of a step in a launch of its own.
#[cube(launch_unchecked)]
pub fn links_and_teleports(
    state: &mut DeviceState,
    params: &StepParameters,
    threads: u32,
    #[comptime] config: KernelConfig,
) {
    step_links(state, params, ABSOLUTE_POS as u32, threads, config);
}

/// The first threads process the lists of teleported agents that are due; each of the others processes one link, or
/// several as in [`super::nodes::step_nodes`].
#[cube]
pub fn step_links(
    state: &mut DeviceState,
    params: &StepParameters,
    thread: u32,
    threads: u32,
    #[comptime] config: KernelConfig,
) {
    let mut item = thread;
    if item == 0u32 {
        sweep(state, params, params.step, 0u32);
    }
    while item < params.run.lists_per_slot + params.run.links {
        let on_link = item >= params.run.lists_per_slot;
        let link = item - params.run.lists_per_slot;
        let mut arriving = NONE.runtime();
        let mut arrived = NONE.runtime();
        let mut stepped = false;
        if on_link {
            let due_at = state.due[link as usize].load();
            arrived = state.departures[departures_at(params, params.step, link)].load();
            stepped = due_at <= params.step || arrived != NONE;
        } else {
            arriving = take_teleports(state, params, item);
        }
        // Executed at most once, see `step_nodes`.
        let mut out_of_capacity = false;
        let mut to_do = stepped;
        while to_do {
            if arrived != NONE {
                state.departures[departures_at(params, params.step, link)].store(NONE.runtime());
                append_departures(state, link, arrived);
            }
            if arrived != NONE || state.links[link_word(link, UPSTREAM_STATE)] != STEPPED_ALONE {
                state.links[link_word(link, STEPPED)] = params.step + 1u32;
            }
            out_of_capacity = begin_link(state, params, link, config);
            let moved = move_queue(state, params, link, config);
            out_of_capacity = out_of_capacity || moved.out_of_capacity;
            arriving = moved.arriving;
            to_do = false;
        }
        // A single call for all arriving agents: the code that continues their plans is most of the kernel.
        while arriving != NONE {
            let person = arriving + 0u32;
            arriving = state.persons[person_word(person, NEXT)];
            end_leg(state, params, person, link, on_link, config);
        }
        to_do = stepped;
        while to_do {
            let due = end_link(state, params, link, out_of_capacity, config);
            state.due[link as usize].store(due);
            to_do = false;
        }
        item += threads;
    }
}

/// Ends a leg; the agent continues with the plan.
#[cube]
fn end_leg(
    state: &mut DeviceState,
    params: &StepParameters,
    person: u32,
    on: u32,
    on_link: bool,
    #[comptime] config: KernelConfig,
) {
    let element = state.persons[person_word(person, ELEMENT)];
    let next = following(state, element);
    let mut origin = EventOrigin { phase: PHASE_LINKS.runtime(), owner: on };
    let mut link = on;
    let mut goes_on = true;
    if on_link {
        goes_on = arrive(state, params, &origin, link, person, config);
    } else {
        origin.phase = PHASE_TELEPORTS.runtime();
        origin.owner = NONE - state.ranks[person as usize];
        link = end_teleport(state, params, &origin, person, element, config);
    }
    if goes_on {
        proceed(state, params, &mut origin, person, element, &next, link, on_link, false, config);
    }
}

/// Updates flow, holes and inflow, and moves the waiting vehicles if they come first. True if flow capacity ran out.
#[cube]
fn begin_link(state: &mut DeviceState, params: &StepParameters, link: u32, #[comptime] config: KernelConfig) -> bool {
    if comptime!(!config.fast_update) {
        refill_one_step(state, link);
    }
    if comptime!(config.dynamics.has_holes()) {
        let idle = is_idle(state, link);
        upstream_end::begin_step(state, params, link, idle, config);
    }
    let mut out_of_capacity = false;
    if comptime!(config.waiting_first) {
        out_of_capacity = move_waiting(state, params, link, config);
    }
    out_of_capacity
}

/// Executes the rest of the step of a link. Returns the step in which it is due again.
#[cube]
fn end_link(
    state: &mut DeviceState,
    params: &StepParameters,
    link: u32,
    was_out_of_capacity: bool,
    #[comptime] config: KernelConfig,
) -> u32 {
    let mut out_of_capacity = was_out_of_capacity;
    if comptime!(!config.waiting_first) {
        let waiting_out_of_capacity = move_waiting(state, params, link, config);
        out_of_capacity = out_of_capacity || waiting_out_of_capacity;
    }
    next_due(state, params, link, out_of_capacity, config)
}

/// Whether the link has neither queued nor waiting vehicles; the buffer belongs to the node.
#[cube]
fn is_idle(state: &DeviceState, link: u32) -> bool {
    state.links[link_word(link, QUEUE)] == NONE && state.links[link_word(link, WAITING)] == NONE
}

/// The driving vehicles of a link.
#[derive(CubeType)]
pub struct QueueOnDevice<'w> {
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    link: u32,
    /// The driver of the selected vehicle.
    person: u32,
    /// The list of agents that have arrived in this step, in order.
    first_arriving: u32,
    last_arriving: u32,
    #[cube(comptime)]
    config: KernelConfig,
}

#[cube]
impl QueueView for QueueOnDevice<'_> {
    fn look_at_next(&mut self) -> bool {
        self.person = queue::first(self.state, self.link, self.config);
        self.person != NONE
    }

    fn exit_time(&self) -> f64 {
        self.state.due_times[self.person as usize]
    }

    fn arrives(&self) -> bool {
        self.state.persons[person_word(self.person, NEXT_LINK)] == ARRIVE
    }

    fn has_capacity(&mut self) -> bool {
        has_capacity(self.state, self.params, self.link, self.person, self.config)
    }

    fn leave(&mut self) {
        pop_from_queue(self.state, self.params, self.link, self.person, self.config);
    }

    fn arrive(&mut self) {
        self.state.persons[person_word(self.person, NEXT)] = NONE;
        if self.last_arriving == NONE {
            self.first_arriving = self.person;
        } else {
            self.state.persons[person_word(self.last_arriving, NEXT)] = self.person;
        }
        self.last_arriving = self.person;
    }

    fn move_to_buffer(&mut self) {
        push_to_buffer(self.state, self.params, self.link, self.person);
    }
}

/// The waiting vehicles of a link.
#[derive(CubeType)]
pub struct WaitingOnDevice<'w> {
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    link: u32,
    /// The driver of the selected vehicle.
    person: u32,
    #[cube(comptime)]
    config: KernelConfig,
}

#[cube]
impl WaitingView for WaitingOnDevice<'_> {
    fn look_at_next(&mut self) -> bool {
        self.person = self.state.links[link_word(self.link, WAITING)];
        self.person != NONE
    }

    fn has_capacity(&mut self) -> bool {
        has_capacity(self.state, self.params, self.link, self.person, self.config)
    }

    fn enter_traffic(&mut self) {
        remove_first(self.state, self.link, self.person, WAITING);
        emit_enters_traffic(self.state, self.params, self.link, self.person, self.config);
        if self.state.persons[person_word(self.person, NEXT_LINK)] == ARRIVE {
            queue::push_to_front(self.state, self.params, self.link, self.person, self.config);
        } else {
            push_to_buffer(self.state, self.params, self.link, self.person);
        }
    }
}

/// Departed vehicles enter traffic at the downstream end of the link. True if flow capacity ran out.
#[cube]
fn move_waiting<'w>(
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    link: u32,
    #[comptime] config: KernelConfig,
) -> bool {
    let mut waiting = WaitingOnDevice::<'w> { state, params, link, person: NONE.runtime(), config };
    link_exit::move_waiting::<WaitingOnDevice<'w>>(&mut waiting)
}

/// The result of moving the vehicles at the end of a link.
#[derive(CubeType, Clone, Copy)]
struct Moved {
    /// Flow capacity ran out.
    out_of_capacity: bool,
    /// The list of agents that arrive, in order.
    arriving: u32,
}

/// Vehicles at the end of the link go into the buffer, or into the list of arrivals.
#[cube]
fn move_queue<'w>(
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    link: u32,
    #[comptime] config: KernelConfig,
) -> Moved {
    let mut queue = QueueOnDevice::<'w> {
        state,
        params,
        link,
        person: NONE.runtime(),
        first_arriving: NONE.runtime(),
        last_arriving: NONE.runtime(),
        config,
    };
    let out_of_capacity = link_exit::move_queue::<QueueOnDevice<'w>>(&mut queue, params.time);
    Moved { out_of_capacity, arriving: queue.first_arriving }
}

#[cube]
fn pop_from_queue(
    state: &mut DeviceState,
    params: &StepParameters,
    link: u32,
    person: u32,
    #[comptime] config: KernelConfig,
) {
    queue::pop(state, link, person, config);
    let size = pcu(state, person);
    state.flows[link_real(link, USED)] -= size;
    if comptime!(config.dynamics.has_holes()) {
        upstream_end::free(state, params, link, person, size);
    }
}

#[cube]
fn emit_enters_traffic(
    state: &mut DeviceState,
    params: &StepParameters,
    link: u32,
    person: u32,
    #[comptime] config: KernelConfig,
) {
    if comptime!(config.record) {
        let origin = EventOrigin { phase: PHASE_LINKS.runtime(), owner: link };
        let element = state.persons[person_word(person, ELEMENT)];
        let mode = state.plans[(element * PLAN_WORDS + CODE) as usize] & 0xFFu32;
        let vehicle = state.persons[person_word(person, VEHICLE)];
        let header = event_header(EventKind::VehicleEntersTraffic, mode);
        emit(state, params, &origin, header, person, link, vehicle, config);
    }
}

#[cube]
fn push_to_buffer(state: &mut DeviceState, params: &StepParameters, link: u32, person: u32) {
    consume(state, params, link, person);
    if state.links[link_word(link, BUFFERED)] == 0u32 {
        state.flows[link_real(link, LAST_MOVED)] = params.time;
    }
    append(state, link, person, BUFFER);
    state.links[link_word(link, BUFFERED)] += 1u32;
    let node = state.links[link_word(link, TO)];
    state.node_active[node as usize] = 1u32;
}

/// When a link is due again. While it waits for flow, in the next step; if vehicles in the buffer have used up the
/// flow, not at all, because a vehicle that leaves the buffer will wake it; otherwise when its first vehicle may leave.
#[cube]
fn next_due(
    state: &mut DeviceState,
    params: &StepParameters,
    link: u32,
    out_of_capacity: bool,
    #[comptime] config: KernelConfig,
) -> u32 {
    let soon = params.step + 1u32;
    let mut next = NONE.runtime();
    let first_waiting = state.links[link_word(link, WAITING)];
    let waiting = first_waiting != NONE;
    let flow = flow_capacity(state, link);
    let grows = flow.grows();
    let below_a_step = flow.is_below_a_step();
    if out_of_capacity {
        // A small vehicle needs no capacity. It is still waiting only if it joined the waiting list after that was
        // processed in this step.
        let mut waits_small = false;
        if waiting {
            waits_small = pcu(state, first_waiting) <= params.run.easing;
        }
        if waits_small {
            next = soon;
        } else if grows {
            next = soon;
            if comptime!(config.fast_update) {
                if flow.accumulated >= flow.rest {
                    next = NONE;
                }
            }
        }
    } else if waiting {
        next = soon;
    } else if comptime!(!config.fast_update) {
        if grows && below_a_step {
            next = soon;
        }
    }
    let person = queue::first(state, link, config);
    if person != NONE {
        let exit = state.due_times[person as usize];
        // A vehicle that wants to arrive is left here only if waiting vehicles came after the driving ones.
        if exit > params.time || state.persons[person_word(person, NEXT_LINK)] == ARRIVE {
            next = u32::min(next, u32::max(step_at(params, exit), soon));
        }
    }
    if comptime!(config.dynamics.has_holes()) {
        let mut idle = is_idle(state, link);
        if comptime!(!config.fast_update) {
            // Under the slow update a link stays active while it has less flow than the allowance of a step.
            idle = idle && !below_a_step;
        }
        if upstream_end::end_step(state, link, idle, config) && next > soon {
            next = soon;
            state.links[link_word(link, UPSTREAM_STATE)] = STEPPED_ALONE.runtime();
        }
    }
    next
}
