//! Every run ends, also when no end time is set.

use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use throng_traffic::RunOutcome;
use throng_traffic::events::{EventKind, EventLog};
use throng_traffic::scenario::{
    ChangeKind, ChangeValue, NetworkBuilder, NetworkChangeEvent, Scenario, ScenarioBuilder,
};
use throng_traffic::settings::NodeTransition;

use crate::{on_devices, run};

/// After so long a run is taken for one that never ends; usual ones take milliseconds.
const PATIENCE: Duration = Duration::from_mins(2);

/// Panics when the run does not end; the thread that it is made in is left behind then.
pub fn check(scenario: &Arc<Scenario>) -> (EventLog, RunOutcome) {
    let (ended, end) = mpsc::channel();
    let scenario = Arc::clone(scenario);
    thread::spawn(move || {
        // Nobody waits any more when it took too long.
        let _ = ended.send(run(&scenario, 1, 0));
    });
    end.recv_timeout(PATIENCE).expect("the run ends")
}

/// Opens (or closes) a link.
fn capacity(time_s: f64, link: u32, vehicles_per_s: f64) -> NetworkChangeEvent {
    let value = ChangeValue::Absolute(vehicles_per_s);
    NetworkChangeEvent { time_s, links: vec![link], kind: ChangeKind::FlowCapacity, value }
}

#[test]
fn a_car_waits_behind_a_closed_link_for_ever_although_bicycles_would_pass() {
    let network = NetworkBuilder::new()
        .node("1", 0.0, 0.0)
        .node("2", 1000.0, 0.0)
        .node("3", 2000.0, 0.0)
        .link("a", "1", "2", 100.0, 10.0, 3600.0, 1.0)
        .link("b", "2", "3", 100.0, 10.0, 3600.0, 1.0);
    let scenario = Arc::new(
        ScenarioBuilder::new(network.build())
            .person("p", |p| p.until("h", "a", 61.0).drive("car", &["a", "b"]).stay("w", "b"))
            .change(capacity(60.0, 0, 0.0))
            .settings(|s| {
                s.qsim.end_time = None;
                s.qsim.pcu_threshold_for_flow_capacity_easing = 0.25;
            })
            .build(),
    );
    let (_, outcome) = check(&scenario);
    assert_eq!(outcome.waiting_for_ever, 1);
    on_devices::check(&scenario);
}

#[test]
fn a_link_that_is_opened_again_has_its_turn() {
    // Links a and b meet at node 3; a is closed when the node sees its first vehicle, which comes from b.
    let network = NetworkBuilder::new()
        .node("1", 0.0, 0.0)
        .node("2", 0.0, 1000.0)
        .node("3", 1000.0, 0.0)
        .node("4", 2000.0, 0.0)
        .link("a", "1", "3", 100.0, 10.0, 3600.0, 1.0)
        .link("b", "2", "3", 100.0, 10.0, 3600.0, 1.0)
        .link("c", "3", "4", 100.0, 10.0, 3600.0, 1.0);
    let scenario = Arc::new(
        ScenarioBuilder::new(network.build())
            .person("early", |p| p.until("h", "b", 60.0).drive("car", &["b", "c"]).stay("w", "c"))
            .person("late", |p| p.until("h", "a", 200.0).drive("car", &["a", "c"]).stay("w", "c"))
            .change(capacity(10.0, 0, 0.0))
            .change(capacity(100.0, 0, 1.0))
            .settings(|s| {
                s.qsim.end_time = None;
                s.qsim.node_transition = NodeTransition::DeterministicPriorities;
            })
            .build(),
    );
    let (log, outcome) = check(&scenario);
    let arrivals = log.events.iter().filter(|(_, e)| e.kind == EventKind::Arrival).map(|(time, _)| *time);
    assert_eq!(arrivals.collect::<Vec<_>>(), [71.0, 211.0]);
    assert_eq!(outcome.waiting_for_ever, 0);
    on_devices::check(&scenario);
}
