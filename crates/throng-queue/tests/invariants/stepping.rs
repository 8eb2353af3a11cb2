//! A run in portions has the events, states and results of a run at once, on threads and on devices.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use throng_queue::cpu::simulate;
use throng_queue::{RunError, RunOptions, RunOutcome, Running, gpu};
use throng_testing::devices_with_f64;
use throng_traffic_scenario::events::{Event, EventLog, EventSink, SinkError};
use throng_traffic_scenario::{RunStats, Scenario};

use crate::VOLUME_BIN_S;
use crate::devices::sorted;
use crate::generator::{Case, cases};

type Device = Option<Arc<throng_device::AnyDevice>>;

fn options(threads: usize) -> RunOptions<'static> {
    RunOptions {
        threads,
        hash_every: 1,
        volume_bin_s: Some(VOLUME_BIN_S),
        always_shared: true,
        ..RunOptions::default()
    }
}

fn at_once(scenario: &Scenario, device: &Device, options: &RunOptions<'_>) -> (EventLog, RunOutcome) {
    let mut log = EventLog::default();
    let outcome = match device {
        None => simulate(scenario, &mut log, options),
        Some(device) => gpu::simulate(scenario, &mut log, options, device),
    };
    (log, outcome.unwrap())
}

/// Times between pauses, seconds; 0 for a single step.
const PORTIONS: [f64; 7] = [3.5, 0.0, 17.0, 0.0, 0.0, 1.0, 61.3];

/// Panics if a run in portions differs from one at once, which is `whole`.
fn check_portions(scenario: &Arc<Scenario>, device: &Device, threads: usize, whole: &(EventLog, RunOutcome)) {
    let (expected, expected_outcome) = whole;
    let mut log = EventLog::default();
    let mut run = Running::start(Arc::clone(scenario), device.clone(), options(threads), &mut log).unwrap();
    // What threads find at the same times.
    let mut on_threads =
        device.as_ref().map(|_| Running::start(Arc::clone(scenario), None, options(1), EventLog::default()).unwrap());
    let mut time = run.next_time();
    for portion in PORTIONS.iter().cycle() {
        time = if *portion == 0.0 { time.max(run.next_time()) } else { time + portion };
        let goes_on = if time == run.next_time() { run.step().unwrap() } else { run.step_to(time).unwrap() };
        if !goes_on {
            break;
        }
        assert!(run.next_time() > time);
        let so_far = expected.events.partition_point(|(at, _)| *at <= time);
        assert_eq!(run.sink().events.len(), so_far, "events until {time}");
        let last = expected.hashes.partition_point(|at| at.time <= time) - 1;
        assert_eq!(run.hash().unwrap(), expected.hashes[last].hash, "state at {time}");
        let vehicles = run.vehicles().unwrap();
        assert!(run.under_way() >= u64::from(vehicles.iter().sum::<u32>()));
        if let Some(on_threads) = &mut on_threads {
            assert!(on_threads.step_to(time).unwrap());
            assert_eq!((run.under_way(), vehicles), (on_threads.under_way(), on_threads.vehicles().unwrap()), "{time}");
        }
    }
    assert!(matches!((run.hash(), run.vehicles()), (Err(RunError::Ended), Err(RunError::Ended))));
    assert_eq!((run.step().unwrap(), run.next_time(), run.under_way()), (false, f64::INFINITY, 0));
    let outcome = run.finish().unwrap();
    assert_same(&(log, outcome), (expected, expected_outcome), device);
}

/// Panics if a run that is stopped after a share of its steps is not one that has only these steps.
fn check_stop(scenario: &Arc<Scenario>, device: &Device, share: f64, whole: &EventLog) {
    let steps = (whole.hashes.len() as f64 * share) as usize;
    let mut log = EventLog::default();
    let mut run = Running::start(Arc::clone(scenario), device.clone(), options(2), &mut log).unwrap();
    // Most of these times have no step: the pauses must not change where the run ends.
    for at in &whole.hashes[..steps] {
        run.step_to(at.time).unwrap();
    }
    let stopped = run.stop().unwrap();
    let limited = RunOptions { max_steps: Some(steps as u64), ..options(2) };
    let (expected, expected_outcome) = at_once(scenario, device, &limited);
    assert_same(&(log, stopped), (&expected, &expected_outcome), device);
}

