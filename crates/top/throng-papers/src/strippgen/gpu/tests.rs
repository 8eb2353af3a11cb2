use throng_device::Device;

use super::*;
use crate::strippgen::testing::{small_city, star, state_after};
use crate::strippgen::{Departures, cpu_run};

/// Calls `check` with every device of this machine; backends without a device are skipped.
fn on_each(check: &dyn Fn(&Device)) {
    for device in throng_testing_devices::devices() {
        println!("{}", device.info().label());
        check(device);
    }
}

/// Calls `check` with a function that runs a program on a device, for every device.
fn on_devices(check: impl Fn(&dyn Fn(&Model, &State, Variant, u32) -> State)) {
    on_each(&|device| {
        check(&|model, state, variant, steps| {
            DeviceRuns::new(device, model).unwrap().run(state, variant, steps).unwrap().state
        });
    });
}

fn reference(model: &Model, state: &State, variant: Variant, steps: u32) -> State {
    cpu_run(model, state, variant, Departures::Scan, steps).state
}

#[test]
fn a_device_with_nodes_reaches_the_state_of_the_cpu() {
    let scenario = small_city();
    let model = Model::new(&scenario, 100.0, 1).unwrap();
    let six = state_after(&model, 21_595);
    let expected = reference(&model, &six, Variant::RING_NODES, 300);
    assert!(expected.in_traffic() > 100 && expected.legs_ended(&model.plans) > 0);
    on_devices(|run| {
        for variant in Variant::ALL.into_iter().filter(|variant| variant.nodes) {
            let found = run(&model, &six, variant, 300);
            assert_eq!(found.check(&model.roads, &model.plans), Ok(()), "{variant}");
            assert_eq!(found.hash(), expected.hash(), "{variant}");
        }
    });
}

/// Agents whose activity is over before they arrive, and agents that find no room, are in the lists of due agents.
#[test]
fn proposed_techniques_reach_the_same_state() {
    let scenario = small_city();
    let crowded = star(30, 5);
    let model = Model::new(&scenario, 100.0, 1).unwrap();
    for (model, from, steps) in [(&model, 21_595, 300), (&model, 60_000, 600), (&crowded, 0, 200)] {
        let begin = state_after(model, from);
        let expected = reference(model, &begin, Variant::RING_NODES, steps);
        on_each(&|device| {
            let runs = DeviceRuns::new(device, model).unwrap();
            for technique in Technique::ALL {
                let found = runs.run_improved(&begin, technique, steps).unwrap().state;
                assert_eq!(found.hash(), expected.hash(), "{}, from {from}", technique.name());
            }
        });
    }
}

/// The kernels do not check indices, so invalid states must be rejected earlier.
#[test]
fn a_state_of_another_model_is_refused() {
    let (small, large) = (star(2, 1), star(30, 5));
    let state = state_after(&large, 60);
    on_each(&|device| {
        let error = { DeviceRuns::new(device, &small).unwrap().run(&state, Variant::RING_NODES, 10).unwrap_err() };
        assert!(error.to_string().contains("before the first step"), "{error}");
    });
}

#[test]
fn a_device_without_nodes_loses_no_vehicle() {
    let scenario = small_city();
    let model = Model::new(&scenario, 100.0, 1).unwrap();
    let six = state_after(&model, 21_595);
    let ended = |state: &State| state.legs_ended(&model.plans);
    let expected = reference(&model, &six, Variant::RING_NODES, 300);
    on_devices(|run| {
        for variant in Variant::ALL.into_iter().filter(|variant| !variant.nodes) {
            let found = run(&model, &six, variant, 300);
            assert_eq!(found.check(&model.roads, &model.plans), Ok(()), "{variant}");
            assert!(2 * ended(&found) > ended(&expected), "{variant}: {} legs ended", ended(&found));
        }
    });
}

/// In every step, thirty buffers compete for a link with room for four.
#[test]
fn competition_fills_a_link_exactly_to_its_capacity() {
    let model = star(30, 5);
    let state = state_after(&model, 60);
    assert_eq!(state.queues.of(30).len(), 4);
    on_devices(|run| {
        for variant in Variant::ALL.into_iter().filter(|variant| !variant.nodes) {
            let found = run(&model, &state, variant, 200);
            assert_eq!(found.check(&model.roads, &model.plans), Ok(()), "{variant}");
            assert_eq!(found.queues.of(30).len(), 4, "{variant}: the bottleneck has no empty slot");
        }
    });
}
