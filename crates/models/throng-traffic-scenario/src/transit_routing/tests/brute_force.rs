//! All connections with up to three rides, without any rule that leaves one out: no result costs less than the best
//! of them, and every result is one of them.

use proptest::prelude::*;

use super::random::{Question, Size, question};
use super::{TransitLeg, TransitRouterParameters, TransitRouterScratch, TransitTrip, TripRequest};

const RIDES: usize = 3;

/// A person at a stop, and the times spent so far.
#[derive(Debug, Clone, Copy)]
struct State {
    stop: usize,
    time_s: i64,
    walked_s: i64,
    ridden_s: i64,
    waited_s: i64,
    first_departure_s: i64,
    transfers: i64,
}

struct Connections<'a> {
    question: &'a Question,
    to: [f64; 2],
    best: Option<f64>,
    /// The legs of a result and the arrival; `is_possible` if a connection has exactly these rides.
    wanted: Option<(&'a TransitTrip, bool)>,
    path: Vec<(usize, u32, usize, usize)>,
}

fn distance([ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> f64 {
    ((ax - bx) * (ax - bx) + (ay - by) * (ay - by)).sqrt()
}

/// The stops in reach of a point, by the distances to all of them.
fn in_reach(question: &Question, at: [f64; 2]) -> Vec<(usize, i64)> {
    let TransitRouterParameters { search_radius_m, extension_radius_m, .. } = question.parameters;
    let schedule = &question.schedule;
    let mut by_distance: Vec<(f64, usize)> = (0..schedule.coordinates.len())
        .filter(|&stop| schedule.routes.iter().any(|route| route.calls.iter().any(|call| call.0 as usize == stop)))
        .map(|stop| (distance(at, schedule.coordinates[stop]), stop))
        .collect();
    by_distance.sort_by(|a, b| a.0.total_cmp(&b.0));
    let has_two = by_distance.get(1).is_some_and(|&(second, _)| second <= search_radius_m);
    let radius = if has_two { search_radius_m } else { by_distance[0].0 + extension_radius_m };
    by_distance.retain(|&(distance, _)| distance <= radius);
    by_distance.into_iter().map(|(distance, stop)| (stop, distance.ceil() as i64)).collect()
}

impl Connections<'_> {
    fn transfers(&self, from: usize) -> Vec<(usize, i64)> {
        let Question { schedule, parameters, .. } = self.question;
        let to = |to: usize| {
            let is_listed =
                |time: &&super::TransferTime| (time.from_stop as usize, time.to_stop as usize) == (from, to);
            if let Some(listed) = schedule.transfer_times.iter().rfind(is_listed) {
                return Some((to, listed.time_s as i64));
            }
            let beeline = distance(schedule.coordinates[from], schedule.coordinates[to]);
            let time = beeline.max(parameters.additional_transfer_time_s).ceil() as i64;
            (beeline <= parameters.max_beeline_walk_connection_m).then_some((to, time))
        };
        (0..schedule.coordinates.len()).filter_map(to).collect()
    }

    fn cost(&self, state: &State) -> f64 {
        let p = &self.question.parameters;
        let per_transfer = match p.transfer_penalty_per_travel_time_h {
            0.0 => -p.utility_of_line_switch,
            per_h => {
                let hours = (state.time_s - state.first_departure_s) as f64 / 3600.0;
                (p.transfer_penalty_base + per_h * hours).clamp(p.transfer_penalty_min, p.transfer_penalty_max)
            }
        };
        let per_h = -(p.traveling_walk_per_h * state.walked_s as f64
            + p.traveling_pt_per_h * state.ridden_s as f64
            + p.waiting_pt_per_h.unwrap() * state.waited_s as f64);
        per_h / 3600.0 + per_transfer * state.transfers as f64
    }

    /// Considers the connection that ends with a walk from the stop of `state`.
    fn finish(&mut self, state: &State) {
        for (stop, walk_s) in in_reach(self.question, self.to) {
            if stop != state.stop {
                continue;
            }
            let cost = self.cost(state) + self.question.parameters.traveling_walk_per_h * -(walk_s as f64) / 3600.0;
            self.best = Some(self.best.map_or(cost, |best| best.min(cost)));
            if let Some((trip, is_possible)) = &mut self.wanted {
                *is_possible |= trip.arrival_time_s == (state.time_s + walk_s) as f64
                    && (trip.cost - cost).abs() < 1e-9
                    && legs_are(self.question, trip, &self.path);
            }
        }
    }

    fn continue_from(&mut self, state: State) {
        if self.path.len() == RIDES {
            return;
        }
        let schedule = &self.question.schedule;
        for (r, route) in schedule.routes.iter().enumerate() {
            for (first, &(stop, arrives_s, departs_s)) in route.calls.iter().enumerate() {
                for &departure in route.departures.iter().filter(|_| stop as usize == state.stop) {
                    let boarding_s = state.time_s.max(i64::from(departure + arrives_s));
                    if state.time_s > i64::from(departure + departs_s) {
                        continue;
                    }
                    for (last, &(stop, arrives_s, _)) in route.calls.iter().enumerate().skip(first + 1) {
                        let arrives_s = i64::from(departure + arrives_s);
                        let is_first = self.path.is_empty();
                        let arrived = State {
                            stop: stop as usize,
                            time_s: arrives_s,
                            ridden_s: state.ridden_s + arrives_s - boarding_s,
                            waited_s: state.waited_s + boarding_s - state.time_s,
                            first_departure_s: if is_first {
                                i64::from(departure + departs_s)
                            } else {
                                state.first_departure_s
                            },
                            ..state
                        };
                        self.path.push((r, departure as u32, first, last));
                        self.finish(&arrived);
                        for (stop, time_s) in self.transfers(arrived.stop) {
                            let changed = State {
                                stop,
                                time_s: arrives_s + time_s,
                                walked_s: arrived.walked_s + time_s,
                                transfers: arrived.transfers + 1,
                                ..arrived
                            };
                            self.finish(&changed);
                            self.continue_from(changed);
                        }
                        self.path.pop();
                    }
                }
            }
        }
    }

    fn search(&mut self, request: &TripRequest) {
        for (stop, walked_s) in in_reach(self.question, request.from) {
            let time_s = i64::from(request.departure_time_s) + walked_s;
            let state = State { stop, time_s, walked_s, ridden_s: 0, waited_s: 0, first_departure_s: 0, transfers: 0 };
            self.continue_from(state);
        }
    }
}

/// Whether the rides of a result are those of a path.
fn legs_are(question: &Question, trip: &TransitTrip, path: &[(usize, u32, usize, usize)]) -> bool {
    let rides = trip.legs.iter().filter_map(|leg| match leg {
        TransitLeg::Ride(ride) => Some(*ride),
        TransitLeg::Walk(_) => None,
    });
    let rides: Vec<_> = rides.collect();
    let departures = &question.schedule.timetable().departures;
    rides.len() == path.len()
        && rides.iter().zip(path).all(|(ride, &(route, departure, first, last))| {
            let calls = &question.schedule.routes[route].calls;
            ride.route as usize == route
                && departures[ride.departure as usize].time_s == f64::from(departure as i32)
                && (ride.access_stop, ride.egress_stop) == (calls[first].0, calls[last].0)
                && ride.departure_time_s + ride.travel_time_s == f64::from(departure as i32 + calls[last].1)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testing::cases(60)))]

    #[test]
    fn results_are_possible_and_cost_at_least_the_optimum(
        question in question(&Size { routes: 4, calls: 4, departures: 3 }),
    ) {
        let parameters = TransitRouterParameters { max_transfers: RIDES as u32 - 1, ..question.parameters.clone() };
        let router = question.schedule.router(&parameters);
        for request in &question.requests {
            let found = router.route(&mut TransitRouterScratch::default(), request);
            let wanted = found.as_ref().map(|trip| (trip, false));
            let mut all = Connections { question: &question, to: request.to, best: None, wanted, path: Vec::new() };
            all.search(request);
            let Some((trip, is_possible)) = all.wanted else { continue };
            prop_assert!(is_possible, "{:?}", trip);
            prop_assert!(trip.cost >= all.best.unwrap() - 1e-9, "{} {:?}", trip.cost, all.best);
        }
    }
}
