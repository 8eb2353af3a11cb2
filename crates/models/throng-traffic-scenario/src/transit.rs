//! Scheduled public transport: stops, the routes of lines, their departures, and the rides of passengers.
//!
//! Drivers are persons after the last person of the plans file, in [`Population`](crate::Population): each has a plan
//! whose legs are the departures of one vehicle, in order. So a driver departs, drives and arrives by the rules of all
//! agents; only stops are added.

use throng_core::{IdTable, NONE};

/// Public transport of a scenario; by default, there is none.
#[derive(Debug, Clone, Default)]
pub struct Transit {
    /// The places where vehicles stop.
    pub stops: Stops,
    /// Line ids.
    pub lines: IdTable,
    /// Routes of all lines.
    pub routes: Routes,
    /// Departures of all routes.
    pub departures: Departures,
    /// Person index of the first driver; all later persons are drivers. Meaningless without public transport.
    pub first_driver: u32,
    /// The first leg of a driver; all later legs are those of drivers, and have a [`DriverLeg`] each.
    pub first_driver_leg: u32,
    /// The leg of each piece of work of a driver, in the order of legs.
    pub driver_legs: Vec<DriverLeg>,
    /// The rides of legs with a [`RouteKind::Transit`](crate::RouteKind::Transit), by their
    /// [`route_start`](crate::Legs::route_start).
    pub rides: Vec<Ride>,
}

/// Stop facilities, as arrays.
#[derive(Debug, Clone, Default)]
pub struct Stops {
    /// Ids.
    pub ids: IdTable,
    /// The link at whose downstream end vehicles stop, or [`NONE`].
    pub link: Vec<u32>,
    /// Whether a vehicle at the stop blocks the vehicles behind it.
    pub is_blocking: Vec<bool>,
}

/// Routes, as arrays. The stops of a route are a range of `stop` and the arrays after it.
#[derive(Debug, Clone, Default)]
pub struct Routes {
    /// Ids, which are unique within a line only.
    pub ids: Vec<String>,
    /// Line of each route.
    pub line: Vec<u32>,
    /// Index of the first call of each route; one more entry than routes.
    pub first_call: Vec<u32>,
    /// The stop of each call.
    pub stop: Vec<u32>,
    /// Planned arrival after the departure of the route, seconds; NaN if undefined.
    pub arrival_offset_s: Vec<f64>,
    /// Planned departure after the departure of the route, seconds; NaN if undefined.
    pub departure_offset_s: Vec<f64>,
    /// Whether a vehicle that is early waits for its planned departure.
    pub awaits_departure: Vec<bool>,
}

/// Departures, as arrays.
#[derive(Debug, Clone, Default)]
pub struct Departures {
    /// Ids, which are unique within a line only.
    pub ids: Vec<String>,
    /// Time at the first stop, seconds of the day.
    pub time_s: Vec<f64>,
}

/// A leg of a driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DriverLeg {
    /// Route, or [`NONE`] if the vehicle drives empty to the start of its next departure.
    pub route: u32,
    /// Departure, or [`NONE`] like the route.
    pub departure: u32,
}

/// A leg of a passenger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ride {
    /// The line that the passenger takes; any of its routes will do.
    pub line: u32,
    /// The stop where the passenger boards.
    pub access_stop: u32,
    /// The stop where the passenger alights.
    pub egress_stop: u32,
    /// The route of the plan, or [`NONE`]: for tables, and a guess of the route of the vehicle.
    pub route: u32,
}

impl Transit {
    /// Whether there are neither vehicles nor rides.
    pub fn is_empty(&self) -> bool {
        self.driver_legs.is_empty() && self.rides.is_empty()
    }

    /// The index of a driver among drivers; `None` for other persons.
    pub fn driver(&self, person: u32) -> Option<usize> {
        (!self.is_empty() && person >= self.first_driver).then(|| (person - self.first_driver) as usize)
    }

    /// The departure of a leg; `None` if it is not a leg of a driver.
    pub fn driver_leg(&self, leg: u32) -> Option<DriverLeg> {
        self.driver_legs.get(leg.checked_sub(self.first_driver_leg)? as usize).copied()
    }
}

impl DriverLeg {
    /// A drive without passengers to the start of the next departure.
    pub const EMPTY_RUN: Self = Self { route: NONE, departure: NONE };

    /// Whether the vehicle drives without passengers.
    pub fn is_empty_run(self) -> bool {
        self.route == NONE
    }
}

impl Routes {
    /// The number of routes.
    pub fn len(&self) -> usize {
        self.line.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.line.is_empty()
    }

    /// Planned arrival and departure of a call after the departure of the route, seconds: each is that of the other if
    /// it is undefined, and 0 if both are.
    pub fn planned_offsets_s(&self, call: usize) -> [f64; 2] {
        let [arrival, departure] = [self.arrival_offset_s[call], self.departure_offset_s[call]];
        let first = |offsets: [f64; 2]| offsets.into_iter().find(|offset| !offset.is_nan()).unwrap_or(0.0);
        [first([arrival, departure]), first([departure, arrival])]
    }

    /// The calls of a route, in the order of the stops; empty for [`NONE`].
    pub fn calls(&self, route: u32) -> std::ops::Range<u32> {
        if route == NONE {
            return 0..0;
        }
        self.first_call[route as usize]..self.first_call[route as usize + 1]
    }
}
