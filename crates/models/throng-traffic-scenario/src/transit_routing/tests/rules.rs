//! Single rules, with results computed by hand.

use throng_core::NONE;

use super::*;
use crate::transit_routing::parameters::UNITS_PER_UTIL;

/// Two stops 10 km apart, and a route that takes ten minutes, after a wait of one minute at the first stop.
fn shuttle(departures: &[i32]) -> Schedule {
    Schedule::new(&[[0.0, 0.0], [10_000.0, 0.0]]).route(&[(0, 0, 60), (1, 660, 660)], departures)
}

const FROM: [f64; 2] = [0.0, 30.0];
const TO: [f64; 2] = [10_000.0, 20.0];

#[test]
fn vehicles_are_reached_until_the_second_of_their_departure() {
    // 30 s on foot; the vehicles are at the stop from 1000 to 1060 and from 2000 to 2060.
    for (departure_time_s, boarding_s) in [(900, 1000), (1000, 1030), (1030, 1060), (1031, 2000)] {
        let trip = shuttle(&[1000, 2000]).trip(&simple(), FROM, TO, departure_time_s).unwrap();
        let ride = rides(&trip)[0];
        assert_eq!(ride.boarding_time_s, f64::from(boarding_s), "{departure_time_s}");
        assert_eq!(ride.departure_time_s, f64::from(departure_time_s + 30));
        let arrives_s = if boarding_s < 2000 { 1660.0 } else { 2660.0 };
        assert_eq!(ride.departure_time_s + ride.travel_time_s, arrives_s);
        assert_eq!(trip.arrival_time_s, arrives_s + 20.0);
        assert_eq!(trip.cost, PER_S * (trip.arrival_time_s - f64::from(departure_time_s)));
        // Link 1 is 2 m long; the timetable lists departures in reverse.
        assert_eq!((ride.distance_m, ride.departure), (2.0, u32::from(boarding_s < 2000)));
    }
    assert_eq!(shuttle(&[2000]).trip(&simple(), FROM, TO, 2031), None);
}

#[test]
fn walks_rides_and_waiting_have_their_own_costs() {
    let parameters = TransitRouterParameters {
        performing_per_h: 6.0,
        traveling_walk_per_h: -6.0,
        traveling_pt_per_h: -3.0,
        waiting_pt_per_h: Some(-12.0),
        ..simple()
    };
    let trip = shuttle(&[1000]).trip(&parameters, FROM, TO, 900).unwrap();
    // From 1000 on, the person is in the vehicle.
    let expected = (12.0 * f64::from(30 + 20) + 18.0 * 70.0 + 9.0 * 660.0) / 3600.0;
    assert!((trip.cost - expected).abs() < 1e-9, "{} {expected}", trip.cost);
    let parameters = TransitRouterParameters { waiting_pt_per_h: None, ..parameters };
    let trip = shuttle(&[1000]).trip(&parameters, FROM, TO, 900).unwrap();
    let expected = (12.0 * f64::from(30 + 20) + 9.0 * 730.0) / 3600.0;
    assert!((trip.cost - expected).abs() < 1e-9, "{} {expected}", trip.cost);
}

/// The stop at which a person boards who starts at 0, 0, with stops at these distances. Vehicles go from each of them
/// to the destination, at the same time and the later the nearer the stop, so that the farthest one in reach is best.
fn boards_at(distances_m: &[f64]) -> f64 {
    let mut coordinates: Vec<_> = distances_m.iter().map(|&distance| [-distance, 0.0]).collect();
    let (stops, destination) = (distances_m.len() as u32, [50_000.0, 0.0]);
    coordinates.push(destination);
    let schedule = (0..stops).fold(Schedule::new(&coordinates), |schedule, stop| {
        let late_s = 100_000 - distances_m[stop as usize] as i32 * 10;
        schedule.route(&[(stop, 0, 0), (stops, late_s, late_s)], &[2000])
    });
    let parameters = TransitRouterParameters { direct_walk_factor: f64::INFINITY, ..simple() };
    let trip = schedule.trip(&parameters, [0.0, 0.0], destination, 0).unwrap();
    distances_m[rides(&trip)[0].access_stop as usize]
}

