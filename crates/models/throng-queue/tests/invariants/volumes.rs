//! Link volumes agree with events.

use std::collections::BTreeMap;

use throng_queue::RunOutcome;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::{EventKind, EventLog};

use super::VOLUME_BIN_S;

/// Panics if the count of a link in a time bin differs from the number of vehicles that left it.
pub fn check(scenario: &Scenario, log: &EventLog, outcome: &RunOutcome) {
    let mut expected: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
    for (time, event) in log.events.iter().filter(|(_, event)| event.kind == EventKind::LeftLink) {
        let bin = (time / VOLUME_BIN_S).floor() as i64;
        let vehicles = expected.entry(bin).or_insert_with(|| vec![0; scenario.network.links()]);
        vehicles[event.link as usize] += 1;
    }
    let found = outcome.link_volumes.iter().map(|bin| (bin.bin, bin.vehicles.clone()));
    assert!(found.eq(expected), "{:?}", outcome.link_volumes);
}
