mod brute_force;
mod earliest_arrival;
mod random;
mod rounds;
mod rules;
mod useless_transfers;

use super::{
    RideLeg, RouteDeparture, Timetable, TransferTime, TransitLeg, TransitRouter, TransitRouterParameters,
    TransitRouterScratch, TransitTrip, TripRequest, WalkLeg,
};
use crate::{Routes, Stops};

/// A schedule that owns its data. Stop `i` is on link `i`, which is `i + 1` metres long; the links of a route are those
/// of its stops.
#[derive(Debug, Clone)]
struct Schedule {
    coordinates: Vec<[f64; 2]>,
    routes: Vec<TestRoute>,
    transfer_times: Vec<TransferTime>,
    stops: Stops,
    arrays: Routes,
    links: Vec<Vec<u32>>,
    lengths_m: Vec<f64>,
}

#[derive(Debug, Clone)]
struct TestRoute {
    /// Stop, arrival and departure of each call.
    calls: Vec<(u32, i32, i32)>,
    /// Departures, ascending.
    departures: Vec<i32>,
}

impl Schedule {
    fn new(coordinates: &[[f64; 2]]) -> Self {
        let mut stops = Stops::default();
        for stop in 0..coordinates.len() as u32 {
            stops.ids.insert(&format!("s{stop}")).unwrap();
            stops.link.push(stop);
        }
        Self {
            coordinates: coordinates.to_vec(),
            routes: Vec::new(),
            transfer_times: Vec::new(),
            stops,
            arrays: Routes { first_call: vec![0], ..Routes::default() },
            links: Vec::new(),
            lengths_m: (0..coordinates.len()).map(|stop| stop as f64 + 1.0).collect(),
        }
    }

    /// Adds a route with stop, arrival and departure of each call, in a separate line.
    fn route(mut self, calls: &[(u32, i32, i32)], departures: &[i32]) -> Self {
        let arrays = &mut self.arrays;
        arrays.line.push(arrays.ids.len() as u32);
        arrays.ids.push(format!("r{}", arrays.ids.len()));
        for &(stop, arrival_s, departure_s) in calls {
            arrays.stop.push(stop);
            arrays.arrival_offset_s.push(f64::from(arrival_s));
            arrays.departure_offset_s.push(f64::from(departure_s));
            arrays.awaits_departure.push(false);
        }
        arrays.first_call.push(arrays.stop.len() as u32);
        self.links.push(calls.iter().map(|&(stop, ..)| stop).collect());
        self.routes.push(TestRoute { calls: calls.to_vec(), departures: departures.to_vec() });
        self
    }

    /// Adds a route that stops every `step_s` seconds, without waiting.
    fn line(self, stops: &[u32], step_s: i32, departures: &[i32]) -> Self {
        let calls: Vec<_> = stops.iter().zip(0..).map(|(&stop, i)| (stop, i * step_s, i * step_s)).collect();
        self.route(&calls, departures)
    }

    fn transfer_time(mut self, from_stop: u32, to_stop: u32, time_s: f64) -> Self {
        self.transfer_times.push(TransferTime { from_stop, to_stop, time_s });
        self
    }

    fn timetable(&self) -> Timetable<'_> {
        let of_route = |(route, at): (usize, &TestRoute)| {
            at.departures
                .iter()
                .map(move |&time| RouteDeparture { route: route as u32, time_s: f64::from(time) })
                .collect::<Vec<_>>()
        };
        Timetable {
            stops: &self.stops,
            coordinates: &self.coordinates,
            routes: &self.arrays,
            route_links: &self.links,
            link_lengths_m: &self.lengths_m,
            // The order of departures has no influence.
            departures: self.routes.iter().enumerate().flat_map(of_route).rev().collect(),
            transfer_times: &self.transfer_times,
        }
    }

    fn router(&self, parameters: &TransitRouterParameters) -> TransitRouter {
        TransitRouter::new(&self.timetable(), parameters).unwrap()
    }

    fn trip(
        &self,
        parameters: &TransitRouterParameters,
        from: [f64; 2],
        to: [f64; 2],
        departure_time_s: i32,
    ) -> Option<TransitTrip> {
        let request = TripRequest { from, to, departure_time_s };
        self.router(parameters).route(&mut TransitRouterScratch::default(), &request)
    }
}

/// One metre per second on foot, 900 utils per hour for all kinds of travel, one util per transfer.
fn simple() -> TransitRouterParameters {
    TransitRouterParameters {
        performing_per_h: 450.0,
        traveling_walk_per_h: -450.0,
        traveling_pt_per_h: -450.0,
        walk_speed_mps: 1.0,
        walk_beeline_factor: 1.0,
        transfer_walk_margin_s: 0.0,
        ..TransitRouterParameters::default()
    }
}

/// Costs of a second with [`simple`] parameters.
const PER_S: f64 = 0.25;

fn rides(trip: &TransitTrip) -> Vec<RideLeg> {
    let ride = |leg: &TransitLeg| match leg {
        TransitLeg::Ride(ride) => Some(*ride),
        TransitLeg::Walk(_) => None,
    };
    trip.legs.iter().filter_map(ride).collect()
}

fn walks(trip: &TransitTrip) -> Vec<WalkLeg> {
    let walk = |leg: &TransitLeg| match leg {
        TransitLeg::Walk(walk) => Some(*walk),
        TransitLeg::Ride(_) => None,
    };
    trip.legs.iter().filter_map(walk).collect()
}
