//! The actions of agents outside traffic: ending activities, departing, arriving and continuing with their plans.

use throng_core::NONE;
use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_traffic_scenario::events::EventKind;
use throng_traffic_scenario::settings::VehicleBehavior;

/// The value of [`JourneyView::parking_link`] for a vehicle while it is driven.
pub const IN_USE: u32 = NONE - 1;
/// The value of [`JourneyView::parking_link`], at all times, for a vehicle that several persons drive: it can be taken
/// on any link, because the host finds out later whether it was there.
pub const ANYWHERE: u32 = NONE - 2;
/// The value of [`ModeId::NONE`](throng_traffic_scenario::ModeId::NONE).
pub const NO_MODE: u32 = 255;

/// The settings that decide about journeys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct JourneyRules {
    /// The behaviour of a driver whose vehicle is elsewhere.
    pub behavior: VehicleBehavior,
    /// Whether there is public transport.
    pub transit: bool,
    /// Whether there are vehicles that are [`ANYWHERE`].
    pub shared: bool,
}

/// The view of an agent that is not driving: the current element of its plan, and the link where it is.
#[cube]
pub trait JourneyView {
    /// Called some time before [`JourneyView::advance`], so that a device has read the next element in time.
    fn look_ahead(&mut self);
    /// Advances to the next element of the plan; false if there is none.
    fn advance(&mut self) -> bool;
    /// Whether the element is the last one of the plan.
    fn is_last(&self) -> bool;
    /// Whether the element is a leg.
    fn is_leg(&self) -> bool;
    /// Index of the activity or leg.
    fn activity_or_leg(&self) -> u32;
    /// End of the activity if it begins now, seconds of the day; [`JourneyView::never`] if undefined.
    fn activity_end(&self) -> f64;
    /// The time that represents never.
    fn never(&self) -> f64;
    /// Mode of the leg.
    fn mode(&self) -> u32;
    /// Whether the leg has a route.
    fn has_route(&self) -> bool;
    /// Whether the leg is driven on the network.
    fn is_driven(&self) -> bool;
    /// Whether the agent drives a vehicle of public transport, which has no activities between its departures.
    fn is_transit_driver(&self) -> bool;
    /// Whether the leg is a ride in a vehicle of public transport.
    fn is_ride(&self) -> bool;
    /// Whether the travel time of the leg is defined.
    fn has_travel_time(&self) -> bool;
    /// Travel time of a leg that is not driven, seconds.
    fn travel_time(&self) -> f64;
    /// The link where the leg ends.
    fn destination(&self) -> u32;
    /// The vehicle planned for the leg. Called once per leg; a device also reads the beginning of the route.
    fn planned_vehicle(&mut self) -> u32;
    /// The vehicle in which the agent has arrived.
    fn vehicle(&self) -> u32;
    /// The link where a vehicle is parked, [`IN_USE`], or `NONE` if it is not on any link or does not exist.
    fn parking_link(&self, vehicle: u32) -> u32;
    /// Sets [`JourneyView::parking_link`].
    fn set_parking_link(&mut self, vehicle: u32, place: u32);
    /// The current time, seconds of the day.
    fn now(&self) -> f64;
    /// The link where the agent is.
    fn link(&self) -> u32;
    /// Sets [`JourneyView::link`].
    fn set_link(&mut self, link: u32);

