//! Runs the cases of public transport and compares the events with those of MATSim: every time stamp must agree.

use std::path::PathBuf;
use std::sync::Arc;

use throng_core::{InputError, NoProgress, Warnings};
use throng_device::Device;
use throng_matsim::compare::compare_log;
use throng_matsim::config;
use throng_matsim::load::load_scenario;
use throng_queue::RunOptions;
use throng_queue::cpu::simulate;
use throng_queue::gpu::simulate as simulate_on_device;
use throng_testing::outside_cases;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::{Event, EventKind, EventLog};
use throng_traffic_scenario::settings::{Compat, NodeTransition, Settings};

use crate::devices::{assert_same_on, devices, hardware_devices};

/// Number of events of all cases.
const EVENTS: u64 = 82_969;
/// Cases with routed plans, and those whose plans need no router of public transport.
const CASES: [&str; 47] = [
    "access_mode_to_link",
    "access_none",
    "await_early",
    "await_false_early",
    "blocking_cars",
    "blocking_passing",
    "bunching",
    "capacity_denied",
    "capacity_no_denied_event",
    "circulation_empty_run",
    "circulation_late",
    "congestion_kw",
    "congestion_queue",
    "congestion_small_factors",
    "denied_await",
    "door_parallel_20",
    "door_parallel_full",
    "door_serial_20",
    "door_serial_fraction",
    "end_in_service",
    "end_never_served",
    "line_two_stops",
    "loop_route",
    "missed_transfer",
    "mixed_medium",
    "multi_leg_access",
    "multi_leg_none",
    "nonblocking_cars",
    "nonblocking_holes",
    "nonblocking_storage_leak",
    "one_link_route",
    "park_and_ride",
    "plans_v5_pt1",
    "pt_simple",
    "pt_simple_lineswitch",
    "pt_tutorial",
    "router_raptor_lineswitch",
    "router_raptor_tutorial",
    "same_time_departures",
    "slow_bus_fifo",
    "stop_first_last_link",
    "stuck_remove",
    "teleported_pt",
    "time_step_2",
    "two_modes_two_lines",
    "two_stops_one_link",
    "wait_list_competition",
];

/// The case that also runs on software devices, which take minutes to compile the kernels: buses, persons for whom they
/// have no room, and waiting for departure times. `cargo xtask device-check` runs all cases on hardware devices.
const ON_SOFTWARE_DEVICES: &str = "denied_await";

/// Returns the devices that run a case.
fn suitable_for(case: &str) -> Vec<&'static Arc<Device>> {
    if case == ON_SOFTWARE_DEVICES { devices() } else { hardware_devices("public transport") }
}

fn folder() -> Option<PathBuf> {
    outside_cases("matsim_transit", "")
}

fn try_to_load(case: &str) -> Option<Result<Scenario, InputError>> {
    load_with(case, |_| {})
}

fn load_with(case: &str, change: impl FnOnce(&mut Settings)) -> Option<Result<Scenario, InputError>> {
    let mut settings = config::from_file(&folder()?.join(case).join("config.xml")).unwrap().settings;
    settings.extensions.compat = Compat::Matsim13;
    settings.qsim.node_transition = NodeTransition::DeterministicPriorities;
    change(&mut settings);
    Some(load_scenario(settings, &mut Warnings::new(), &NoProgress))
}

fn load(case: &str) -> Option<Scenario> {
    try_to_load(case).map(|scenario| scenario.unwrap_or_else(|error| panic!("{case}: {error}")))
}

#[test]
fn all_events_are_those_of_matsim() {
    let Some(folder) = folder() else { return };
    let (mut different, mut events) = (Vec::new(), 0);
    for case in CASES {
        let Some(scenario) = load(case) else { return };
        let mut hashes = Vec::new();
        for threads in [1, 2, 3] {
            let mut log = EventLog::default();
            let options = RunOptions { threads, hash_every: 7, ..RunOptions::default() };
            if let Err(error) = simulate(&scenario, &mut log, &options) {
                different.push(format!("{case}, {threads} threads: {error}"));
                continue;
            }
            let comparison = compare_log(&scenario, &log, &folder.join(case).join("events.xml.gz")).unwrap();
            if !comparison.is_equal() {
                different.push(format!("{case}, {threads} threads: {comparison}"));
            }
            events += comparison.events[0];
            hashes.push(log.hashes);
        }
        let mut log = EventLog::default();
        let options = RunOptions { hash_every: 7, ..RunOptions::default() };
        let outcome = simulate(&scenario, &mut log, &options).unwrap();
        assert_same_on(&suitable_for(case), &scenario, &options, &log, &outcome);
        assert!(hashes.iter().all(|of_threads| of_threads == &hashes[0] && of_threads.len() > 1), "{case}");
    }
    assert!(different.is_empty(), "{} cases differ:\n{}", different.len(), different.join("\n"));
    assert_eq!(events, 3 * EVENTS);
}

