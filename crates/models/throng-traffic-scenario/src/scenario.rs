//! A complete scenario.

use throng_core::NONE;

use crate::events::{Event, EventKind};
use crate::settings::Settings;
use crate::{Facilities, ModeTable, Network, NetworkChangeEvent, Population, Ride, RouteKind, Transit, Vehicles};

/// A complete scenario, ready to run.
#[derive(Debug, Clone, Default)]
pub struct Scenario {
    /// Settings that control the simulation and its output.
    pub settings: Settings,
    /// Names of modes, shared by links, legs and vehicle types.
    pub modes: ModeTable,
    /// Nodes and links.
    pub network: Network,
    /// Persons and their selected plans.
    pub population: Population,
    /// Vehicles and their types.
    pub vehicles: Vehicles,
    /// Facilities named by activities.
    pub facilities: Facilities,
    /// Changes of link attributes during the day, sorted by time.
    pub change_events: Vec<NetworkChangeEvent>,
    /// Scheduled public transport.
    pub transit: Transit,
}

/// A vehicle of public transport that arrives at a stop or departs from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AtStop {
    /// Vehicle index.
    pub vehicle: u32,
    /// Stop index.
    pub stop: u32,
    /// Time after the planned one, seconds; negative if the vehicle is early.
    pub delay_s: f64,
}

/// The departure that a driver begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DriverStart<'a> {
    /// Vehicle index.
    pub vehicle: u32,
    /// Line id.
    pub line: &'a str,
    /// Route id.
    pub route: &'a str,
    /// Departure id.
    pub departure: &'a str,
}

impl Scenario {
    /// What MATSim calls line, route and departure of a drive without passengers.
    pub const EMPTY_RUN: &str = "Wenden";

    /// The number of persons of the plans file, who come before the drivers of public transport.
    pub fn travellers(&self) -> u32 {
        if self.transit.is_empty() { self.population.persons() as u32 } else { self.transit.first_driver }
    }

    /// Returns vehicle, stop and delay of a [`EventKind::VehicleArrivesAtFacility`] or
    /// [`EventKind::VehicleDepartsAtFacility`] at `time_s`, seconds of the day; `None` for other events.
    pub fn at_stop(&self, event: &Event, time_s: f64) -> Option<AtStop> {
        let Transit { routes, departures, .. } = &self.transit;
        let (call, leg) = (event.detail as usize, event.leg_of_stop()?);
        let [arrival, departure] = routes.planned_offsets_s(call);
        let offset = if event.kind == EventKind::VehicleArrivesAtFacility { arrival } else { departure };
        let begins = departures.time_s[self.transit.driver_leg(leg)?.departure as usize];
        let vehicle = self.population.legs.vehicle[leg as usize];
        Some(AtStop { vehicle, stop: routes.stop[call], delay_s: time_s - begins - offset })
    }

    /// Returns the departure of an [`EventKind::TransitDriverStarts`]; `None` for other events.
    pub fn driver_start(&self, event: &Event) -> Option<DriverStart<'_>> {
        let Transit { routes, departures, lines, .. } = &self.transit;
        let starts = event.kind == EventKind::TransitDriverStarts;
        let of_leg = self.transit.driver_leg(event.detail).filter(|_| starts)?;
        let vehicle = self.population.legs.vehicle[event.detail as usize];
        if of_leg.is_empty_run() {
            let [line, route, departure] = [Self::EMPTY_RUN; 3];
            return Some(DriverStart { vehicle, line, route, departure });
        }
        let route = of_leg.route as usize;
        let line = lines.name(routes.line[route]);
        Some(DriverStart {
            vehicle,
            line,
            route: &routes.ids[route],
            departure: &departures.ids[of_leg.departure as usize],
        })
    }

    /// Returns the ride of the leg `leg`; `None` if it is none.
    pub fn ride(&self, leg: u32) -> Option<Ride> {
        let legs = &self.population.legs;
        let is_ride = legs.route.get(leg as usize) == Some(&RouteKind::Transit);
        is_ride.then(|| self.transit.rides[legs.route_start[leg as usize] as usize])
    }

    /// Returns the distance of a finished leg, metres: along its route if it was driven, along that of the driver's leg
    /// `driver_leg` if it was ridden, else as planned. NaN if it is unknown.
    ///
    /// Vehicles start and stop at the end of a link, so the first link does not count and the last one does. A round
    /// trip ends where it started; in that case MATSim counts only the links in between.
    pub fn distance_m(&self, leg: u32, driver_leg: Option<u32>) -> f64 {
        if let Some(driver_leg) = driver_leg {
            return self.ride_distance_m(leg, driver_leg);
        }
        let (legs, i) = (&self.population.legs, leg as usize);
        if legs.vehicle[i] == NONE || legs.route[i] != RouteKind::Links {
            return legs.distance[i];
        }
        let length = |link: &u32| self.network.length_m.get(*link as usize).copied().unwrap_or(f64::NAN);
        match self.population.route(leg) {
            [] | [_] => 0.0,
            [first, between @ .., last] => {
                let sum = between.iter().map(length).fold(0.0, |sum, l| sum + l);
                if first == last { sum } else { sum + length(last) }
            }
        }
    }

    /// Returns the length of the links after that of the access stop, up to that of the egress stop, metres, along the
    /// route of the vehicle.
    fn ride_distance_m(&self, leg: u32, driver_leg: u32) -> f64 {
        let Some(ride) = self.ride(leg) else { return f64::NAN };
        let [access, egress] = [ride.access_stop, ride.egress_stop].map(|stop| self.transit.stops.link[stop as usize]);
        let links = self.population.route(driver_leg);
        let Some(from) = links.iter().position(|&link| link == access) else { return f64::NAN };
        let Some(len) = links[from..].iter().position(|&link| link == egress) else { return f64::NAN };
        let ridden = links[from..=from + len].iter().skip(1);
        ridden.fold(0.0, |sum, &link| sum + self.network.length_m[link as usize])
    }
}
