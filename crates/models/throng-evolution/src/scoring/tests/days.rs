//! The days of a person.

use super::super::{DayScore, Fault, PersonDay, ScoreParts};
use super::*;

/// A leg that begins and ends at the same time.
fn leg(day: &mut PersonDay, p: &Preferences, mode: ModeId) {
    day.depart(p, mode, 0.0);
    day.arrive(p, 0.0, || unreachable!("no mode has a rate per distance")).unwrap();
}

/// A day with a first activity until `until_h`, and a last one from `from_h`.
fn day(p: &Preferences, first: u32, until_h: f64, last: u32, from_h: f64) -> PersonDay {
    let mut day = PersonDay::default();
    day.end_activity(p, first, until_h * HOUR_S).unwrap();
    day.start_activity(last, from_h * HOUR_S);
    day
}

fn activities(day: PersonDay, p: &Preferences) -> f64 {
    day.finish(p).unwrap().parts.activities
}

#[test]
fn the_constant_of_a_mode_counts_per_leg_and_its_daily_constants_per_day() {
    let car = mode("car", |car| (car.constant, car.daily_utility, car.daily_money) = (-0.5, 1.0, -2.0));
    let walk = mode("walk", |walk| walk.daily_utility = 0.25);
    let p = prepared(&parameters([car, walk]), 1);
    let mut day = PersonDay::default();
    for mode in [CAR, CAR, WALK, WALK] {
        leg(&mut day, &p, mode);
    }
    assert_near(day.clone().finish(&p).unwrap().parts.legs, 2.0 * -0.5 + 1.0 - 2.0 + 0.25);
    // A separate mode, with the parameters of `walk`.
    for _ in 0..2 {
        leg(&mut day, &p, TRANSIT_WALK);
    }
    assert_near(day.finish(&p).unwrap().score, -1.75 + 0.25);
}

#[test]
fn an_abort_depends_on_unused_modes() {
    // Late arrival would be worth -1/h, and travelling by car -1/h; the other default modes have -6/h.
    let car = mode("car", |car| car.traveling_per_h = -1.0);
    let p = prepared(&ScoringParameters { late_arrival_per_h: -1.0, ..parameters([car]) }, 1);
    let mut day = PersonDay::default();
    day.abort(&p);
    assert_near(day.finish(&p).unwrap().score, 24.0 * (-6.0 - 6.0));
}

#[test]
fn the_first_activity_continues_the_last_one() {
    let p = prepared(&parameters([]), 1);
    assert_near(activities(day(&p, HOME, 8.0, HOME, 18.0), &p), performed(12.0, 14.0));
    // The type without parameters is not looked at.
    assert_near(activities(day(&p, NOT_SPECIFIED, 8.0, WORK, 18.0), &p), performed(8.0, 14.0));
    assert_near(activities(day(&p, UNSCORED, 8.0, UNSCORED, 18.0), &p), 0.0);
}

#[test]
fn different_first_and_last_activities_end_with_the_period() {
    for (period_days, last) in [(1, performed(8.0, 6.0)), (2, performed(8.0, 30.0))] {
        let p = prepared(&parameters([]), period_days);
        assert_near(activities(day(&p, HOME, 8.0, WORK, 18.0), &p), performed(12.0, 8.0) + last);
    }
    // After midnight, the duration is -2 h.
    let p = prepared(&parameters([]), 1);
    let last = -48.0 - 2.0 * 6.0 * E;
    assert_near(activities(day(&p, HOME, 8.0, WORK, 26.0), &p), performed(12.0, 8.0) + last);
}

#[test]
fn an_activity_between_others_has_its_own_times() {
    let p = prepared(&parameters([]), 1);
    let mut day = day(&p, HOME, 8.0, WORK, 9.0);
    day.end_activity(&p, WORK, 17.0 * HOUR_S).unwrap();
    day.start_activity(PT_INTERACTION, 17.5 * HOUR_S);
    day.end_activity(&p, PT_INTERACTION, 17.5 * HOUR_S).unwrap();
    day.start_activity(HOME, 18.0 * HOUR_S);
    assert_near(activities(day, &p), 48.0 + performed(12.0, 14.0));
}

#[test]
fn an_aborted_person_has_no_further_activity() {
    let p = prepared(&parameters([]), 1);
    let mut on_the_road = PersonDay::default();
    on_the_road.end_activity(&p, HOME, 8.0 * HOUR_S).unwrap();
    on_the_road.depart(&p, CAR, 8.0 * HOUR_S);
    on_the_road.abort(&p);
    let parts = ScoreParts { activities: performed(12.0, 8.0), stuck: -432.0, ..ScoreParts::default() };
    let found = on_the_road.finish(&p).unwrap();
    assert_near(found.parts.activities, parts.activities);
    assert_eq!((found.parts.legs, found.parts.stuck), (0.0, -432.0));
    assert_near(found.score, parts.activities - 432.0);

    let mut in_activity = day(&p, HOME, 8.0, HOME, 18.0);
    in_activity.abort(&p);
    assert_near(in_activity.finish(&p).unwrap().score, performed(12.0, 14.0) - 432.0);

    let mut in_first = PersonDay::default();
    assert_eq!(in_first.clone().finish(&p).unwrap(), DayScore { score: 0.0, parts: ScoreParts::default() });
    in_first.abort(&p);
    assert_near(in_first.finish(&p).unwrap().score, -432.0);
}

