//! Vehicles of public transport at stops, and the persons who wait there or ride.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use throng_core::{NONE, StateHash};

use super::context::Context;
use super::journey::JourneyOnCpu;
use super::partition::Partition;
use super::vehicle::VehicleRecord;
use crate::RunError;
use crate::prepare::hash_words::{add_passenger, add_transit_vehicle};
use crate::rules::doors::{AtDoors, DoorTimes, Doors};
use crate::rules::journey;
use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::{Doors as Operation, ModeId, Passengers, Ride, Scenario};

/// A person who waits at a stop or rides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Passenger {
    pub person: u32,
    /// The leg, as a position in the list of plan elements.
    pub element: u32,
}

/// The state of a vehicle of public transport.
#[derive(Debug)]
pub(super) struct TransitVehicle {
    /// The next call of the current leg, and the end of its calls.
    call: u32,
    end: u32,
    /// Whether the vehicle is at the stop of the next call.
    has_arrived: bool,
    doors: Doors,
    /// Passengers in the order in which they boarded.
    pub on_board: Vec<Passenger>,
    /// Persons who found no place at the current stop.
    denied: BTreeSet<u32>,
    /// The time from which waiting for the planned departure of a stop counts, seconds of the day: that of the
    /// departure, or the end of the previous leg if that is later.
    departure_s: f64,
    /// End of the previous leg, seconds of the day.
    ended_s: f64,
}

impl Default for TransitVehicle {
    fn default() -> Self {
        Self {
            call: 0,
            end: 0,
            has_arrived: false,
            doors: Doors::default(),
            on_board: Vec::new(),
            denied: BTreeSet::new(),
            departure_s: f64::NEG_INFINITY,
            ended_s: f64::NEG_INFINITY,
        }
    }
}

impl TransitVehicle {
    /// Adds the vehicle of `driver` and its passengers to a state hash.
    pub fn add_to(&self, hash: &mut StateHash, driver: u32) {
        let [boarding_s, alighting_s] = self.doors.remaining_s();
        add_transit_vehicle(hash, driver, self.call, self.has_arrived, [boarding_s, alighting_s]);
        for (place, &Passenger { person, element }) in self.on_board.iter().enumerate() {
            add_passenger(hash, person, element, driver, place);
        }
    }
}

/// Creates the vehicles of all drivers.
pub(super) fn vehicles(scenario: &Scenario) -> Vec<Mutex<TransitVehicle>> {
    let transit = &scenario.transit;
    let drivers = if transit.is_empty() { 0 } else { scenario.population.persons() - transit.first_driver as usize };
    (0..drivers).map(|_| Mutex::default()).collect()
}

