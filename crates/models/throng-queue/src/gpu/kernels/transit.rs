//! Public transport in device memory: persons who wait at stops or ride, and vehicles at stops. The rules are
//! `crate::rules::stops` and `crate::rules::doors`.
//!
//! A stop belongs to its link, like the vehicles there and the persons who wait or ride in them; while a vehicle is
//! in a buffer, its passengers belong to the end node. Agents who reach a stop in the first half of a step join a
//! list, which the link's thread appends to the waiting list before it serves the stop. Teleported persons join it in
//! the next step, because links and teleports run concurrently; their place in the order of waiting persons is that
//! of the teleport.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::emit::{Event, EventOrigin, emit, fail};
use super::journey::{PHASE_LINKS, abort, end_ride, event_header};
use super::lists::{person_word, sorted};
use super::queue;
use super::state::{DeviceState, KernelConfig, StepParameters};
use crate::rules::doors::{AtDoors, AtDoorsExpand, DoorTimes, Doors};
use crate::rules::journey::NO_MODE;
use crate::rules::stops::{self, VehicleAtStops, VehicleAtStopsExpand};
use throng_traffic_scenario::events::EventKind;

#[cube]
fn stop_word(stop: u32, word: u32) -> usize {
    (stop * STOP_WORDS + word) as usize
}

#[cube]
fn call_word(params: &StepParameters, call: u32, word: u32) -> usize {
    (params.run.transit.calls + call * CALL_WORDS + word) as usize
}

#[cube]
fn driver_word(params: &StepParameters, driver: u32, word: u32) -> usize {
    (params.run.transit.drivers + (driver - params.run.transit.first_driver) * DRIVER_WORDS + word) as usize
}

#[cube]
fn driver_real(params: &StepParameters, driver: u32, real: u32) -> usize {
    (params.run.transit.driver_reals + (driver - params.run.transit.first_driver) * DRIVER_REALS + real) as usize
}

#[cube]
fn denied_word(params: &StepParameters, entry: u32, word: u32) -> usize {
    (params.run.transit.denied + entry * DENIED_WORDS + word) as usize
}

/// Returns the index of the first vehicle at the stops of a link.
#[cube]
fn first_at_stops(params: &StepParameters, link: u32) -> usize {
    (params.run.transit.vehicles_at_stops + link) as usize
}

/// Returns the index of the list of agents who have reached a stop.
#[cube]
fn reached_at(params: &StepParameters, stop: u32) -> usize {
    (2u32 * params.run.links + stop) as usize
}

/// Whether a person drives a vehicle of public transport.
#[cube]
pub fn is_driver(params: &StepParameters, person: u32) -> bool {
    person >= params.run.transit.first_driver
}

#[cube]
fn plan_word(state: &DeviceState, person: u32, word: u32) -> u32 {
    let element = state.persons[person_word(person, ELEMENT)];
    state.plans[(element * PLAN_WORDS + word) as usize]
}

/// Begins a departure of public transport at a leg, given as a plan element.
#[cube]
pub fn begin_departure(state: &mut DeviceState, params: &StepParameters, driver: u32, element: u32) {
    let leg = element * PLAN_WORDS;
    state.transit_words[driver_word(params, driver, CALL)] = state.plans[(leg + FIRST_CALL) as usize];
    state.transit_words[driver_word(params, driver, CALL_END)] = state.plans[(leg + END_OF_CALLS) as usize];
    state.transit_words[driver_word(params, driver, HAS_ARRIVED)] = 0u32;
    let mut departed = state.transit_reals[driver_real(params, driver, ENDED)];
    let before = element - 1u32;
    let code = state.plans[(before * PLAN_WORDS + CODE) as usize];
    if (code & IS_LEG) == 0u32 && (code & HAS_TIME) != 0u32 {
        departed = f64::max(departed, state.plan_times[(before * PLAN_REALS) as usize]);
    }
    state.transit_reals[driver_real(params, driver, DEPARTED)] = departed;
}

