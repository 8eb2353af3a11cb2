//! What agents do outside traffic: end activities, depart, arrive, be teleported.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::calendar;
use super::emit::{EventOrigin, count, done, emit, fail};
use super::lists::{append, departures_at, person_word};
use super::state::{DeviceState, KernelConfig, StepParameters};
use crate::rules::activity_end::end_of_activity;
use throng_traffic_scenario::events::EventKind;
use throng_traffic_scenario::settings::VehicleBehavior;

/// Phases, in the order of their events.
pub const PHASE_AGENTS: u32 = 0;
pub const PHASE_NODES: u32 = 1;
pub const PHASE_LINKS: u32 = 2;
pub const PHASE_TELEPORTS: u32 = 3;

/// Kind and mode of an event.
#[cube]
pub fn event_header(#[comptime] kind: EventKind, mode: u32) -> u32 {
    comptime!(kind as u32) | (mode << MODE_SHIFT)
}

/// The mode number of events without a mode.
pub const NO_MODE: u32 = 255;

#[cube]
fn plan_word(element: u32, word: u32) -> usize {
    (element * PLAN_WORDS + word) as usize
}

/// The origin of events of agents in one phase: agents are ordered by descending id text.
#[cube]
pub fn agent_origin(state: &DeviceState, person: u32, phase: u32) -> EventOrigin {
    EventOrigin { phase, owner: NONE - state.ranks[person as usize] }
}

/// Removes the agent from the simulation. Its vehicle, if it has one, is lost to other agents.
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
    emit(state, params, origin, event_header(EventKind::StuckAndAbort, mode), person, link, NONE, config);
    state.persons[person_word(person, STATUS)] = STATUS_FINISHED;
    count(state, ABORTED, 1u32);
    done(state, params);
}

/// The driver enters the vehicle, which joins the waiting list of the link. `second`: the link after the first, if
/// there is one.
#[cube]
fn enter_vehicle(
    state: &mut DeviceState,
    params: &StepParameters,
    origin: &EventOrigin,
    person: u32,
    element: u32,
    code: u32,
    vehicle: u32,
    second: u32,
    #[comptime] config: KernelConfig,
) {
    state.vehicle_places[vehicle as usize] = IN_USE;
    emit(
        state,
        params,
        origin,
        event_header(EventKind::PersonEntersVehicle, NO_MODE.runtime()),
        person,
        NONE,
        vehicle,
        config,
    );
    let position = state.plans[plan_word(element, ROUTE)];
    let ahead = state.plans[plan_word(element, ROUTE_AHEAD)];
    let kind = (code >> KIND_SHIFT) & comptime!((1 << KIND_BITS) - 1);
    state.persons[person_word(person, NEXT_LINK)] = select(ahead > 0u32, second, ARRIVE.runtime());
    state.persons[person_word(person, POSITION)] = position;
    state.persons[person_word(person, AHEAD_KIND)] = (ahead << KIND_BITS) | kind;
    state.persons[person_word(person, VEHICLE)] = vehicle;
    state.persons[person_word(person, STATUS)] = STATUS_DRIVING;
}

/// Tries to take the vehicle of a leg; true if the driver has it.
#[cube]
fn take_vehicle(
    state: &mut DeviceState,
    params: &StepParameters,
    origin: &EventOrigin,
    person: u32,
    element: u32,
    code: u32,
    link: u32,
    #[comptime] config: KernelConfig,
) -> bool {
    let vehicle = state.plans[plan_word(element, PLAN_VEHICLE)];
    let position = state.plans[plan_word(element, ROUTE)];
    let second = state.route_links[(position + 1u32) as usize];
    let mut place = NONE.runtime();
    if vehicle != NONE {
        place = state.vehicle_places[vehicle as usize];
    }
    let mut taken = place == link;
    if comptime!(config.behavior == VehicleBehavior::Teleport) {
        if !taken && place < IN_USE {
            taken = true;
            count(state, TELEPORTED_VEHICLES, 1u32);
        }
    }
    if taken {
        enter_vehicle(state, params, origin, person, element, code, vehicle, second, config);
    } else {
        match config.behavior {
            VehicleBehavior::Wait => {
                state.persons[person_word(person, STATUS)] = STATUS_WAITING_FOR_VEHICLE;
                state.persons[person_word(person, WAITING_LINK)] = link;
            }
            VehicleBehavior::Teleport | VehicleBehavior::Exception => {
                let mut error = ERROR_VEHICLE.runtime();
                if place == IN_USE {
                    error = ERROR_IN_USE.runtime();
                }
                fail(state, params, error, person, element, link);
                state.persons[person_word(person, STATUS)] = STATUS_FINISHED;
            }
        }
    }
    taken
}

