//! Scenarios for the tests of this module.

use throng_core::NoProgress;

use super::cpu::{Departures, cpu_run};
use super::input::generated_city;
use super::model::Model;
use super::state::State;
use super::variant::Variant;
use throng_city::CityOptions;
use throng_traffic_scenario::{NetworkBuilder, Scenario, ScenarioBuilder};

/// `arms` links of 1,800 vehicles per hour that lead into one of 900 per hour with room for four vehicles, followed by
/// another link. `each` drivers start on each arm, from 00:00:01.
pub(super) fn star(arms: u32, each: u32) -> Model {
    let mut network = NetworkBuilder::new().node("c", 0.0, 0.0).node("d", 0.0, 0.0).node("e", 0.0, 0.0);
    for arm in 0..arms {
        let (id, from) = (arm.to_string(), format!("from {arm}"));
        network = network.node(&from, 0.0, 0.0).link(&id, &from, "c", 75.0, 15.0, 1800.0, 1.0);
    }
    let network = network
        .link("cd", "c", "d", 30.0, 15.0, 900.0, 1.0)
        .link("de", "d", "e", 75.0, 15.0, 3600.0, 1.0)
        .build()
        .unwrap();
    let mut builder = ScenarioBuilder::new(network);
    for driver in 0..each {
        for arm in 0..arms {
            let from = arm.to_string();
            builder = builder.person(&format!("{from}_{driver}"), |plan| {
                plan.until("h", &from, 1.0).drive("car", &[&from, "cd", "de"]).stay("w", "de")
            });
        }
    }
    Model::new(&builder.build().unwrap(), 100.0, 1).unwrap()
}

/// A city with a busy morning.
pub(super) fn small_city() -> Scenario {
    let options = CityOptions {
        links: 400,
        persons: 3000,
        spike: true,
        rounds: 0,
        batches: 1,
        days: 0,
        ..CityOptions::default()
    };
    generated_city(&options, &NoProgress).unwrap()
}

/// The state `steps` steps after midnight.
pub(super) fn state_after(model: &Model, steps: u32) -> State {
    let home = State::at_home(&model.roads, &model.plans, 0);
    cpu_run(model, &home, Variant::RING_NODES, Departures::Calendar, steps).state
}
