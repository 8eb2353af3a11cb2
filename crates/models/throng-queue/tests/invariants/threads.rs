//! Equal events and states on any number of threads.

use throng_queue::RunError;
use throng_queue::RunOptions;
use throng_queue::cpu::simulate;
use throng_traffic_scenario::events::{Event, EventKind as E, EventLog, EventSink, SinkError};
use throng_traffic_scenario::{NetworkBuilder, PlanBuilder, Scenario, ScenarioBuilder};

use super::{VOLUME_BIN_S, run};
use crate::devices::{assert_same_events, check_order_of_agents};

/// Panics if 2, 3 or 5 threads yield a different result than one thread.
pub fn check(scenario: &Scenario) {
    let (single_log, single) = run(scenario, 1, 1);
    // By default a single thread would do all the work, because there are few agents.
    for (threads, always_shared) in [(2, true), (3, true), (5, true), (2, false)] {
        let mut log = EventLog::default();
        let options = RunOptions {
            threads,
            hash_every: 1,
            volume_bin_s: Some(VOLUME_BIN_S),
            always_shared,
            ..RunOptions::default()
        };
        let outcome = simulate(scenario, &mut log, &options).unwrap();
        assert_eq!(outcome.threads, threads.min(scenario.network.nodes()));
        let differs = single_log.hashes.iter().zip(&log.hashes).find(|(a, b)| a != b);
        assert_same_events(&single_log, &log, &format!("{threads} threads"));
        assert_eq!(differs, None, "state on {threads} threads");
        assert_eq!(single_log.hashes.len(), log.hashes.len());
        assert_eq!(single.stats, outcome.stats);
        assert_eq!(single.end_time, outcome.end_time);
        assert_eq!(single.waiting_for_ever, outcome.waiting_for_ever);
        assert_eq!(single.link_volumes, outcome.link_volumes);
        check_order_of_agents(&log, scenario);
    }
}

/// Two towns, p and q, each with two loops. Both have equal traffic in the tests below, so each of two threads takes
/// one town.
fn towns() -> ScenarioBuilder {
    let roads = [("p1", "p"), ("p2", "p"), ("q1", "q"), ("q2", "q")];
    let network = NetworkBuilder::new().node("p", 0.0, 0.0).node("q", 1000.0, 0.0);
    let network = roads.iter().fold(network, |n, &(id, node)| n.link(id, node, node, 100.0, 10.0, 360.0, 1.0));
    ScenarioBuilder::new(network.build().unwrap())
}

/// A person who teleports to the other town at 60 without taking time, returns after `back` seconds, and drives off.
fn there_and_back<'a>(plan: PlanBuilder<'a>, here: [&str; 2], away: &str, back: f64) -> PlanBuilder<'a> {
    plan.until("h", here[0], 60.0)
        .teleport("walk", here[0], away, 0.0, 0.0)
        .lasting("i", away, 0.0)
        .teleport("walk", away, here[0], back, 0.0)
        .lasting("i", here[0], 0.0)
        .drive("car", &here)
        .stay("w", here[1])
}

/// A person who teleports from the other town at 60 without taking time, and drives off.
fn coming<'a>(plan: PlanBuilder<'a>, away: &str, here: [&str; 2]) -> PlanBuilder<'a> {
    plan.until("h", away, 60.0)
        .teleport("walk", away, here[0], 0.0, 0.0)
        .lasting("i", here[0], 0.0)
        .drive("car", &here)
        .stay("w", here[1])
}

#[test]
fn instant_trips_through_another_partition_keep_the_order_of_agents() {
    // 9 and 8 depart from the same link in the same step. 9 is first, although it has been in the other partition.
    let scenario = towns()
        .person("9p", |p| there_and_back(p, ["p1", "p2"], "q1", 0.0))
        .person("8q", |p| coming(p, "q1", ["p1", "p2"]))
        .person("9q", |p| there_and_back(p, ["q1", "q2"], "p1", 0.0))
        .person("8p", |p| coming(p, "p1", ["q1", "q2"]))
        .build()
        .unwrap();
    let (log, _) = run(&scenario, 2, 0);
    let first = |link: &str| {
        let link = scenario.network.link_ids.get(link).unwrap();
        let mut entered = log.events.iter().filter(|(_, e)| e.kind == E::VehicleEntersTraffic && e.link == link);
        entered.next().map(|(t, e)| (*t, scenario.population.person_ids.name(e.person)))
    };
    assert_eq!((first("p1"), first("q1")), (Some((61.0, "9p")), Some((61.0, "9q"))));
    check(&scenario);
}

#[test]
fn agents_on_their_way_to_another_partition_are_aborted_at_the_end() {
    let scenario = towns()
        .person("p", |p| there_and_back(p, ["p1", "p2"], "q1", 100.0))
        .person("q", |p| there_and_back(p, ["q1", "q2"], "p1", 100.0))
        .settings(|s| s.qsim.end_time = Some(60.0))
        .build()
        .unwrap();
    let (log, outcome) = run(&scenario, 2, 0);
    assert_eq!(log.events.iter().filter(|(_, e)| e.kind == E::StuckAndAbort).count(), 2);
    assert_eq!(outcome.stats.aborted_at_end, 2);
    check(&scenario);
}

/// A sink that fails after a number of steps.
struct Full(u32);

impl EventSink for Full {
    fn step(&mut self, _: f64, _: &[Event]) -> Result<(), SinkError> {
        self.0 = self.0.checked_sub(1).ok_or_else(|| SinkError("the disk is full".into()))?;
        Ok(())
    }
}

#[test]
fn a_sink_that_fails_ends_the_run_on_any_number_of_threads() {
    let mut scenario = towns();
    for i in 0..50 {
        let begin = 60.0 + f64::from(i);
        scenario = scenario
            .person(&format!("p{i}"), |p| p.until("h", "p1", begin).drive("car", &["p1", "p2"]).stay("w", "p2"))
            .person(&format!("q{i}"), |p| p.until("h", "q1", begin).drive("car", &["q1", "q2"]).stay("w", "q2"));
    }
    let scenario = scenario.build().unwrap();
    for threads in 1..=3 {
        for steps in 0..40 {
            let options = RunOptions { threads, always_shared: true, ..RunOptions::default() };
            let error = simulate(&scenario, &mut Full(steps), &options).unwrap_err();
            assert!(matches!(error, RunError::Output(_)), "{error}");
        }
    }
}
