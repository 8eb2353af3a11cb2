//! Runs the cases of public transport and compares the events with those of MATSim: every time stamp must agree.

use std::path::PathBuf;

use throng_core::{NoProgress, Warnings};
use throng_matsim::compare::compare_log;
use throng_matsim::config;
use throng_matsim::load::load_scenario;
use throng_queue::RunOptions;
use throng_queue::cpu::simulate;
use throng_testing::outside_cases;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::EventLog;
use throng_traffic_scenario::settings::{Compat, NodeTransition};

/// Cases with routed plans.
const CASES: [&str; 38] = [
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
    "nonblocking_cars",
    "nonblocking_holes",
    "nonblocking_storage_leak",
    "one_link_route",
    "park_and_ride",
    "plans_v5_pt1",
    "pt_simple",
    "pt_simple_lineswitch",
    "pt_tutorial",
    "same_time_departures",
    "slow_bus_fifo",
    "stop_first_last_link",
    "stuck_remove",
    "teleported_pt",
    "time_step_2",
];
/// The other cases with routed plans; an array has at most 38 elements per line of the table above.
const MORE: [&str; 3] = ["two_modes_two_lines", "two_stops_one_link", "wait_list_competition"];

fn folder() -> Option<PathBuf> {
    outside_cases("matsim_transit", "")
}

fn load(case: &str) -> Option<Scenario> {
    let mut settings = config::from_file(&folder()?.join(case).join("config.xml")).unwrap().settings;
    settings.extensions.compat = Compat::Matsim13;
    settings.qsim.node_transition = NodeTransition::DeterministicPriorities;
    Some(load_scenario(settings, &mut Warnings::new(), &NoProgress).unwrap_or_else(|error| panic!("{case}: {error}")))
}

#[test]
fn all_events_are_those_of_matsim() {
    let Some(folder) = folder() else { return };
    let mut different = Vec::new();
    for case in CASES.into_iter().chain(MORE) {
        let Some(scenario) = load(case) else { return };
        for threads in [1, 2] {
            let mut log = EventLog::default();
            let options = RunOptions { threads, ..RunOptions::default() };
            if let Err(error) = simulate(&scenario, &mut log, &options) {
                different.push(format!("{case}, {threads} threads: {error}"));
                continue;
            }
            let comparison = compare_log(&scenario, &log, &folder.join(case).join("events.xml.gz")).unwrap();
            if !comparison.is_equal() {
                different.push(format!("{case}, {threads} threads: {comparison}"));
            }
        }
    }
    assert!(different.is_empty(), "{} cases differ:\n{}", different.len(), different.join("\n"));
}