    /// Records an event of the agent.
    fn emit(&mut self, #[comptime] kind: EventKind, mode: u32, link: u32, detail: u32);
    /// Counts an arrival.
    fn count_arrival(&mut self);
    /// Counts a vehicle that is teleported to its driver.
    fn count_teleported_vehicle(&mut self);
    /// Removes the agent from the simulation. Its vehicle, if any, is lost to other agents.
    fn abort(&mut self, mode: u32);
    /// Leaves the agent in its activity forever.
    fn finish(&mut self);
    /// Schedules [`end_activity()`] at `end`, but not before the next step.
    fn stay_until(&mut self, end: f64);
    /// Schedules [`end_leg()`] at `arrival`. Returns true if the agent arrives immediately instead.
    fn teleport(&mut self, arrival: f64) -> bool;
    /// Makes the driver wait until the vehicle arrives on this link.
    fn wait_for(&mut self, vehicle: u32);
    /// Adds the driver, who has entered the vehicle, to the vehicles that wait to enter traffic on this link.
    fn join_waiting(&mut self, vehicle: u32);
    /// Joins the persons who wait at the stop of the ride, at the end.
    fn wait_at_stop(&mut self);
    /// Fails the run because the vehicle is elsewhere.
    fn fail_without_vehicle(&mut self, vehicle: u32, in_use: bool);
    /// Fails the run because the travel time is undefined.
    fn fail_without_travel_time(&mut self);
}

/// Ends an activity and continues with the plan.
#[cube]
pub fn end_activity<J: JourneyView>(journey: &mut J, #[comptime] rules: JourneyRules) {
    journey.look_ahead();
    emit_of_activity::<J>(journey, EventKind::ActivityEnd, rules);
    proceed::<J>(journey, rules);
}

/// Records the beginning or the end of an activity. Drivers of public transport have none.
#[cube]
fn emit_of_activity<J: JourneyView>(journey: &mut J, #[comptime] kind: EventKind, #[comptime] rules: JourneyRules) {
    if comptime!(rules.transit) {
        if !journey.is_transit_driver() {
            journey.emit(kind, NO_MODE.runtime(), journey.link(), journey.activity_or_leg());
        }
    } else {
        journey.emit(kind, NO_MODE.runtime(), journey.link(), journey.activity_or_leg());
    }
}

/// Ends a leg and continues with the plan. `in_vehicle`: the agent has arrived on the link in a vehicle, and leaves it;
/// otherwise the agent is teleported to the end of the leg.
#[cube]
pub fn end_leg<J: JourneyView>(journey: &mut J, in_vehicle: bool, #[comptime] rules: JourneyRules) {
    journey.look_ahead();
    let mut goes_on = true;
    if in_vehicle {
        goes_on = leave_vehicle::<J>(journey, rules);
    } else {
        end_teleport::<J>(journey);
    }
    if goes_on {
        proceed::<J>(journey, rules);
    }
}

/// Continues with the next element of the plan, and with further elements while they take no time.
#[cube]
fn proceed<J: JourneyView>(journey: &mut J, #[comptime] rules: JourneyRules) {
    let mut going = true;
    while going {
        if !journey.advance() {
            journey.abort(NO_MODE.runtime());
            going = false;
        } else if journey.is_leg() {
            going = begin_leg::<J>(journey, rules);
        } else {
            going = begin_activity::<J>(journey, rules);
        }
        if going {
            journey.look_ahead();
        }
    }
}

/// Begins an activity. Returns whether it has ended already.
#[cube]
fn begin_activity<J: JourneyView>(journey: &mut J, #[comptime] rules: JourneyRules) -> bool {
    emit_of_activity::<J>(journey, EventKind::ActivityStart, rules);
    let mut over = false;
    let end = journey.activity_end();
    if journey.is_last() || end == journey.never() {
        journey.finish();
    } else if end > journey.now() {
        journey.stay_until(end);
    } else {
        emit_of_activity::<J>(journey, EventKind::ActivityEnd, rules);
        over = true;
    }
    over
}

/// Begins a leg. Returns whether it has ended already.
#[cube]
fn begin_leg<J: JourneyView>(journey: &mut J, #[comptime] rules: JourneyRules) -> bool {
    let mut over = false;
    let mode = journey.mode();
    if journey.has_route() {
        if comptime!(rules.transit) {
            if journey.is_transit_driver() {
                let leg = journey.activity_or_leg();
                journey.emit(EventKind::TransitDriverStarts, NO_MODE.runtime(), NONE.runtime(), leg);
            }
        }
        journey.emit(EventKind::Departure, mode, journey.link(), journey.activity_or_leg());
        if journey.is_driven() {
            take_vehicle::<J>(journey, rules);
        } else if comptime!(rules.transit) {
            if journey.is_ride() {
                begin_ride::<J>(journey);
            } else {
                over = begin_teleport::<J>(journey);
            }
        } else {
            over = begin_teleport::<J>(journey);
        }
    } else {
        journey.abort(mode);
    }
    over
}

/// Begins a ride in public transport, at a stop.
#[cube]
fn begin_ride<J: JourneyView>(journey: &mut J) {
    let leg = journey.activity_or_leg();
    journey.emit(EventKind::WaitingForPt, NO_MODE.runtime(), NONE.runtime(), leg);
    journey.wait_at_stop();
}

/// Begins a leg that is not simulated on the network. Returns whether it has ended already.
#[cube]
fn begin_teleport<J: JourneyView>(journey: &mut J) -> bool {
    let mut over = false;
    if journey.has_travel_time() {
        over = journey.teleport(journey.now() + journey.travel_time());
        if over {
            end_teleport::<J>(journey);
        }
    } else {
        journey.fail_without_travel_time();
    }
    over
}

/// Takes the vehicle of the leg if it is parked on this link; otherwise follows `behavior`.
#[cube]
fn take_vehicle<J: JourneyView>(journey: &mut J, #[comptime] rules: JourneyRules) {
    let vehicle = journey.planned_vehicle();
    let place = journey.parking_link(vehicle);
    let mut taken = place == journey.link();
    if comptime!(rules.shared) {
        taken = taken || place == ANYWHERE;
    }
    if comptime!(rules.behavior == VehicleBehavior::Teleport) {
        if !taken && place < IN_USE {
            taken = true;
            journey.count_teleported_vehicle();
        }
    }
    if taken {
        depart::<J>(journey, vehicle, rules);
    } else {
        match comptime!(rules.behavior) {
            VehicleBehavior::Wait => journey.wait_for(vehicle),
            VehicleBehavior::Teleport | VehicleBehavior::Exception => {
                journey.fail_without_vehicle(vehicle, place == IN_USE);
            }
        }
    }
}

/// Puts the driver into the vehicle, which joins the waiting list of the link.
#[cube]
pub fn depart<J: JourneyView>(journey: &mut J, vehicle: u32, #[comptime] rules: JourneyRules) {
    park::<J>(journey, vehicle, IN_USE.runtime(), rules);
    journey.emit(EventKind::PersonEntersVehicle, NO_MODE.runtime(), NONE.runtime(), vehicle);
    journey.join_waiting(vehicle);
}

/// Sets the place of a vehicle, unless it is [`ANYWHERE`].
#[cube]
fn park<J: JourneyView>(journey: &mut J, vehicle: u32, place: u32, #[comptime] rules: JourneyRules) {
    if comptime!(rules.shared) {
        if journey.parking_link(vehicle) != ANYWHERE {
            journey.set_parking_link(vehicle, place);
        }
    } else {
        journey.set_parking_link(vehicle, place);
    }
}

/// Lets a driver park the vehicle and leave it, or a passenger leave it at a stop. Returns whether the agent continues
/// with the plan, because the leg ends on this link.
#[cube]
fn leave_vehicle<J: JourneyView>(journey: &mut J, #[comptime] rules: JourneyRules) -> bool {
    let vehicle = journey.vehicle();
    let mut drives = true;
    if comptime!(rules.transit) {
        drives = journey.is_driven();
    }
    if drives {
        park::<J>(journey, vehicle, journey.link(), rules);
        journey.emit(EventKind::VehicleLeavesTraffic, journey.mode(), journey.link(), vehicle);
    }
    journey.emit(EventKind::PersonLeavesVehicle, NO_MODE.runtime(), NONE.runtime(), vehicle);
    end_where_planned::<J>(journey)
}

/// Records the arrival of an agent in a vehicle. Returns whether the leg ends on this link; otherwise the agent is
/// removed.
#[cube]
fn end_where_planned<J: JourneyView>(journey: &mut J) -> bool {
    let (mode, destination) = (journey.mode(), journey.destination());
    journey.emit(EventKind::Arrival, mode, destination, journey.activity_or_leg());
    journey.count_arrival();
    let goes_on = destination == journey.link();
    if !goes_on {
        journey.abort(mode);
    }
    goes_on
}

/// Completes the arrival of a teleported agent.
#[cube]
fn end_teleport<J: JourneyView>(journey: &mut J) {
    let (mode, destination) = (journey.mode(), journey.destination());
    journey.emit(EventKind::Travelled, mode, NONE.runtime(), journey.activity_or_leg());
    journey.emit(EventKind::Arrival, mode, destination, journey.activity_or_leg());
    journey.count_arrival();
    journey.set_link(destination);
}
