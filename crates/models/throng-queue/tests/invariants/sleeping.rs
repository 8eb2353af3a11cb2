//! Letting links sleep until something is due yields the same events as visiting them in every step.

use throng_queue::RunOptions;
use throng_queue::cpu::simulate;
use throng_traffic_scenario::events::{EventKind, EventLog};
use throng_traffic_scenario::{NetworkBuilder, Scenario, ScenarioBuilder, VehicleType};

use super::run;

/// Panics if visiting each link in every step yields different events.
pub fn check(scenario: &Scenario) {
    let (slept, _) = run(scenario, 1, 0);
    let mut plain = EventLog::default();
    simulate(scenario, &mut plain, &RunOptions { eager: true, ..RunOptions::default() }).unwrap();
    let differs = slept.events.iter().zip(&plain.events).find(|(a, b)| a != b);
    assert_eq!(differs, None, "sleeping, plain");
    assert_eq!(slept.events.len(), plain.events.len());
}

#[test]
fn a_small_vehicle_passes_a_large_one_that_waits_for_capacity() {
    // Link b lets one car leave every ten seconds; the easing threshold lets vehicles of up to a quarter of a car leave
    // immediately. "first" uses up the capacity of b at 71. At 72 "small" arrives, departs again, and waits; "large"
    // behind it finds no capacity, and the link sleeps. At 73 "small" may leave.
    let network = NetworkBuilder::new()
        .node("1", 0.0, 0.0)
        .node("2", 1000.0, 0.0)
        .node("3", 2000.0, 0.0)
        .node("4", 3000.0, 0.0)
        .link("a", "1", "2", 10.0, 10.0, 7200.0, 1.0)
        .link("b", "2", "3", 100.0, 10.0, 360.0, 1.0)
        .link("c", "3", "4", 100.0, 10.0, 3600.0, 1.0);
    let small = VehicleType { id: "small".into(), pcu: 0.25, ..VehicleType::default_car() };
    let scenario = ScenarioBuilder::new(network.build().unwrap())
        .vehicle_type(small)
        .person("first", |p| p.until("h", "a", 60.0).drive("car", &["a", "b", "c"]).stay("w", "c"))
        .person("large", |p| p.until("h", "a", 61.0).drive("car", &["a", "b", "c"]).stay("w", "c"))
        .person("small", |p| {
            p.kind(1)
                .until("h", "a", 61.0)
                .drive("car", &["a", "b"])
                .lasting("i", "b", 0.0)
                .drive("car", &["b", "c"])
                .stay("w", "c")
        })
        .settings(|s| s.qsim.pcu_threshold_for_flow_capacity_easing = 0.25)
        .build()
        .unwrap();
    let (log, _) = run(&scenario, 1, 0);
    let person = scenario.population.person_ids.get("small").unwrap();
    let entered = log.events.iter().filter(|(_, e)| e.kind == EventKind::VehicleEntersTraffic && e.person == person);
    assert_eq!(entered.map(|(time, _)| *time).collect::<Vec<_>>(), [61.0, 73.0]);
    check(&scenario);
}
