//! The rules of the module, written down once more: costs in floating point, paths as copied lists, labels in maps.
//! Costs, times and paths must be equal.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::random::{Question, Size, question};
use super::{TransitLeg, TransitRouterScratch, TripRequest, rides};
use crate::transit_routing::TransitTrip;

/// A call of a route.
type Call = (usize, usize);

/// A ride: route, index of the departure, first and last call.
type Ride = (usize, usize, usize, usize);

#[derive(Debug, Clone)]
struct Arrival {
    /// With which others are compared.
    total: f64,
    time_s: i32,
    travel: f64,
    transfer: f64,
    first_departure_s: Option<i32>,
    transfers: u32,
    at: Call,
    rides: Vec<Ride>,
    /// The arrival before the last ride, if a ride is last.
    before_ride: Option<Box<Arrival>>,
}

struct Rounds<'a>(&'a Question);

impl Rounds<'_> {
    fn calls(&self, route: usize) -> &[(u32, i32, i32)] {
        &self.0.schedule.routes[route].calls
    }

    fn stop(&self, (route, call): Call) -> u32 {
        self.calls(route)[call].0
    }

    fn beeline_m(&self, a: u32, b: u32) -> f64 {
        let [[ax, ay], [bx, by]] = [a, b].map(|stop| self.0.schedule.coordinates[stop as usize]);
        ((ax - bx) * (ax - bx) + (ay - by) * (ay - by)).sqrt()
    }

    /// The time of a transfer between two stops, if there is one.
    fn transfer_s(&self, from: u32, to: u32) -> Option<i32> {
        let p = &self.0.parameters;
        let listed =
            self.0.schedule.transfer_times.iter().rev().find(|time| (time.from_stop, time.to_stop) == (from, to));
        let beeline_m = self.beeline_m(from, to);
        let walk_s = beeline_m.max(p.additional_transfer_time_s).ceil() as i32;
        let is_near = beeline_m <= p.max_beeline_walk_connection_m;
        listed.map(|time| time.time_s as i32).or(is_near.then_some(walk_s))
    }

    /// Whether a transfer between two calls is offered.
    fn is_offered(&self, from: Call, to: Call) -> bool {
        let [mine, theirs] =
            [from, to].map(|(route, _)| self.calls(route).iter().map(|call| call.0).collect::<Vec<_>>());
        let [from_stop, to_stop] = [mine[from.1], theirs[to.1]];
        let departures = |call: Call| &self.0.schedule.routes[call.0].departures;
        let first_arrival_s = departures(from)[0] + self.calls(from.0)[from.1].1;
        let last_departure_s = departures(to)[departures(to).len() - 1] + self.calls(to.0)[to.1].2;
        let (mut i, mut j) = (from.1 + 1, to.1 + 1);
        while i < mine.len() && j < theirs.len() && mine[i] == theirs[j] {
            (i, j) = (i + 1, j + 1);
        }
        let goes_no_other_way = j == theirs.len();
        from.1 > 0
            && !goes_no_other_way
            && last_departure_s >= first_arrival_s
            && (from_stop == to_stop || !mine.contains(&to_stop))
            && mine[from.1 - 1] != theirs[to.1 + 1]
            && self.transfer_s(mine[from.1 - 1], theirs[to.1 + 1]).is_none()
    }

    fn penalty(&self, transfers: u32, time_s: i32) -> f64 {
        let p = &self.0.parameters;
        let each = if p.transfer_penalty_per_travel_time_h > 0.0 {
            let rising = p.transfer_penalty_base + p.transfer_penalty_per_travel_time_h * f64::from(time_s) / 3600.0;
            rising.max(p.transfer_penalty_min).min(p.transfer_penalty_max)
        } else {
            -p.utility_of_line_switch
        };
        each * f64::from(transfers)
    }

    /// The costs of a second on foot, in a vehicle, and of waiting.
    fn costs(&self) -> [f64; 3] {
        let p = &self.0.parameters;
        [p.traveling_walk_per_h, p.traveling_pt_per_h, p.waiting_pt_per_h.unwrap()].map(|utility| -utility / 3600.0)
    }

    /// Boards the next vehicle after an arrival, or stays in the one of the arrival: the arrival before the ride, the
    /// departure, and the cost including waiting.
    fn board(&self, arrival: &Arrival) -> Option<(Arrival, usize, f64)> {
        if let (Some(before), Some(ride)) = (&arrival.before_ride, arrival.rides.last()) {
            return Some((Arrival::clone(before), ride.1, self.cost_of_boarding(before, ride.1)));
        }
        let (route, call) = arrival.at;
        let departs = |&departure: &i32| departure + self.calls(route)[call].2 >= arrival.time_s;
        let departure = self.0.schedule.routes[route].departures.iter().position(departs)?;
        Some((arrival.clone(), departure, self.cost_of_boarding(arrival, departure)))
    }

    fn boarding_s(&self, arrival: &Arrival, departure: usize) -> i32 {
        let (route, call) = arrival.at;
        arrival.time_s.max(self.0.schedule.routes[route].departures[departure] + self.calls(route)[call].1)
    }

    fn cost_of_boarding(&self, arrival: &Arrival, departure: usize) -> f64 {
        let waits_s = self.boarding_s(arrival, departure) - arrival.time_s;
        arrival.travel + self.costs()[2] * f64::from(waits_s) + arrival.transfer
    }

    /// The arrival after a ride to `to`.
    fn ride(&self, before: &Arrival, departure: usize, to: usize) -> Arrival {
        let (route, from) = before.at;
        let departs_s = self.0.schedule.routes[route].departures[departure];
        let time_s = departs_s + self.calls(route)[to].1;
        let boarding_s = self.boarding_s(before, departure);
        let [_, ride, wait] = self.costs();
        let travel =
            before.travel + wait * f64::from(boarding_s - before.time_s) + ride * f64::from(time_s - boarding_s);
        let first_departure_s = before.first_departure_s.unwrap_or(departs_s + self.calls(route)[from].2);
        let transfer = self.penalty(before.transfers, time_s - first_departure_s);
        let mut rides = before.rides.clone();
        rides.push((route, departure, from, to));
        Arrival {
            total: travel + transfer,
            time_s,
            travel,
            transfer,
            first_departure_s: Some(first_departure_s),
            transfers: before.transfers,
            at: (route, to),
            rides,
            before_ride: Some(Box::new(before.clone())),
        }
    }

    fn all_calls(&self) -> Vec<Call> {
        let routes = self.0.schedule.routes.iter().enumerate();
        routes.flat_map(|(route, of)| (0..of.calls.len()).map(move |call| (route, call))).collect()
    }

    /// The walks between a point and its stops.
    fn walks(&self, [x, y]: [f64; 2]) -> Vec<(u32, i32)> {
        let p = &self.0.parameters;
        let used: BTreeSet<u32> = self.all_calls().into_iter().map(|call| self.stop(call)).collect();
        let beeline_m = |stop: u32| {
            let [sx, sy] = self.0.schedule.coordinates[stop as usize];
            ((x - sx) * (x - sx) + (y - sy) * (y - sy)).sqrt()
        };
        let within = |radius_m: f64| -> Vec<(u32, i32)> {
            let near = used.iter().filter(|&&stop| beeline_m(stop) <= radius_m);
            near.map(|&stop| (stop, beeline_m(stop).ceil() as i32)).collect()
        };
        let found = within(p.search_radius_m);
        if found.len() >= 2 {
            return found;
        }
        let nearest_m = used.iter().map(|&stop| beeline_m(stop)).fold(f64::INFINITY, f64::min);
        within(nearest_m + p.extension_radius_m)
    }

    fn run(&self, request: &TripRequest) -> Option<(f64, i32, Vec<Ride>)> {
        let p = &self.0.parameters;
        let walk = self.costs()[0];
        let mut at_call: BTreeMap<Call, Arrival> = BTreeMap::new();
        let mut at_stop: BTreeMap<u32, Arrival> = BTreeMap::new();
        let mut improved: BTreeSet<Call> = BTreeSet::new();
        for (stop, walk_s) in self.walks(request.from) {
            for at in self.all_calls().into_iter().filter(|&at| self.stop(at) == stop) {
                let travel = walk * f64::from(walk_s);
                let time_s = request.departure_time_s + walk_s;
                let mut arrival = Arrival {
                    total: travel,
                    time_s,
                    travel,
                    transfer: 0.0,
                    first_departure_s: None,
                    transfers: 0,
                    at,
                    rides: Vec::new(),
                    before_ride: None,
                };
                if at.1 + 1 < self.calls(at.0).len()
                    && let Some((_, _, total)) = self.board(&arrival)
                {
                    arrival.total = total;
                    at_stop.insert(stop, Arrival { total: travel, ..arrival.clone() });
                    at_call.insert(at, arrival);
                    improved.insert(at);
                }
            }
        }
        let egress = self.walks(request.to);
        let to_destination = |stop: u32| {
            let walk_s = egress.iter().find(|walk| walk.0 == stop).map(|walk| walk.1);
            walk_s.map_or(f64::INFINITY, |walk_s| walk * f64::from(walk_s))
        };
        let on_foot = at_stop.iter().map(|(&stop, arrival)| arrival.total + to_destination(stop));
        let mut least = on_foot.fold(f64::INFINITY, f64::min);
        let mut last_round = None;
        for round in 0..=p.max_transfers {
            let mut improved_stops: BTreeSet<u32> = BTreeSet::new();
            for route in 0..self.0.schedule.routes.len() {
                let mut boarded = improved.iter().filter(|call| call.0 == route);
                let Some((first, start)) = boarded.find_map(|&at| Some((at.1, self.board(&at_call[&at])?))) else {
                    continue;
                };
                let mut on_board = start;
                for call in first + 1..self.calls(route).len() {
                    let arrival = self.ride(&on_board.0, on_board.1, call);
                    let old = at_call.get(&(route, call)).cloned();
                    if old.as_ref().is_none_or(|old| arrival.total <= old.total) {
                        if arrival.total > least {
                            continue;
                        }
                        let stop = self.stop((route, call));
                        if at_stop.get(&stop).is_none_or(|old| arrival.total <= old.total) {
                            at_stop.insert(stop, arrival.clone());
                            least = least.min(arrival.total + to_destination(stop));
                            improved_stops.insert(stop);
                        }
                        at_call.insert((route, call), arrival);
                    } else if let Some(other) = old.and_then(|old| self.board(&old))
                        && other.2 < arrival.total
                    {
                        on_board = other;
                    }
                }
            }
            improved.clear();
            let before_transfers = at_stop.clone();
            for stop in improved_stops {
                let from = &before_transfers[&stop];
                let mut targets = self.all_calls();
                targets.sort_by_key(|&at| (self.stop(at), at));
                for to in targets {
                    let Some(time_s) = self.transfer_s(stop, self.stop(to)) else { continue };
                    if to.1 + 1 == self.calls(to.0).len() || !self.is_offered(from.at, to) {
                        continue;
                    }
                    let mut arrival = Arrival { at: to, before_ride: None, ..from.clone() };
                    arrival.time_s += time_s;
                    arrival.travel += walk * f64::from(time_s);
                    arrival.transfers += 1;
                    arrival.transfer =
                        self.penalty(arrival.transfers, arrival.time_s - arrival.first_departure_s.unwrap());
                    arrival.total = arrival.travel + arrival.transfer;
                    if arrival.total <= least && at_call.get(&to).is_none_or(|old| arrival.total < old.total) {
                        improved.insert(to);
                        at_call.insert(to, arrival.clone());
                        if at_stop.get(&self.stop(to)).is_none_or(|old| arrival.total < old.total) {
                            least = least.min(arrival.total + to_destination(self.stop(to)));
                            at_stop.insert(self.stop(to), arrival);
                        }
                    }
                }
            }
            let is_reached = egress.iter().any(|(stop, _)| at_stop.contains_key(stop));
            if is_reached && last_round.is_none() {
                last_round = Some(round + p.extra_transfers);
            }
            if last_round.is_some_and(|last| round >= last) {
                break;
            }
        }
        let mut best: Option<(f64, u32, i32, Vec<Ride>)> = None;
        for &(stop, walk_s) in &egress {
            let Some(arrival) = at_stop.get(&stop) else { continue };
            let total = arrival.total + walk * f64::from(walk_s);
            if best.as_ref().is_none_or(|best| (total, arrival.transfers) < (best.0, best.1)) {
                best = Some((total, arrival.transfers, arrival.time_s + walk_s, arrival.rides.clone()));
            }
        }
        best.filter(|best| !best.3.is_empty()).map(|(total, _, time_s, rides)| (total, time_s, rides))
    }
}

