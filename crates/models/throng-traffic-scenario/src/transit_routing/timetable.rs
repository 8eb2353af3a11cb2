//! The part of a schedule that the router needs.

use throng_core::{InputError, Problems};

use crate::{Routes, Stops};

/// Maximum time before or after midnight, and maximum length of a walk, seconds (8 years). Sums of a departure, its
/// offset and a walk fit into 32 bits.
pub(super) const MAX_TIME_S: i32 = 1 << 28;

/// A schedule with the coordinates of stops and the lengths of links.
///
/// All indices refer to these arrays, whose lengths must match.
#[derive(Debug, Clone)]
pub struct Timetable<'a> {
    /// Stops. The router uses those of routes.
    pub stops: &'a Stops,
    /// Coordinate of each stop, metres.
    pub coordinates: &'a [[f64; 2]],
    /// Routes. Offsets are truncated to whole seconds; one that is earlier than an offset before it counts as equal to
    /// that one.
    pub routes: &'a Routes,
    /// The links of each route, including the first and the last one.
    pub route_links: &'a [Vec<u32>],
    /// Length of each link of the network, metres.
    pub link_lengths_m: &'a [f64],
    /// Departures, in any order.
    pub departures: Vec<RouteDeparture>,
    /// Times of transfers between stops (`minimalTransferTimes`), which replace those of the walk. Of several for the
    /// same pair, the last one counts.
    pub transfer_times: &'a [TransferTime],
}

/// A departure of a route.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RouteDeparture {
    /// Route.
    pub route: u32,
    /// Time to which the offsets of the route are added, seconds of the day; truncated to whole seconds.
    pub time_s: f64,
}

/// The time of a transfer from one stop to another one, or within a stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TransferTime {
    /// Stop of arrival.
    pub from_stop: u32,
    /// Stop of departure.
    pub to_stop: u32,
    /// Time, seconds; truncated to whole seconds.
    pub time_s: f64,
}

impl Timetable<'_> {
    /// Checks the numbers.
    ///
    /// # Errors
    /// Coordinates of used stops that are not finite, times out of range, negative times of transfers.
    pub(super) fn check(&self) -> Result<(), InputError> {
        let mut problems = Problems::new();
        let name = |stop: u32| self.stops.ids.name(stop);
        let mut used: Vec<u32> = self.routes.stop.clone();
        used.sort_unstable();
        used.dedup();
        for stop in used {
            let [x, y] = self.coordinates[stop as usize];
            if !x.is_finite() || !y.is_finite() {
                let place = format!("stopFacility \"{}\"", name(stop));
                problems.push(place, "has no finite x and y", "Give it both: trips are routed to stops nearby.");
            }
        }
        let mut time = |place: String, time_s: f64, min: i32| {
            // NaN is not in the range.
            if !(f64::from(min)..=f64::from(MAX_TIME_S)).contains(&time_s) {
                problems.push(place, format!("is at {time_s} s"), format!("Expected {min} to {MAX_TIME_S} seconds."));
            }
        };
        for (route, id) in self.routes.ids.iter().enumerate() {
            for call in self.routes.calls(route as u32) {
                for offset_s in self.routes.planned_offsets_s(call as usize) {
                    let stop = || name(self.routes.stop[call as usize]);
                    time(format!("transitRoute \"{id}\", stop \"{}\"", stop()), offset_s, -MAX_TIME_S);
                }
            }
        }
        for departure in &self.departures {
            let id = &self.routes.ids[departure.route as usize];
            time(format!("transitRoute \"{id}\", a departure"), departure.time_s, -MAX_TIME_S);
        }
        for transfer in self.transfer_times {
            let [from, to] = [transfer.from_stop, transfer.to_stop].map(name);
            time(format!("minimalTransferTimes, from \"{from}\" to \"{to}\""), transfer.time_s, 0);
        }
        problems.into_result()
    }
}
