//! The view of a vehicle at its next stop for the rules of `crate::rules::stops`.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::copied;

use super::super::super::record::*;
use super::super::emit::{Event, EventOrigin, emit, fail};
use super::super::journey::{PHASE_LINKS, event_header};
use super::super::lists::{Ends, join_chain, person_word};
use super::super::state::{DeviceState, KernelConfig, StepParameters};
use super::passengers::{self, passenger_list};
use super::persons::remove_person;
use super::waiting::{first_reached, take_reached};
use super::{call_word, denied_word, driver_real, driver_word, is_driver, plan_word, reached_at, stop_word};
use crate::rules::doors::{AtDoors, AtDoorsExpand, DoorTimes, Doors};
use crate::rules::journey::NO_MODE;
use crate::rules::stops::{self, VehicleAtStops, VehicleAtStopsExpand};
use throng_traffic_scenario::events::EventKind;

/// Serves the stops of a vehicle that are on a link and next on its route. Returns whether the vehicle stays at one of
/// them; then its exit time is the time of the next call. `alighted`, empty before, receives those who alight.
#[cube]
pub fn stays_at_stop<'w>(
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    link: u32,
    driver: u32,
    alighted: &mut Ends,
    #[comptime] config: KernelConfig,
) -> bool {
    let mut stays = false.runtime();
    if is_driver(params, driver) {
        let mut at_stops = at_stops_on_device(state, params, link, driver, config);
        let stay_s = stops::serve_stops::<AtStopsOnDevice<'w>>(&mut at_stops, params.time);
        stays = stay_s > 0.0f64;
        if stays {
            at_stops.state.due_times[driver as usize] = params.time + stay_s;
        }
        alighted.first = at_stops.alighted.first;
        alighted.last = at_stops.alighted.last;
    }
    stays
}

/// A call of a vehicle at a stop.
#[derive(CubeType, CubeTypeMut, Clone, Copy)]
struct Call {
    /// The call, or the end of the calls of the leg after the last one, when the other fields are undefined.
    number: u32,
    line: u32,
    stop: u32,
    flags: u32,
    /// Planned departure after that of the vehicle, seconds.
    offset_s: f64,
    /// Where the list of passengers who alight there begins, and their number.
    passengers: u32,
    alighting: u32,
    /// The link of the stop.
    link: u32,
    /// The first of the persons who wait there, and those who have reached it since.
    waiting: u32,
    latest: u32,
}

/// A vehicle of public transport at the end of a link.
///
/// Memory latency dominates, so everything is loaded before any of it is used: first the driver, then the next call,
/// then those who wait.
#[derive(CubeType)]
pub struct AtStopsOnDevice<'w> {
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    link: u32,
    driver: u32,
    vehicle: u32,
    /// The next call, and the first call and the end of the calls of the leg.
    call: Call,
    first: u32,
    end: u32,
    has_arrived: bool,
    doors: Doors,
    times: DoorTimes,
    capacity: u32,
    aboard: u32,
    /// The time from which planned departures count, seconds of the day.
    departed: f64,
    /// The beginning of the lists of passengers.
    lists: u32,
    /// Number of waiting persons who have yet to board: the first of those who want to.
    boarding: u32,
    /// The first of them, and the waiting person in front, or `NONE`.
    next_boarding: u32,
    before_next: u32,
    /// Those who have alighted, in order.
    alighted: Ends,
    #[cube(comptime)]
    config: KernelConfig,
}

#[cube]
fn at_stops_on_device<'w>(
    state: &'w mut DeviceState,
    params: &'w StepParameters,
    link: u32,
    driver: u32,
    #[comptime] config: KernelConfig,
) -> AtStopsOnDevice<'w> {
    let vehicle = state.persons[person_word(driver, VEHICLE)];
    let kind = state.persons[person_word(driver, AHEAD_KIND)] & comptime!((1u32 << KIND_BITS) - 1);
    let number = state.transit_words[driver_word(params, driver, CALL)];
    let first = state.transit_words[driver_word(params, driver, FIRST_OF_CALLS)];
    let end = state.transit_words[driver_word(params, driver, CALL_END)];
    let has_arrived = state.transit_words[driver_word(params, driver, HAS_ARRIVED)] != 0u32;
    let open = state.transit_words[driver_word(params, driver, DOORS_OPEN)] != 0u32;
    let aboard = state.transit_words[driver_word(params, driver, ABOARD)];
    let lists = state.transit_words[driver_word(params, driver, PASSENGER_LISTS)];
    let boarding_s = state.transit_reals[driver_real(params, driver, BOARDING)];
    let alighting_s = state.transit_reals[driver_real(params, driver, ALIGHTING)];
    let departed = state.transit_reals[driver_real(params, driver, DEPARTED)];
    let of_kind = params.run.transit.doors + kind * DOOR_REALS;
    let access_s = state.transit_reals[(of_kind + ACCESS) as usize];
    let egress_s = state.transit_reals[(of_kind + EGRESS) as usize];
    let parallel = state.transit_reals[(of_kind + PARALLEL) as usize] != 0.0f64;
    let capacity = u32::cast_from(state.transit_reals[(of_kind + PASSENGER_CAPACITY) as usize]);
    let call = load_call(state, params, number, first, end, lists);
    AtStopsOnDevice::<'w> {
        state,
        params,
        link,
        driver,
        vehicle,
        call,
        first,
        end,
        has_arrived,
        doors: Doors { open, boarding_s, alighting_s },
        times: DoorTimes { access_s, egress_s, parallel },
        capacity,
        aboard,
        departed,
        lists,
        boarding: 0u32.runtime(),
        next_boarding: NONE.runtime(),
        before_next: NONE.runtime(),
        alighted: Ends { first: NONE.runtime(), last: NONE.runtime() },
        config,
    }
}

