//! Times of lines, and the vehicles that serve them.

use std::collections::VecDeque;

use super::TransitRoute;
use throng_traffic_scenario::Network;

/// A stop of a route, with times in seconds after the departure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RouteCall {
    /// The stop.
    pub stop: u32,
    /// When the vehicle arrives.
    pub arrival_s: f64,
    /// When it goes on; it does not leave earlier.
    pub departure_s: f64,
}

/// A departure of a route.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TransitDeparture {
    /// Seconds of the day.
    pub time_s: f64,
    /// Number of the vehicle.
    pub vehicle: u32,
}

/// Time at a stop, seconds.
const STOP_S: f64 = 20.0;
/// Minimum time between two departures of a vehicle beyond the way, seconds.
const TURN_S: f64 = 300.0;
/// First and last departure, seconds of the day.
const SERVICE_S: [f64; 2] = [5.0 * 3600.0, 24.0 * 3600.0];

/// Returns the calls of a route with stops at the ends of the links at these positions. The stop of a call is its link.
/// Buses are planned slower than an empty road allows.
pub(super) fn call_times(network: &Network, links: &[u32], at: &[usize], is_rail: bool) -> Vec<RouteCall> {
    let slower = if is_rail { 1.1 } else { 1.4 };
    let (mut now_s, mut done) = (0.0, 1);
    let call = |(number, &position): (usize, &usize)| {
        let driven = links[done.min(position + 1)..=position].iter();
        let way_s: f64 = driven.map(|&l| network.length_m[l as usize] / network.freespeed_mps[l as usize]).sum();
        done = position + 1;
        now_s += (way_s * slower).ceil();
        let arrival_s = now_s;
        now_s += if number == 0 { 0.0 } else { STOP_S };
        RouteCall { stop: links[position], arrival_s, departure_s: now_s }
    };
    at.iter().enumerate().map(call).collect()
}

/// Time between departures, seconds, from the time of the day.
fn headway_s(time_s: f64, is_rail: bool) -> f64 {
    let is_day = (6.0 * 3600.0..20.0 * 3600.0).contains(&time_s);
    match (is_rail, is_day) {
        (false, true) => 600.0,
        (true, true) => 900.0,
        (_, false) => 1800.0,
    }
}

/// Sets the departures of both directions of a line. A vehicle that has arrived at the other end is used again; the
/// vehicles of the line are appended to `vehicles`.
pub(super) fn departures(routes: &mut [TransitRoute; 2], vehicles: &mut Vec<bool>) {
    let is_rail = routes[0].is_rail;
    let way_s = [0, 1].map(|route: usize| routes[route].calls.last().map_or(0.0, |call| call.arrival_s));
    // Vehicles at the beginning of each direction, with the times from which they are available.
    let mut ready: [VecDeque<(f64, u32)>; 2] = Default::default();
    let mut time_s = SERVICE_S[0];
    while time_s <= SERVICE_S[1] {
        for direction in 0..2 {
            let available = ready[direction].pop_front_if(|(from_s, _)| *from_s <= time_s);
            let vehicle = available.map_or_else(
                || {
                    vehicles.push(is_rail);
                    vehicles.len() as u32 - 1
                },
                |(_, vehicle)| vehicle,
            );
            ready[1 - direction].push_back((time_s + way_s[direction] + TURN_S, vehicle));
            routes[direction].departures.push(super::TransitDeparture { time_s, vehicle });
        }
        time_s += headway_s(time_s, is_rail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::NetworkBuilder;

    #[test]
    fn times_follow_from_the_links_between_stops() {
        let builder = ["a", "b", "c", "d"].iter().fold(NetworkBuilder::new(), |b, id| b.node(id, 0.0, 0.0));
        let links = [("1", "a", "b"), ("2", "b", "c"), ("3", "c", "d")];
        let network = links.iter().fold(builder, |b, (id, from, to)| b.link(id, from, to, 100.0, 10.0, 1.0, 1.0));
        let calls = call_times(&network.build().unwrap(), &[0, 1, 2], &[0, 2], false);
        let expected = [(0, 0.0, 0.0), (2, 28.0, 48.0)];
        assert_eq!(calls.iter().map(|c| (c.stop, c.arrival_s, c.departure_s)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn vehicles_return() {
        let call = |arrival_s| RouteCall { stop: 0, arrival_s, departure_s: arrival_s };
        let route = TransitRoute {
            line: 0,
            is_rail: false,
            links: Vec::new(),
            calls: vec![call(0.0), call(1000.0)],
            departures: Vec::new(),
        };
        let (mut routes, mut vehicles) = ([route.clone(), route], Vec::new());
        departures(&mut routes, &mut vehicles);
        // A vehicle is back after 2600 s; departures are 600 s apart by day.
        assert_eq!(vehicles.len(), 6);
        let [there, _] = &routes;
        assert_eq!(there.departures.len(), 2 + 84 + 9);
        let of_first: Vec<f64> = there.departures.iter().filter(|d| d.vehicle == 0).map(|d| d.time_s).take(3).collect();
        assert_eq!(of_first, [18_000.0, 21_600.0, 25_200.0]);
    }
}
