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
use crate::rules::stops::{self, VehicleAtStops};
use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::{Doors as Operation, ModeId, Passengers, Ride, Scenario, Transit};

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
        add_transit_vehicle(hash, driver, self.call, self.has_arrived, self.doors);
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

impl Partition<'_> {
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
        let (ctx, now, link) = (self.ctx, self.now, self.external(local));
        let mut vehicle = ctx.transit_vehicle(moving.person)?;
        let leg = self.leg_at(moving.element);
        let mut at_stops = AtStopsOnCpu {
            part: self,
            vehicle: &mut vehicle,
            moving,
            link,
            leg,
            alighting: Vec::new(),
            boarding: Vec::new(),
        };
        let stay_s = stops::serve_stops(&mut at_stops, now);
        (stay_s > 0.0).then_some(now + stay_s)
    }

    /// Whether the stop of a vehicle's next call blocks the vehicles behind it.
    pub fn stop_is_blocking(&self, moving: &VehicleRecord) -> bool {
        let transit = &self.ctx.scenario.transit;
        self.ctx
            .transit_vehicle(moving.person)
            .is_some_and(|vehicle| transit.stops.is_blocking[transit.routes.stop[vehicle.call as usize] as usize])
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

/// A vehicle of public transport at the end of a link.
struct AtStopsOnCpu<'v, 'a> {
    part: &'v mut Partition<'a>,
    vehicle: &'v mut TransitVehicle,
    moving: &'v VehicleRecord,
    link: u32,
    /// The leg of the driver.
    leg: u32,
    /// The persons at the doors, each list in reverse order.
    alighting: Vec<Passenger>,
    boarding: Vec<Passenger>,
}

/// CubeCL's traits require a kernel type; this is the one of the device executor.
#[cfg(feature = "gpu")]
impl throng_device::cubecl::prelude::CubeType for AtStopsOnCpu<'_, '_> {
    type ExpandType = <crate::gpu::AtStopsOnDevice<'static> as throng_device::cubecl::prelude::CubeType>::ExpandType;
}

impl AtStopsOnCpu<'_, '_> {
    fn transit(&self) -> &Transit {
        &self.part.ctx.scenario.transit
    }

    /// The stop of the next call.
    fn stop(&self) -> u32 {
        self.transit().routes.stop[self.vehicle.call as usize]
    }

    fn passengers(&self) -> Passengers {
        let vehicles = &self.part.ctx.scenario.vehicles;
        vehicles.types[usize::from(vehicles.type_of[self.moving.vehicle as usize])].passengers
    }

    fn ride(&self, passenger: Passenger) -> Option<Ride> {
        self.part.ctx.scenario.ride(self.part.leg_at(passenger.element))
    }

    fn emit_at_stop(&mut self, kind: EventKind) {
        let (link, detail) = (self.leg, self.vehicle.call);
        self.part.emit(Event { kind, mode: ModeId::NONE, person: NONE, link, detail });
    }

    /// Records an event of a person and the vehicle.
    fn emit_of(&mut self, kind: EventKind, person: u32) {
        let detail = self.moving.vehicle;
        self.part.emit(Event { kind, mode: ModeId::NONE, person, link: NONE, detail });
    }
}

impl VehicleAtStops for AtStopsOnCpu<'_, '_> {
    fn is_at_next_stop(&self) -> bool {
        self.vehicle.call < self.vehicle.end && self.transit().stops.link[self.stop() as usize] == self.link
    }

    fn has_arrived(&self) -> bool {
        self.vehicle.has_arrived
    }

    fn arrive_at_stop(&mut self) {
        self.vehicle.has_arrived = true;
        self.emit_at_stop(EventKind::VehicleArrivesAtFacility);
    }

    fn find_persons(&mut self) {
        let (stop, ctx) = (self.stop(), self.part.ctx);
        let TransitVehicle { call, end, ref on_board, .. } = *self.vehicle;
        let alights = |&passenger: &Passenger| self.ride(passenger).is_some_and(|ride| ride.egress_stop == stop);
        let mut alighting: Vec<Passenger> = on_board.iter().copied().filter(alights).collect();
        let mut free = (self.passengers().capacity() + alighting.len()).saturating_sub(on_board.len());
        let routes = &ctx.scenario.transit.routes;
        let line = ctx.scenario.transit.driver_leg(self.leg).map(|leg| routes.line[leg.route as usize]);
        let later = &routes.stop[call as usize + 1..end as usize];
        let reports = ctx.scenario.settings.transit.has_boarding_denied_events;
        let (mut boarding, mut denied) = (Vec::new(), Vec::new());
        for &waiting in self.part.waiting_at_stops.get(&stop).into_iter().flatten() {
            if free == 0 && !reports {
                break;
            }
            let Some(Ride { line: wanted, egress_stop, .. }) = self.ride(waiting) else { continue };
            if Some(wanted) != line || !later.contains(&egress_stop) {
                continue;
            }
            if free > 0 {
                free -= 1;
                boarding.push(waiting);
            } else {
                denied.push(waiting.person);
            }
        }
        alighting.reverse();
        boarding.reverse();
        (self.alighting, self.boarding) = (alighting, boarding);
        self.vehicle.denied.extend(denied);
    }

    fn doors(&self) -> Doors {
        self.vehicle.doors
    }

    fn set_doors(&mut self, doors: Doors) {
        self.vehicle.doors = doors;
    }

    fn door_times(&self) -> DoorTimes {
        let Passengers { access_s, egress_s, doors, .. } = self.passengers();
        DoorTimes { access_s, egress_s, parallel: doors == Operation::Parallel }
    }

    fn report_denied(&mut self) {
        for person in std::mem::take(&mut self.vehicle.denied) {
            self.emit_of(EventKind::BoardingDenied, person);
        }
    }

    fn waits_until(&self) -> f64 {
        let (routes, call) = (&self.transit().routes, self.vehicle.call as usize);
        let until = self.vehicle.departure_s + routes.departure_offset_s[call];
        if routes.awaits_departure[call] && !until.is_nan() { until } else { f64::NEG_INFINITY }
    }

    fn depart_from_stop(&mut self) {
        self.emit_at_stop(EventKind::VehicleDepartsAtFacility);
        self.vehicle.call += 1;
        self.vehicle.has_arrived = false;
    }
}

impl AtDoors for AtStopsOnCpu<'_, '_> {
    fn alights(&self) -> bool {
        !self.alighting.is_empty()
    }

    fn boards(&self) -> bool {
        !self.boarding.is_empty()
    }

    fn alight_first(&mut self) {
        let Some(first @ Passenger { person, element }) = self.alighting.pop() else { return };
        self.vehicle.on_board.retain(|passenger| *passenger != first);
        let rules = self.part.ctx.rules.journeys;
        let mut journey = JourneyOnCpu::new(self.part, person, element, self.link, self.moving.vehicle);
        journey::end_leg(&mut journey, true, rules);
    }

    fn board_first(&mut self) -> bool {
        if self.vehicle.on_board.len() >= self.passengers().capacity() {
            return false;
        }
        let Some(first) = self.boarding.pop() else { return false };
        let stop = self.stop();
        if let Some(waiting) = self.part.waiting_at_stops.get_mut(&stop) {
            waiting.retain(|passenger| *passenger != first);
        }
        self.emit_of(EventKind::PersonEntersVehicle, first.person);
        self.vehicle.on_board.push(first);
        true
    }
}
