//! Repeats a run on every device of this machine and compares the results with the CPU.

use std::sync::Arc;

use throng_device::{Device, DeviceClass};
use throng_queue::gpu;
use throng_queue::{RunOptions, RunOutcome};
use throng_testing::{Needs, skip};
use throng_testing_devices::suitable;
use throng_traffic_scenario::RunStats;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::{EventKind as E, EventLog};

/// Panics if the events of two runs differ, or their order, also within a time stamp.
pub fn assert_same_events(expected: &EventLog, found: &EventLog, on: &str) {
    let mut pairs = expected.events.iter().zip(&found.events);
    let differs = pairs.position(|(a, b)| (a.0.to_bits(), a.1) != (b.0.to_bits(), b.1));
    assert_eq!(differs.map(|i| (i, expected.events[i], found.events[i])), None, "events on {on}");
    assert_eq!(expected.events.len(), found.events.len(), "events on {on}");
}

/// Panics if the events of any agent are out of order, including within a time stamp.
pub fn check_order_of_agents(log: &EventLog, scenario: &Scenario) {
    let mut last = vec![None; scenario.population.persons()];
    for (time, event) in log.events.iter().filter(|(_, e)| e.kind != E::VehicleAborts) {
        let Some(previous) = last.get_mut(event.person as usize) else { continue };
        let follows = match event.kind {
            E::Departure => matches!(previous, Some(E::ActivityEnd | E::Arrival | E::TransitDriverStarts)),
            E::Travelled | E::WaitingForPt => *previous == Some(E::Departure),
            E::PersonEntersVehicle => matches!(previous, Some(E::Departure | E::WaitingForPt | E::BoardingDenied)),
            E::VehicleEntersTraffic => *previous == Some(E::PersonEntersVehicle),
            E::VehicleLeavesTraffic => *previous == Some(E::VehicleEntersTraffic),
            E::PersonLeavesVehicle => matches!(previous, Some(E::VehicleLeavesTraffic | E::PersonEntersVehicle)),
            E::Arrival => matches!(previous, Some(E::PersonLeavesVehicle | E::Travelled)),
            E::ActivityStart => matches!(previous, Some(E::Arrival | E::ActivityEnd)),
            E::ActivityEnd => matches!(previous, None | Some(E::ActivityStart)),
            _ => true,
        };
        assert!(follows, "{time}: {event:?} after {previous:?}");
        *previous = Some(event.kind);
    }
}

/// Returns the devices that simulate traffic; quick tests leave out software devices.
pub fn devices() -> Vec<&'static Arc<Device>> {
    suitable(throng_testing_devices::devices(), gpu::unsuitable_device)
}

/// Returns the devices for `what`, which takes minutes on software devices.
pub fn hardware_devices(what: &str) -> Vec<&'static Arc<Device>> {
    let is_hardware = |device: &&Arc<Device>| {
        let is_hardware = device.info().class != DeviceClass::Software;
        if !is_hardware {
            skip(Needs::Hardware, format_args!("{what} takes minutes on {}", device.info().label()));
        }
        is_hardware
    };
    all_devices().into_iter().filter(is_hardware).collect()
}

/// Returns all devices that simulate traffic; quick tests include software devices.
pub fn all_devices() -> Vec<&'static Arc<Device>> {
    suitable(throng_testing_devices::all_devices(), gpu::unsuitable_device)
}

/// Panics if the events, states or counts of a device differ from those of the CPU. Scenarios that need the CPU are
/// skipped.
pub fn assert_same_on_devices(scenario: &Scenario, options: &RunOptions<'_>, log: &EventLog, outcome: &RunOutcome) {
    if gpu::unsuitable(scenario).is_none() {
        assert_same_on(&devices(), scenario, options, log, outcome);
    }
}

/// Panics if the events, states or counts of one of the `devices` differ from those of the CPU.
pub fn assert_same_on(
    devices: &[&Arc<Device>],
    scenario: &Scenario,
    options: &RunOptions<'_>,
    log: &EventLog,
    outcome: &RunOutcome,
) {
    let (expected, expected_hashes) = (log, &log.hashes);
    for device in devices {
        let name = device.info().label();
        let mut log = EventLog::default();
        let found = gpu::simulate(scenario, &mut log, options, device).unwrap();
        assert_same_events(expected, &log, &name);
        check_order_of_agents(&log, scenario);
        let differs = expected_hashes.iter().zip(&log.hashes).find(|(a, b)| a != b);
        assert_eq!(differs, None, "state on cpu, {name}");
        assert_eq!(expected_hashes.len(), log.hashes.len(), "{name}");
        assert_eq!(found.last_hash, log.hashes.last().copied(), "{name}");
        // A device also executes steps in which nothing is due.
        assert_eq!(RunStats { steps: 0, ..outcome.stats }, RunStats { steps: 0, ..found.stats }, "{name}");
        assert_eq!((outcome.start_time, outcome.end_time), (found.start_time, found.end_time), "{name}");
        assert_eq!(outcome.waiting_for_ever, found.waiting_for_ever, "{name}");
        assert_eq!(outcome.unreported, found.unreported, "{name}");
        assert_eq!(outcome.link_volumes, found.link_volumes, "{name}");
        let times: Vec<f64> = log.events.iter().map(|(time, _)| *time).collect();
        assert!(times.is_sorted(), "order of steps on {name}");
    }
}
