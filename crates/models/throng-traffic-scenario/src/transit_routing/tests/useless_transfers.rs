//! The transfers that are left out, one rule at a time.

use super::super::arrays::Arrays;
use super::super::stops_by_x::StopsByX;
use super::super::transfers::{Transfer, Transfers};
use super::{Schedule, simple};

/// The transfers from a call, as target and time.
fn from(schedule: &Schedule, call: u32) -> Vec<(u32, i32)> {
    let timetable = schedule.timetable();
    let arrays = Arrays::new(&timetable);
    let stops = StopsByX::new(&arrays);
    let transfers = Transfers::new(&arrays, &stops, timetable.transfer_times, &simple()).unwrap();
    transfers.from(call).iter().map(|&Transfer { to_call, time_s }| (to_call, time_s)).collect()
}

/// Stops on a line, 1 km apart.
fn apart(stops: u32) -> Schedule {
    let coordinates: Vec<_> = (0..stops).map(|stop| [1000.0 * f64::from(stop), 0.0]).collect();
    Schedule::new(&coordinates)
}

#[test]
fn there_are_no_transfers_at_the_first_call_or_to_the_last_one() {
    // The first route has the calls 0 to 2, the second one 3 to 5; they cross at stop 1.
    let crossing = apart(5).line(&[0, 1, 2], 60, &[0]).line(&[3, 1, 4], 60, &[0]);
    assert_eq!(from(&crossing, 1), [(4, 0)]);
    assert_eq!(from(&crossing, 4), [(1, 0)]);
    let begins_here = apart(5).line(&[1, 2], 60, &[900]).line(&[3, 1, 4], 60, &[0]);
    assert_eq!(from(&begins_here, 0), []);
    assert_eq!(from(&begins_here, 3), [(0, 0)]);
    let ends_here = apart(5).line(&[0, 1], 60, &[0]).line(&[3, 1, 4], 60, &[0]);
    assert_eq!(from(&ends_here, 1), [(3, 0)]);
    assert_eq!(from(&ends_here, 3), []);
}

#[test]
fn the_last_departure_is_not_before_the_first_arrival() {
    // The first route arrives at 60, the second one departs there 60 after its departure.
    for (departures, is_possible) in [(&[-1][..], false), (&[0], true), (&[-1, 0], true), (&[], false)] {
        let schedule = apart(5).line(&[0, 1, 2], 60, &[0, 600]).line(&[3, 1, 4], 60, departures);
        assert_eq!(from(&schedule, 1) == [(4, 0)], is_possible, "{departures:?}");
    }
    let without_departures = apart(5).line(&[0, 1, 2], 60, &[]).line(&[3, 1, 4], 60, &[0]);
    assert_eq!(from(&without_departures, 1), []);
}

#[test]
fn other_stops_of_the_route_are_reached_in_the_vehicle() {
    // Stops 1 and 2 are 50 m apart; the first route has both, or only the first one.
    let coordinates = [[0.0, 0.0], [1000.0, 0.0], [1050.0, 0.0], [3000.0, 0.0], [5000.0, 0.0]];
    let both = Schedule::new(&coordinates).line(&[0, 1, 2, 3], 60, &[0]).line(&[2, 4], 60, &[900]);
    assert_eq!(from(&both, 1), []);
    assert_eq!(from(&both, 2), [(4, 0)]);
    let one = Schedule::new(&coordinates).line(&[0, 1, 3], 60, &[0]).line(&[2, 4], 60, &[900]);
    assert_eq!(from(&one, 1), [(3, 50)]);
}

#[test]
fn passengers_stay_seated_if_the_other_route_goes_no_other_way() {
    let first = |stops: &[u32]| apart(6).line(&[0, 1, 2, 3], 60, &[0]).line(stops, 60, &[900]);
    assert_eq!(from(&first(&[1, 2]), 1), []);
    assert_eq!(from(&first(&[1, 2, 3]), 1), []);
    assert_eq!(from(&first(&[1, 2, 3, 4]), 1), [(4, 0)]);
    assert_eq!(from(&first(&[1, 3]), 1), [(4, 0)]);
    // This also excludes a change to another vehicle of the same route.
    assert_eq!(from(&apart(3).line(&[0, 1, 2], 60, &[0, 900]), 1), []);
}

#[test]
fn passengers_change_one_stop_earlier_if_the_other_route_goes_back() {
    let back = apart(6).line(&[0, 1, 2], 60, &[0]).line(&[3, 1, 0, 4], 60, &[900]);
    assert_eq!(from(&back, 1), []);
    // The other direction has its own stops on the other side of the road; stop 3 is opposite to stop 0.
    let opposite = |distance_m: f64| {
        let coordinates = [[0.0, 0.0], [1000.0, 0.0], [2000.0, 0.0], [0.0, distance_m], [1000.0, 20.0], [9000.0, 0.0]];
        Schedule::new(&coordinates).line(&[0, 1, 2], 60, &[0]).line(&[4, 3, 5], 60, &[900])
    };
    assert_eq!(from(&opposite(100.0), 1), []);
    assert_eq!(from(&opposite(101.0), 1), [(3, 20)]);
    assert_eq!(from(&opposite(101.0).transfer_time(0, 3, 60.0), 1), []);
}

#[test]
fn listed_times_replace_those_of_walks() {
    let coordinates = [[0.0, 0.0], [1000.0, 0.0], [2000.0, 0.0], [1000.0, 40.5], [9000.0, 0.0], [5000.0, 0.0]];
    let schedule = Schedule::new(&coordinates).line(&[0, 1, 2], 60, &[0]).line(&[3, 4], 60, &[900]);
    assert_eq!(from(&schedule, 1), [(3, 41)]);
    assert_eq!(from(&schedule.clone().transfer_time(1, 3, 7.0), 1), [(3, 7)]);
    assert_eq!(from(&schedule.clone().transfer_time(1, 3, 7.0).transfer_time(1, 3, 8.0), 1), [(3, 8)]);
    // Only in this direction, and also beyond the maximum distance; nothing stops at stop 5.
    assert_eq!(from(&schedule.clone().transfer_time(3, 1, 7.0), 1), [(3, 41)]);
    let far = Schedule::new(&coordinates).line(&[0, 1, 2], 60, &[0]).line(&[4, 3], 60, &[900]);
    assert_eq!(from(&far, 1), []);
    assert_eq!(from(&far.transfer_time(1, 4, 500.0).transfer_time(1, 5, 1.0), 1), [(3, 500)]);
}
