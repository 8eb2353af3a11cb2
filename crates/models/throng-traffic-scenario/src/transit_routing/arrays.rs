//! The timetable as arrays.

use throng_core::NONE;

use super::timetable::Timetable;
use crate::Routes;

/// Routes, calls and departures. The index of a call is its index in [`Routes`].
#[derive(Debug)]
pub(super) struct Arrays {
    /// Line of each route.
    pub(super) line: Vec<u32>,
    /// Route of each call.
    pub(super) route: Vec<u32>,
    /// Stop of each call.
    pub(super) stop: Vec<u32>,
    /// Planned arrival after the departure of the route, seconds.
    pub(super) arrival_s: Vec<i32>,
    /// Planned departure after the departure of the route, seconds; not before the arrival.
    pub(super) departure_s: Vec<i32>,
    /// Time of each departure, seconds; grouped by route, ascending.
    pub(super) departure_time_s: Vec<i32>,
    /// Index of each departure in the timetable.
    pub(super) departure_in_timetable: Vec<u32>,
    /// Coordinate of each stop.
    pub(super) coordinates: Vec<[f64; 2]>,
    /// The first call of each route, and the number of calls.
    first_call: Vec<u32>,
    first_departure: Vec<u32>,
    /// Calls, grouped by stop.
    calls_of_stops: Vec<u32>,
    first_of_stop: Vec<u32>,
    /// Lengths of the links of all routes, one route after the other, metres.
    link_lengths_m: Vec<f64>,
    /// For each call, the index in `link_lengths_m` after its link.
    end_of_link: Vec<u32>,
}

impl Arrays {
    /// Converts a timetable whose numbers are in range.
    pub(super) fn new(timetable: &Timetable<'_>) -> Self {
        let routes = timetable.routes;
        let stops = timetable.coordinates.len();
        let mut arrays = Self {
            line: routes.line.clone(),
            route: Vec::with_capacity(routes.stop.len()),
            stop: routes.stop.clone(),
            arrival_s: Vec::with_capacity(routes.stop.len()),
            departure_s: Vec::with_capacity(routes.stop.len()),
            departure_time_s: Vec::new(),
            departure_in_timetable: Vec::new(),
            coordinates: timetable.coordinates.to_vec(),
            first_call: routes.first_call.clone(),
            first_departure: Vec::with_capacity(routes.len() + 1),
            calls_of_stops: Vec::new(),
            first_of_stop: Vec::new(),
            link_lengths_m: Vec::new(),
            end_of_link: Vec::with_capacity(routes.stop.len()),
        };
        for route in 0..routes.len() as u32 {
            arrays.add_calls(route, routes);
            arrays.add_links(route, timetable);
        }
        (arrays.first_of_stop, arrays.calls_of_stops) = grouped(stops, &routes.stop);
        let mut order: Vec<u32> = (0..timetable.departures.len() as u32).collect();
        let key = |&departure: &u32| {
            let at = &timetable.departures[departure as usize];
            (at.route, at.time_s as i32, departure)
        };
        order.sort_unstable_by_key(key);
        let time_s = |&departure: &u32| timetable.departures[departure as usize].time_s as i32;
        arrays.departure_time_s = order.iter().map(time_s).collect();
        let of_route = |route: u32| order.partition_point(|at| timetable.departures[*at as usize].route < route) as u32;
        arrays.first_departure = (0..=routes.len() as u32).map(of_route).collect();
        arrays.departure_in_timetable = order;
        arrays
    }

    fn add_calls(&mut self, route: u32, routes: &Routes) {
        let mut latest_s = i32::MIN;
        for call in routes.calls(route) {
            let [arrival_s, departure_s] = routes.planned_offsets_s(call as usize).map(|offset| offset as i32);
            let arrival_s = arrival_s.max(latest_s);
            latest_s = departure_s.max(arrival_s);
            self.route.push(route);
            self.arrival_s.push(arrival_s);
            self.departure_s.push(latest_s);
        }
    }

