//! Every executor computes the same, and the model keeps its promises.

use throng_core::thread_pool;
use throng_device::angles::CIRCLE;
use throng_device::{Backend, DeviceId, open, with_device};
use throng_testing::skip_backend;

use crate::rules::PATCH;
use crate::scenario::{Scenario, State};
use crate::{cpu, gpu, verification};

#[test]
fn threads_and_devices_agree_in_every_tick() {
    let usual = Scenario { ticks: 60, ..Scenario::default() };
    let crowded = Scenario { ticks: 20, population: 500, size: 12, seed: 7, ..usual };
    for scenario in [usual, crowded] {
        let on_cpu = |threads| {
            let mut hashes = Vec::new();
            let see = |_, state: &State| hashes.push(state.hash());
            thread_pool(threads).unwrap().install(|| cpu::run(&scenario, scenario.start(), see)).unwrap();
            hashes
        };
        let expected = on_cpu(1);
        assert_eq!(on_cpu(3), expected);
        for backend in Backend::ALL {
            let mut hashes = Vec::new();
            let see = |_, state: &State| hashes.push(state.hash());
            match open(DeviceId { backend, index: 0 }) {
                Ok(device) => {
                    with_device!(&device, |device| gpu::run(device, &scenario, &scenario.start(), see)).unwrap();
                    assert_eq!(hashes, expected, "{}", device.info().label());
                }
                Err(error) => skip_backend(backend.name(), error),
            }
        }
    }
}

#[test]
fn the_model_keeps_its_promises() {
    for finding in [verification::directions_are_equal(), verification::birds_align()] {
        let finding = finding.unwrap();
        assert!(finding.holds, "{finding:?}");
    }
}

/// After 30 ticks a bird alone is 30 patches away, up to the two units a tick that sine and step are off.
#[test]
fn a_bird_alone_flies_straight() {
    let scenario = Scenario { ticks: 30, ..Scenario::default() };
    let middle = scenario.size as i32 * PATCH / 2;
    for heading in (0..CIRCLE).step_by(997) {
        let start = State { xs: vec![middle], ys: vec![middle], headings: vec![heading] };
        let end = cpu::run(&scenario, start, |_, _| ()).unwrap();
        let angle = f64::from(heading) / f64::from(CIRCLE) * std::f64::consts::TAU;
        for (at, part) in [(end.xs[0], libm::cos(angle)), (end.ys[0], libm::sin(angle))] {
            assert!((f64::from(at - middle) - 30.0 * part * f64::from(PATCH)).abs() <= 60.0, "{heading}: {at}");
        }
        assert_eq!(end.headings, [heading]);
    }
}

#[test]
fn what_is_no_scenario_is_refused() {
    let wrong = Scenario { vision: f64::NAN, speed: -1.0, size: 0, ..Scenario::default() };
    let error = wrong.prepare().unwrap_err().to_string();
    assert!(error.contains("vision: NaN") && error.contains("speed: -1"), "{error}");
}