/// Ends a departure: the vehicle must have called at all stops.
#[cube]
pub fn end_departure(state: &mut DeviceState, params: &StepParameters, driver: u32, link: u32) {
    if is_driver(params, driver) {
        state.transit_reals[driver_real(params, driver, ENDED)] = params.time;
        let call = state.transit_words[driver_word(params, driver, CALL)];
        if call < state.transit_words[driver_word(params, driver, CALL_END)] {
            let stop = state.transit_words[call_word(params, call, CALL_STOP)];
            fail(state, params, ERROR_STOP_NOT_REACHED, driver, stop, link);
        }
    }
}

/// Returns the order in which persons reach a stop: by step, and those who are teleported after the others.
#[cube]
pub fn arrival_order(params: &StepParameters, teleported: bool) -> u32 {
    2u32 * params.step + select(teleported, 1u32, 0u32)
}

/// Returns the link of a stop.
#[cube]
pub fn link_of(state: &DeviceState, stop: u32) -> u32 {
    state.transit_words[stop_word(stop, STOP_LINK)]
}

/// Lets a person wait at a stop; `is_own`: its link is being stepped.
#[cube]
pub fn wait_at_stop(
    state: &mut DeviceState,
    params: &StepParameters,
    person: u32,
    stop: u32,
    reached: u32,
    is_own: bool,
) {
    state.persons[person_word(person, STATUS)] = STATUS_AT_STOP;
    state.persons[person_word(person, DENIED_BY)] = NONE;
    state.persons[person_word(person, STOP_ORDER)] = reached;
    if is_own {
        take_reached(state, params, stop);
        append(state, stop_word(stop, WAITING_PERSONS), person, person);
    } else {
        let before = state.departures[reached_at(params, stop)].swap(person);
        state.persons[person_word(person, NEXT)] = before;
    }
}

/// Lets a person who has reached the stop in the previous step join those who wait.
#[cube]
pub fn join_reached(state: &mut DeviceState, params: &StepParameters, person: u32) {
    let stop = plan_word(state, person, ACCESS_STOP);
    let reached = state.persons[person_word(person, STOP_ORDER)];
    wait_at_stop(state, params, person, stop, reached, false.runtime());
}

/// Appends the agents who have reached a stop to those who wait there, in order.
#[cube]
fn take_reached(state: &mut DeviceState, params: &StepParameters, stop: u32) {
    let reached = state.departures[reached_at(params, stop)].swap(NONE);
    if reached != NONE {
        let list = sorted(state, reached, true);
        append(state, stop_word(stop, WAITING_PERSONS), list.first, list.last);
    }
}

/// Appends a chain of linked persons to the list whose first person is at an index, followed by the last one.
#[cube]
fn append(state: &mut DeviceState, list: usize, from: u32, to: u32) {
    state.persons[person_word(to, NEXT)] = NONE;
    if state.transit_words[list] == NONE {
        state.transit_words[list] = from;
    } else {
        let last = state.transit_words[list + 1];
        state.persons[person_word(last, NEXT)] = from;
    }
    state.transit_words[list + 1] = to;
}

/// Removes a person from a list; `before` is the person in front, or `NONE`.
#[cube]
fn remove(state: &mut DeviceState, list: usize, before: u32, person: u32) {
    let next = state.persons[person_word(person, NEXT)];
    if before == NONE {
        state.transit_words[list] = next;
    } else {
        state.persons[person_word(before, NEXT)] = next;
    }
    if next == NONE {
        state.transit_words[list + 1] = before;
    }
}

/// Removes the passengers of a vehicle that is removed from the simulation, where they boarded.
#[cube]
pub fn abort_passengers(
    state: &mut DeviceState,
    params: &StepParameters,
    origin: &EventOrigin,
    driver: u32,
    #[comptime] config: KernelConfig,
) {
    if is_driver(params, driver) {
        let first = driver_word(params, driver, PASSENGERS);
        let mut person = state.transit_words[first];
        state.transit_words[first] = NONE;
        while person != NONE {
            let next = state.persons[person_word(person, NEXT)];
            let link = plan_word(state, person, ACCESS_LINK);
            let mode = plan_word(state, person, CODE) & 0xFFu32;
            abort(state, params, origin, person, link, mode, config);
            person = next;
        }
    }
}

