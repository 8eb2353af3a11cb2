//! The second half of a step: vehicles enter traffic, reach the end of their link, and arrive; teleports end.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::copied;

use super::super::record::*;
use super::agents::take_teleports;
use super::calendar::{step_at, sweep};
use super::emit::{Event, EventOrigin, emit};
use super::flow::{consumption, flow_capacity, pcu};
use super::journey::{PHASE_LINKS, end_leg, event_header};
use super::lists::{
    Ends, append, append_departures, departures_at, join_chain, link_real, link_word, person_word, remove_first,
};
use super::queue;
use super::state::{DeviceState, KernelConfig, StepParameters};
use super::transit;
use super::upstream_end;
use crate::rules::flow_capacity::FlowCapacity;
use crate::rules::link_step::{self, LinkView, LinkViewExpand, NOT_BEGUN, Progress};
use throng_traffic_scenario::events::EventKind;

/// The second half of a step as a separate launch.
#[cube(launch_unchecked)]
pub fn links_and_teleports(
    state: &mut DeviceState,
    params: &StepParameters,
    threads: u32,
    #[comptime] config: KernelConfig,
) {
    step_links(state, params, ABSOLUTE_POS as u32, threads, config);
}

/// Executes the second half of a step. The first threads process the lists of teleported agents that are due; each of
/// the others processes one link, or several as in [`super::nodes::step_nodes`].
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
        let mut to_do = stepped;
        while to_do {
            if arrived != NONE {
                state.departures[departures_at(params, params.step, link)].store(NONE.runtime());
                append_departures(state, link, arrived);
            }
            let mut counts = true.runtime();
            if comptime!(config.dynamics.has_holes()) {
                counts = arrived != NONE || state.links[link_word(link, UPSTREAM_STATE)] != STEPPED_ALONE;
            }
            if counts {
                state.links[link_word(link, STEPPED)] = params.step + 1u32;
            }
            to_do = false;
        }
        // There is a single place where arriving agents continue with their plans, because that code is most of the
        // kernel.
        let mut progress = Progress { stage: NOT_BEGUN.runtime(), out_of_capacity: false.runtime() };
        let mut goes_on = stepped || arriving != NONE;
        while goes_on {
            goes_on = false;
            to_do = stepped;
            while to_do {
                let moved = move_vehicles(state, params, link, &mut progress, config);
                arriving = moved.arriving;
                if comptime!(config.journeys.transit) {
                    goes_on = moved.pauses;
                }
                to_do = false;
            }
            while arriving != NONE {
                let person = copied(arriving);
                arriving = state.persons[person_word(person, NEXT)];
                end_leg(state, params, person, link, on_link, config);
            }
        }
        to_do = stepped;
        while to_do {
            finish(state, params, link, &mut progress, config);
            to_do = false;
        }
        item += threads;
    }
}

/// A link that is being stepped.
#[derive(CubeType)]
pub struct LinkOnDevice<'w> {
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    link: u32,
    /// The end node.
    to: u32,
    /// The flow accumulator, which is stored when it changes.
    flow: FlowCapacity,
    /// The driver of the driving vehicle that leaves next, or `NONE`.
    driving: u32,
    /// The driver of the selected vehicle.
    person: u32,
    /// The vehicle at stops beside the road that comes first in their list, or `NONE`.
    at_stops: u32,
    /// The agents who have arrived in this part of the step, in order.
    arriving: Ends,
    /// The step in which the link is due again.
    due: u32,
    #[cube(comptime)]
    config: KernelConfig,
}