#[test]
fn public_transport_separates_waiting_from_travelling() {
    let pt = mode("pt", |pt| (pt.traveling_per_h, pt.constant) = (-1.0, 0.75));
    let p = prepared(&ScoringParameters { waiting_pt_per_h: Some(-3.0), ..parameters([pt]) }, 1);
    let mut day = PersonDay::default();
    let ride = |day: &mut PersonDay, departure_h: f64, boarding_h: f64, arrival_h: f64| {
        day.depart(&p, PT, departure_h * HOUR_S);
        day.enter_vehicle(&p, boarding_h * HOUR_S);
        day.arrive(&p, arrival_h * HOUR_S, || unreachable!("no rate per distance")).unwrap();
        let legs = day.clone().finish(&p).unwrap().parts.legs;
        day.start_activity(PT_INTERACTION, arrival_h * HOUR_S);
        legs
    };
    day.end_activity(&p, HOME, 8.0 * HOUR_S).unwrap();
    // Half an hour at -3 and half an hour at -1.
    assert_near(ride(&mut day, 8.0, 8.5, 9.0), -1.5 - 0.5 + 0.75);
    day.end_activity(&p, PT_INTERACTION, 9.0 * HOUR_S).unwrap();
    // A change of lines; the constant does not count again.
    assert_near(ride(&mut day, 9.0, 9.25, 9.5), -1.25 - 1.0 - 0.75 - 0.25);
    day.start_activity(WORK, 9.5 * HOUR_S);
    day.end_activity(&p, WORK, 10.0 * HOUR_S).unwrap();
    assert_near(ride(&mut day, 10.0, 10.0, 10.0), -3.25 + 0.75);
    // Only rides have such corrections.
    day.end_activity(&p, PT_INTERACTION, 10.0 * HOUR_S).unwrap();
    day.depart(&p, CAR, 10.0 * HOUR_S);
    day.enter_vehicle(&p, 11.0 * HOUR_S);
    assert_near(day.finish(&p).unwrap().parts.legs, -2.5);
}

#[test]
fn money_counts_with_its_utility_and_scores_as_they_are() {
    let p = prepared(&ScoringParameters { utility_of_money: 0.5, ..parameters([]) }, 1);
    let mut day = PersonDay::default();
    day.receive_money(&p, -3.0).unwrap();
    day.receive_money(&p, 1.0).unwrap();
    day.add_score(0.25).unwrap();
    let DayScore { score, parts } = day.clone().finish(&p).unwrap();
    assert_eq!((score, parts.money, parts.events), (-0.75, -1.0, 0.25));
    assert_eq!(day.receive_money(&p, f64::NAN), Err(Fault::AmountNotANumber));
    assert_eq!(day.add_score(f64::NAN), Err(Fault::AmountNotANumber));
}

/// Twice 1 is lost beside 2^53, but 2 is not.
#[test]
fn parts_are_added_in_matsims_order() {
    let large = 9_007_199_254_740_992.0;
    let sum = |[activities, legs, money, stuck, events]: [f64; 5]| {
        ScoreParts { activities, legs, money, stuck, events }.sum()
    };
    assert_eq!(sum([large, 1.0, 1.0, 0.0, 0.0]), large);
    assert_eq!(sum([1.0, 1.0, large, 0.0, 0.0]), large + 2.0);
    assert_eq!(sum([1.0, 0.0, large, 1.0, -large]), 0.0);
}

#[test]
fn faults_name_person_value_and_remedy() {
    let car = mode("car", |car| car.distance_per_m = -0.001);
    let set = ScoringParameters { subpopulation: Some("rich".to_owned()), ..parameters([car]) };
    let p = prepared(&set, 1);
    let text = |fault: Fault| with_names(|names| fault.error("17", &p, names).to_string());

    let fault = day(&p, HOME, 8.0, UNKNOWN, 9.0).end_activity(&p, UNKNOWN, 17.0 * HOUR_S).unwrap_err();
    assert_eq!(
        text(fault),
        "person \"17\": activity type \"hom\" has no parameters\n    did you mean \"home\"? Else add the activity type to \
         the parameter set of scoring for subpopulation \"rich\""
    );
    let mut day = PersonDay::default();
    day.depart(&p, TAXI, 0.0);
    assert_eq!(
        text(day.arrive(&p, 60.0, || 0.0).unwrap_err()),
        "person \"17\": mode \"taxi\" has no parameters\n    add the mode to the parameter set of scoring for \
         subpopulation \"rich\""
    );
    day.depart(&p, CAR, 0.0);
    assert_eq!(
        text(day.arrive(&p, 60.0, || f64::NAN).unwrap_err()),
        "person \"17\": leg by car, 60 s and NaN m: its utility is NaN\n    give the route a distance, or set the rates \
         per distance of \"car\" to 0 in the parameter set of scoring for subpopulation \"rich\""
    );
}
