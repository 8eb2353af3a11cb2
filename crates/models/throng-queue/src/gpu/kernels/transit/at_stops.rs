//! The view of a vehicle at its next stop for the rules of `crate::rules::stops`.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::copied;

use super::super::super::record::*;
use super::super::emit::{Event, EventOrigin, emit, fail};
use super::super::journey::{PHASE_LINKS, end_ride, event_header};
use super::super::lists::person_word;
use super::super::state::{DeviceState, KernelConfig, StepParameters};
use super::persons::remove_person;
use super::waiting::take_reached;
use super::{
    call_word, denied_word, driver_real, driver_word, is_driver, link_of, passengers, plan_word, reached_at, stop_word,
};
use crate::rules::doors::{AtDoors, AtDoorsExpand, DoorTimes, Doors};
use crate::rules::journey::NO_MODE;
use crate::rules::stops::{self, VehicleAtStops, VehicleAtStopsExpand};
use throng_traffic_scenario::events::EventKind;

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
            next_boarding: NONE.runtime(),
            before_next: NONE.runtime(),
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
    /// Number of passengers who have yet to alight at this call: the first in its list.
    alighting: u32,
    /// Number of waiting persons who have yet to board: the first of those who want to.
    boarding: u32,
    /// The first of them, and the waiting person in front, or `NONE`.
    next_boarding: u32,
    before_next: u32,
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

    /// Returns the call at which a waiting person would alight; `NONE` if the vehicle does not take the person: it must
    /// be of the line and call at the destination later. A person who is there already alights at once.
    fn call_of_destination(&self, person: u32) -> u32 {
        let mut found = NONE.runtime();
        let call = self.call();
        let line = self.state.transit_words[call_word(self.params, call, CALL_LINE)];
        if self.state.persons[person_word(person, LINE)] == line {
            let destination = self.state.persons[person_word(person, DESTINATION)];
            let end = self.state.transit_words[self.word(CALL_END)];
            let mut later = call + 1u32;
            while later < end {
                let stop = self.state.transit_words[call_word(self.params, later, CALL_STOP)];
                if stop == destination {
                    found = later;
                    later = end;
                } else {
                    later += 1u32;
                }
            }
            if found != NONE && destination == self.stop() {
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
        self.alighting = passengers::alighting(self.state, self.params, self.driver, self.call());
        let aboard = self.state.transit_words[self.word(ABOARD)];
        let places = u32::cast_from(self.door_real(PASSENGER_CAPACITY)) + self.alighting;
        let mut free = places - u32::min(places, aboard);
        take_reached(self.state, self.params, stop);
        self.boarding = 0u32;
        self.next_boarding = NONE;
        self.before_next = NONE;
        let mut before = NONE.runtime();
        let mut person = self.state.transit_words[stop_word(stop, WAITING_PERSONS)];
        while person != NONE {
            let next = self.state.persons[person_word(person, NEXT)];
            let call = self.call_of_destination(person);
            self.state.persons[person_word(person, ALIGHTING_CALL)] = call;
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
        let call = self.call();
        let person = passengers::alight(self.state, self.params, self.driver, call);
        self.alighting -= 1u32;
        end_ride(self.state, self.params, person, self.link, self.config);
    }

    fn board_first(&mut self) -> bool {
        let aboard = self.state.transit_words[self.word(ABOARD)];
        let has_room = aboard < u32::cast_from(self.door_real(PASSENGER_CAPACITY));
        if has_room {
            // `self.next_boarding` changes below.
            let person = copied(self.next_boarding);
            let call = self.state.persons[person_word(person, ALIGHTING_CALL)];
            let mut next = self.state.persons[person_word(person, NEXT)];
            remove_person(self.state, stop_word(self.stop(), WAITING_PERSONS), self.before_next, person);
            self.boarding -= 1u32;
            if self.boarding > 0u32 {
                while self.state.persons[person_word(next, ALIGHTING_CALL)] == NONE {
                    self.before_next = next;
                    next = self.state.persons[person_word(next, NEXT)];
                }
            }
            self.next_boarding = next;
            self.emit(EventKind::PersonEntersVehicle, person, NONE.runtime(), self.vehicle);
            self.state.persons[person_word(person, VEHICLE)] = self.vehicle;
            self.state.persons[person_word(person, STATUS)] = STATUS_RIDES;
            passengers::board(self.state, self.params, self.driver, call, person);
        }
        has_room
    }
}