#[test]
fn the_radius_is_extended_if_there_are_fewer_than_two_stops() {
    assert_eq!(boards_at(&[100.0, 1000.0, 1001.0]), 1000.0);
    assert_eq!(boards_at(&[900.0, 1000.0, 1100.0]), 1000.0);
    assert_eq!(boards_at(&[900.0, 1100.0, 1101.0]), 1100.0);
    assert_eq!(boards_at(&[1500.0, 1700.0, 1701.0]), 1700.0);
    // The extended circle may be smaller.
    assert_eq!(boards_at(&[100.0, 1001.0]), 100.0);
}

/// A vehicle from stop 0 to stop 1, and one from stop 2, 40.5 m from stop 1, to stop 3 some minutes later.
fn one_transfer() -> Schedule {
    Schedule::new(&[[0.0, 0.0], [5000.0, 0.0], [5000.0, 40.5], [10_000.0, 0.0]]).line(&[0, 1], 600, &[1000]).line(
        &[2, 3],
        600,
        &[2000],
    )
}

#[test]
fn transfers_have_a_walk_a_margin_and_a_penalty() {
    let parameters = TransitRouterParameters { walk_beeline_factor: 2.0, transfer_walk_margin_s: 5.0, ..simple() };
    let trip = one_transfer().trip(&parameters, [0.0, 0.0], [10_000.0, 0.0], 900).unwrap();
    let [_, TransitLeg::Ride(first), TransitLeg::Walk(walk), TransitLeg::Ride(second), _] = trip.legs[..] else {
        panic!("{trip:?}")
    };
    assert_eq!((first.access_stop, first.egress_stop, second.access_stop, second.egress_stop), (0, 1, 2, 3));
    assert_eq!((walk.from_stop, walk.to_stop, walk.departure_time_s), (1, 2, 1600.0));
    assert_eq!((walk.travel_time_s, walk.distance_m), (81.0 - 5.0, 81.0));
    assert_eq!((second.departure_time_s, second.travel_time_s), (1681.0, 919.0));
    assert_eq!((trip.arrival_time_s, trip.cost), (2600.0, PER_S * 1700.0 + 1.0));
    // The walk does not become negative; the next vehicle is reached after the full time.
    let parameters = TransitRouterParameters { transfer_walk_margin_s: 100.0, ..parameters };
    let trip = one_transfer().trip(&parameters, [0.0, 0.0], [10_000.0, 0.0], 900).unwrap();
    assert_eq!(walks(&trip)[1].travel_time_s, 0.0);
    assert_eq!(rides(&trip)[1].departure_time_s, 1681.0);
}

#[test]
fn transfers_take_the_additional_time_at_least() {
    for (additional_s, transfer_s) in [(0.0, 41.0), (41.5, 42.0), (400.0, 400.0)] {
        let parameters = TransitRouterParameters { additional_transfer_time_s: additional_s, ..simple() };
        let trip = one_transfer().trip(&parameters, [0.0, 0.0], [10_000.0, 0.0], 900).unwrap();
        assert_eq!(walks(&trip)[1].travel_time_s, transfer_s);
    }
    let parameters = TransitRouterParameters { additional_transfer_time_s: 401.0, ..simple() };
    assert_eq!(one_transfer().trip(&parameters, [0.0, 0.0], [10_000.0, 0.0], 900), None);
    let listed = one_transfer().transfer_time(1, 2, 10.0);
    let trip = listed.trip(&parameters, [0.0, 0.0], [10_000.0, 0.0], 900).unwrap();
    assert_eq!(walks(&trip)[1].travel_time_s, 10.0);
}

#[test]
fn penalties_per_hour_are_clamped() {
    let penalty = |base: f64, per_h: f64, min: f64, max: f64| {
        let parameters = TransitRouterParameters {
            transfer_penalty_base: base,
            transfer_penalty_per_travel_time_h: per_h,
            transfer_penalty_min: min,
            transfer_penalty_max: max,
            ..simple()
        };
        let of_rates = parameters.rates().unwrap().transfer_cost(1, 1600) as f64 / UNITS_PER_UTIL;
        assert_eq!(parameters.rates().unwrap().transfer_cost(0, 1600), 0);
        assert_eq!(parameters.rates().unwrap().transfer_cost(3, 1600) as f64 / UNITS_PER_UTIL, 3.0 * of_rates);
        // From the first departure at 1000 to the arrival at 2600.
        let trip = one_transfer().trip(&parameters, [0.0, 0.0], [10_000.0, 0.0], 900).unwrap();
        assert_eq!(trip.cost, PER_S * 1700.0 + of_rates);
        of_rates
    };
    let unlimited = [f64::NEG_INFINITY, f64::INFINITY];
    assert_eq!(penalty(2.0, 4.5, unlimited[0], unlimited[1]), 4.0);
    assert_eq!(penalty(2.0, 4.5, 3.0, 5.0), 4.0);
    assert_eq!(penalty(2.0, 4.5, 4.5, 5.0), 4.5);
    assert_eq!(penalty(2.0, 4.5, 3.0, 3.5), 3.5);
    // Without a cost per hour, base and limits have no effect.
    assert_eq!(penalty(2.0, 0.0, 3.0, 3.5), 1.0);
}