/// Adds a vehicle to those at the stops of a link, at the end.
#[cube]
pub fn join_stops(state: &mut DeviceState, params: &StepParameters, link: u32, person: u32) {
    state.persons[person_word(person, NEXT)] = NONE;
    let first = first_at_stops(params, link);
    let mut last = state.transit_words[first];
    if last == NONE {
        state.transit_words[first] = person;
    } else {
        let mut next = state.persons[person_word(last, NEXT)];
        while next != NONE {
            last = next;
            next = state.persons[person_word(last, NEXT)];
        }
        state.persons[person_word(last, NEXT)] = person;
    }
}

/// Returns the vehicles at the stops of a link whose exit time has come to the front of the queue. The first to leave
/// is the last to be put in front.
#[cube]
pub fn leave_stops(state: &mut DeviceState, params: &StepParameters, link: u32, #[comptime] config: KernelConfig) {
    let first = first_at_stops(params, link);
    let mut leaving = state.transit_words[first] != NONE;
    while leaving {
        let mut last = NONE.runtime();
        let mut before_last = NONE.runtime();
        let mut before = NONE.runtime();
        let mut person = state.transit_words[first];
        while person != NONE {
            let mut is_later = state.due_times[person as usize] <= params.time;
            if is_later && last != NONE {
                let (exit, other) = (state.due_times[person as usize], state.due_times[last as usize]);
                let has_lower_id = vehicle_rank(state, params, person) < vehicle_rank(state, params, last);
                is_later = exit > other || (exit == other && has_lower_id);
            }
            if is_later {
                last = person;
                before_last = before;
            }
            before = person;
            person = state.persons[person_word(person, NEXT)];
        }
        leaving = last != NONE;
        if leaving {
            let next = state.persons[person_word(last, NEXT)];
            if before_last == NONE {
                state.transit_words[first] = next;
            } else {
                state.persons[person_word(before_last, NEXT)] = next;
            }
            queue::push_to_front(state, params, link, last, config);
        }
    }
}

#[cube]
fn vehicle_rank(state: &DeviceState, params: &StepParameters, driver: u32) -> u32 {
    let vehicle = state.persons[person_word(driver, VEHICLE)];
    state.transit_words[(params.run.transit.vehicle_ranks + vehicle) as usize]
}

/// Returns the vehicle at the stops of a link that leaves first, or `NONE`.
#[cube]
pub fn next_to_leave(state: &DeviceState, params: &StepParameters, link: u32) -> u32 {
    let mut first = state.transit_words[first_at_stops(params, link)];
    let mut person = first;
    while person != NONE {
        if state.due_times[person as usize] < state.due_times[first as usize] {
            first = person;
        }
        person = state.persons[person_word(person, NEXT)];
    }
    first
}

/// Whether a link has vehicles at stops.
#[cube]
pub fn has_vehicles_at_stops(state: &DeviceState, params: &StepParameters, link: u32) -> bool {
    state.transit_words[first_at_stops(params, link)] != NONE
}

/// Whether the stop of a vehicle's next call blocks the vehicles behind it.
#[cube]
pub fn stop_is_blocking(state: &DeviceState, params: &StepParameters, driver: u32) -> bool {
    let call = state.transit_words[driver_word(params, driver, CALL)];
    let stop = state.transit_words[call_word(params, call, CALL_STOP)];
    state.transit_words[stop_word(stop, IS_BLOCKING)] != 0u32
}