/// Loads a call of a leg. A vehicle at the end of a link also loads calls at other links, whose threads may be changing
/// them; it does not use their words.
#[cube]
fn load_call(state: &DeviceState, params: &StepParameters, number: u32, first: u32, end: u32, lists: u32) -> Call {
    // If there is no such call, any valid index will do.
    let at = select(number < end, number, 0u32);
    let passengers = passenger_list(lists, select(number < end, number - first, 0u32));
    let stop = state.transit_words[call_word(params, at, CALL_STOP)];
    let line = state.transit_words[call_word(params, at, CALL_LINE)];
    let flags = state.transit_words[call_word(params, at, CALL_FLAGS)];
    let offset_s = state.transit_reals[at as usize];
    let alighting = state.transit_words[(passengers + ALIGHTING_PERSONS) as usize];
    let link = state.transit_words[call_word(params, at, CALL_LINK)];
    let waiting = state.transit_words[stop_word(stop, WAITING_PERSONS)];
    let latest = first_reached(state, params, stop);
    Call { number, line, stop, flags, offset_s, passengers, alighting, link, waiting, latest }
}

#[cube]
impl AtStopsOnDevice<'_> {
    fn word(&self, word: u32) -> usize {
        driver_word(self.params, self.driver, word)
    }

    fn real(&self, real: u32) -> usize {
        driver_real(self.params, self.driver, real)
    }

    fn set_aboard(&mut self, persons: u32) {
        let aboard = self.word(ABOARD);
        self.state.transit_words[aboard] = persons;
        self.aboard = persons;
    }

    fn emit(&mut self, #[comptime] kind: EventKind, person: u32, link: u32, detail: u32) {
        let origin = EventOrigin { phase: PHASE_LINKS.runtime(), owner: self.link };
        let header = event_header(kind, NO_MODE.runtime());
        emit(self.state, self.params, &origin, Event { header, person, link, detail }, self.config);
    }

    fn emit_at_stop(&mut self, #[comptime] kind: EventKind) {
        if comptime!(self.config.record) {
            let leg = plan_word(self.state, self.driver, DETAIL);
            self.emit(kind, NONE.runtime(), leg, self.call.number);
        }
    }

    /// Returns the call at which a waiting person of the line would alight: the first one at the destination that is
    /// later. If that is at this stop, the person alights at once. `NONE` if there is none. `known`:
    /// [`ALIGHTING_CALL`].
    fn call_of_destination(&self, person: u32, known: u32) -> u32 {
        let call = self.call.number;
        let mut found = known;
        // A call is known for the route if it is among its calls. A route that calls at a stop twice has several.
        if known <= call || known >= self.end || (self.call.flags & REPEATS_STOPS) != 0u32 {
            found = NONE;
            let destination = plan_word(self.state, person, EGRESS_STOP);
            let mut later = call + 1u32;
            while later < self.end {
                let stop = self.state.transit_words[call_word(self.params, later, CALL_STOP)];
                if stop == destination {
                    found = later;
                    later = self.end;
                } else {
                    later += 1u32;
                }
            }
            if found != NONE && destination == self.call.stop {
                found = call;
            }
        }
        found
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
        let mut person = self.state.transit_words[stop_word(self.call.stop, WAITING_PERSONS)];
        while person != NONE {
            if self.state.persons[person_word(person, DENIED_BY)] == self.driver {
                self.state.persons[person_word(person, DENIED_BY)] = NONE;
            }
            person = self.state.persons[person_word(person, NEXT)];
        }
    }

    /// Whether the vehicle takes a waiting person whom [`VehicleAtStops::find_persons`] has examined.
    fn takes(&self, person: u32) -> bool {
        let line = self.state.persons[person_word(person, LINE)];
        let call = self.state.persons[person_word(person, ALIGHTING_CALL)];
        line == self.call.line && call != NONE
    }

    /// Inserts an entry in front of `next` into a list; `before` is the index of the word that refers to `next`.
    fn insert_denied(&mut self, before: usize, next: u32, person: u32) {
        let spare = stop_word(self.call.stop, SPARE_DENIED);
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
        self.call.number < self.end && self.call.link == self.link
    }

    fn has_arrived(&self) -> bool {
        self.has_arrived
    }

    fn arrive_at_stop(&mut self) {
        let has_arrived = self.word(HAS_ARRIVED);
        self.state.transit_words[has_arrived] = 1u32;
        self.has_arrived = true;
        self.emit_at_stop(EventKind::VehicleArrivesAtFacility);
    }

    fn find_persons(&mut self) {
        let places = self.capacity + self.call.alighting;
        let mut free = places - u32::min(places, self.aboard);
        self.boarding = 0u32;
        self.next_boarding = NONE;
        self.before_next = NONE;
        let mut before = NONE.runtime();
        let (stop, first, latest) = (self.call.stop, self.call.waiting, self.call.latest);
        let mut person = take_reached(self.state, self.params, stop, first, latest);
        while person != NONE {
            let next = self.state.persons[person_word(person, NEXT)];
            let line = self.state.persons[person_word(person, LINE)];
            let known = self.state.persons[person_word(person, ALIGHTING_CALL)];
            if line == self.call.line {
                let call = self.call_of_destination(person, known);
                if call != known {
                    self.state.persons[person_word(person, ALIGHTING_CALL)] = call;
                }
                if call != NONE {
                    if free > 0u32 {
                        free -= 1u32;
                        self.boarding += 1u32;
                        if self.next_boarding == NONE {
                            self.next_boarding = person;
                            self.before_next = before;
                        }
                    } else {
                        if comptime!(self.config.boarding_denied) {
                            self.deny(person);
                        }
                    }
                }
            }
            before = person;
            person = next;
            if comptime!(!self.config.boarding_denied) {
                if free == 0u32 {
                    person = NONE;
                }
            }
        }
    }

    fn doors(&self) -> Doors {
        self.doors
    }

    fn set_doors(&mut self, doors: Doors) {
        let (open, boarding, alighting) = (self.word(DOORS_OPEN), self.real(BOARDING), self.real(ALIGHTING));
        self.state.transit_words[open] = select(doors.open, 1u32, 0u32);
        self.state.transit_reals[boarding] = doors.boarding_s;
        self.state.transit_reals[alighting] = doors.alighting_s;
        self.doors.open = doors.open;
        self.doors.boarding_s = doors.boarding_s;
        self.doors.alighting_s = doors.alighting_s;
    }

    fn door_times(&self) -> DoorTimes {
        self.times
    }

    fn report_denied(&mut self) {
        if comptime!(self.config.boarding_denied) {
            let (first, spare) = (self.word(DENIED), stop_word(self.call.stop, SPARE_DENIED));
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
        if (self.call.flags & AWAITS_DEPARTURE) != 0u32 {
            until = self.departed + self.call.offset_s;
        }
        until
    }

    fn depart_from_stop(&mut self) {
        self.emit_at_stop(EventKind::VehicleDepartsAtFacility);
        let (number, has_arrived) = (self.word(CALL), self.word(HAS_ARRIVED));
        let next = self.call.number + 1u32;
        self.state.transit_words[number] = next;
        self.state.transit_words[has_arrived] = 0u32;
        self.has_arrived = false;
        self.call = load_call(self.state, self.params, next, self.first, self.end, self.lists);
    }
}