#[test]
fn a_transfer_before_the_destination_joins_the_last_walk() {
    // Stop 1 is 501 m from the destination, and stop 2, where another route passes, 461 m.
    let schedule = Schedule::new(&[[0.0, 0.0], [5000.0, 0.0], [5040.0, 0.0], [20_000.0, 0.0], [5500.0, 0.0]])
        .line(&[0, 1, 3], 600, &[1000])
        .line(&[2, 4], 600, &[9000]);
    let parameters = TransitRouterParameters { search_radius_m: 480.0, walk_beeline_factor: 1.0, ..simple() };
    let to = [5500.5, 0.0];
    let trip = schedule.trip(&parameters, [0.0, 0.0], to, 900).unwrap();
    let last = walks(&trip)[1];
    assert_eq!(trip.legs.len(), 3);
    assert_eq!((last.from_stop, last.to_stop, last.departure_time_s), (1, NONE, 1600.0));
    assert_eq!((last.travel_time_s, last.distance_m), (40.0 + 461.0, 40.0 + 460.5));
    assert_eq!((trip.arrival_time_s, trip.cost), (2101.0, PER_S * 1201.0 + 1.0));
}

#[test]
fn walking_is_chosen_if_it_costs_less() {
    // The ride takes 600 s and begins at once. Only the nearest stop is in reach of each end.
    let schedule = Schedule::new(&[[0.0, 0.0], [1000.0, 0.0]]).line(&[0, 1], 600, &[1000]);
    let trip = |length_m: f64, factor: f64| {
        let (search_radius_m, extension_radius_m) = (0.0, 0.0);
        let parameters =
            TransitRouterParameters { direct_walk_factor: factor, search_radius_m, extension_radius_m, ..simple() };
        schedule.trip(&parameters, [0.0, 0.0], [length_m, 0.0], 1000).unwrap()
    };
    let ride_s = |length_m: f64| 600.0 + (1000.0 - length_m).abs();
    let walk = trip(700.25, 1.0);
    assert_eq!(walk.legs.len(), 1);
    let WalkLeg { from_stop, to_stop, departure_time_s, travel_time_s, distance_m } = walks(&walk)[0];
    assert_eq!((from_stop, to_stop, departure_time_s), (NONE, NONE, 1000.0));
    assert_eq!((travel_time_s, distance_m, walk.arrival_time_s), (700.25, 700.25, 1700.25));
    assert_eq!(walk.cost, PER_S * 700.25);
    // 800 s each: the ride is chosen.
    assert_eq!(rides(&trip(800.0, 1.0)).len(), 1);
    assert_eq!(trip(800.0, 1.0).cost, PER_S * ride_s(800.0));
    assert_eq!(rides(&trip(800.0, 0.999)).len(), 0);
    assert_eq!(rides(&trip(700.25, 1.5)).len(), 1);
    assert_eq!(rides(&trip(700.25, f64::INFINITY)).len(), 1);
}

#[test]
fn walking_by_way_of_a_stop_is_no_connection() {
    // To the first stop 300 s; from there 700 s on foot, or a ride and 300 s. The direct walk does not count.
    let parameters = TransitRouterParameters { direct_walk_factor: f64::INFINITY, search_radius_m: 700.0, ..simple() };
    for (ride_s, is_found) in [(399, true), (400, false), (401, false)] {
        let schedule = Schedule::new(&[[0.0, 0.0], [1000.0, 0.0]]).line(&[0, 1], ride_s, &[1300]);
        let trip = schedule.trip(&parameters, [-300.0, 0.0], [700.0, 0.0], 1000);
        assert_eq!(trip.is_some(), is_found, "{ride_s} {trip:?}");
    }
}

