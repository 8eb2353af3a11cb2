//! The same events and states on every device.

use std::sync::Arc;

use throng_traffic::RunOptions;
use throng_traffic::cpu::simulate;
use throng_traffic::events::EventLog;
use throng_traffic::scenario::Scenario;

use crate::VOLUME_BIN_S;
use crate::devices::assert_same_on_devices;
use crate::patience::in_time;

/// Panics when a device gives another result than the CPU, or none: step by step, and with as much under way at a time
/// as possible.
pub fn check(scenario: &Arc<Scenario>) {
    for (hash_every, volume_bin_s) in [(7, VOLUME_BIN_S), (0, 1e6)] {
        let scenario = Arc::clone(scenario);
        in_time(move || {
            let mut log = EventLog::default();
            let options = RunOptions { hash_every, volume_bin_s: Some(volume_bin_s), ..RunOptions::default() };
            let outcome = simulate(&scenario, &mut log, &options).unwrap();
            assert_same_on_devices(&scenario, &options, &log, &outcome);
        });
    }
}