#[cube]
impl LinkView for LinkOnDevice<'_> {
    fn refill_one_step(&mut self) {
        if self.flow.refill_one_step() {
            self.state.flows[link_real(self.link, ACCUMULATED)] = self.flow.accumulated;
        }
    }

    fn begin_upstream_end(&mut self) {
        if comptime!(self.config.dynamics.has_holes()) {
            let queue = self.state.links[link_word(self.link, QUEUE)];
            let idle = queue == NONE && self.state.links[link_word(self.link, WAITING)] == NONE;
            upstream_end::begin_step(self.state, self.params, self.link, idle, self.config);
        }
    }

    fn select_driving(&mut self) -> bool {
        self.person = self.driving;
        self.person != NONE
    }

    fn select_waiting(&mut self) -> bool {
        self.person = self.state.links[link_word(self.link, WAITING)];
        self.person != NONE
    }

    fn exit_time(&self) -> f64 {
        self.state.due_times[self.person as usize]
    }

    fn arrives(&self) -> bool {
        self.state.persons[person_word(self.person, NEXT_LINK)] == ARRIVE
    }

    fn needs_no_capacity(&self) -> bool {
        pcu(self.state, self.person) <= self.params.run.easing
    }

    fn has_capacity(&mut self) -> bool {
        // The fast update first adds the flow of the whole time since the last update.
        if comptime!(self.config.links.fast_update) {
            if self.flow.refill_since_last(self.params.time, self.params.run.step_s, self.params.run.zero) {
                self.state.flows[link_real(self.link, ACCUMULATED)] = self.flow.accumulated;
                self.state.flows[link_real(self.link, UPDATED_AT)] = self.flow.updated_at;
            }
        }
        self.flow.has_capacity(pcu(self.state, self.person), self.params.run.easing)
    }

    fn leave_queue(&mut self) {
        queue::pop(self.state, self.link, self.person, self.config);
        self.driving = queue::first(self.state, self.link, self.config);
        let size = pcu(self.state, self.person);
        self.state.flows[link_real(self.link, USED)] -= size;
        if comptime!(self.config.dynamics.has_holes()) {
            upstream_end::free(self.state, self.params, self.link, self.person, size);
        }
    }

    fn enter_traffic(&mut self) {
        remove_first(self.state, self.link, self.person, WAITING);
        if comptime!(self.config.record) {
            let origin = EventOrigin { phase: PHASE_LINKS.runtime(), owner: self.link };
            let element = self.state.persons[person_word(self.person, ELEMENT)];
            let mode = self.state.plans[(element * PLAN_WORDS + CODE) as usize] & 0xFFu32;
            let vehicle = self.state.persons[person_word(self.person, VEHICLE)];
            let header = event_header(EventKind::VehicleEntersTraffic, mode);
            let event = Event { header, person: self.person, link: self.link, detail: vehicle };
            emit(self.state, self.params, &origin, event, self.config);
        }
    }

    fn arrive(&mut self) {
        if comptime!(self.config.journeys.transit) {
            transit::end_departure(self.state, self.params, self.person, self.link);
        }
        join_chain(self.state, &mut self.arriving, self.person);
    }

    fn has_arrivals(&self) -> bool {
        self.arriving.first != NONE
    }

    fn join_front(&mut self) {
        queue::push_to_front(self.state, self.params, self.link, self.person, self.config);
        self.driving = queue::first(self.state, self.link, self.config);
    }

    // Each node has a thread, so marking it is enough; a CPU partition has a set of active nodes.
    fn join_buffer(&mut self) {
        self.flow.consume(consumption(self.state, self.person), self.params.time);
        self.state.flows[link_real(self.link, ACCUMULATED)] = self.flow.accumulated;
        self.state.flows[link_real(self.link, UPDATED_AT)] = self.flow.updated_at;
        self.state.flows[link_real(self.link, REST)] = self.flow.upper_bound;
        if self.state.links[link_word(self.link, BUFFERED)] == 0u32 {
            self.state.flows[link_real(self.link, LAST_MOVED)] = self.params.time;
        }
        append(self.state, self.link, self.person, BUFFER);
        self.state.links[link_word(self.link, BUFFERED)] += 1u32;
        self.state.node_active[self.to as usize] = 1u32;
    }

    fn flow(&self) -> FlowCapacity {
        self.flow
    }

    fn is_due_soon(&mut self) {
        self.due = self.params.step + 1u32;
    }

    // The step has paused since the last arrival, so that the list is empty.
    fn stays_at_stop(&mut self) -> bool {
        transit::stays_at_stop(self.state, self.params, self.link, self.person, &mut self.arriving, self.config)
    }

    fn stop_is_blocking(&self) -> bool {
        transit::stop_is_blocking(self.state, self.params, self.person)
    }

    fn join_stops(&mut self) {
        self.at_stops = transit::join_stops(self.state, self.params, self.link, self.at_stops, self.person);
    }

    fn leave_stops(&mut self) {
        if self.at_stops != NONE {
            self.at_stops = transit::leave_stops(self.state, self.params, self.link, self.at_stops, self.config);
            self.driving = queue::first(self.state, self.link, self.config);
        }
    }

    fn is_due_with_stops(&mut self) -> bool {
        let first = transit::next_to_leave(self.state, self.at_stops);
        if first != NONE {
            self.is_due_at(self.state.due_times[first as usize]);
        }
        first != NONE
    }

    fn is_due_at(&mut self, time: f64) {
        self.due = u32::min(self.due, u32::max(step_at(self.params, time), self.params.step + 1u32));
    }

    fn is_due_with_capacity(&mut self, flow: FlowCapacity) {
        let mut gains = flow.grows();
        if comptime!(self.config.links.fast_update) {
            gains = gains && flow.accumulated < flow.upper_bound;
        }
        if gains {
            self.due = self.params.step + 1u32;
        }
    }

    fn end_upstream_end(&mut self, idle: bool) {
        if comptime!(self.config.dynamics.has_holes()) {
            let soon = self.params.step + 1u32;
            if upstream_end::end_step(self.state, self.link, idle, self.config) && self.due > soon {
                self.due = soon;
                self.state.links[link_word(self.link, UPSTREAM_STATE)] = STEPPED_ALONE.runtime();
            }
        }
    }
}

