//! Random small schedules, requests and parameters.

use proptest::prelude::*;

use super::{Schedule, TransitRouterParameters, TripRequest, simple};

/// A question with its schedule and parameters.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) schedule: Schedule,
    pub(super) parameters: TransitRouterParameters,
    pub(super) requests: Vec<TripRequest>,
}

/// Size of the schedules.
pub(super) struct Size {
    pub(super) routes: usize,
    pub(super) calls: usize,
    pub(super) departures: usize,
}

/// A point on a lattice whose step is about the distance of a transfer, so that stops are in groups.
fn point() -> impl Strategy<Value = [f64; 2]> {
    (0..12_u8, 0..4_u8).prop_map(|(x, y)| [f64::from(x) * 70.0, f64::from(y) * 70.0])
}

/// Stop, time from the stop before, and time at the stop.
type Call = (usize, i32, i32);

fn calls(size: &Size) -> impl Strategy<Value = Vec<Call>> + use<> {
    // Many equal times cause ties.
    let run_s = prop_oneof![Just(60), Just(120), 1..400];
    let stay_s = prop_oneof![3 => Just(0), 1 => 0..40];
    prop::collection::vec((0..100_usize, run_s, stay_s), 2..=size.calls)
}

/// Departures, 60 seconds apart or more: longer than any stay at a stop.
fn departures(size: &Size) -> impl Strategy<Value = Vec<i32>> + use<> {
    prop::collection::vec(0..60_i32, 1..=size.departures).prop_map(|minutes| {
        let mut departures: Vec<i32> = minutes.into_iter().map(|minute| minute * 60 - 300).collect();
        departures.sort_unstable();
        departures.dedup();
        departures
    })
}

fn schedule(size: &Size) -> impl Strategy<Value = Schedule> + use<> {
    let routes = prop::collection::vec((calls(size), departures(size)), 1..=size.routes);
    let listed = prop::collection::vec((0..100_u32, 0..100_u32, 0..200_i32), 0..3);
    (prop::collection::vec(point(), 2..9), routes, listed).prop_map(|(stops, routes, listed)| {
        let count = stops.len() as u32;
        let empty = Schedule::new(&stops);
        let schedule = routes.into_iter().fold(empty, |schedule, (calls, departures)| {
            let mut time_s = 0;
            let calls = calls.into_iter().map(|(stop, run_s, stay_s)| {
                let arrival_s = time_s + run_s;
                time_s = arrival_s + stay_s;
                (stop as u32 % count, arrival_s, time_s)
            });
            schedule.route(&calls.collect::<Vec<_>>(), &departures)
        });
        listed.into_iter().fold(schedule, |schedule, (from, to, time_s)| {
            schedule.transfer_time(from % count, to % count, f64::from(time_s))
        })
    })
}

/// Parameters whose costs are exact in binary.
fn parameters() -> impl Strategy<Value = TransitRouterParameters> {
    let rate = || (0..6_u8).prop_map(|rate| f64::from(rate) * 56.25);
    let penalty = (0..4_u8, prop_oneof![2 => Just(0.0), 1 => Just(56.25)], 0..8_u8, 0..40_u8);
    let radii = (0..3_u8, 0..3_u8);
    (rate(), rate(), rate(), penalty, radii, 0..90_u8, 0..4_u32).prop_map(
        |(walk, ride, wait, (base, per_h, min, above), (search, extension), additional, extra)| {
            TransitRouterParameters {
                performing_per_h: 0.0,
                traveling_walk_per_h: -walk,
                traveling_pt_per_h: -ride,
                waiting_pt_per_h: Some(-wait),
                utility_of_line_switch: -f64::from(base) * 4.0,
                transfer_penalty_per_travel_time_h: per_h,
                transfer_penalty_base: f64::from(base),
                transfer_penalty_min: f64::from(min),
                transfer_penalty_max: f64::from(min + above),
                search_radius_m: f64::from(search) * 70.0,
                extension_radius_m: f64::from(extension) * 70.0,
                additional_transfer_time_s: f64::from(additional.saturating_sub(40)),
                direct_walk_factor: f64::INFINITY,
                extra_transfers: extra,
                ..simple()
            }
        },
    )
}

pub(super) fn question(size: &Size) -> impl Strategy<Value = Question> + use<> {
    let request = (point(), point(), -200..3000_i32).prop_map(|(from, to, departure_time_s)| TripRequest {
        from: [from[0] + 11.0, from[1]],
        to: [to[0], to[1] - 7.0],
        departure_time_s,
    });
    (schedule(size), parameters(), prop::collection::vec(request, 1..4))
        .prop_map(|(schedule, parameters, requests)| Question { schedule, parameters, requests })
}
