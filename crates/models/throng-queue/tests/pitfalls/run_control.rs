//! Start and end of a run.

use super::helpers::{Trace, on, parking_place, run, run_with, street, trip};
use crate::devices::devices;
use throng_queue::cpu::simulate;
use throng_queue::{RunError, RunOptions, RunOutcome, gpu};
use throng_traffic_scenario::HashAt;
use throng_traffic_scenario::events::{Event, EventLog, EventSink, SinkError};
use throng_traffic_scenario::settings::{EndInterpretation, NodeRandom, StartInterpretation, VehicleBehavior};

#[test]
fn p22_the_run_starts_at_the_full_second_before_the_earliest_departure() {
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)];
    let t = run(on(&roads).person("1", trip(60.7, &["a", "c"])).person("2", trip(90.0, &["a", "c"])));
    assert_eq!(t.outcome.start_time, 60.0);
    assert_eq!(t.in_traffic("a"), "1@61 2@90");
}

#[test]
fn p22_a_start_time_after_departures_delays_them() {
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)];
    let s = || on(&roads).person("1", trip(80.0, &["a", "c"])).person("2", trip(90.0, &["a", "c"]));
    let t = run(s().settings(|s| s.qsim.start_time = Some(100.9)));
    // Both are processed in the first step, in the order of their departure times.
    assert_eq!((t.outcome.start_time, t.in_traffic("a").as_str()), (100.0, "1@100 2@101"));
    // An earlier start changes nothing.
    let t = run(s().settings(|s| s.qsim.start_time = Some(10.0)));
    assert_eq!((t.outcome.start_time, t.in_traffic("a").as_str()), (80.0, "1@80 2@90"));
}

#[test]
fn p22_the_start_time_alone_is_not_rounded() {
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)];
    let t = run(on(&roads).person("1", trip(60.0, &["a", "c"])).settings(|s| {
        s.qsim.start_time = Some(30.5);
        s.qsim.start_interpretation = StartInterpretation::OnlyUseStarttime;
    }));
    assert_eq!((t.outcome.start_time, t.in_traffic("a").as_str()), (30.5, "1@60.5"));
}

/// Each agent is in a different situation at 100.
fn everywhere(interpretation: EndInterpretation) -> Trace {
    let roads = [
        street("a", "0", "1", 1.0),
        parking_place("c", "1", "2"),
        street("d", "2", "3", 0.01),
        street("e", "3", "4", 1.0),
    ];
    run(on(&roads)
        .person("queued", trip(60.0, &["a", "c"]))
        .person("buffered", trip(70.0, &["a", "c"]))
        .person("gone", trip(20.0, &["d", "e"]))
        .person("held", trip(90.0, &["d", "e"]))
        .person("walking", |p| p.until("h", "a", 90.0).teleport("walk", "a", "e", 60.0, 1.0).stay("w", "e"))
        .person("home", trip(101.0, &["d", "e"]))
        .person("waiting", |p| p.until("h", "e", 90.0).vehicle("queued").drive("car", &["e"]).stay("w", "e"))
        .person("staying", |p| p.stay("h", "a"))
        .settings(|s| {
            s.qsim.end_time = Some(100.0);
            s.qsim.end_interpretation = interpretation;
            s.qsim.stuck_time_s = 1000.0;
            s.qsim.vehicle_behavior = VehicleBehavior::Wait;
        }))
}

#[test]
fn p21_at_the_end_all_agents_under_way_are_aborted() {
    let t = everywhere(EndInterpretation::MinOfEndtimeAndMobsimFinished);
    assert_eq!(t.of("queued")[5..], ["61 entered link c", "100 vehicle aborts c", "100 stuckAndAbort c car"]);
    assert_eq!(
        t.of("buffered")[3..],
        ["70 vehicle enters traffic a car", "100 vehicle aborts a", "100 stuckAndAbort a car"]
    );
    // The vehicle that departed at 20 has used up the flow of d until 120.
    assert_eq!(t.of("held")[2..], ["90 PersonEntersVehicle", "100 vehicle aborts d", "100 stuckAndAbort d car"]);
    // Teleporting agents are aborted at their destination; the event of an agent at an activity has no link.
    assert_eq!(t.of("walking")[1..], ["90 departure a walk", "100 stuckAndAbort e walk"]);
    assert_eq!(t.of("home"), ["100 stuckAndAbort"]);
    assert_eq!(t.of("waiting")[1..], ["90 departure e car", "100 stuckAndAbort e car"]);
    assert!(t.of("staying").is_empty());
    assert_eq!(t.last("gone"), "31 actstart w e");
    assert_eq!((t.outcome.end_time, t.outcome.stats.aborted_at_end, t.outcome.waiting_for_ever), (100.0, 6, 0));
    // Activities first, then drivers without a vehicle, then links, then teleported agents.
    assert_eq!(t.aborted(), ["home", "waiting", "buffered", "queued", "held", "walking"]);
}