/// Serves the stops of a vehicle that are on a link and next on its route. Returns whether the vehicle stays at one of
/// them; then its exit time is the time of the next call.
#[cube]
pub fn stays_at_stop<'w>(
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    link: u32,
    driver: u32,
    #[comptime] config: KernelConfig,
) -> bool {
    let mut stays = false.runtime();
    if is_driver(params, driver) {
        let vehicle = state.persons[person_word(driver, VEHICLE)];
        let kind = state.persons[person_word(driver, AHEAD_KIND)] & comptime!((1u32 << KIND_BITS) - 1);
        let mut at_stops = AtStopsOnDevice::<'w> {
            state,
            params,
            link,
            driver,
            vehicle,
            doors: params.run.transit.doors + kind * DOOR_REALS,
            alighting: 0u32.runtime(),
            boarding: 0u32.runtime(),
            config,
        };
        let stay_s = stops::serve_stops::<AtStopsOnDevice<'w>>(&mut at_stops, params.time);
        stays = stay_s > 0.0f64;
        if stays {
            at_stops.state.due_times[driver as usize] = params.time + stay_s;
        }
    }
    stays
}

/// A vehicle of public transport at the end of a link.
#[derive(CubeType)]
pub struct AtStopsOnDevice<'w> {
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    link: u32,
    driver: u32,
    vehicle: u32,
    /// The first real of the doors of the vehicle's type.
    doors: u32,
    /// Number of passengers who have yet to alight: the first of those with this destination.
    alighting: u32,
    /// Number of waiting persons who have yet to board: the first of those who want to.
    boarding: u32,
    #[cube(comptime)]
    config: KernelConfig,
}

#[cube]
impl AtStopsOnDevice<'_> {
    fn word(&self, word: u32) -> usize {
        driver_word(self.params, self.driver, word)
    }

    fn real(&self, real: u32) -> usize {
        driver_real(self.params, self.driver, real)
    }

    fn door_real(&self, real: u32) -> f64 {
        self.state.transit_reals[(self.doors + real) as usize]
    }

    fn call(&self) -> u32 {
        self.state.transit_words[self.word(CALL)]
    }

    /// The stop of the next call.
    fn stop(&self) -> u32 {
        self.state.transit_words[call_word(self.params, self.call(), CALL_STOP)]
    }

    fn emit(&mut self, #[comptime] kind: EventKind, person: u32, link: u32, detail: u32) {
        let origin = EventOrigin { phase: PHASE_LINKS.runtime(), owner: self.link };
        let header = event_header(kind, NO_MODE.runtime());
        emit(self.state, self.params, &origin, Event { header, person, link, detail }, self.config);
    }

    fn emit_at_stop(&mut self, #[comptime] kind: EventKind) {
        let (leg, call) = (plan_word(self.state, self.driver, DETAIL), self.call());
        self.emit(kind, NONE.runtime(), leg, call);
    }

    /// Whether the vehicle takes a waiting person: it is of the line, and will call at the destination.
    fn takes(&self, person: u32) -> bool {
        let call = self.call();
        let line = self.state.transit_words[call_word(self.params, call, CALL_LINE)];
        let mut wanted = false.runtime();
        if plan_word(self.state, person, RIDE_LINE) == line {
            let destination = plan_word(self.state, person, EGRESS_STOP);
            let end = self.state.transit_words[self.word(CALL_END)];
            let mut later = call + 1u32;
            while later < end && !wanted {
                wanted = self.state.transit_words[call_word(self.params, later, CALL_STOP)] == destination;
                later += 1u32;
            }
        }
        wanted
    }

    /// Adds a person to those who found no place, unless it is among them. A person whom another vehicle denied last
    /// may have been denied by this one before.
    fn deny(&mut self, person: u32) {
        if self.state.persons[person_word(person, DENIED_BY)] != self.driver {
            self.state.persons[person_word(person, DENIED_BY)] = self.driver;
            let mut before = self.word(DENIED);
            let mut entry = self.state.transit_words[before];
            let mut found = NONE.runtime();
            let mut searching = true.runtime();
            while searching {
                searching = entry != NONE;
                if searching {
                    found = self.state.transit_words[denied_word(self.params, entry, DENIED_PERSON)];
                    searching = found < person;
                }
                if searching {
                    before = denied_word(self.params, entry, NEXT_DENIED);
                    entry = self.state.transit_words[before];
                }
            }
            if entry == NONE || found != person {
                self.insert_denied(before, entry, person);
            }
        }
    }

    /// Clears the marks of [`Self::deny`]. Persons who have left the stop may be on another link, whose thread reads
    /// and writes them.
    fn clear_marks(&mut self) {
        let mut person = self.state.transit_words[stop_word(self.stop(), WAITING_PERSONS)];
        while person != NONE {
            if self.state.persons[person_word(person, DENIED_BY)] == self.driver {
                self.state.persons[person_word(person, DENIED_BY)] = NONE;
            }
            person = self.state.persons[person_word(person, NEXT)];
        }
    }

    /// Inserts an entry in front of `next` into a list; `before` is the index of the word that refers to `next`.
    fn insert_denied(&mut self, before: usize, next: u32, person: u32) {
        let spare = stop_word(self.stop(), SPARE_DENIED);
        let mut entry = self.state.transit_words[spare];
        if entry == NONE {
            let created = reached_at(self.params, self.params.run.transit.stops);
            entry = self.state.departures[created].fetch_add(1u32);
        } else {
            self.state.transit_words[spare] = self.state.transit_words[denied_word(self.params, entry, NEXT_DENIED)];
        }
        if entry >= self.params.run.transit.denied_capacity {
            fail(self.state, self.params, ERROR_DENIED, person, 0u32.runtime(), self.link);
        } else {
            self.state.transit_words[denied_word(self.params, entry, DENIED_PERSON)] = person;
            self.state.transit_words[denied_word(self.params, entry, NEXT_DENIED)] = next;
            self.state.transit_words[before] = entry;
        }
    }
}