/// The first fields of the plan element after another one, loaded long before they are needed.
#[derive(CubeType, Clone, Copy)]
pub struct Following {
    code: u32,
    detail: u32,
    time: f64,
    duration: f64,
}

/// Loads the element after `element`; undefined after the last one of a plan.
#[cube]
pub fn following(state: &DeviceState, element: u32) -> Following {
    let next = element + 1u32;
    Following {
        code: state.plans[plan_word(next, CODE)],
        detail: state.plans[plan_word(next, DETAIL)],
        time: state.plan_times[(next * PLAN_REALS) as usize],
        duration: state.plan_times[(next * PLAN_REALS + 1u32) as usize],
    }
}

/// Continues with the plan element after `from`, and with further ones for as long as they take no time. An agent that
/// departs in a vehicle joins the departures of the link; on the link that is being stepped (`on_link`) it joins the
/// waiting list itself, unless a teleport came in between. `leaving`: called in the half of the step in which
/// activities end, before teleports.
#[cube]
pub fn proceed(
    state: &mut DeviceState,
    params: &StepParameters,
    origin: &mut EventOrigin,
    person: u32,
    from: u32,
    first: &Following,
    at: u32,
    on_link: bool,
    #[comptime] leaving: bool,
    #[comptime] config: KernelConfig,
) {
    let mut element = from;
    let mut link = at;
    let mut here = on_link;
    let mut code = first.code;
    let mut detail = first.detail;
    let mut time = first.time;
    let mut duration = first.duration;
    let mut going = true;
    while going {
        if (state.plans[plan_word(element, CODE)] & IS_LAST) != 0u32 {
            abort(state, params, origin, person, link, NO_MODE.runtime(), config);
            going = false;
        } else {
            element += 1u32;
            state.persons[person_word(person, ELEMENT)] = element;
            let mode = code & 0xFFu32;
            if (code & IS_LEG) == 0u32 {
                emit(
                    state,
                    params,
                    origin,
                    event_header(EventKind::ActivityStart, NO_MODE.runtime()),
                    person,
                    link,
                    detail,
                    config,
                );
                let end = end_of_activity(
                    (code & HAS_TIME) != 0u32,
                    time,
                    (code & HAS_DURATION) != 0u32,
                    duration,
                    params.time,
                    params.run.neg_infinity,
                    config.interpretation,
                );
                if end == params.run.neg_infinity || (code & IS_LAST) != 0u32 {
                    state.persons[person_word(person, STATUS)] = STATUS_FINISHED;
                    done(state, params);
                    going = false;
                } else if end > params.time {
                    state.due_times[person as usize] = end;
                    state.persons[person_word(person, STATUS)] = STATUS_AT_ACTIVITY;
                    state.persons[person_word(person, ACTIVITY_LINK)] = link;
                    calendar::add(state, params, person, params.step + 1u32, 0u32);
                    going = false;
                } else {
                    emit(
                        state,
                        params,
                        origin,
                        event_header(EventKind::ActivityEnd, NO_MODE.runtime()),
                        person,
                        link,
                        detail,
                        config,
                    );
                }
            } else if (code & IS_MISSING) != 0u32 {
                abort(state, params, origin, person, link, mode, config);
                going = false;
            } else {
                emit(state, params, origin, event_header(EventKind::Departure, mode), person, link, detail, config);
                if (code & IS_MAIN) != 0u32 {
                    going = false;
                    if take_vehicle(state, params, origin, person, element, code, link, config) {
                        if here {
                            append(state, link, person, WAITING);
                        } else {
                            // Agents that depart after a leg do so after or while links are stepped, so they join the
                            // departures of the next step.
                            let step = params.step + comptime!(u32::from(!leaving));
                            let before = state.departures[departures_at(params, step, link)].swap(person);
                            state.persons[person_word(person, NEXT)] = before;
                        }
                    }
                } else if (code & HAS_TIME) == 0u32 {
                    fail(state, params, ERROR_NO_TIME, person, element, link);
                    state.persons[person_word(person, STATUS)] = STATUS_FINISHED;
                    going = false;
                } else {
                    let arrival = params.time + time;
                    state.due_times[person as usize] = arrival;
                    state.persons[person_word(person, STATUS)] = STATUS_TELEPORTED;
                    if comptime!(leaving) {
                        calendar::add(state, params, person, params.step, 1u32);
                        going = false;
                    } else if arrival <= params.time {
                        origin.phase = PHASE_TELEPORTS.runtime();
                        origin.owner = NONE - state.ranks[person as usize];
                        link = end_teleport(state, params, origin, person, element, config);
                        here = false;
                    } else {
                        calendar::add(state, params, person, params.step + 1u32, 1u32);
                        going = false;
                    }
                }
            }
        }
        if going {
            let next = following(state, element);
            code = next.code;
            detail = next.detail;
            time = next.time;
            duration = next.duration;
        }
    }
}

