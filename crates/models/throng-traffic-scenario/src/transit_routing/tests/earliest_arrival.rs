//! Schedules for which the search is exact: time is all that counts. A scan of all pieces of vehicle runs in the order
//! of time gives the earliest arrival.

use proptest::prelude::*;

use super::{Schedule, TransitRouterParameters, TransitRouterScratch, TripRequest, simple};

/// Time from one stop to another one, for all routes.
fn run_s(from: u32, to: u32) -> i32 {
    60 * (1 + (from * 7 + to * 3) as i32 % 5)
}

/// Stops so far apart that there are no transfers between them.
fn schedule(stops: u32, routes: &[(Vec<u32>, Vec<i32>)]) -> Schedule {
    let coordinates: Vec<_> = (0..stops).map(|stop| [300.0 * f64::from(stop), f64::from(stop % 3) * 150.0]).collect();
    routes.iter().fold(Schedule::new(&coordinates), |schedule, (calls, departures)| {
        let mut stops: Vec<u32> = calls.iter().map(|call| call % stops).collect();
        stops.dedup();
        let mut time_s = 0;
        let calls: Vec<_> = (0..stops.len())
            .map(|i| {
                time_s += if i == 0 { 0 } else { run_s(stops[i - 1], stops[i]) };
                (stops[i], time_s, time_s)
            })
            .collect();
        let mut departures: Vec<i32> = departures.iter().map(|minute| minute * 60).collect();
        departures.sort_unstable();
        departures.dedup();
        schedule.route(&calls, &departures)
    })
}

/// The earliest arrival with at least one ride; `transfer_s` is the time between rides.
fn earliest_arrival(schedule: &Schedule, request: &TripRequest, radius_m: f64, transfer_s: i32) -> Option<i32> {
    let walk_s = |stop: usize, [x, y]: [f64; 2]| {
        let [sx, sy] = schedule.coordinates[stop];
        let beeline_m = ((x - sx) * (x - sx) + (y - sy) * (y - sy)).sqrt();
        (beeline_m <= radius_m).then_some((beeline_m / 0.5).ceil() as i32)
    };
    // Departure, arrival, stops, and the vehicle run.
    let mut pieces = Vec::new();
    for (r, route) in schedule.routes.iter().enumerate() {
        for (d, departure) in route.departures.iter().enumerate() {
            for pair in route.calls.windows(2) {
                pieces.push((departure + pair[0].2, departure + pair[1].1, pair[0].0, pair[1].0, (r, d)));
            }
        }
    }
    pieces.sort_unstable();
    let mut arrival_s = vec![None::<i32>; schedule.coordinates.len()];
    let mut boarded = std::collections::BTreeSet::new();
    for (departs_s, arrives_s, from, to, run) in pieces {
        let walked_s = walk_s(from as usize, request.from).map(|time_s| request.departure_time_s + time_s);
        let changed_s = arrival_s[from as usize].map(|time_s| time_s + transfer_s);
        let is_at_stop = [walked_s, changed_s].into_iter().flatten().any(|time_s| time_s <= departs_s);
        if is_at_stop || boarded.contains(&run) {
            boarded.insert(run);
            let arrival_s = &mut arrival_s[to as usize];
            *arrival_s = Some(arrival_s.map_or(arrives_s, |earlier| earlier.min(arrives_s)));
        }
    }
    let at_destination = |stop: usize| Some(arrival_s[stop]? + walk_s(stop, request.to)?);
    (0..arrival_s.len()).filter_map(at_destination).min()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testing::cases(300)))]

    #[test]
    fn arrivals_are_the_earliest_if_only_time_counts(
        stops in 3..9_u32,
        routes in prop::collection::vec(
            (prop::collection::vec(0..100_u32, 2..7), prop::collection::vec(0..60_i32, 1..8)),
            1..9,
        ),
        (from, to, departure_time_s) in (0..2400_i32, 0..2400_i32, 0..1800_i32),
        transfer_s in prop_oneof![Just(0), 0..200_i32],
    ) {
        let schedule = schedule(stops, &routes);
        // With this radius, there are at least two stops in reach, so it is never extended.
        let radius_m = 2500.0;
        let parameters = TransitRouterParameters {
            search_radius_m: radius_m,
            utility_of_line_switch: 0.0,
            additional_transfer_time_s: f64::from(transfer_s),
            extra_transfers: 20,
            walk_speed_mps: 0.5,
            ..simple()
        };
        let request = TripRequest { from: [f64::from(from), 0.0], to: [f64::from(to), 0.0], departure_time_s };
        let found = schedule.router(&parameters).route(&mut TransitRouterScratch::default(), &request);
        let expected = earliest_arrival(&schedule, &request, radius_m, transfer_s);
        // Rides to a stop that is reached earlier on foot are not followed; a walk is better in any case.
        let walk_s = f64::from(departure_time_s) + f64::from((from - to).abs()) / 0.5;
        let found_s = found.as_ref().map_or(f64::INFINITY, |trip| trip.arrival_time_s);
        let expected_s = expected.map_or(f64::INFINITY, f64::from);
        prop_assert_eq!(found_s.min(walk_s), expected_s.min(walk_s));
        if let Some(trip) = found {
            prop_assert!(expected.is_some());
            prop_assert_eq!(trip.cost, super::PER_S * (trip.arrival_time_s - f64::from(departure_time_s)));
        }
    }
}
