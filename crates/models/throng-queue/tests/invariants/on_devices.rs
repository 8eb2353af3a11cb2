//! Equal events and states on every device.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use throng_device::Device;
use throng_queue::cpu::simulate;
use throng_queue::{DeviceThreads, RunOptions};
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::EventLog;

use super::generator::cases;
use super::kinds::{COVERING, ON_SOFTWARE_DEVICES};
use super::timeout::with_timeout;
use super::{VOLUME_BIN_S, run, without_end};
use crate::devices::{assert_same_on, devices, hardware_devices};

/// Panics if the result of a device differs from that of the CPU or is missing: in short batches of steps, and with the
/// maximum number of steps in flight.
pub fn check(scenario: &Arc<Scenario>) {
    check_with(scenario, DeviceThreads::Automatic, &devices());
}

/// Like [`check`], with the given launch mode and devices.
pub fn check_with(scenario: &Arc<Scenario>, device_threads: DeviceThreads, devices: &[&'static Arc<Device>]) {
    for (hash_every, volume_bin_s) in [(7, VOLUME_BIN_S), (0, 1e6)] {
        let (scenario, devices) = (Arc::clone(scenario), devices.to_vec());
        with_timeout(move || {
            let mut log = EventLog::default();
            let options =
                RunOptions { hash_every, volume_bin_s: Some(volume_bin_s), device_threads, ..RunOptions::default() };
            let outcome = simulate(&scenario, &mut log, &options).unwrap();
            assert_same_on(&devices, &scenario, &options, &log, &outcome);
        });
    }
}

/// Checks random networks of one kind. They share their kernels, whose compilation takes most of the time.
fn networks_of(number: usize) {
    let kind = COVERING[number];
    let devices = if ON_SOFTWARE_DEVICES.contains(&number) { devices() } else { hardware_devices("this kind of run") };
    let config =
        ProptestConfig { cases: 1, max_shrink_time: 60_000, failure_persistence: None, ..ProptestConfig::default() };
    let checked = TestRunner::new(config).run(&prop::collection::vec(cases(400.0), 2), |networks| {
        for case in networks {
            let case = case.with_rules(kind);
            check_with(&case.scenario().into(), kind.threads, &devices);
            let endless = without_end(&case);
            if steps_of(&endless) < MAX_STEPS {
                check_with(&endless.into(), kind.threads, &devices);
            }
        }
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{kind:?}: {error}"));
}

/// Maximum number of steps of a case, because software devices take milliseconds per step.
const MAX_STEPS: f64 = 2000.0;

/// Number of steps from start to end.
fn steps_of(scenario: &Scenario) -> f64 {
    let (_, outcome) = run(scenario, 1, 0);
    (outcome.end_time - outcome.start_time) / scenario.settings.qsim.time_step_s
}

/// Defines one test per kind, so that they run in parallel.
macro_rules! test_kinds {
    ($($name:ident = $number:literal),*) => {
        $(
            #[test]
            fn $name() {
                networks_of($number);
            }
        )*

        #[test]
        fn every_kind_has_a_test() {
            assert_eq!([$($number),*].to_vec(), (0..COVERING.len()).collect::<Vec<_>>());
        }
    };
}

test_kinds!(
    buffer_by_buffer_queue = 0,
    buffer_by_buffer_waves = 1,
    buffer_by_buffer_blocked_queue = 2,
    buffer_by_buffer_blocked_holes = 3,
    vehicle_by_vehicle_waves = 4,
    vehicle_by_vehicle_holes = 5,
    vehicle_by_vehicle_blocked_waves = 6,
    vehicle_by_vehicle_blocked_queue = 7,
    priorities_waves = 8,
    priorities_holes = 9
);