#[cube]
impl VehicleAtStops for AtStopsOnDevice<'_> {
    fn is_at_next_stop(&self) -> bool {
        let mut is_here = false.runtime();
        if self.call() < self.state.transit_words[self.word(CALL_END)] {
            is_here = link_of(self.state, self.stop()) == self.link;
        }
        is_here
    }

    fn has_arrived(&self) -> bool {
        self.state.transit_words[self.word(HAS_ARRIVED)] != 0u32
    }

    fn arrive_at_stop(&mut self) {
        let has_arrived = self.word(HAS_ARRIVED);
        self.state.transit_words[has_arrived] = 1u32;
        self.emit_at_stop(EventKind::VehicleArrivesAtFacility);
    }

    fn find_persons(&mut self) {
        let stop = self.stop();
        let mut aboard = 0u32.runtime();
        self.alighting = 0u32;
        let mut person = self.state.transit_words[self.word(PASSENGERS)];
        while person != NONE {
            aboard += 1u32;
            if plan_word(self.state, person, EGRESS_STOP) == stop {
                self.alighting += 1u32;
            }
            person = self.state.persons[person_word(person, NEXT)];
        }
        let places = u32::cast_from(self.door_real(PASSENGER_CAPACITY)) + self.alighting;
        let mut free = places - u32::min(places, aboard);
        take_reached(self.state, self.params, stop);
        self.boarding = 0u32;
        person = self.state.transit_words[stop_word(stop, WAITING_PERSONS)];
        while person != NONE {
            let next = self.state.persons[person_word(person, NEXT)];
            if self.takes(person) {
                if free > 0u32 {
                    free -= 1u32;
                    self.boarding += 1u32;
                } else {
                    if comptime!(self.config.boarding_denied) {
                        self.deny(person);
                    }
                }
            }
            person = next;
            if comptime!(!self.config.boarding_denied) {
                if free == 0u32 {
                    person = NONE;
                }
            }
        }
    }

    fn doors(&self) -> Doors {
        Doors {
            open: self.state.transit_words[self.word(DOORS_OPEN)] != 0u32,
            boarding_s: self.state.transit_reals[self.real(BOARDING)],
            alighting_s: self.state.transit_reals[self.real(ALIGHTING)],
        }
    }

    fn set_doors(&mut self, doors: Doors) {
        let (open, boarding, alighting) = (self.word(DOORS_OPEN), self.real(BOARDING), self.real(ALIGHTING));
        self.state.transit_words[open] = select(doors.open, 1u32, 0u32);
        self.state.transit_reals[boarding] = doors.boarding_s;
        self.state.transit_reals[alighting] = doors.alighting_s;
    }

    fn door_times(&self) -> DoorTimes {
        DoorTimes {
            access_s: self.door_real(ACCESS),
            egress_s: self.door_real(EGRESS),
            parallel: self.door_real(PARALLEL) != 0.0f64,
        }
    }

    fn report_denied(&mut self) {
        if comptime!(self.config.boarding_denied) {
            let (first, spare) = (self.word(DENIED), stop_word(self.stop(), SPARE_DENIED));
            let mut entry = self.state.transit_words[first];
            while entry != NONE {
                let person = self.state.transit_words[denied_word(self.params, entry, DENIED_PERSON)];
                self.emit(EventKind::BoardingDenied, person, NONE.runtime(), self.vehicle);
                let link = denied_word(self.params, entry, NEXT_DENIED);
                let next = self.state.transit_words[link];
                self.state.transit_words[link] = self.state.transit_words[spare];
                self.state.transit_words[spare] = entry;
                entry = next;
            }
            self.state.transit_words[first] = NONE;
            self.clear_marks();
        }
    }

    fn waits_until(&self) -> f64 {
        let mut until = self.params.run.neg_infinity;
        let call = self.call();
        if self.state.transit_words[call_word(self.params, call, CALL_AWAITS)] != 0u32 {
            until = self.state.transit_reals[self.real(DEPARTED)] + self.state.transit_reals[call as usize];
        }
        until
    }

    fn depart_from_stop(&mut self) {
        self.emit_at_stop(EventKind::VehicleDepartsAtFacility);
        let (call, has_arrived) = (self.word(CALL), self.word(HAS_ARRIVED));
        self.state.transit_words[call] += 1u32;
        self.state.transit_words[has_arrived] = 0u32;
    }
}