#[test]
fn the_number_of_transfers_is_limited() {
    // Four lines in a row; and one along the road that takes much longer.
    let coordinates: Vec<_> = (0..5).map(|stop| [5000.0 * f64::from(stop), 0.0]).collect();
    let chain = (0..4)
        .fold(Schedule::new(&coordinates), |schedule, i| schedule.line(&[i, i + 1], 300, &[1000 + 400 * i as i32]));
    let with_slow = chain.clone().line(&[0, 4], 10_000, &[1000]);
    let rides_of = |schedule: &Schedule, max_transfers, extra_transfers| {
        let parameters = TransitRouterParameters { max_transfers, extra_transfers, ..simple() };
        let trip = schedule.trip(&parameters, [0.0, 0.0], [20_000.0, 0.0], 1000);
        trip.map(|trip| rides(&trip).len())
    };
    assert_eq!(rides_of(&chain, 20, 2), Some(4));
    assert_eq!(rides_of(&chain, 3, 2), Some(4));
    assert_eq!(rides_of(&chain, 2, 2), None);
    assert_eq!(rides_of(&with_slow, 20, 2), Some(1));
    assert_eq!(rides_of(&with_slow, 20, 3), Some(4));
}

#[test]
fn a_better_arrival_continues_a_ride() {
    // Both stops are 250 s away. The vehicle of 1000 has left the first one, but not the second one, where the route
    // that was boarded at the first stop with the vehicle of 2000 passes much later.
    let schedule = Schedule::new(&[[0.0, 0.0], [500.0, 0.0], [10_000.0, 0.0]]).line(&[0, 1, 2], 600, &[1000, 2000]);
    let trip = schedule.trip(&simple(), [250.0, 0.0], [10_000.0, 0.0], 1000).unwrap();
    let ride = rides(&trip)[0];
    assert_eq!((ride.access_stop, ride.boarding_time_s, trip.arrival_time_s), (1, 1600.0, 2200.0));
    // If the vehicle of 1000 is too early there as well, the ride from the first stop goes on.
    let schedule = Schedule::new(&[[0.0, 0.0], [500.0, 0.0], [10_000.0, 0.0]]).line(&[0, 1, 2], 200, &[1000, 2000]);
    let trip = schedule.trip(&simple(), [250.0, 0.0], [10_000.0, 0.0], 1000).unwrap();
    let ride = rides(&trip)[0];
    assert_eq!((ride.access_stop, ride.boarding_time_s, trip.arrival_time_s), (0, 2000.0, 2400.0));
}

#[test]
fn equal_costs_are_ordered_by_index() {
    // Two equal routes: the later one replaces the first one.
    let equal = Schedule::new(&[[0.0, 0.0], [5000.0, 0.0]]).line(&[0, 1], 60, &[1000]).line(&[0, 1], 60, &[1000]);
    let trip = equal.trip(&simple(), [0.0, 0.0], [5000.0, 0.0], 900).unwrap();
    assert_eq!(rides(&trip)[0].route, 1);
    // Two equal egress stops: the first one.
    let stops = [[0.0, 0.0], [5000.0, 10.0], [5000.0, -10.0]];
    let equal = Schedule::new(&stops).line(&[0, 1], 60, &[1000]).line(&[0, 2], 60, &[1000]);
    let trip = equal.trip(&simple(), [0.0, 0.0], [5000.0, 0.0], 900).unwrap();
    assert_eq!(rides(&trip)[0].egress_stop, 1);
    // Two equal transfers, from stops 1 and 2 to stop 3 between them: that from stop 1, although its route is later.
    let stops = [[0.0, 0.0], [5000.0, 50.0], [5000.0, -50.0], [5000.0, 0.0], [9000.0, 0.0]];
    let equal = Schedule::new(&stops).line(&[0, 2], 60, &[1000]).line(&[0, 1], 60, &[1000]).line(&[3, 4], 60, &[2000]);
    let trip = equal.trip(&simple(), [0.0, 0.0], [9000.0, 0.0], 900).unwrap();
    assert_eq!(rides(&trip)[0].egress_stop, 1);
}

