//! Every run ends, even without an end time.

use std::sync::Arc;

use throng_queue::RunOutcome;
use throng_traffic_scenario::events::{EventKind, EventLog};
use throng_traffic_scenario::settings::{NodeTransition, TrafficDynamics};
use throng_traffic_scenario::{ChangeKind, ChangeValue, NetworkBuilder, NetworkChangeEvent, Scenario, ScenarioBuilder};

use super::timeout::with_timeout;
use super::{on_devices, run};

/// Panics if the run does not end.
pub fn check(scenario: &Arc<Scenario>) -> (EventLog, RunOutcome) {
    let scenario = Arc::clone(scenario);
    with_timeout(move || run(&scenario, 1, 0))
}

/// Opens or closes a link.
fn capacity(time_s: f64, link: u32, vehicles_per_s: f64) -> NetworkChangeEvent {
    let value = ChangeValue::Absolute(vehicles_per_s);
    NetworkChangeEvent { time_s, links: vec![link], kind: ChangeKind::FlowCapacity, value }
}

/// A car departs on a link that has closed one second before; `adjust` changes the scenario.
fn car_behind_a_closed_link(adjust: impl FnOnce(ScenarioBuilder) -> ScenarioBuilder) -> Arc<Scenario> {
    let network = NetworkBuilder::new()
        .node("0", -1000.0, 0.0)
        .node("1", 0.0, 0.0)
        .node("2", 1000.0, 0.0)
        .node("3", 2000.0, 0.0)
        .link("a", "1", "2", 100.0, 10.0, 3600.0, 1.0)
        .link("b", "2", "3", 100.0, 10.0, 3600.0, 1.0)
        .link("z", "0", "1", 100.0, 10.0, 3600.0, 1.0);
    let builder = ScenarioBuilder::new(network.build().unwrap())
        .person("p", |p| p.until("h", "a", 61.0).drive("car", &["a", "b"]).stay("w", "b"))
        .change(capacity(60.0, 0, 0.0))
        .settings(|s| s.qsim.end_time = None);
    Arc::new(adjust(builder).build().unwrap())
}

fn check_that_it_waits_for_ever(scenario: &Arc<Scenario>, end_time: f64) {
    let (_, outcome) = check(scenario);
    assert_eq!((outcome.waiting_for_ever, outcome.end_time), (1, end_time));
    on_devices::check(scenario);
}

#[test]
fn a_car_behind_a_closed_link_waits_for_ever_despite_easing() {
    let easing = |b: ScenarioBuilder| b.settings(|s| s.qsim.pcu_threshold_for_flow_capacity_easing = 0.25);
    check_that_it_waits_for_ever(&car_behind_a_closed_link(easing), 61.0);
}

#[test]
fn a_car_waits_for_ever_despite_a_hole_travelling_upstream() {
    for dynamics in [TrafficDynamics::WithHoles, TrafficDynamics::KinematicWaves] {
        let waves = |b: ScenarioBuilder| {
            // The hole that this car leaves on b travels for another 24 s after the arrival.
            b.person("before", |p| p.until("h", "z", 45.0).drive("car", &["z", "a", "b"]).stay("w", "b"))
                .settings(|s| s.qsim.traffic_dynamics = dynamics)
        };
        check_that_it_waits_for_ever(&car_behind_a_closed_link(waves), 67.0);
    }
}

#[test]
fn a_change_without_effect_ends_the_run() {
    let later = |b: ScenarioBuilder| b.change(capacity(500.0, 1, 3.0));
    check_that_it_waits_for_ever(&car_behind_a_closed_link(later), 500.0);
}

#[test]
fn a_reopened_link_releases_its_vehicle() {
    // Links a and b meet at node 3. Link a is already closed when the first vehicle reaches the node, on b.
    let network = NetworkBuilder::new()
        .node("1", 0.0, 0.0)
        .node("2", 0.0, 1000.0)
        .node("3", 1000.0, 0.0)
        .node("4", 2000.0, 0.0)
        .link("a", "1", "3", 100.0, 10.0, 3600.0, 1.0)
        .link("b", "2", "3", 100.0, 10.0, 3600.0, 1.0)
        .link("c", "3", "4", 100.0, 10.0, 3600.0, 1.0);
    let scenario = Arc::new(
        ScenarioBuilder::new(network.build().unwrap())
            .person("early", |p| p.until("h", "b", 60.0).drive("car", &["b", "c"]).stay("w", "c"))
            .person("late", |p| p.until("h", "a", 200.0).drive("car", &["a", "c"]).stay("w", "c"))
            .change(capacity(10.0, 0, 0.0))
            .change(capacity(100.0, 0, 1.0))
            .settings(|s| {
                s.qsim.end_time = None;
                s.qsim.node_transition = NodeTransition::DeterministicPriorities;
            })
            .build()
            .unwrap(),
    );
    let (log, outcome) = check(&scenario);
    let arrivals = log.events.iter().filter(|(_, e)| e.kind == EventKind::Arrival).map(|(time, _)| *time);
    assert_eq!(arrivals.collect::<Vec<_>>(), [71.0, 211.0]);
    assert_eq!(outcome.waiting_for_ever, 0);
    on_devices::check(&scenario);
}