fn assert_same(found: &(EventLog, RunOutcome), expected: (&EventLog, &RunOutcome), device: &Device) {
    let ((log, outcome), (expected, expected_outcome)) = (found, expected);
    // On threads, events within a time stamp have an order, too.
    match device {
        None => assert_eq!(log.events, expected.events),
        Some(_) => assert_eq!(sorted(log), sorted(expected)),
    }
    assert_eq!(log.hashes, expected.hashes);
    let steps_matter = device.is_none();
    let stats =
        |outcome: &RunOutcome| RunStats { steps: if steps_matter { outcome.stats.steps } else { 0 }, ..outcome.stats };
    assert_eq!(stats(outcome), stats(expected_outcome));
    assert_eq!((outcome.start_time, outcome.end_time), (expected_outcome.start_time, expected_outcome.end_time));
    assert_eq!(outcome.last_hash, expected_outcome.last_hash);
    assert_eq!(outcome.link_volumes, expected_outcome.link_volumes);
    assert_eq!(outcome.waiting_for_ever, expected_outcome.waiting_for_ever);
}

fn check(scenario: &Arc<Scenario>, share: f64, device: &Device) {
    for threads in if device.is_some() { &[1][..] } else { &[1, 4] } {
        let whole = at_once(scenario, device, &options(*threads));
        if whole.0.hashes.is_empty() {
            continue;
        }
        check_portions(scenario, device, *threads, &whole);
        check_stop(scenario, device, share, &whole.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn portions_do_not_matter_on_threads(case in cases(400.0), share in 0.0..1.0f64) {
        check(&Case::scenario(&case).into(), share, &None);
    }
}

#[test]
fn portions_do_not_matter_on_devices() {
    let config =
        ProptestConfig { cases: 2, max_shrink_time: 60_000, failure_persistence: None, ..ProptestConfig::default() };
    let checked = TestRunner::new(config).run(&(cases(60.0), 0.0..1.0f64), |(case, share)| {
        let scenario: Arc<Scenario> = Case::scenario(&case).into();
        for device in devices_with_f64().iter().filter(|_| gpu::unsuitable(&scenario).is_none()) {
            let device = Some(Arc::new(device.info().open().unwrap()));
            check(&scenario, share, &device);
        }
        Ok(())
    });
    checked.unwrap();
}

/// A sink that fails after some steps.
struct Full(u32);

impl EventSink for Full {
    fn step(&mut self, _: f64, _: &[Event]) -> Result<(), SinkError> {
        self.0 = self.0.checked_sub(1).ok_or_else(|| SinkError("the disk is full".into()))?;
        Ok(())
    }
}

#[test]
fn a_run_that_failed_says_so_whenever_it_is_asked() {
    let mut runner = TestRunner::deterministic();
    let case = cases(400.0).new_tree(&mut runner).unwrap().current();
    let start = || Running::start(Case::scenario(&case).into(), None, options(2), Full(1)).unwrap();
    let mut run = start();
    assert!(matches!(run.step_to(1e9), Err(RunError::Output(_))));
    assert!(matches!(run.step(), Err(RunError::Ended)));
    assert!(matches!(run.hash(), Err(RunError::Ended)));
    assert!(matches!(run.finish(), Err(RunError::Ended)));
    assert!(matches!(start().finish(), Err(RunError::Output(_))));
    // Without any results, and without waiting for ever.
    drop(start());
}

#[test]
fn a_run_without_agents_is_over_at_once() {
    let mut run = Running::start(Arc::default(), None, options(1), EventLog::default()).unwrap();
    assert!(!run.step_to(1e9).unwrap());
    assert_eq!(run.stop().unwrap().stats, RunStats::default());
}