#[test]
fn requests_without_an_answer_have_none() {
    let schedule = shuttle(&[1000]);
    for (from, to, departure_time_s) in
        [([f64::NAN, 0.0], TO, 0), (FROM, [0.0, f64::INFINITY], 0), (FROM, TO, i32::MAX), (FROM, TO, i32::MIN)]
    {
        assert_eq!(schedule.trip(&simple(), from, to, departure_time_s), None);
    }
    // No one walks for 8 years.
    assert_eq!(schedule.trip(&simple(), [1e300, 0.0], TO, 0), None);
    assert_eq!(Schedule::new(&[]).trip(&simple(), FROM, TO, 0), None);
    assert_eq!(Schedule::new(&[[0.0, 0.0]]).trip(&simple(), FROM, TO, 0), None);
    // No vehicle goes back.
    assert_eq!(schedule.trip(&simple(), TO, FROM, 0), None);
}

#[test]
fn offsets_never_go_back() {
    let schedule = Schedule::new(&[[0.0, 0.0], [5000.0, 0.0], [9000.0, 0.0]])
        .route(&[(0, 0, 100), (1, 50, 40), (2, 200, 0)], &[0]);
    let trip = schedule.trip(&simple(), [0.0, 0.0], [5000.0, 0.0], 0).unwrap();
    assert_eq!(trip.arrival_time_s, 100.0);
    let trip = schedule.trip(&simple(), [5000.0, 0.0], [9000.0, 0.0], 0).unwrap();
    assert_eq!((rides(&trip)[0].boarding_time_s, trip.arrival_time_s), (100.0, 200.0));
}

#[test]
fn invalid_parameters_are_reported_together() {
    let default = TransitRouterParameters::default();
    for (parameters, expected) in [
        (TransitRouterParameters { walk_speed_mps: 0.0, ..default.clone() }, "teleportedModeSpeed of walk: 0"),
        (TransitRouterParameters { search_radius_m: -1.0, ..default.clone() }, "transitRouter.searchRadius: -1"),
        (TransitRouterParameters { extension_radius_m: f64::NAN, ..default.clone() }, "extensionRadius: NaN"),
        (TransitRouterParameters { traveling_pt_per_h: 7.0, ..default.clone() }, "travelling of pt: -1"),
        (TransitRouterParameters { waiting_pt_per_h: Some(f64::NAN), ..default.clone() }, "scoring.waitingPt: NaN"),
        (TransitRouterParameters { utility_of_line_switch: 1.0, ..default.clone() }, "utilityOfLineSwitch: -1"),
        (TransitRouterParameters { max_transfers: 1001, ..default.clone() }, "number of transfers: 1001"),
        (
            TransitRouterParameters {
                transfer_penalty_per_travel_time_h: 1.0,
                transfer_penalty_min: 2.0,
                transfer_penalty_max: 1.0,
                ..default.clone()
            },
            "transferPenaltyMaxCost: 1 is below 2",
        ),
    ] {
        let error = TransitRouter::new(&shuttle(&[0]).timetable(), &parameters).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
    let two = TransitRouterParameters { walk_speed_mps: 0.0, direct_walk_factor: -1.0, ..default };
    let error = TransitRouter::new(&shuttle(&[0]).timetable(), &two).unwrap_err();
    assert_eq!(error.0.total(), 2);
}

#[test]
fn invalid_timetables_are_reported_with_names() {
    let error = |schedule: &Schedule| TransitRouter::new(&schedule.timetable(), &simple()).unwrap_err().to_string();
    let mut invalid = shuttle(&[0]);
    invalid.coordinates[1] = [f64::NAN, 0.0];
    assert!(error(&invalid).contains("stopFacility \"s1\": has no finite x and y"));
    assert!(error(&shuttle(&[i32::MAX])).contains("transitRoute \"r0\", a departure"));
    assert!(error(&shuttle(&[0]).transfer_time(0, 1, -1.0)).contains("from \"s0\" to \"s1\""));
    let late = Schedule::new(&[[0.0, 0.0]]).route(&[(0, 0, i32::MAX)], &[0]);
    assert!(error(&late).contains("transitRoute \"r0\", stop \"s0\""));
    // Stops without routes may be anywhere.
    let unused = Schedule::new(&[[f64::NAN, 0.0]]);
    assert!(TransitRouter::new(&unused.timetable(), &simple()).is_ok());
}
