//! Links whose length, free speed, capacity or number of lanes is 0 from the start.

use super::helpers::{Road, Trace, on, run, street, trip};
use throng_traffic_scenario::settings::{NodeTransition, TrafficDynamics};
use throng_traffic_scenario::{ChangeKind, ChangeValue, NetworkChangeEvent, ScenarioBuilder};

/// Streets a, b and c, of which b is the given one.
fn along(b: Road<'static>) -> ScenarioBuilder {
    on(&[street("a", "0", "1", 1.0), b, street("c", "2", "3", 1.0)])
}

/// Runs with all dynamics and both kinds of nodes; `check` gets each result.
fn with_all_rules(scenario: impl Fn() -> ScenarioBuilder, check: impl Fn(&Trace)) {
    for dynamics in [TrafficDynamics::Queue, TrafficDynamics::WithHoles, TrafficDynamics::KinematicWaves] {
        for transition in [NodeTransition::EmptyBufferDontBlockNode, NodeTransition::DeterministicPriorities] {
            for fast in [true, false] {
                check(&run(scenario().settings(|s| {
                    s.qsim.traffic_dynamics = dynamics;
                    s.qsim.node_transition = transition;
                    s.qsim.using_fast_capacity_update = fast;
                })));
            }
        }
    }
}

#[test]
fn vehicles_arrive_on_a_link_without_capacity_but_do_not_leave_it() {
    let scenario = || {
        along(("b", "1", "2", 100.0, 10.0, 0.0, 1.0))
            .person("1", trip(60.0, &["a", "b"]))
            .person("2", trip(100.0, &["a", "b", "c"]))
            .person("3", trip(100.0, &["b", "c"]))
    };
    with_all_rules(scenario, |t| {
        assert_eq!((t.arrived("b").as_str(), t.entered("c").as_str(), t.in_traffic("b").as_str()), ("1@71", "", ""));
        assert!(t.last("2").ends_with("stuckAndAbort b car"), "{}", t.last("2"));
        assert_eq!(t.outcome.waiting_for_ever, 2);
    });
    // Its node counts it from the change on.
    let opened = || {
        let value = ChangeValue::Absolute(1.0);
        scenario().change(NetworkChangeEvent { time_s: 500.0, links: vec![1], kind: ChangeKind::FlowCapacity, value })
    };
    with_all_rules(opened, |t| assert_eq!(t.entered("c"), "3@501 2@502"));
}

#[test]
fn a_link_without_length_takes_one_step() {
    let scenario = || along(("b", "1", "2", 0.0, 10.0, 3600.0, 1.0)).person("1", trip(60.0, &["a", "b", "c"]));
    with_all_rules(scenario, |t| assert_eq!((t.entered("b"), t.entered("c")), ("1@61".into(), "1@62".into())));
    let endless = || along(("b", "1", "2", 0.0, 10.0, f64::INFINITY, 1.0)).person("1", trip(60.0, &["a", "b", "c"]));
    with_all_rules(endless, |t| assert_eq!(t.entered("c"), "1@62"));
}

#[test]
fn a_link_without_lanes_holds_the_vehicles_that_its_flow_needs() {
    let scenario = || along(("b", "1", "2", 100.0, 10.0, 3600.0, 0.0)).person("1", trip(60.0, &["a", "b", "c"]));
    with_all_rules(scenario, |t| assert_eq!(t.entered("c"), "1@72"));
    // Without flow it holds none, so a vehicle is forced in after the stuck time.
    let full = || along(("b", "1", "2", 100.0, 10.0, 0.0, 0.0)).person("1", trip(60.0, &["a", "b"]));
    with_all_rules(full, |t| assert_eq!((t.entered("b"), t.arrived("b")), ("1@71".into(), "1@81".into())));
}

#[test]
fn vehicles_stay_for_ever_on_a_link_without_speed() {
    let scenario = || {
        along(("b", "1", "2", 100.0, 0.0, 3600.0, 1.0))
            .person("1", trip(60.0, &["a", "b"]))
            .person("2", trip(100.0, &["b", "c"]))
    };
    with_all_rules(scenario, |t| {
        assert_eq!((t.arrived("b").as_str(), t.entered("c").as_str()), ("", "2@101"));
        assert!(t.last("1").ends_with("stuckAndAbort b car"), "{}", t.last("1"));
        assert_eq!(t.outcome.waiting_for_ever, 1);
    });
}