    /// Adds the links of a route, and those of its calls, which are in order on them.
    fn add_links(&mut self, route: u32, timetable: &Timetable<'_>) {
        let links = &timetable.route_links[route as usize];
        let first = self.link_lengths_m.len();
        self.link_lengths_m.extend(links.iter().map(|&link| timetable.link_lengths_m[link as usize]));
        let mut at = 0;
        for call in timetable.routes.calls(route) {
            let link = timetable.stops.link[timetable.routes.stop[call as usize] as usize];
            // A stop that is not on the route, which no file has, counts as at the position of the one before it.
            at += links[at..].iter().position(|&of_route| of_route == link).unwrap_or(0);
            self.end_of_link.push((first + at + 1).min(self.link_lengths_m.len()) as u32);
        }
    }

    pub(super) fn calls(&self) -> usize {
        self.stop.len()
    }

    pub(super) fn stops(&self) -> usize {
        self.coordinates.len()
    }

    /// The call after the last one of a route.
    pub(super) fn end(&self, route: u32) -> u32 {
        self.first_call[route as usize + 1]
    }

    /// Whether a call is the first of its route.
    pub(super) fn is_first(&self, call: u32) -> bool {
        self.first_call[self.route[call as usize] as usize] == call
    }

    /// Whether a call is the last of its route.
    pub(super) fn is_last(&self, call: u32) -> bool {
        self.end(self.route[call as usize]) == call + 1
    }

    /// The stops of the calls of the route of `call`, with the index of the first one.
    pub(super) fn stops_of_route(&self, call: u32) -> (u32, &[u32]) {
        let route = self.route[call as usize];
        let first = self.first_call[route as usize];
        (first, &self.stop[first as usize..self.end(route) as usize])
    }

    /// The calls at a stop, ascending.
    pub(super) fn calls_at(&self, stop: u32) -> &[u32] {
        let range = self.first_of_stop[stop as usize] as usize..self.first_of_stop[stop as usize + 1] as usize;
        &self.calls_of_stops[range]
    }

    /// The departures of a route.
    pub(super) fn departures(&self, route: u32) -> std::ops::Range<usize> {
        self.first_departure[route as usize] as usize..self.first_departure[route as usize + 1] as usize
    }

    /// The next departure for which a person who arrives at `call` at `time_s` is in time.
    pub(super) fn next_departure(&self, call: u32, time_s: i32) -> Option<u32> {
        let range = self.departures(self.route[call as usize]);
        let offset_s = self.departure_s[call as usize];
        let next = range.start + self.departure_time_s[range.clone()].partition_point(|&time| time + offset_s < time_s);
        (next < range.end).then_some(next as u32)
    }

    /// The length of the way between two calls of a route, metres: the links after that of the first one.
    pub(super) fn distance_m(&self, from_call: u32, to_call: u32) -> f64 {
        let [from, to] = [from_call, to_call].map(|call| self.end_of_link[call as usize] as usize);
        self.link_lengths_m[from..to].iter().sum()
    }

    /// The beeline between two stops, metres.
    pub(super) fn beeline_m(&self, from_stop: u32, to_stop: u32) -> f64 {
        beeline_m(self.coordinates[from_stop as usize], self.coordinates[to_stop as usize])
    }
}

/// The beeline between two points, metres.
pub(super) fn beeline_m([ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> f64 {
    ((bx - ax) * (bx - ax) + (by - ay) * (by - ay)).sqrt()
}

/// Groups the indices of `group_of` by their group: the start of each group, and the indices.
fn grouped(groups: usize, group_of: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0; groups + 1];
    for &group in group_of {
        first[group as usize + 1] += 1;
    }
    for group in 0..groups {
        first[group + 1] += first[group];
    }
    let mut next = first.clone();
    let mut indices = vec![NONE; group_of.len()];
    for (index, &group) in group_of.iter().enumerate() {
        indices[next[group as usize] as usize] = index as u32;
        next[group as usize] += 1;
    }
    (first, indices)
}
