//! The utility functions.

use throng_traffic_scenario::settings::TypicalDurationScore;

use super::super::utility::{
    ActivityUtility, LegUtility, Rates, of_abort, of_activity, of_leg, zero_utility_duration_h,
};
use super::*;

const RATES: Rates = Rates {
    performing: 6.0 / HOUR_S,
    waiting: -1.0 / HOUR_S,
    late_arrival: -18.0 / HOUR_S,
    early_departure: -2.0 / HOUR_S,
};

fn typical(typical_h: f64, priority: f64, rule: TypicalDurationScore) -> ActivityUtility {
    ActivityUtility {
        typical_duration_s: typical_h * HOUR_S,
        zero_utility_duration_h: zero_utility_duration_h(typical_h * HOUR_S, priority, rule),
        minimal_duration_s: None,
        opening_s: None,
        closing_s: None,
        latest_start_s: None,
        earliest_end_s: None,
        old_below_zero: false,
    }
}

fn eight_hours() -> ActivityUtility {
    typical(8.0, 1.0, TypicalDurationScore::Relative)
}

fn from_to(activity: &ActivityUtility, arrival_h: f64, departure_h: f64) -> f64 {
    of_activity(&RATES, activity, arrival_h * HOUR_S, departure_h * HOUR_S)
}

#[test]
fn the_rule_gives_the_utility_at_the_typical_duration() {
    use TypicalDurationScore::{Relative, Uniform};
    for (rule, typical_h, priority, expected) in [
        (Relative, 8.0, 1.0, 48.0),
        (Relative, 8.0, 2.0, 24.0),
        (Relative, 0.5, 1.0, 3.0),
        (Uniform, 8.0, 1.0, 60.0),
        (Uniform, 0.5, 1.0, 60.0),
        (Uniform, 8.0, 2.0, 30.0),
    ] {
        assert_near(from_to(&typical(typical_h, priority, rule), 10.0, 10.0 + typical_h), expected);
    }
}

/// The example of person 1 of MATSim's scenario equil with 100 persons.
#[test]
fn utilities_are_those_of_a_known_person() {
    let rates = Rates { waiting: 0.0, early_departure: 0.0, ..RATES };
    let hours = |hours: f64| Some(hours * HOUR_S);
    let [opening_s, closing_s, latest_start_s] = [hours(7.0), hours(18.0), hours(9.0)];
    let work = ActivityUtility { opening_s, closing_s, latest_start_s, ..eight_hours() };
    let home = typical(12.0, 1.0, TypicalDurationScore::Relative);
    let close = |activity, from, to, expected: f64| {
        let utility = of_activity(&rates, activity, from, to);
        assert!((utility - expected).abs() < 5e-8, "{utility} instead of {expected}");
    };
    close(&work, 22_845.0, 23_445.0, -48.0);
    close(&work, 23_445.0, 36_045.0, 1.119_780_3);
    close(&home, 38_385.0, 21_600.0 + 86_400.0, 106.354_048_8);
}

#[test]
fn short_and_negative_durations_continue_the_tangent() {
    let activity = eight_hours();
    assert_near(from_to(&activity, 9.0, 9.0), -48.0);
    assert_near(from_to(&activity, 9.0, 10.0), -48.0 + 6.0 * E);
    assert_near(from_to(&activity, 10.0, 9.0), -48.0 - 6.0 * E);
    // It closes at 10 h, an hour before the arrival; the person waits from then until 12 h.
    let closing = ActivityUtility { closing_s: Some(10.0 * HOUR_S), ..activity };
    assert_near(from_to(&closing, 11.0, 12.0), -48.0 - 6.0 * E - 2.0);
}

#[test]
fn each_time_out_of_schedule_counts() {
    let activity = ActivityUtility {
        minimal_duration_s: Some(9.0 * HOUR_S),
        opening_s: Some(7.0 * HOUR_S),
        closing_s: Some(15.0 * HOUR_S),
        latest_start_s: Some(6.5 * HOUR_S),
        earliest_end_s: Some(15.5 * HOUR_S),
        ..eight_hours()
    };
    // An hour of waiting before 7 h and after 15 h each, half an hour late, half an hour too early, an hour too short.
    assert_near(from_to(&activity, 6.0, 16.0), 48.0 - 1.0 - 9.0 - 1.0 - 1.0 - 2.0);
    // Closed all the time: it ends when the person departs. Late by 11.5 h, and too short by 9 h.
    assert_near(from_to(&activity, 16.0, 18.0), -48.0 - 2.0 - 18.0 * 11.5 - 18.0);
}

#[test]
fn opening_times_are_not_repeated_every_day() {
    let night = ActivityUtility { opening_s: Some(21.0 * HOUR_S), closing_s: Some(30.0 * HOUR_S), ..eight_hours() };
    // From 21 h to 30 h, with an hour of waiting before and two after.
    assert_near(from_to(&night, 20.0, 32.0), performed(8.0, 9.0) - 3.0);
}

#[test]
fn the_old_rule_limits_the_loss_of_short_activities() {
    let activity = ActivityUtility { old_below_zero: true, ..eight_hours() };
    assert_near(from_to(&activity, 9.0, 10.0), 0.0);
    assert_near(from_to(&activity, 9.0, 17.0), 48.0);
    assert_near(from_to(&activity, 10.0, 9.0), -36.0);
    let rates = Rates { waiting: 1.0 / HOUR_S, ..RATES };
    assert_near(of_activity(&rates, &activity, 0.0, HOUR_S), 1.0);
}

#[test]
fn a_leg_adds_time_distance_money_and_constants() {
    let mut mode = LegUtility {
        traveling_per_s: -6.0 / HOUR_S,
        distance_per_m: -0.001,
        money_per_m: -0.0002,
        utility_of_money: 0.5,
        constant: -0.5,
        daily_utility: 0.3,
        daily_money: -4.0,
    };
    assert_near(of_leg(&mode, 1800.0, 1000.0, false), -3.0 - 1.0 - 0.1 - 0.5);
    assert_near(of_leg(&mode, 1800.0, 1000.0, true), -4.6 + 0.3 - 2.0);
    assert!(of_leg(&mode, 1800.0, f64::NAN, false).is_nan());
    (mode.distance_per_m, mode.money_per_m) = (0.0, 0.0);
    assert_near(of_leg(&mode, 1800.0, f64::NAN, false), -3.5);
}

#[test]
fn an_aborted_day_is_24_hours_of_the_worst() {
    let per_s = |rates: [f64; 4]| rates.map(|rate| rate / HOUR_S);
    for (rates, traveling_per_h, expected_per_h) in [
        ([6.0, 0.0, -18.0, 0.0], -6.0, -18.0),
        ([6.0, 0.0, -1.0, 0.0], -6.0, -12.0),
        ([6.0, -7.0, -1.0, 0.0], -6.0, -13.0),
        ([6.0, 0.0, -1.0, -20.0], -6.0, -20.0),
        ([6.0, 1.0, -1.0, 0.0], 3.0, -6.0),
    ] {
        let [performing, waiting, late_arrival, early_departure] = per_s(rates);
        let rates = Rates { performing, waiting, late_arrival, early_departure };
        assert_near(of_abort(&rates, [traveling_per_h / HOUR_S]), 24.0 * expected_per_h);
    }
}
