//! Public transport in the copy of the device state on the host.

use throng_core::StateHash;
use throng_device::{Device, DeviceError};

use super::buffers::Buffers;
use super::host_state::HostState;
use super::kernels::TransitParameters;
use super::record::*;
use crate::prepare::hash_words::{add_passenger, add_transit_vehicle};
use crate::rules::doors::Doors;

/// The arrays of public transport; empty if there is none, when the device has arrays of unspecified length.
#[derive(Default)]
pub(super) struct HostTransit {
    words: Vec<u32>,
    reals: Vec<f64>,
    parameters: TransitParameters,
}

impl HostTransit {
    /// Copies the arrays.
    pub fn new(device: &Device, buffers: &Buffers) -> Result<Self, DeviceError> {
        if buffers.transit.first_driver == NONE {
            return Ok(Self::default());
        }
        Ok(Self {
            words: device.read(&buffers.transit_words)?,
            reals: device.read(&buffers.transit_reals)?,
            parameters: buffers.transit,
        })
    }
}

impl HostState<'_> {
    fn transit_list(&self, first: u32) -> Vec<u32> {
        let first = self.transit.words.get(first as usize).copied();
        first.map_or_else(Vec::new, |first| self.from(first))
    }

    fn drivers(&self) -> std::ops::Range<u32> {
        let (first, persons) = (self.transit.parameters.first_driver, self.all_persons().end);
        if self.transit.words.is_empty() { 0..0 } else { first.min(persons)..persons }
    }

    fn driver_word(&self, driver: u32, word: u32) -> u32 {
        let at = self.transit.parameters.drivers + (driver - self.transit.parameters.first_driver) * DRIVER_WORDS;
        self.transit.words[(at + word) as usize]
    }

    /// Returns the passengers of a driver in the order in which they boarded.
    fn passengers(&self, driver: u32) -> Vec<u32> {
        let [first, end] = [FIRST_OF_CALLS, CALL_END].map(|word| self.driver_word(driver, word));
        let lists = self.driver_word(driver, PASSENGER_LISTS);
        let list = |call: u32| self.transit_list(lists + (call - first) * PASSENGER_LIST_WORDS);
        let mut passengers: Vec<u32> = (first..end).flat_map(list).collect();
        passengers.sort_by_key(|&person| self.person(person, BOARDING_ORDER));
        passengers
    }

    /// Returns the vehicles at the stops of a link.
    pub fn at_stops(&self, link: u32) -> Vec<u32> {
        if self.transit.words.is_empty() {
            return Vec::new();
        }
        self.transit_list(self.transit.parameters.vehicles_at_stops + link)
    }

    /// Returns the persons who wait at a stop, in order. Those who have reached it last are not yet in its list.
    fn waiting_at(&self, stop: u32, reached_it: &[u32]) -> Vec<u32> {
        let reached = self.from(self.departures[(2 * self.layout.from.len() as u32 + stop) as usize]);
        let to_stop = |&person: &u32| {
            self.scenario.population.leg_at(self.person(person, ELEMENT)).and_then(|leg| self.scenario.ride(leg))
        };
        let later = reached_it.iter().copied().filter(|person| to_stop(person).is_some_and(|r| r.access_stop == stop));
        let mut reached: Vec<u32> = reached.into_iter().chain(later).collect();
        reached.sort_by(|&a, &b| {
            let time = |person: u32| self.due_times[person as usize];
            let at = |person: u32| self.person(person, STOP_ORDER);
            let rank = |person: u32| self.ranks[person as usize];
            at(a).cmp(&at(b)).then(time(a).total_cmp(&time(b))).then(rank(b).cmp(&rank(a)))
        });
        [self.transit_list(stop * STOP_WORDS + WAITING_PERSONS), reached].concat()
    }

    /// Adds vehicles of public transport, their passengers and those who wait at stops to a hash.
    pub fn add_transit(&self, hash: &mut StateHash) {
        let reached_it = self.with_status(&[STATUS_REACHES_STOP]);
        if self.transit.words.is_empty() {
            return;
        }
        for (stop, &link) in (0..).zip(&self.scenario.transit.stops.link) {
            for (place, person) in self.waiting_at(stop, &reached_it).into_iter().enumerate() {
                // See the CPU executor.
                let place = if link == NONE { 0 } else { place };
                add_passenger(hash, person, self.person(person, ELEMENT), NONE, place);
            }
        }
        for driver in self.drivers() {
            let word = |word: u32| self.driver_word(driver, word);
            let parameters = self.transit.parameters;
            let at_reals = parameters.driver_reals + (driver - parameters.first_driver) * DRIVER_REALS;
            let real = |real: u32| self.transit.reals[(at_reals + real) as usize];
            let doors = Doors { open: word(DOORS_OPEN) != 0, boarding_s: real(BOARDING), alighting_s: real(ALIGHTING) };
            add_transit_vehicle(hash, driver, word(CALL), word(HAS_ARRIVED) != 0, doors);
            for (place, person) in self.passengers(driver).into_iter().enumerate() {
                add_passenger(hash, person, self.person(person, ELEMENT), driver, place);
            }
        }
    }

    /// See [`RunOutcome::unreported`](crate::RunOutcome::unreported).
    pub fn unreported(&self) -> [u64; 2] {
        let on_board: u64 = self.drivers().map(|driver| u64::from(self.driver_word(driver, ABOARD))).sum();
        let at_stops = (0..self.layout.from.len() as u32).map(|link| self.at_stops(link).len()).sum::<usize>();
        [on_board, at_stops as u64]
    }
}