#[test]
fn the_end_time_alone_includes_the_step_after_it() {
    let t = everywhere(EndInterpretation::OnlyUseEndtime);
    // The run continues while now <= 100, so the last step is at 101.
    assert_eq!(t.of("home")[..2], ["101 actend h d", "101 departure d car"]);
    assert_eq!(t.outcome.end_time, 101.0);
    assert_eq!(t.last("queued"), "101 stuckAndAbort c car");
}

#[test]
fn the_end_time_alone_continues_when_no_agent_is_under_way() {
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)];
    let end = |interpretation| {
        let t = run(on(&roads).person("1", trip(60.0, &["a", "c"])).settings(|s| {
            s.qsim.end_time = Some(200.0);
            s.qsim.end_interpretation = interpretation;
        }));
        t.outcome.end_time
    };
    assert_eq!(end(EndInterpretation::OnlyUseEndtime), 201.0);
    assert_eq!(end(EndInterpretation::MinOfEndtimeAndMobsimFinished), 71.0);
}

#[test]
fn the_end_time_alone_ends_at_the_first_step_above_it() {
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)];
    let end = |step, end_time| {
        let t = run(on(&roads).person("1", trip(60.0, &["a", "c"])).settings(|s| {
            s.qsim.time_step_s = step;
            s.qsim.end_time = Some(end_time);
            s.qsim.end_interpretation = EndInterpretation::OnlyUseEndtime;
        }));
        t.outcome.end_time
    };
    assert_eq!(end(0.5, 100.0), 100.5);
    // Sums of 0.1 are not exact: the last step is the first sum above the end time.
    let mut now = 60.0;
    while now <= 100.0 {
        now += 0.1;
    }
    assert_eq!(end(0.1, 100.0), now);
}

#[test]
fn the_step_at_the_end_time_is_still_computed() {
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)];
    let last =
        |end| run(on(&roads).person("1", trip(60.0, &["a", "c"])).settings(|s| s.qsim.end_time = Some(end))).last("1");
    assert_eq!(last(71.0), "71 actstart w c");
    assert_eq!(last(70.0), "70 stuckAndAbort c car");
    // Zero means no end.
    assert_eq!(last(0.0), "71 actstart w c");
}

#[test]
fn the_step_limit_ends_the_run() {
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)];
    let last = |steps| {
        let options = RunOptions { max_steps: Some(steps), ..RunOptions::default() };
        run_with(on(&roads).person("1", trip(60.0, &["a", "c"])), &options).last("1")
    };
    // 60, ..., 70, and 71.
    assert_eq!(last(11), "70 stuckAndAbort c car");
    assert_eq!(last(12), "71 actstart w c");
    let steps = |steps| {
        let options = RunOptions { max_steps: Some(steps), ..RunOptions::default() };
        let walk =
            on(&roads).person("1", |p| p.until("h", "a", 0.0).teleport("walk", "a", "c", 900.0, 1.0).stay("w", "c"));
        run_with(walk.settings(|s| s.qsim.time_step_s = 0.1), &options).outcome
    };
    // Ten times 0.1 add up to less than 1: the limit counts steps, not time.
    assert_eq!(steps(11).end_time, (0..10).fold(0.0, |now, _| now + 0.1));
}

#[test]
fn the_java_generator_runs_on_one_thread_with_a_note() {
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)];
    let s = on(&roads).person("1", trip(60.0, &["a", "c"])).settings(|s| s.extensions.node_random = NodeRandom::Java);
    let t = run_with(s, &RunOptions { threads: 2, ..RunOptions::default() });
    assert_eq!(t.outcome.threads, 1);
    assert!(t.outcome.threads_note.unwrap().contains("throng.nodeRandom=java"));
}

