//! The router: requests to connections.

use throng_core::{InputError, NONE};

use super::arrays::{Arrays, beeline_m};
use super::labels::{StopWalk, TransitRouterScratch};
use super::legs::{self, TransitLeg, TransitTrip, WalkLeg};
use super::parameters::{Rates, TransitRouterParameters, UNITS_PER_UTIL};
use super::search::Search;
use super::stops_by_x::StopsByX;
use super::timetable::{MAX_TIME_S, Timetable};
use super::transfers::Transfers;

/// Finds connections with the lowest cost. It may be shared between threads. See the [module](super) for the rules and
/// an example.
#[derive(Debug)]
pub struct TransitRouter {
    arrays: Arrays,
    stops: StopsByX,
    transfers: Transfers,
    parameters: TransitRouterParameters,
    rates: Rates,
}

/// A question to the router.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TripRequest {
    /// Coordinate of the origin, metres.
    pub from: [f64; 2],
    /// Coordinate of the destination, metres.
    pub to: [f64; 2],
    /// Departure at the origin, seconds of the day.
    pub departure_time_s: i32,
}

impl TransitRouter {
    /// Creates a router for a timetable, of which it keeps the necessary parts.
    ///
    /// Takes time and memory for each call of a route (about 50 bytes) and each pair of calls with a transfer (8
    /// bytes).
    ///
    /// # Errors
    /// All parameters that are out of range; or all coordinates and times of the timetable that are; or too many
    /// transfers.
    pub fn new(timetable: &Timetable<'_>, parameters: &TransitRouterParameters) -> Result<Self, InputError> {
        let rates = parameters.rates()?;
        timetable.check()?;
        let arrays = Arrays::new(timetable);
        let stops = StopsByX::new(&arrays);
        let transfers = Transfers::new(&arrays, &stops, timetable.transfer_times, parameters)?;
        Ok(Self { arrays, stops, transfers, parameters: parameters.clone(), rates })
    }

    /// Returns the best connection: rides, or a single walk if that costs less. `None` if no ride leads to the
    /// destination, or only one that costs more than walking by way of a stop; MATSim then uses the walk of its router
    /// for that mode, whose time is truncated to whole seconds. Also `None` if a coordinate is not finite, or the
    /// departure is more than 8 years from midnight.
    ///
    /// Several threads may call it, each with its own `scratch`. Takes some microseconds for a small network; for a
    /// large one, a time proportional to the calls of the routes that are worth following.
    pub fn route(&self, scratch: &mut TransitRouterScratch, request: &TripRequest) -> Option<TransitTrip> {
        let TripRequest { from, to, departure_time_s } = *request;
        let is_finite = from.iter().chain(&to).all(|coordinate| coordinate.is_finite());
        if !is_finite || departure_time_s.unsigned_abs() > MAX_TIME_S as u32 {
            return None;
        }
        scratch.clear(self.arrays.calls(), self.arrays.stops());
        self.find_stops(from, &mut scratch.nearby, &mut scratch.access);
        self.find_stops(to, &mut scratch.nearby, &mut scratch.egress);
        for walk in &scratch.egress {
            scratch.egress_cost[walk.stop as usize] = walk.cost;
        }
        let TransitRouterParameters { max_transfers, extra_transfers, .. } = self.parameters;
        let search = Search::new(&self.arrays, &self.transfers, &self.rates, scratch);
        let found = search.run(departure_time_s, max_transfers, extra_transfers)?;
        let walk_s = beeline_m(from, to) / self.parameters.beeline_speed_mps();
        let walk_cost = walk_s * self.parameters.walk_cost_per_s();
        // Infinity times zero is no number, and no walk either.
        if walk_cost * self.parameters.direct_walk_factor < found.1 as f64 / UNITS_PER_UTIL {
            return Some(self.direct_walk(request, walk_s, walk_cost));
        }
        let TransitRouterScratch { steps, access, .. } = &*scratch;
        Some(legs::trip(&self.arrays, &self.parameters, steps, found, access, departure_time_s))
    }

    fn direct_walk(&self, request: &TripRequest, time_s: f64, cost: f64) -> TransitTrip {
        let departure_time_s = f64::from(request.departure_time_s);
        let distance_m = beeline_m(request.from, request.to) * self.parameters.walk_beeline_factor;
        let (from_stop, to_stop) = (NONE, NONE);
        let walk = WalkLeg { from_stop, to_stop, departure_time_s, travel_time_s: time_s, distance_m };
        TransitTrip { legs: vec![TransitLeg::Walk(walk)], cost, arrival_time_s: departure_time_s + time_s }
    }

    /// Replaces `walks` by the walks between a point and the stops around it, in the order of the stops.
    fn find_stops(&self, at: [f64; 2], nearby: &mut Vec<(u32, f64)>, walks: &mut Vec<StopWalk>) {
        self.stops.within(at, self.parameters.search_radius_m, nearby);
        if nearby.len() < 2 {
            self.stops.within(at, self.stops.nearest_m(at) + self.parameters.extension_radius_m, nearby);
        }
        let speed_mps = self.parameters.beeline_speed_mps();
        walks.clear();
        walks.extend(nearby.iter().filter_map(|&(stop, beeline_m)| {
            let time_s = (beeline_m / speed_mps).ceil();
            // Farther stops are out of reach.
            (time_s <= f64::from(MAX_TIME_S)).then_some(())?;
            let time_s = time_s as i32;
            Some(StopWalk { stop, beeline_m, time_s, cost: self.rates.walk * i64::from(time_s) })
        }));
    }
}