fn summary(question: &Question, trip: &TransitTrip) -> (f64, i32, Vec<Ride>) {
    let schedule = &question.schedule;
    let rides = rides(trip).into_iter().map(|ride| {
        let route = &schedule.routes[ride.route as usize];
        let departure_s = schedule.timetable().departures[ride.departure as usize].time_s as i32;
        let departure = route.departures.iter().position(|&time_s| time_s == departure_s).unwrap();
        // A stop may have several calls: those at the right times.
        let ends_s = (ride.departure_time_s + ride.travel_time_s) as i32;
        let is_last = |call: &&(u32, i32, i32)| call.0 == ride.egress_stop && departure_s + call.1 == ends_s;
        let begins_s = ride.boarding_time_s as i32 - departure_s;
        let is_first = |call: &&(u32, i32, i32)| call.0 == ride.access_stop && (call.1..=call.2).contains(&begins_s);
        let position = |found: Option<&(u32, i32, i32)>| {
            let found = found.unwrap();
            route.calls.iter().position(|call| call == found).unwrap()
        };
        let (from, to) = (position(route.calls.iter().find(is_first)), position(route.calls.iter().find(is_last)));
        (ride.route as usize, departure, from, to)
    });
    (trip.cost, trip.arrival_time_s as i32, rides.collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testing::cases(300)))]

    #[test]
    fn searches_follow_the_rules(question in question(&Size { routes: 7, calls: 6, departures: 6 })) {
        let router = question.schedule.router(&question.parameters);
        let mut scratch = TransitRouterScratch::default();
        for request in &question.requests {
            let trip = router.route(&mut scratch, request);
            let found = trip.as_ref().map(|trip| summary(&question, trip));
            prop_assert_eq!(found, Rounds(&question).run(request));
            prop_assert_eq!(&router.route(&mut TransitRouterScratch::default(), request), &trip);
            if let Some(trip) = trip {
                prop_assert!(matches!(trip.legs[..], [TransitLeg::Walk(_), TransitLeg::Ride(_), .., TransitLeg::Walk(_)]));
            }
        }
    }
}