#[test]
fn drivers_wait_for_shared_vehicles_on_one_thread_with_a_note() {
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)];
    let threads = |vehicle: &'static str, behavior| {
        let s = on(&roads)
            .person("1", trip(60.0, &["a", "c"]))
            .person("2", |p| p.until("h", "c", 90.0).vehicle(vehicle).drive("car", &["c"]).stay("w", "c"))
            .settings(|s| s.qsim.vehicle_behavior = behavior);
        let t = run_with(s, &RunOptions { threads: 2, ..RunOptions::default() });
        (t.outcome.threads, t.outcome.threads_note.is_some())
    };
    assert_eq!(threads("1", VehicleBehavior::Wait), (1, true));
    assert_eq!(threads("2", VehicleBehavior::Wait), (2, false));
    assert_eq!(threads("1", VehicleBehavior::Teleport), (2, false));
}

#[test]
fn hashes_cover_every_multiple_including_idle_steps() {
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)];
    let s = on(&roads).person("1", trip(60.0, &["a", "c"])).person("2", trip(5060.0, &["a", "c"]));
    let t = run_with(s, &RunOptions { hash_every: 100, ..RunOptions::default() });
    // 2 arrives at 5071, which is step 5011.
    assert_eq!(
        t.log.hashes.iter().map(|hash| hash.step).collect::<Vec<_>>(),
        (0..=50).map(|i| 100 * i).collect::<Vec<_>>()
    );
}

/// Accepts this many state hashes and then fails; counts events.
struct Short {
    hashes: usize,
    events: usize,
}

impl EventSink for Short {
    fn step(&mut self, _: f64, events: &[Event]) -> Result<(), SinkError> {
        self.events += events.len();
        Ok(())
    }

    fn hashes(&mut self, hashes: &[HashAt]) -> Result<(), SinkError> {
        self.hashes = self.hashes.checked_sub(hashes.len()).ok_or_else(|| SinkError("the disk is full".into()))?;
        Ok(())
    }
}

#[test]
fn hashes_are_delivered_during_the_run() {
    // Each of the ten agents drives for 10 s, one hour after the previous agent.
    let roads = [street("a", "0", "0", 1.0)];
    let mut s = on(&roads);
    for i in 0..10 {
        let begin = 60.0 + 3600.0 * f64::from(i);
        s = s.person(&i.to_string(), move |p| p.until("h", "a", begin).drive("car", &["a", "a", "a"]).stay("w", "a"));
    }
    let scenario = s.build().unwrap();
    let options = RunOptions { hash_every: 60, ..RunOptions::default() };
    let mut all = EventLog::default();
    let outcome = simulate(&scenario, &mut all, &options).unwrap();
    // One hash per minute for nine hours, plus that of the very first step.
    assert_eq!((all.hashes.len(), outcome.last_hash), (9 * 60 + 1, all.hashes.last().copied()));
    // The sink accepts two hours of hashes: the run must fail soon after them, not at its end.
    let refused = |result: Result<RunOutcome, RunError>, sink: &Short| {
        let error = result.unwrap_err();
        assert!(matches!(error, RunError::Output(_)), "{error}");
        assert!(sink.events > 0 && sink.events < all.events.len() / 2, "{} events", sink.events);
    };
    let mut sink = Short { hashes: 120, events: 0 };
    refused(simulate(&scenario, &mut sink, &options), &sink);
    for device in devices() {
        let mut sink = Short { hashes: 120, events: 0 };
        refused(gpu::simulate(&scenario, &mut sink, &options, device), &sink);
    }
}

#[test]
fn a_burst_of_events_is_recorded_completely() {
    let names: Vec<String> = (0..14).map(|i| i.to_string()).collect();
    let roads: Vec<_> = names.windows(2).map(|pair| street(&pair[0], &pair[0], &pair[1], 50.0)).collect();
    let route: Vec<&str> = names[..13].iter().map(String::as_str).collect();
    let ids: Vec<String> = (0..1500).map(|i| i.to_string()).collect();
    let t = run(ids.iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &route))));
    // End of the activity, departure, entering the vehicle and traffic, 12 links left and entered, leaving traffic and
    // the vehicle, arrival and start of the activity.
    assert_eq!(t.outcome.stats.events, 1500 * (3 + 1 + 2 * 12 + 2 + 2));
}