impl Context<'_> {
    /// The number of passengers in vehicles.
    pub fn on_board(&self) -> usize {
        let on_board =
            |vehicle: &Mutex<TransitVehicle>| vehicle.lock().unwrap_or_else(PoisonError::into_inner).on_board.len();
        self.transit_vehicles.iter().map(on_board).sum()
    }

    /// The vehicle of a driver of public transport; `None` for other persons. Only one partition at a time holds a
    /// vehicle, so that nothing waits for the lock.
    pub fn transit_vehicle(&self, person: u32) -> Option<MutexGuard<'_, TransitVehicle>> {
        let driver = self.scenario.transit.driver(person)?;
        Some(self.transit_vehicles.get(driver)?.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<'a> Partition<'a> {
    /// Begins a departure of public transport at the leg at position `element`.
    pub fn begin_departure(&mut self, person: u32, element: u32) {
        let ctx = self.ctx;
        let Some(mut vehicle) = ctx.transit_vehicle(person) else { return };
        let (transit, leg) = (&ctx.scenario.transit, self.leg_at(element));
        let calls = transit.driver_leg(leg).map_or(0..0, |leg| transit.routes.calls(leg.route));
        (vehicle.call, vehicle.end, vehicle.has_arrived) = (calls.start, calls.end, false);
        let population = &ctx.scenario.population;
        let planned = match population.element(element - 1) {
            throng_traffic_scenario::PlanElement::Activity(a) => population.activities.end_time[a as usize],
            throng_traffic_scenario::PlanElement::Leg(_) => f64::NEG_INFINITY,
        };
        vehicle.departure_s = planned.max(vehicle.ended_s);
    }

    /// Ends a departure: the vehicle must have called at all stops.
    pub fn end_departure(&mut self, person: u32, link: u32) {
        let ctx = self.ctx;
        let Some(mut vehicle) = ctx.transit_vehicle(person) else { return };
        vehicle.ended_s = self.now;
        if vehicle.call < vehicle.end {
            let stop = ctx.scenario.transit.routes.stop[vehicle.call as usize];
            self.fail(RunError::stop_not_reached(ctx.scenario, person, stop, link));
        }
    }

    /// Serves the stops of a vehicle that are on the local link `local` and next on its route. Returns the time of the
    /// next call if the vehicle stays at one of them.
    pub fn serve_stops(&mut self, local: usize, moving: &VehicleRecord) -> Option<f64> {
        let ctx = self.ctx;
        let mut vehicle = ctx.transit_vehicle(moving.person)?;
        let (transit, link) = (&ctx.scenario.transit, self.external(local));
        while vehicle.call < vehicle.end {
            let stop = transit.routes.stop[vehicle.call as usize];
            if transit.stops.link[stop as usize] != link {
                break;
            }
            let stay_s = self.serve(&mut vehicle, moving, stop);
            if stay_s > 0.0 {
                return Some(self.now + stay_s);
            }
        }
        None
    }

    /// Whether the stop of a vehicle's next call blocks the vehicles behind it.
    pub fn stop_is_blocking(&self, moving: &VehicleRecord) -> bool {
        let transit = &self.ctx.scenario.transit;
        self.ctx
            .transit_vehicle(moving.person)
            .is_some_and(|vehicle| transit.stops.is_blocking[transit.routes.stop[vehicle.call as usize] as usize])
    }

    /// Serves a stop. Returns how long the vehicle stays before the next call, seconds; 0 if it departs.
    fn serve(&mut self, vehicle: &mut TransitVehicle, moving: &VehicleRecord, stop: u32) -> f64 {
        let ctx = self.ctx;
        let (transit, call) = (&ctx.scenario.transit, vehicle.call as usize);
        let leg = self.leg_at(moving.element);
        let at_stop = |kind| Event { kind, mode: ModeId::NONE, person: NONE, link: leg, detail: call as u32 };
        if !vehicle.has_arrived {
            vehicle.has_arrived = true;
            self.emit(at_stop(EventKind::VehicleArrivesAtFacility));
        }
        let kind = ctx.scenario.vehicles.type_of[moving.vehicle as usize];
        let Passengers { access_s, egress_s, doors, .. } = ctx.scenario.vehicles.types[usize::from(kind)].passengers;
        let times = DoorTimes { access_s, egress_s, parallel: doors == Operation::Parallel };
        let mut doors = vehicle.doors;
        let mut persons = self.persons_at_doors(vehicle, moving, stop);
        let stay_s = doors.serve(&mut persons, times);
        vehicle.doors = doors;
        if stay_s > 0.0 {
            return stay_s;
        }
        for person in std::mem::take(&mut vehicle.denied) {
            let detail = moving.vehicle;
            let (kind, mode, link) = (EventKind::BoardingDenied, ModeId::NONE, NONE);
            self.emit(Event { kind, mode, person, link, detail });
        }
        let planned_s = vehicle.departure_s + transit.routes.departure_offset_s[call];
        if transit.routes.awaits_departure[call] && self.now < planned_s {
            return planned_s - self.now;
        }
        self.emit(at_stop(EventKind::VehicleDepartsAtFacility));
        vehicle.call += 1;
        vehicle.has_arrived = false;
        0.0
    }

    /// Collects the passengers who alight at the stop, and the waiting persons who board, as far as there is room.
    fn persons_at_doors<'v>(
        &'v mut self,
        vehicle: &'v mut TransitVehicle,
        moving: &VehicleRecord,
        stop: u32,
    ) -> PersonsAtDoors<'v, 'a> {
        let ctx = self.ctx;
        let transit = &ctx.scenario.transit;
        let ride = |passenger: &Passenger| ctx.scenario.ride(self.leg_at(passenger.element));
        let kind = ctx.scenario.vehicles.type_of[moving.vehicle as usize];
        let capacity = ctx.scenario.vehicles.types[usize::from(kind)].passengers.capacity();
        let alighting: Vec<Passenger> = vehicle
            .on_board
            .iter()
            .filter(|passenger| ride(passenger).is_some_and(|ride| ride.egress_stop == stop))
            .copied()
            .collect();
        let line = transit.driver_leg(self.leg_at(moving.element)).map(|leg| transit.routes.line[leg.route as usize]);
        let later = &transit.routes.stop[vehicle.call as usize + 1..vehicle.end as usize];
        let reports = ctx.scenario.settings.transit.has_boarding_denied_events;
        let mut free = (capacity + alighting.len()).saturating_sub(vehicle.on_board.len());
        let mut boarding = Vec::new();
        for waiting in self.waiting_at_stops.get(&stop).into_iter().flatten() {
            if free == 0 && !reports {
                break;
            }
            let Some(Ride { line: wanted, egress_stop, .. }) = ride(waiting) else { continue };
            if Some(wanted) != line || !later.contains(&egress_stop) {
                continue;
            }
            if free > 0 {
                free -= 1;
                boarding.push(*waiting);
            } else {
                vehicle.denied.insert(waiting.person);
            }
        }
        // The first of each is the last of its list.
        let reversed = |mut list: Vec<Passenger>| {
            list.reverse();
            list
        };
        let (alighting, boarding) = (reversed(alighting), reversed(boarding));
        let (on_board, vehicle) = (&mut vehicle.on_board, moving.vehicle);
        PersonsAtDoors { part: self, on_board, capacity, vehicle, stop, alighting, boarding }
    }

    /// Lets a person wait at a stop. The list is in the order of MATSim, however many partitions there are; see
    /// [`Partition::sort_late_departures`].
    pub fn wait_at_stop(&mut self, passenger: Passenger, link: u32) {
        let ctx = self.ctx;
        let Some(Ride { access_stop: stop, .. }) = ctx.scenario.ride(self.leg_at(passenger.element)) else { return };
        let of_stop = ctx.scenario.transit.stops.link[stop as usize];
        if of_stop != link && of_stop != NONE {
            self.fail(RunError::not_at_stop(ctx.scenario, passenger.person, stop, link));
        }
        self.waiting_at_stops.entry(stop).or_default().push(passenger);
        if let Some(key) = self.arriving.filter(|_| ctx.layout.partitions.len() > 1) {
            self.late_passengers.push((stop, key, passenger.person));
        }
    }

    /// Removes the passengers of a vehicle that is removed from the simulation, where they boarded.
    pub fn abort_passengers(&mut self, moving: &VehicleRecord) {
        let ctx = self.ctx;
        let Some(mut vehicle) = ctx.transit_vehicle(moving.person) else { return };
        for Passenger { person, element } in std::mem::take(&mut vehicle.on_board) {
            let leg = self.leg_at(element) as usize;
            let legs = &ctx.scenario.population.legs;
            self.abort(person, legs.start_link[leg], legs.mode[leg]);
        }
    }
}