/// A teleported agent arrives; returns the link.
#[cube]
pub fn end_teleport(
    state: &mut DeviceState,
    params: &StepParameters,
    origin: &EventOrigin,
    person: u32,
    element: u32,
    #[comptime] config: KernelConfig,
) -> u32 {
    let mode = state.plans[plan_word(element, CODE)] & 0xFFu32;
    let detail = state.plans[plan_word(element, DETAIL)];
    let destination = state.plans[plan_word(element, PLAN_LINK)];
    emit(state, params, origin, event_header(EventKind::Travelled, mode), person, NONE, detail, config);
    emit(state, params, origin, event_header(EventKind::Arrival, mode), person, destination, detail, config);
    count(state, ARRIVALS, 1u32);
    destination
}

/// A vehicle arrives on a link, where it is parked. True if its driver can continue with the plan because the leg ends
/// here.
#[cube]
pub fn arrive(
    state: &mut DeviceState,
    params: &StepParameters,
    origin: &EventOrigin,
    link: u32,
    person: u32,
    #[comptime] config: KernelConfig,
) -> bool {
    let element = state.persons[person_word(person, ELEMENT)];
    let vehicle = state.persons[person_word(person, VEHICLE)];
    let mode = state.plans[plan_word(element, CODE)] & 0xFFu32;
    let detail = state.plans[plan_word(element, DETAIL)];
    let destination = state.plans[plan_word(element, PLAN_LINK)];
    state.vehicle_places[vehicle as usize] = link;
    emit(state, params, origin, event_header(EventKind::VehicleLeavesTraffic, mode), person, link, vehicle, config);
    emit(
        state,
        params,
        origin,
        event_header(EventKind::PersonLeavesVehicle, NO_MODE.runtime()),
        person,
        NONE,
        vehicle,
        config,
    );
    emit(state, params, origin, event_header(EventKind::Arrival, mode), person, destination, detail, config);
    count(state, ARRIVALS, 1u32);
    if destination != link {
        abort(state, params, origin, person, link, mode, config);
    }
    destination == link
}

/// An activity is over.
#[cube]
pub fn end_activity(state: &mut DeviceState, params: &StepParameters, person: u32, #[comptime] config: KernelConfig) {
    let mut origin = agent_origin(state, person, PHASE_AGENTS.runtime());
    let element = state.persons[person_word(person, ELEMENT)];
    let link = state.persons[person_word(person, ACTIVITY_LINK)];
    let next = following(state, element);
    // Plans may begin with a leg.
    if (state.plans[plan_word(element, CODE)] & IS_LEG) == 0u32 {
        let detail = state.plans[plan_word(element, DETAIL)];
        emit(
            state,
            params,
            &origin,
            event_header(EventKind::ActivityEnd, NO_MODE.runtime()),
            person,
            link,
            detail,
            config,
        );
    }
    let on_link = false;
    proceed(state, params, &mut origin, person, element, &next, link, on_link, true, config);
}