#[cube]
impl AtDoors for AtStopsOnDevice<'_> {
    fn alights(&self) -> bool {
        self.alighting > 0u32
    }

    fn boards(&self) -> bool {
        self.boarding > 0u32
    }

    fn alight_first(&mut self) {
        let (stop, list) = (self.stop(), self.word(PASSENGERS));
        let mut before = NONE.runtime();
        let mut person = self.state.transit_words[list];
        while plan_word(self.state, person, EGRESS_STOP) != stop {
            before = person;
            person = self.state.persons[person_word(person, NEXT)];
        }
        remove(self.state, list, before, person);
        self.alighting -= 1u32;
        end_ride(self.state, self.params, person, self.link, self.config);
    }

    fn board_first(&mut self) -> bool {
        let list = self.word(PASSENGERS);
        let mut aboard = 0u32.runtime();
        let mut person = self.state.transit_words[list];
        while person != NONE {
            aboard += 1u32;
            person = self.state.persons[person_word(person, NEXT)];
        }
        let has_room = aboard < u32::cast_from(self.door_real(PASSENGER_CAPACITY));
        if has_room {
            let waiting = stop_word(self.stop(), WAITING_PERSONS);
            let mut before = NONE.runtime();
            person = self.state.transit_words[waiting];
            while !self.takes(person) {
                before = person;
                person = self.state.persons[person_word(person, NEXT)];
            }
            remove(self.state, waiting, before, person);
            self.boarding -= 1u32;
            self.emit(EventKind::PersonEntersVehicle, person, NONE.runtime(), self.vehicle);
            self.state.persons[person_word(person, VEHICLE)] = self.vehicle;
            self.state.persons[person_word(person, STATUS)] = STATUS_RIDES;
            append(self.state, list, person, person);
        }
        has_room
    }
}