/// The persons at the doors of a vehicle, each list in reverse order.
struct PersonsAtDoors<'v, 'a> {
    part: &'v mut Partition<'a>,
    on_board: &'v mut Vec<Passenger>,
    capacity: usize,
    vehicle: u32,
    stop: u32,
    alighting: Vec<Passenger>,
    boarding: Vec<Passenger>,
}

impl AtDoors for PersonsAtDoors<'_, '_> {
    fn alights(&self) -> bool {
        !self.alighting.is_empty()
    }

    fn boards(&self) -> bool {
        !self.boarding.is_empty()
    }

    fn alight_first(&mut self) {
        let Some(first @ Passenger { person, element }) = self.alighting.pop() else { return };
        self.on_board.retain(|passenger| *passenger != first);
        let link = self.part.ctx.scenario.transit.stops.link[self.stop as usize];
        let rules = self.part.ctx.rules.journeys();
        let mut journey = JourneyOnCpu::new(self.part, person, element, link, self.vehicle);
        journey::end_ride(&mut journey, rules);
    }

    fn board_first(&mut self) -> bool {
        if self.on_board.len() >= self.capacity {
            return false;
        }
        let Some(first) = self.boarding.pop() else { return false };
        if let Some(waiting) = self.part.waiting_at_stops.get_mut(&self.stop) {
            waiting.retain(|passenger| *passenger != first);
        }
        let (kind, mode, link) = (EventKind::PersonEntersVehicle, ModeId::NONE, NONE);
        self.part.emit(Event { kind, mode, person: first.person, link, detail: self.vehicle });
        self.on_board.push(first);
        true
    }
}