#[test]
fn scenarios_that_matsim_rejects_are_refused_with_place_and_remedy() {
    for (case, expected) in [
        (
            "n_capacity_one",
            ["transitVehicles.xml:", "has no capacity (seats 1, standing 0)", "Give the type a <capacity>"],
        ),
        (
            "n_no_route_leg",
            ["plans.xml", "a leg of mode pt with a route that names no line and stops", "Route the plans first"],
        ),
        (
            "n_no_vehicle",
            ["transitSchedule.xml", "needs vehicle \"ghost\", which is not defined", "correct vehicleRefId"],
        ),
        ("n_stop_off_route", ["transitSchedule.xml", "does not reach its stop", "Correct the links of the route"]),
        ("n_stops_reverse", ["transitSchedule.xml", "does not reach its stop", "Correct the links of the route"]),
        ("n_unknown_stop", ["plans.xml", "rides with access stop", "has no such access stop"]),
        (
            "n_vehicle_same_as_person",
            ["transitVehicles.xml:", "also private vehicles: \"bus1\"", "Give one of the two another id"],
        ),
        (
            "n_wrong_link",
            ["plans.xml", "boards at stop \"s1\" on link \"l1\", but is on link \"l2\"", "Let the leg before it end"],
        ),
    ] {
        let Some(found) = try_to_load(&format!("negative/{case}")) else { return };
        let text = found.err().unwrap_or_else(|| panic!("{case} is accepted")).to_string();
        for part in expected {
            assert!(text.contains(part), "{case}: {text}");
        }
    }
}

#[test]
fn passengers_who_alight_elsewhere_are_removed() {
    let case = "negative/n_egress_other_link";
    let (Some(scenario), Some(folder)) = (load(case), folder()) else { return };
    let mut log = EventLog::default();
    simulate(&scenario, &mut log, &RunOptions::default()).unwrap();
    let comparison = compare_log(&scenario, &log, &folder.join(case).join("events.xml")).unwrap();
    assert!(comparison.is_equal(), "{comparison}");
}

/// Half of the persons come to the stop with two teleported legs in the same second, over another partition.
#[test]
fn the_order_at_a_stop_does_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plans.xml");
    let walk = |from: &str, to: &str, time: &str| {
        format!(
            "<leg mode='walk' trav_time='{time}'><route type='generic' start_link='{from}' end_link='{to}' \
             trav_time='{time}' distance='1'></route></leg><activity type='pt interaction' link='{to}' max_dur='0'/>"
        )
    };
    let ride = "<leg mode='pt'><route type='experimentalPt1' start_link='l1' end_link='l5'>PT1===s1===L1===r1===s3\
        </route></leg><activity type='work' link='l5'/>";
    let mut plans = "<!DOCTYPE population SYSTEM 'http://x/population_v6.dtd'><population>".to_owned();
    for person in 0..12 {
        let (home, walks) = if person % 2 == 0 {
            ("l6", walk("l6", "l6", "00:10:00") + &walk("l6", "l1", "00:00:00"))
        } else {
            ("l1", walk("l1", "l1", "00:10:00"))
        };
        plans.extend([format!(
            "<person id='q{person:02}'><plan selected='yes'><activity type='home' link='{home}' end_time='06:40:00'/>\
             {walks}{ride}</plan></person>"
        )]);
    }
    std::fs::write(&file, plans + "</population>").unwrap();
    let with_plans = |settings: &mut Settings| settings.files.plans = Some(file.clone());
    let Some(scenario) = load_with("capacity_denied", with_plans) else { return };
    let scenario = scenario.unwrap();
    let logs = [1, 2, 3, 5].map(|threads| {
        let mut log = EventLog::default();
        let options = RunOptions { threads, hash_every: 10, always_shared: true, ..RunOptions::default() };
        simulate(&scenario, &mut log, &options).unwrap();
        (log.events, log.hashes)
    });
    assert!(logs[0].0.iter().any(|(_, event)| event.kind == EventKind::BoardingDenied), "not all find a place");
    for log in &logs[1..] {
        assert!(log == &logs[0]);
    }
    for device in hardware_devices("public transport") {
        let mut log = EventLog::default();
        simulate_on_device(&scenario, &mut log, &RunOptions { hash_every: 10, ..RunOptions::default() }, device)
            .unwrap();
        assert!((log.events, log.hashes) == logs[0], "{}", device.info().label());
    }
}

/// Vehicles come up behind one that is first with a later exit time, because it waits at a blocking stop.
#[test]
fn a_vehicle_at_a_blocking_stop_stays_first_where_vehicles_pass() {
    let case = "blocking_passing";
    let Some(mut scenario) = load(case) else { return };
    let routes = &mut scenario.transit.routes;
    routes.awaits_departure.fill(true);
    for (offset_s, call) in routes.departure_offset_s.iter_mut().zip(0u8..) {
        *offset_s = 200.0 * f64::from(call % 4) + 100.0;
    }
    let mut log = EventLog::default();
    let options = RunOptions { hash_every: 7, ..RunOptions::default() };
    let outcome = simulate(&scenario, &mut log, &options).unwrap();
    let time_of = |kind: EventKind, of: &Event| {
        log.events.iter().find(|(_, event)| event.kind == kind && (event.link, event.detail) == (of.link, of.detail))
    };
    let waits = |arrival: &(f64, Event)| {
        let departure = time_of(EventKind::VehicleDepartsAtFacility, &arrival.1);
        arrival.1.kind == EventKind::VehicleArrivesAtFacility && departure.is_some_and(|at| at.0 > arrival.0 + 60.0)
    };
    assert!(log.events.iter().any(waits), "no vehicle waits");
    assert_same_on(&suitable_for(case), &scenario, &options, &log, &outcome);
}
