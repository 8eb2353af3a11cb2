use throng_traffic::cpu::{RunOptions, simulate};
use throng_traffic::events::EventLog;
use throng_traffic::scenario::{NetworkBuilder, ScenarioBuilder};

#[test]
fn smoke() {
    let network = NetworkBuilder::new()
        .node("a", 0.0, 0.0)
        .node("b", 100.0, 0.0)
        .node("c", 200.0, 0.0)
        .link("ab", "a", "b", 100.0, 10.0, 3600.0, 1.0)
        .link("bc", "b", "c", 100.0, 10.0, 3600.0, 1.0)
        .build();
    let scenario = ScenarioBuilder::new(network)
        .person("1", |plan| plan.until("h", "ab", 60.0).drive("car", &["ab", "bc"]).stay("w", "bc"))
        .build();
    let mut log = EventLog::default();
    let out = simulate(&scenario, &mut log, &RunOptions::default()).unwrap();
    for (t, e) in &log.events {
        println!("{t} {} {e:?}", e.kind.matsim_type());
    }
    println!("{out:?}");
}
