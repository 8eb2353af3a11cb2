//! Agents outside traffic: order of departures, plans with unusual ends, teleported legs.

use super::helpers::{failure, failure_of, network, on, run, run_scenario, street, trip};
use throng_core::{NoProgress, Warnings};
use throng_matsim::formats::population::PopulationReader;
use throng_matsim::load::{Parts, assemble};
use throng_queue::RunError;
use throng_queue::RunOptions;
use throng_queue::cpu::simulate;
use throng_traffic_scenario::ModeTable;
use throng_traffic_scenario::events::{EventKind, EventLog};
use throng_traffic_scenario::settings::{ActivityDurationInterpretation, Settings};

const A_TO_C: [super::helpers::Road<'static>; 3] =
    [street("a", "0", "1", 1.0), street("b", "1", "2", 1.0), street("c", "2", "3", 1.0)];

#[test]
fn p14_simultaneous_departures_follow_descending_id_text() {
    let t = run(["8", "9", "10", "11"].iter().fold(on(&A_TO_C), |s, id| s.person(id, trip(60.0, &["a", "b"]))));
    assert_eq!(t.in_traffic("a"), "9@60 8@61 11@62 10@63");
}

#[test]
fn p14_earlier_ends_come_first_within_a_step() {
    let s = on(&A_TO_C).person("1", trip(59.5, &["a", "b"])).person("2", trip(60.0, &["a", "b"]));
    // The simulation starts at 59, so both leave at 60.
    assert_eq!(run(s).in_traffic("a"), "1@60 2@61");
}

#[test]
fn p19_routes_of_version_4_are_lists_of_nodes() {
    let xml = r#"<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE plans SYSTEM "http://www.matsim.org/files/dtd/plans_v4.dtd">
<plans>
 <person id="1"><plan selected="yes">
  <act type="h" link="a" end_time="00:01:00"/>
  <leg mode="car"><route>1 2 4</route></leg>
  <act type="w" link="d" />
 </plan></person>
 <person id="2"><plan selected="yes">
  <act type="h" link="a" end_time="00:02:00"/>
  <leg mode="car"><route>1</route></leg>
  <act type="w" link="b" />
 </plan></person>
</plans>"#;
    // Link b leads from node 1 to 2, and e from 2 to 4; c leads elsewhere.
    let mut modes = ModeTable::default();
    modes.intern("car");
    let roads = [A_TO_C[0], A_TO_C[1], A_TO_C[2], street("e", "2", "4", 1.0), street("d", "4", "5", 1.0)];
    let parts = Parts { modes, network: network(&roads), ..Parts::default() };
    let reader = PopulationReader::new(xml.as_bytes(), "plans.xml").unwrap();
    let scenario = assemble(Settings::default(), parts, reader, &mut Warnings::new(), &NoProgress).unwrap();
    let mut log = EventLog::default();
    simulate(&scenario, &mut log, &RunOptions::default()).unwrap();
    let entered = |person: &str| -> Vec<(f64, &str)> {
        let vehicle = scenario.vehicles.ids.get(person).unwrap();
        let mine = log.events.iter().filter(|(_, e)| e.kind == EventKind::EnteredLink && e.detail == vehicle);
        mine.map(|(t, e)| (*t, scenario.network.link_ids.name(e.link))).collect()
    };
    assert_eq!(entered("1"), [(61.0, "b"), (72.0, "e"), (83.0, "d")]);
    assert_eq!(entered("2"), [(121.0, "b")]);
    assert_eq!(log.events.iter().filter(|(_, e)| e.kind == EventKind::Arrival).count(), 2);
}

#[test]
fn p20_the_last_activity_never_ends() {
    let t = run(on(&A_TO_C).person("1", |p| p.until("h", "a", 60.0).drive("car", &["a", "b"]).until("w", "b", 100.0)));
    assert_eq!(t.last("1"), "71 actstart w b");
    // No agent is left, so the run ends.
    assert_eq!((t.outcome.end_time, t.outcome.stats.aborted_at_end), (71.0, 0));
}

#[test]
fn p20_a_single_activity_never_ends() {
    let t = run(on(&A_TO_C).person("1", |p| p.until("h", "a", 60.0)).person("2", trip(70.0, &["a", "b"])));
    assert!(t.of("1").is_empty());
    assert_eq!(t.outcome.start_time, 70.0);
}

#[test]
fn p25_a_route_over_its_destination_does_not_stop_there() {
    let roads = [street("a", "0", "1", 1.0), street("b", "1", "2", 1.0), street("c", "2", "1", 1.0)];
    let t = run(on(&roads).person("1", trip(60.0, &["a", "b", "c", "b"])));
    // 61 + 11 + 11, then 10 more.
    assert_eq!(t.entered("b"), "1@61 1@83");
    assert_eq!(t.arrived("b"), "1@93");
}

#[test]
fn p25_a_route_may_begin_on_its_destination() {
    let roads = [street("a", "0", "1", 1.0), street("b", "1", "0", 1.0)];
    let t = run(on(&roads).person("1", trip(60.0, &["a", "b", "a"])));
    assert_eq!((t.entered("a"), t.arrived("a")), ("1@72".into(), "1@82".into()));
}

#[test]
fn activities_without_duration_end_in_the_same_call() {
    let t = run(on(&A_TO_C).person("1", |p| {
        p.until("h", "a", 60.0)
            .drive("car", &["a", "b"])
            .lasting("i", "b", 0.0)
            .drive("car", &["b", "c"])
            .until("i", "c", 50.0)
            .teleport("walk", "c", "c", 5.0, 1.0)
            .stay("w", "c")
    }));
    assert_eq!(
        t.of("1")[6..],
        [
            "71 vehicle leaves traffic b car",
            "71 PersonLeavesVehicle",
            "71 arrival b car",
            "71 actstart i b",
            "71 actend i b",
            "71 departure b car",
            "71 PersonEntersVehicle",
            // The waiting list of b was processed before the arrival.
            "72 vehicle enters traffic b car",
            "73 left link b",
            "73 entered link c",
            "83 vehicle leaves traffic c car",
            "83 PersonLeavesVehicle",
            "83 arrival c car",
            // An end in the past counts as the current time.
            "83 actstart i c",
            "83 actend i c",
            "83 departure c walk",
            "88 travelled walk",
            "88 arrival c walk",
            "88 actstart w c",
        ]
    );
}

#[test]
fn durations_count_from_the_start_of_the_activity() {
    let plan = |s: throng_traffic_scenario::ScenarioBuilder| {
        s.person("1", |p| {
            p.until("h", "a", 60.0)
                .drive("car", &["a", "b"])
                .lasting("i", "b", 30.0)
                .drive("car", &["b", "c"])
                .stay("w", "c")
        })
    };
    assert_eq!(run(plan(on(&A_TO_C))).of("1")[10], "101 actend i b");
    let end_only = plan(on(&A_TO_C)).settings(|s| {
        s.plans.activity_duration_interpretation = ActivityDurationInterpretation::EndTimeOnly;
    });
    assert_eq!(run(end_only).last("1"), "71 actstart i b");
}

#[test]
fn a_plan_that_ends_with_a_leg_aborts_its_agent() {
    let s = on(&A_TO_C).person("1", trip(60.0, &["a", "b"])).person("2", |p| p.stay("h", "b"));
    let mut scenario = s.build().unwrap();
    // The last activity of 1 becomes the first of 2, who never leaves.
    scenario.population.first_element[1] -= 1;
    let t = run_scenario(scenario, &RunOptions::default());
    assert_eq!(t.of("1")[8..], ["71 arrival b car", "71 stuckAndAbort b"]);
    assert_eq!((t.outcome.stats.aborted, t.outcome.end_time), (1, 71.0));
}

#[test]
fn a_leg_without_route_aborts_its_agent_before_the_departure() {
    let t = run(on(&A_TO_C).person("1", |p| p.until("h", "a", 60.0).lost("car", "a", "b").stay("w", "b")));
    assert_eq!(t.of("1"), ["60 actend h a", "60 stuckAndAbort a car"]);
}

#[test]
fn a_route_with_a_gap_ends_at_the_gap() {
    let t = run(on(&A_TO_C).person("1", trip(60.0, &["a", "c"])));
    assert_eq!(t.of("1")[3..], ["60 vehicle enters traffic a car", "61 left link a", "61 stuckAndAbort a car"]);
}

#[test]
fn a_route_over_an_unknown_link_ends_before_it() {
    let s = on(&A_TO_C).person("1", trip(60.0, &["a", "nowhere", "b"])).person("2", trip(60.0, &["a", "b"]));
    let t = run(s);
    assert_eq!(t.last("1"), "62 stuckAndAbort a car");
    // The aborted vehicle makes room for the one behind it.
    assert_eq!(t.left("a"), "2@61 1@62");
}

#[test]
fn a_plan_may_not_begin_on_an_unknown_link_and_a_teleport_may_not_end_there() {
    let begins = on(&A_TO_C).person("1", trip(60.0, &["nowhere", "a"]));
    let walks =
        on(&A_TO_C).person("1", |p| p.until("h", "a", 60.0).teleport("walk", "a", "nowhere", 5.0, 1.0).stay("w", "b"));
    for scenario in [begins, walks] {
        let error = failure(scenario);
        assert!(matches!(&error, RunError::NoLink { person } if person == "1"), "{error}");
    }
}

#[test]
fn unknown_links_of_later_activities_and_at_the_beginning_of_routes_do_not_matter() {
    let t = run(on(&A_TO_C)
        .person("1", |p| p.until("h", "a", 60.0).drive("car", &["nowhere", "b"]).stay("w", "nowhere"))
        .person("2", |p| p.until("h", "a", 160.0).drive("car", &["nowhere"]).stay("w", "a")));
    assert_eq!(t.last("1"), "71 actstart w b");
    // A single link is also the destination.
    assert_eq!(t.last("2"), "160 stuckAndAbort a car");
}

#[test]
fn a_wrong_turn_does_not_block_following_vehicles() {
    let roads = [street("a", "0", "1", 2.0), street("b", "1", "2", 1.0), street("c", "2", "3", 1.0)];
    let t = run(on(&roads).person("2", trip(60.0, &["a", "c"])).person("1", trip(60.0, &["a", "b"])));
    // Both are in the buffer at 60; the abort counts as a move.
    assert_eq!(t.left("a"), "2@61 1@61");
}

#[test]
fn a_teleported_leg_takes_the_time_of_its_route() {
    let t =
        run(on(&A_TO_C).person("1", |p| p.until("h", "a", 60.0).teleport("walk", "a", "c", 7.5, 900.0).stay("w", "c")));
    // The leg ends at 67.5, which is processed at 68.
    assert_eq!(
        t.of("1"),
        ["60 actend h a", "60 departure a walk", "68 travelled walk", "68 arrival c walk", "68 actstart w c"]
    );
}

#[test]
fn instant_teleports_arrive_one_after_another_in_the_same_step() {
    let t = run(on(&A_TO_C).person("1", |p| {
        p.until("h", "a", 60.0)
            .teleport("walk", "a", "b", 0.0, 0.0)
            .lasting("i", "b", 0.0)
            .teleport("walk", "b", "c", 0.0, 0.0)
            .lasting("i", "c", 0.0)
            .drive("car", &["c"])
            .stay("w", "c")
    }));
    let of = t.of("1");
    assert!(of[..13].iter().all(|e| e.starts_with("60 ")), "{of:?}");
    // Teleports are processed after the links of a step.
    assert_eq!(of[11..14], ["60 departure c car", "60 PersonEntersVehicle", "61 vehicle enters traffic c car"]);
}

#[test]
fn simultaneous_teleports_end_by_descending_id_text() {
    let s = ["9", "10"].iter().fold(on(&A_TO_C), |s, id| {
        s.person(id, |p| {
            p.until("h", "a", 60.0)
                .teleport("walk", "a", "b", 5.0, 1.0)
                .lasting("i", "b", 0.0)
                .drive("car", &["b", "c"])
                .stay("w", "c")
        })
    });
    assert_eq!(run(s).in_traffic("b"), "9@66 10@67");
}

#[test]
fn a_teleported_leg_without_time_is_an_error() {
    let s = on(&A_TO_C).person("1", |p| p.until("h", "a", 60.0).teleport("walk", "a", "b", 5.0, 1.0).stay("w", "b"));
    let mut scenario = s.build().unwrap();
    scenario.population.legs.travel_time[0] = f64::NAN;
    let error = failure_of(&scenario);
    assert!(matches!(&error, RunError::NoTravelTime { person, mode } if person == "1" && mode == "walk"), "{error}");
}
