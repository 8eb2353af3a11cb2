//! The agent view for the rules of `crate::rules::journey`.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::calendar;
use super::emit::{Event, EventOrigin, count, done, emit, fail};
use super::lists::{append, departures_at, person_word};
use super::state::{DeviceState, KernelConfig, StepParameters};
use super::transit;
use crate::rules::activity_end::end_of_activity;
use crate::rules::journey::{self, JourneyView, JourneyViewExpand};
use throng_traffic_scenario::events::EventKind;

/// Phases, in the order of their events.
pub const PHASE_AGENTS: u32 = 0;
pub const PHASE_NODES: u32 = 1;
pub const PHASE_LINKS: u32 = 2;
pub const PHASE_TELEPORTS: u32 = 3;

/// Returns kind and mode of an event as a header.
#[cube]
pub fn event_header(#[comptime] kind: EventKind, mode: u32) -> u32 {
    comptime!(kind as u32) | (mode << MODE_SHIFT)
}

#[cube]
fn plan_word(element: u32, word: u32) -> usize {
    (element * PLAN_WORDS + word) as usize
}

/// Removes the agent from the simulation. Its vehicle, if any, is lost to other agents.
#[cube]
pub fn abort(
    state: &mut DeviceState,
    params: &StepParameters,
    origin: &EventOrigin,
    person: u32,
    link: u32,
    mode: u32,
    #[comptime] config: KernelConfig,
) {
    let header = event_header(EventKind::StuckAndAbort, mode);
    emit(state, params, origin, Event { header, person, link, detail: NONE.runtime() }, config);
    state.persons[person_word(person, STATUS)] = STATUS_FINISHED;
    count(state, ABORTED, 1u32);
    done(state, params);
}

/// An agent that ends, begins or continues an activity or a leg.
#[derive(CubeType)]
pub struct JourneyOnDevice<'w> {
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    origin: EventOrigin,
    person: u32,
    /// Position in the list of all plan elements, followed by the first fields of that element.
    element: u32,
    code: u32,
    detail: u32,
    /// The next element, loaded long before it is needed; undefined after the last one of a plan. `time` and `duration`
    /// belong to the element reached by the next advance.
    next_code: u32,
    next_detail: u32,
    time: f64,
    duration: f64,
    link: u32,
    /// Whether the agent has arrived on the link that is being stepped. If so, it joins the waiting list directly,
    /// otherwise the departures of the link.
    on_link: bool,
    /// The beginning of the route, loaded before it is known whether the vehicle is on the link.
    position: u32,
    second: u32,
    /// Whether this is the half of the step in which activities end, before teleports.
    #[cube(comptime)]
    leaving: bool,
    #[cube(comptime)]
    config: KernelConfig,
}