#[cube]
impl AtDoors for AtStopsOnDevice<'_> {
    fn alights(&self) -> bool {
        self.call.alighting > 0u32
    }

    fn boards(&self) -> bool {
        self.boarding > 0u32
    }

    fn alight_first(&mut self) {
        let person = passengers::take_first(self.state, self.call.passengers);
        self.call.alighting -= 1u32;
        self.set_aboard(self.aboard - 1u32);
        join_chain(self.state, &mut self.alighted, person);
    }

    fn board_first(&mut self) -> bool {
        let has_room = self.aboard < self.capacity;
        if has_room {
            // `self.next_boarding` changes below.
            let person = copied(self.next_boarding);
            let call = self.state.persons[person_word(person, ALIGHTING_CALL)];
            let mut next = self.state.persons[person_word(person, NEXT)];
            remove_person(self.state, stop_word(self.call.stop, WAITING_PERSONS), self.before_next, person);
            self.boarding -= 1u32;
            if self.boarding > 0u32 {
                while !self.takes(next) {
                    self.before_next = next;
                    next = self.state.persons[person_word(next, NEXT)];
                }
            }
            self.next_boarding = next;
            self.emit(EventKind::PersonEntersVehicle, person, NONE.runtime(), self.vehicle);
            self.state.persons[person_word(person, VEHICLE)] = self.vehicle;
            self.state.persons[person_word(person, STATUS)] = STATUS_RIDES;
            passengers::board(self.state, self.params, self.driver, call, person);
            self.set_aboard(self.aboard + 1u32);
        }
        has_room
    }
}
