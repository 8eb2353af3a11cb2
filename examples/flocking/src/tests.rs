//! Every executor computes the same, and the model keeps its promises.

use throng_core::thread_pool;
use throng_device::{Backend, DeviceId, open, with_device};
use throng_testing::skip_backend;

use crate::rules::{CIRCLE, ONE, angle_of, sine};
use crate::scenario::{Scenario, State};
use crate::{cpu, gpu, verification};

#[test]
fn threads_and_devices_agree_in_every_tick() {
    let crowded = Scenario { population: 500, size: 12, seed: 7, ..Scenario::default() };
    for (scenario, ticks) in [(Scenario::default(), 60), (crowded, 20)] {
        let on_cpu = |threads| {
            let mut hashes = Vec::new();
            let see = |_, state: &State| hashes.push(state.hash());
            thread_pool(threads).unwrap().install(|| cpu::run(&scenario, scenario.start(), ticks, see)).unwrap();
            hashes
        };
        let expected = on_cpu(1);
        assert_eq!(on_cpu(3), expected);
        for backend in Backend::ALL {
            let mut hashes = Vec::new();
            let see = |_, state: &State| hashes.push(state.hash());
            match open(DeviceId { backend, index: 0 }) {
                Ok(device) => {
                    with_device!(&device, |device| gpu::run(device, &scenario, &scenario.start(), ticks, see)).unwrap();
                    assert_eq!(hashes, expected, "{}", device.info().label());
                }
                Err(error) => skip_backend(backend.name(), error),
            }
        }
    }
}

#[test]
fn the_model_keeps_its_promises() {
    for finding in
        [verification::lone_birds_fly_straight(), verification::directions_are_equal(), verification::birds_align()]
    {
        let finding = finding.unwrap();
        assert!(finding.holds, "{finding:?}");
    }
}

#[test]
fn sines_and_angles_are_as_exact_as_they_say() {
    for angle in 0..CIRCLE {
        let exact = libm::sin(f64::from(angle) / f64::from(CIRCLE) * std::f64::consts::TAU) * f64::from(ONE);
        assert!((f64::from(sine(angle)) - exact).abs() < 3.0, "{angle}");
        for length in [70, 20_000, 5_000_000] {
            let radians = f64::from(angle) / f64::from(CIRCLE) * std::f64::consts::TAU;
            let x = libm::round(f64::from(length) * libm::cos(radians)) as i32;
            let y = libm::round(f64::from(length) * libm::sin(radians)) as i32;
            let exact = libm::atan2(f64::from(y), f64::from(x)) / std::f64::consts::TAU * f64::from(CIRCLE);
            let error = (f64::from(angle_of(x, y)) - exact).rem_euclid(f64::from(CIRCLE));
            assert!(error.min(f64::from(CIRCLE) - error) < 2.0, "{x}, {y}: {error}");
        }
    }
}

#[test]
fn what_is_no_scenario_is_refused() {
    let wrong = Scenario { vision: f64::NAN, speed: -1.0, size: 0, ..Scenario::default() };
    let error = wrong.prepare().unwrap_err().to_string();
    assert!(error.contains("vision: NaN") && error.contains("speed: -1"), "{error}");
}