#[cube]
fn link_on_device<'w>(
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    link: u32,
    #[comptime] config: KernelConfig,
) -> LinkOnDevice<'w> {
    // Read before anything is written, so that the reads overlap.
    let to = state.links[link_word(link, TO)];
    let flow = flow_capacity(state, link);
    let driving = queue::first(state, link, config);
    let mut at_stops = NONE.runtime();
    if comptime!(config.journeys.transit) {
        at_stops = transit::first_at_stops(state, params, link);
    }
    LinkOnDevice::<'w> {
        state,
        params,
        link,
        to,
        flow,
        driving,
        person: NONE.runtime(),
        at_stops,
        arriving: Ends { first: NONE.runtime(), last: NONE.runtime() },
        due: NONE.runtime(),
        config,
    }
}

/// The result of moving vehicles of a link.
#[derive(CubeType, Clone, Copy)]
struct Moved {
    /// Whether the step pauses for those who have arrived, and is to be resumed.
    pauses: bool,
    /// The first of the agents who have arrived, in order.
    arriving: u32,
}

/// Executes the first part of the step of a link, or resumes it.
#[cube]
fn move_vehicles<'w>(
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    number: u32,
    progress: &mut Progress,
    #[comptime] config: KernelConfig,
) -> Moved {
    let mut link = link_on_device(state, params, number, config);
    let pauses = link_step::move_vehicles::<LinkOnDevice<'w>>(&mut link, progress, params.time, config.links);
    Moved { pauses, arriving: link.arriving.first }
}

/// Executes the rest of the step of a link.
#[cube]
fn finish<'w>(
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    number: u32,
    progress: &mut Progress,
    #[comptime] config: KernelConfig,
) {
    let mut link = link_on_device(state, params, number, config);
    link_step::finish::<LinkOnDevice<'w>>(&mut link, progress, params.time, config.links);
    link.state.due[number as usize].store(link.due);
}