#[cube]
impl JourneyView for JourneyOnDevice<'_> {
    fn look_ahead(&mut self) {
        let next = self.element + 1u32;
        self.next_code = self.state.plans[plan_word(next, CODE)];
        self.next_detail = self.state.plans[plan_word(next, DETAIL)];
        self.time = self.state.plan_times[(next * PLAN_REALS) as usize];
        self.duration = self.state.plan_times[(next * PLAN_REALS + 1u32) as usize];
    }

    fn advance(&mut self) -> bool {
        let goes_on = (self.code & IS_LAST) == 0u32;
        if goes_on {
            self.element += 1u32;
            self.code = self.next_code;
            self.detail = self.next_detail;
            self.state.persons[person_word(self.person, ELEMENT)] = self.element;
        }
        goes_on
    }

    fn is_last(&self) -> bool {
        (self.code & IS_LAST) != 0u32
    }

    fn is_leg(&self) -> bool {
        (self.code & IS_LEG) != 0u32
    }

    fn activity_or_leg(&self) -> u32 {
        self.detail
    }

    fn activity_end(&self) -> f64 {
        end_of_activity(
            (self.code & HAS_TIME) != 0u32,
            self.time,
            (self.code & HAS_DURATION) != 0u32,
            self.duration,
            self.params.time,
            self.params.run.neg_infinity,
            comptime!(self.config.interpretation),
        )
    }

    fn never(&self) -> f64 {
        self.params.run.neg_infinity
    }

    fn mode(&self) -> u32 {
        self.code & 0xFFu32
    }

    fn has_route(&self) -> bool {
        (self.code & IS_MISSING) == 0u32
    }

    fn is_driven(&self) -> bool {
        (self.code & IS_MAIN) != 0u32
    }

    fn is_transit_driver(&self) -> bool {
        transit::is_driver(self.params, self.person)
    }

    fn is_ride(&self) -> bool {
        (self.code & IS_RIDE) != 0u32
    }

    fn wait_at_stop(&mut self) {
        let stop = self.state.plans[plan_word(self.element, ACCESS_STOP)];
        let link = transit::link_of(self.state, stop);
        if link == self.link || link == NONE {
            let is_own = self.on_link && link != NONE;
            let mut at_once = self.on_link;
            if comptime!(self.leaving) {
                at_once = true;
            }
            if at_once {
                let reached = transit::arrival_order(self.params, false.runtime());
                transit::wait_at_stop(self.state, self.params, self.person, stop, reached, is_own);
            } else {
                // The link may be looking for persons at the stop at this moment.
                let reached = transit::arrival_order(self.params, true.runtime());
                self.state.persons[person_word(self.person, STATUS)] = STATUS_REACHES_STOP;
                self.state.persons[person_word(self.person, STOP_ORDER)] = reached;
                calendar::add(self.state, self.params, self.person, self.params.step + 1u32, 0u32);
            }
        } else {
            fail(self.state, self.params, ERROR_NOT_AT_STOP, self.person, stop, self.link);
            self.state.persons[person_word(self.person, STATUS)] = STATUS_FINISHED;
        }
    }

    fn has_travel_time(&self) -> bool {
        (self.code & HAS_TIME) != 0u32
    }

    fn travel_time(&self) -> f64 {
        self.time
    }

    fn destination(&self) -> u32 {
        self.state.plans[plan_word(self.element, PLAN_LINK)]
    }

    fn planned_vehicle(&mut self) -> u32 {
        self.position = self.state.plans[plan_word(self.element, ROUTE)];
        self.second = self.state.route_links[(self.position + 1u32) as usize];
        self.state.plans[plan_word(self.element, PLAN_VEHICLE)]
    }

    fn vehicle(&self) -> u32 {
        self.state.persons[person_word(self.person, VEHICLE)]
    }

    fn parking_link(&self, vehicle: u32) -> u32 {
        let mut place = NONE.runtime();
        if vehicle != NONE {
            place = self.state.vehicle_places[vehicle as usize];
        }
        place
    }

    fn set_parking_link(&mut self, vehicle: u32, place: u32) {
        self.state.vehicle_places[vehicle as usize] = place;
    }

    fn now(&self) -> f64 {
        self.params.time
    }

    fn link(&self) -> u32 {
        self.link
    }

    fn set_link(&mut self, link: u32) {
        self.link = link;
    }

    fn emit(&mut self, #[comptime] kind: EventKind, mode: u32, link: u32, detail: u32) {
        let header = event_header(kind, mode);
        let event = Event { header, person: self.person, link, detail };
        emit(self.state, self.params, &self.origin, event, self.config);
    }

    fn count_arrival(&mut self) {
        count(self.state, ARRIVALS, 1u32);
    }

    fn count_teleported_vehicle(&mut self) {
        count(self.state, TELEPORTED_VEHICLES, 1u32);
    }

    fn abort(&mut self, mode: u32) {
        abort(self.state, self.params, &self.origin, self.person, self.link, mode, self.config);
    }

    fn finish(&mut self) {
        self.state.persons[person_word(self.person, STATUS)] = STATUS_FINISHED;
        done(self.state, self.params);
    }

    fn stay_until(&mut self, end: f64) {
        self.state.due_times[self.person as usize] = end;
        self.state.persons[person_word(self.person, STATUS)] = STATUS_AT_ACTIVITY;
        self.state.persons[person_word(self.person, ACTIVITY_LINK)] = self.link;
        calendar::add(self.state, self.params, self.person, self.params.step + 1u32, 0u32);
    }

    fn teleport(&mut self, arrival: f64) -> bool {
        self.state.due_times[self.person as usize] = arrival;
        self.state.persons[person_word(self.person, STATUS)] = STATUS_TELEPORTED;
        let mut at_once = false;
        if comptime!(self.leaving) {
            calendar::add(self.state, self.params, self.person, self.params.step, 1u32);
        } else if arrival <= self.params.time {
            self.set_agent_origin();
            at_once = true;
        } else {
            calendar::add(self.state, self.params, self.person, self.params.step + 1u32, 1u32);
        }
        at_once
    }

    fn wait_for(&mut self, _vehicle: u32) {
        self.state.persons[person_word(self.person, STATUS)] = STATUS_WAITING_FOR_VEHICLE;
        self.state.persons[person_word(self.person, WAITING_LINK)] = self.link;
    }

    fn join_waiting(&mut self, vehicle: u32) {
        if comptime!(self.config.journeys.transit) {
            if transit::is_driver(self.params, self.person) {
                transit::begin_departure(self.state, self.params, self.person, self.element);
            }
        }
        let ahead = self.state.plans[plan_word(self.element, ROUTE_AHEAD)];
        let kind = (self.code >> KIND_SHIFT) & comptime!((1 << KIND_BITS) - 1);
        self.state.persons[person_word(self.person, NEXT_LINK)] = select(ahead > 0u32, self.second, ARRIVE.runtime());
        self.state.persons[person_word(self.person, POSITION)] = self.position;
        self.state.persons[person_word(self.person, AHEAD_KIND)] = (ahead << KIND_BITS) | kind;
        self.state.persons[person_word(self.person, VEHICLE)] = vehicle;
        self.state.persons[person_word(self.person, STATUS)] = STATUS_DRIVING;
        if self.on_link {
            append(self.state, self.link, self.person, WAITING);
        } else {
            // Agents that depart after a leg do so while or after links are stepped, so they join the departures of the
            // next step.
            let step = self.params.step + comptime!(u32::from(!self.leaving));
            let before = self.state.departures[departures_at(self.params, step, self.link)].swap(self.person);
            self.state.persons[person_word(self.person, NEXT)] = before;
        }
    }

    fn fail_without_vehicle(&mut self, _vehicle: u32, in_use: bool) {
        self.fail(select(in_use, ERROR_IN_USE, ERROR_VEHICLE));
    }

    fn fail_without_travel_time(&mut self) {
        self.fail(ERROR_NO_TIME.runtime());
    }
}

