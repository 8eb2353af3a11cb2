//! Invariants of every run, on random networks with random plans and settings, and equal results on any number of
//! threads.

mod buses;
mod ending;
mod generator;
mod grammar;
mod kinds;
mod on_devices;
mod order_and_capacity;
mod shared;
mod sleeping;
mod stepping;
mod steps;
mod threads;
mod timeout;
mod volumes;

use generator::{Case, cases};
use proptest::prelude::*;
use throng_queue::cpu::simulate;
use throng_queue::{RunOptions, RunOutcome};
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::EventLog;

fn run(scenario: &Scenario, threads: usize, hash_every: u64) -> (EventLog, RunOutcome) {
    let mut log = EventLog::default();
    let options = RunOptions { threads, hash_every, volume_bin_s: Some(VOLUME_BIN_S), ..RunOptions::default() };
    let outcome = simulate(scenario, &mut log, &options).unwrap();
    (log, outcome)
}

/// Length of the time bins of link volumes, seconds; short enough to give several bins.
const VOLUME_BIN_S: f64 = 70.0;

/// Returns the scenario without an end time. The stuck time is at most 10 s; otherwise the run might not end.
fn without_end(case: &Case) -> Scenario {
    let mut scenario = case.scenario();
    scenario.settings.qsim.end_time = None;
    scenario.settings.qsim.stuck_time_s = scenario.settings.qsim.stuck_time_s.min(10.0);
    scenario
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(32), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_run_keeps_the_invariants(case in cases(3000.0)) {
        let scenario = case.scenario();
        let (log, outcome) = run(&scenario, 1, 0);
        grammar::check(&scenario, &log, &outcome);
        order_and_capacity::check(&scenario, &log, &outcome);
        volumes::check(&scenario, &log, &outcome);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(16), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_number_of_threads_does_not_matter(case in cases(400.0)) {
        threads::check(&Case::scenario(&case));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(125), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sleeping_links_change_no_event(case in cases(1000.0)) {
        sleeping::check(&Case::scenario(&case));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(125), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_run_ends(case in cases(400.0)) {
        ending::check(&without_end(&case).into());
    }
}
