//! Steps of any length, over a day in which most steps are skipped because nothing is due.

use std::sync::Arc;

use throng_traffic_scenario::settings::StartInterpretation;
use throng_traffic_scenario::{NetworkBuilder, Scenario, ScenarioBuilder};

use super::on_devices;

/// Step lengths in seconds: whole, exact and inexact in binary, shorter than a second and longer than most legs.
const STEPS: [f64; 8] = [0.25, 0.3, 1.0, 1.1, 7.7, 10.0, 60.5, 3600.0];

/// Three trips over a loop of one kilometre, hours apart.
fn day(step_s: f64, start: Option<f64>) -> Arc<Scenario> {
    let network = NetworkBuilder::new()
        .node("1", 0.0, 0.0)
        .node("2", 500.0, 0.0)
        .link("out", "1", "2", 500.0, 20.0, 900.0, 1.0)
        .link("back", "2", "1", 500.0, 20.0, 900.0, 1.0);
    let mut builder = ScenarioBuilder::new(network.build().unwrap());
    for (id, leaves_at) in [("a", 21_600.0), ("b", 21_600.0), ("c", 21_603.3)] {
        builder = builder.person(id, |plan| {
            plan.until("h", "back", leaves_at)
                .drive("car", &["back", "out"])
                .lasting("w", "out", 28_800.0)
                .teleport("walk", "out", "back", 600.0, 500.0)
                .until("h", "back", 72_000.7)
                .drive("car", &["back", "out", "back"])
                .stay("h", "back")
        });
    }
    let builder = builder.settings(|settings| {
        settings.qsim.time_step_s = step_s;
        if start.is_some() {
            settings.qsim.start_time = start;
            settings.qsim.start_interpretation = StartInterpretation::OnlyUseStarttime;
        }
    });
    builder.build().unwrap().into()
}

#[test]
fn idle_time_is_skipped_with_steps_of_any_length() {
    for step_s in STEPS {
        on_devices::check(&day(step_s, None));
    }
}

#[test]
fn idle_time_is_skipped_after_a_fractional_start() {
    on_devices::check(&day(1.0, Some(19_800.5)));
}
