//! Network change events.

use super::helpers::{network, on, parking_place, run, street, trip};
use throng_traffic_scenario::settings::{NodeRandom, TrafficDynamics};
use throng_traffic_scenario::{ChangeKind, ChangeValue, NetworkChangeEvent, ScenarioBuilder};

/// Creates a change of the link at this position in the list of roads.
fn change(time_s: f64, link: u32, kind: ChangeKind, value: ChangeValue) -> NetworkChangeEvent {
    NetworkChangeEvent { time_s, links: vec![link], kind, value }
}

fn flow(time_s: f64, link: u32, per_second: f64) -> NetworkChangeEvent {
    change(time_s, link, ChangeKind::FlowCapacity, ChangeValue::Absolute(per_second))
}

#[test]
fn a_new_speed_applies_to_vehicles_entering_from_that_second_on() {
    let roads = [street("a", "0", "1", 1.0), street("b", "1", "2", 1.0), street("c", "2", "3", 1.0)];
    let s = [("1", 60.0), ("2", 99.0), ("3", 199.0)]
        .iter()
        .fold(on(&roads), |s, &(id, time)| s.person(id, trip(time, &["a", "b", "c"])));
    let s = s
        .change(change(100.0, 1, ChangeKind::Freespeed, ChangeValue::Absolute(20.0)))
        .change(change(150.0, 1, ChangeKind::Freespeed, ChangeValue::Factor(0.5)))
        .change(change(150.0, 1, ChangeKind::Freespeed, ChangeValue::Offset(-5.0)));
    // 10 s, then 100 / 20 = 5 s for the vehicle that enters at 100, then 100 / (20 * 0.5 - 5) = 20 s, plus one second
    // at the node.
    assert_eq!(run(s).left("b"), "1@72 2@106 3@221");
}

#[test]
fn a_new_capacity_applies_from_that_second_on_and_refills_the_allowance() {
    let roads = [street("a", "0", "1", 0.125), street("c", "1", "2", 1.0)];
    let s = ["1", "2", "3", "4"].iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "c"])));
    // 60: 0.125, go, -0.875; no capacity until 68. At 63 the change sets the allowance to the 0.5 of one step before
    // links are stepped: go, -0.5; 64: 0; 65: 0.5, go; 67: go.
    assert_eq!(run(s.change(flow(63.0, 0, 0.5))).in_traffic("a"), "4@60 3@63 2@65 1@67");
}

#[test]
fn a_link_without_capacity_holds_its_vehicles_until_it_has_capacity_again() {
    let roads = [street("a", "0", "1", 1.0), street("b", "1", "2", 1.0), street("c", "2", "3", 1.0)];
    for fast in [true, false] {
        let s = ["1", "2", "3"].iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "b", "c"])));
        let t = run(s
            .change(flow(72.0, 1, 0.0))
            .change(flow(500.0, 1, 1.0))
            .settings(|s| s.qsim.using_fast_capacity_update = fast));
        // 3 is in the buffer of b at 71, but its node does not draw a link without capacity. At 500 the queue moves
        // again and 2 enters the buffer behind 3, which wakes the node.
        assert_eq!(t.left("b"), "3@501 2@501 1@502", "fast {fast}");
        assert_eq!((t.outcome.stats.aborted_at_end, t.outcome.waiting_for_ever), (0, 0));
    }
}

#[test]
fn a_departure_link_without_capacity_holds_its_vehicles_until_it_has_capacity_again() {
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)];
    let s = ["1", "2"].iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "c"])));
    let t = run(s.change(flow(30.0, 0, 0.0)).change(flow(5000.0, 0, 1.0)));
    assert_eq!(t.in_traffic("a"), "2@5000 1@5001");
    assert_eq!(t.outcome.stats.aborted_at_end, 0);
}

#[test]
fn vehicles_released_by_a_change_do_not_stop_for_an_agent_that_leaves_later() {
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)];
    let ids: Vec<String> = (0..300).map(|i| i.to_string()).collect();
    let s = ids.iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "c"])));
    let s = s.person("late", trip(20_000.0, &["a", "c"])).change(flow(30.0, 0, 0.0)).change(flow(5000.0, 0, 1.0));
    let t = run(s);
    let entered = t.in_traffic("a");
    let times: Vec<&str> = entered.split(' ').filter_map(|text| Some(text.split_once('@')?.1)).collect();
    let expected: Vec<String> = (5000..5300).chain([20_000]).map(|time| time.to_string()).collect();
    assert_eq!(times, expected);
}

