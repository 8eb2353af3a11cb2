//! The scores of a scenario, from events.

use throng_core::InputError;
use throng_traffic_scenario::events::{Event, EventKind, EventSink};
use throng_traffic_scenario::{DriverLeg, NetworkBuilder, PlanBuilder, Ride, RouteKind, Scenario, ScenarioBuilder};

use super::super::{DayScore, DayScores};
use super::*;

/// A road of four links of 100, 200, 400 and 800 m, and persons with the given plans.
fn scenario(plans: &[&dyn Fn(PlanBuilder<'_>) -> PlanBuilder<'_>]) -> Scenario {
    let mut network = NetworkBuilder::new().node("0", 0.0, 0.0);
    for (i, length_m) in [100.0, 200.0, 400.0, 800.0].into_iter().enumerate() {
        let [from, to, link] = [i.to_string(), (i + 1).to_string(), format!("l{i}")];
        network = network.node(&to, length_m, 0.0).link(&link, &from, &to, length_m, 10.0, 1000.0, 1.0);
    }
    let per_m = |name: &str| mode(name, |mode| (mode.traveling_per_h, mode.distance_per_m) = (0.0, -1.0));
    let set = parameters(["car", "walk", "pt"].map(per_m));
    let mut builder = ScenarioBuilder::new(network.build().unwrap());
    builder = builder.settings(|settings| {
        settings.transit.modes = vec!["pt".to_owned()];
        settings.scoring.parameters = vec![set];
    });
    for (i, plan) in plans.iter().enumerate() {
        builder = builder.person(&format!("p{i}"), plan);
    }
    builder.build().unwrap()
}

fn event(kind: EventKind, person: u32, detail: u32) -> Event {
    Event { kind, mode: ModeId::NONE, person, link: 0, detail }
}

fn scores(scenario: &Scenario, steps: &[(f64, Event)]) -> Result<Vec<DayScore>, String> {
    let text = |error: InputError| error.to_string();
    let preferences = Preferences::of_scenario(scenario, 1).map_err(text)?;
    let sets = vec![0; scenario.travellers() as usize];
    let mut scores = DayScores::new(scenario, &preferences, &sets).map_err(text)?;
    for &(time_s, event) in steps {
        scores.step(time_s, &[event]).map_err(|error| error.to_string())?;
    }
    scores.finish().map_err(text)
}

fn leg_of(person: u32, leg: u32) -> [(f64, Event); 2] {
    [(60.0, event(EventKind::Departure, person, leg)), (90.0, event(EventKind::Arrival, person, leg))]
}

#[test]
fn the_first_link_does_not_count() {
    let plans = scenario(&[
        &|plan| plan.until("home", "l0", 60.0).drive("car", &["l0", "l1", "l2"]).stay("home", "l2"),
        &|plan| plan.until("home", "l0", 60.0).drive("car", &["l0"]).stay("home", "l0"),
        &|plan| plan.until("home", "l0", 60.0).teleport("walk", "l0", "l1", 30.0, 17.0).stay("home", "l1"),
    ]);
    let events = [leg_of(0, 0), leg_of(1, 1), leg_of(2, 2)].concat();
    let legs: Vec<f64> = scores(&plans, &events).unwrap().iter().map(|of| of.parts.legs).collect();
    assert_eq!(legs, [-600.0, 0.0, -17.0]);
}

#[test]
fn activities_and_aborts_reach_their_persons() {
    fn stay(plan: PlanBuilder<'_>) -> PlanBuilder<'_> {
        plan.stay("hom", "l0")
    }
    fn trip(plan: PlanBuilder<'_>) -> PlanBuilder<'_> {
        plan.until("home", "l0", 28_800.0).teleport("walk", "l0", "l1", 30.0, 0.0).stay("home", "l1")
    }
    let plans = scenario(&[&stay, &trip, &trip]);
    let events = [
        (8.0 * HOUR_S, event(EventKind::ActivityEnd, 1, 1)),
        (18.0 * HOUR_S, event(EventKind::ActivityStart, 1, 2)),
        (19.0 * HOUR_S, event(EventKind::StuckAndAbort, 2, throng_core::NONE)),
        (19.0 * HOUR_S, event(EventKind::StuckAndAbort, throng_core::NONE, throng_core::NONE)),
    ];
    let found = scores(&plans, &events).unwrap();
    assert_eq!((found[0].score, found[2].score), (0.0, -432.0));
    assert_near(found[1].score, performed(12.0, 14.0));
}

/// The passenger boards at the end of the first link and alights at the end of the third; the driver goes on.
#[test]
fn a_ride_is_as_long_as_the_route_between_its_stops() {
    let mut plans = scenario(&[
        &|plan| plan.until("home", "l0", 60.0).teleport("pt", "l0", "l2", 30.0, 5000.0).stay("home", "l2"),
        &|plan| plan.until("home", "l0", 60.0).drive("car", &["l0", "l1", "l2", "l3"]).stay("home", "l3"),
    ]);
    plans.population.legs.route[0] = RouteKind::Transit;
    plans.transit.rides = vec![Ride { line: 0, access_stop: 0, egress_stop: 1, route: 0 }];
    plans.transit.stops.link = vec![0, 2];
    plans.transit.driver_legs = vec![DriverLeg { route: 0, departure: 0 }];
    (plans.transit.first_driver, plans.transit.first_driver_leg) = (1, 1);
    let events = [
        (60.0, event(EventKind::TransitDriverStarts, 1, 1)),
        (60.0, event(EventKind::Departure, 1, 1)),
        (60.0, event(EventKind::Departure, 0, 0)),
        (80.0, event(EventKind::PersonEntersVehicle, 0, 0)),
        (90.0, event(EventKind::Arrival, 0, 0)),
        (95.0, event(EventKind::Arrival, 1, 1)),
    ];
    let found = scores(&plans, &events).unwrap();
    assert_eq!(found.iter().map(|of| of.parts.legs).collect::<Vec<_>>(), [-600.0], "the driver has no score");
}

#[test]
fn a_plan_without_parameters_is_reported_before_the_run_and_once() {
    fn trip(plan: PlanBuilder<'_>) -> PlanBuilder<'_> {
        plan.until("home", "l0", 60.0).teleport("taxi", "l0", "l1", 30.0, 0.0).stay("hom", "l1")
    }
    let plans = scenario(&[&trip, &trip]);
    assert_eq!(
        scores(&plans, &[]).unwrap_err(),
        "person \"p0\": mode \"taxi\" has no parameters\n    add the mode to the parameter set of scoring\n\
         person \"p0\": activity type \"hom\" has no parameters\n    did you mean \"home\"? Else add the activity type to \
         the parameter set of scoring"
    );
}

#[test]
fn an_unknown_distance_stops_the_run() {
    let plans = scenario(&[&|plan| {
        plan.until("home", "l0", 60.0).teleport("walk", "l0", "l1", 30.0, f64::NAN).stay("home", "l1")
    }]);
    let error = scores(&plans, &leg_of(0, 0)).unwrap_err();
    assert!(error.starts_with("person \"p0\": leg by walk, 30 s and NaN m: its utility is NaN"), "{error}");
}

#[test]
fn each_person_has_a_parameter_set() {
    let plans = scenario(&[&|plan| plan.stay("home", "l0")]);
    let preferences = Preferences::of_scenario(&plans, 1).unwrap();
    let error = |sets: &[u32]| DayScores::new(&plans, &preferences, sets).unwrap_err().to_string();
    assert!(error(&[]).contains("0 parameter sets are assigned to 1 persons"));
    assert!(error(&[1]).starts_with("person \"p0\": parameter set 1 of 1 is assigned"));
}