#[cube]
impl JourneyOnDevice<'_> {
    /// Makes the agent the origin of its further events; such events are sorted by descending id.
    fn set_agent_origin(&mut self) {
        if comptime!(self.leaving) {
            self.origin.phase = PHASE_AGENTS.runtime();
        } else {
            self.origin.phase = PHASE_TELEPORTS.runtime();
        }
        self.origin.owner = NONE - self.state.ranks[self.person as usize];
        self.on_link = false;
    }

    fn fail(&mut self, error: u32) {
        fail(self.state, self.params, error, self.person, self.element, self.link);
        self.state.persons[person_word(self.person, STATUS)] = STATUS_FINISHED;
    }
}

/// Creates the view of an agent that has arrived on `link`, which is being stepped, or of one that is due by itself.
#[cube]
fn journey_of<'w>(
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    person: u32,
    link: u32,
    on_link: bool,
    #[comptime] leaving: bool,
    #[comptime] config: KernelConfig,
) -> JourneyOnDevice<'w> {
    let element = state.persons[person_word(person, ELEMENT)];
    let code = state.plans[plan_word(element, CODE)];
    let detail = state.plans[plan_word(element, DETAIL)];
    let mut journey = JourneyOnDevice::<'w> {
        state,
        params,
        origin: EventOrigin { phase: PHASE_LINKS.runtime(), owner: link },
        person,
        element,
        code,
        detail,
        next_code: 0u32,
        next_detail: 0u32,
        time: 0.0f64,
        duration: 0.0f64,
        link,
        on_link,
        position: 0u32,
        second: 0u32,
        leaving,
        config,
    };
    if !on_link {
        journey.set_agent_origin();
    }
    journey
}

/// Ends an activity.
#[cube]
pub fn end_activity<'w>(
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    person: u32,
    #[comptime] config: KernelConfig,
) {
    let link = state.persons[person_word(person, ACTIVITY_LINK)];
    let mut journey = journey_of(state, params, person, link, false.runtime(), true, config);
    journey::end_activity::<JourneyOnDevice<'w>>(&mut journey, config.journeys);
}

/// Ends the leg of an agent that has arrived on `link`, which is being stepped, in a vehicle, or of a teleported agent.
#[cube]
pub fn end_leg<'w>(
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    person: u32,
    link: u32,
    on_link: bool,
    #[comptime] config: KernelConfig,
) {
    let mut journey = journey_of(state, params, person, link, on_link, false, config);
    journey::end_leg::<JourneyOnDevice<'w>>(&mut journey, on_link, config.journeys);
}
