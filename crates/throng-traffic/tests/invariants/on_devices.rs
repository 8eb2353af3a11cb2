//! The same events and states on every device.

use throng_traffic::RunOptions;
use throng_traffic::scenario::Scenario;

use crate::devices::assert_same_on_devices;
use crate::{VOLUME_BIN_S, run};

/// Panics when a device gives another result than the CPU.
pub fn check(scenario: &Scenario) {
    let (log, outcome) = run(scenario, 1, 7);
    let options = RunOptions { hash_every: 7, volume_bin_s: Some(VOLUME_BIN_S), ..RunOptions::default() };
    assert_same_on_devices(scenario, &options, &log, &outcome);
}