#[test]
fn agents_behind_a_link_without_capacity_wait_for_ever_and_are_counted() {
    for (step, fast) in [(1.0, true), (1.0, false), (0.5, true), (0.5, false)] {
        for capacity in [0.0, 1e-30] {
            let roads = [street("a", "0", "1", 1e-30), street("c", "1", "2", 1.0)];
            // The vehicle ahead uses up the initial allowance, if there is any.
            let s = ["1", "2"].iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "c"])));
            let t = run(s.change(flow(30.0, 0, capacity)).settings(|s| {
                s.qsim.using_fast_capacity_update = fast;
                s.qsim.time_step_s = step;
            }));
            assert!(t.last("1").ends_with("stuckAndAbort a car"), "{}", t.last("1"));
            assert!((1..=2).contains(&t.outcome.waiting_for_ever), "step {step}, fast {fast}, capacity {capacity}");
        }
    }
}

#[test]
fn a_run_ends_despite_links_without_speed_and_endless_walks() {
    let roads = [street("a", "0", "1", 1.0), street("b", "1", "2", 1.0), street("c", "2", "3", 1.0)];
    let t = run(on(&roads)
        .person("1", trip(60.0, &["a", "b", "c"]))
        .person("2", |p| p.until("h", "a", 60.0).teleport("walk", "a", "c", f64::INFINITY, 1.0).stay("w", "c"))
        .person("3", |p| p.until("h", "a", 1e300).drive("car", &["a", "b"]).stay("w", "b"))
        .change(change(30.0, 1, ChangeKind::Freespeed, ChangeValue::Absolute(0.0))));
    // At 62 the node behind a finds that it has nothing more to do, so the run ends.
    assert_eq!((t.last("1").as_str(), t.last("2").as_str()), ("62 stuckAndAbort b car", "62 stuckAndAbort c walk"));
    assert_eq!((t.last("3").as_str(), t.outcome.waiting_for_ever), ("62 stuckAndAbort", 3));
}

#[test]
fn added_lanes_increase_the_storage() {
    for dynamics in [TrafficDynamics::Queue, TrafficDynamics::WithHoles] {
        let roads = [street("a", "0", "1", 3.0), parking_place("c", "1", "2")];
        let s = ["1", "2", "3"].iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "c"])));
        let t = run(s.change(change(80.0, 1, ChangeKind::Lanes, ChangeValue::Absolute(2.0))).settings(|s| {
            s.qsim.stuck_time_s = 1000.0;
            s.qsim.traffic_dynamics = dynamics;
        }));
        // Changes come before nodes. With holes, neither of the two places counts as taken, so 1 does not wait for the
        // hole of 3 (142.8).
        assert_eq!(t.entered("c"), "3@61 2@80 1@142", "{dynamics:?}");
    }
}

#[test]
fn nodes_use_a_new_capacity_in_the_same_second() {
    let roads = [street("9", "n", "m", 1.0), street("10", "t", "m", 1.0), parking_place("c", "m", "e")];
    let s = || {
        on(&roads)
            .person("x", trip(60.0, &["10", "c"]))
            .person("y", trip(60.0, &["9", "c"]))
            .settings(|s| s.extensions.node_random = NodeRandom::Java)
    };
    // The first draw is 0.043, which selects "10", unless its fraction is 72 / 3672.
    assert!(run(s()).entered("c").starts_with("x@61"));
    assert!(run(s().change(flow(61.0, 1, 0.02))).entered("c").starts_with("y@61"));
    assert!(run(s().change(flow(62.0, 1, 0.02))).entered("c").starts_with("x@61"));
}

#[test]
fn changes_are_in_si_units_for_any_capacity_period() {
    let mut network = network(&[street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)]);
    network.capacity_period_s = 7200.0;
    let s = ["1", "2", "3"].iter().fold(ScenarioBuilder::new(network), |s, id| s.person(id, trip(60.0, &["a", "c"])));
    // 0.5 per second from the file, 1 from the change.
    assert_eq!(run(s.change(flow(10.0, 0, 1.0))).in_traffic("a"), "3@60 2@61 1@62");
}
