//! A run in portions has the same events, states and results as an uninterrupted run, on threads and on devices.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use throng_core::{NoProgress, Progress, panic_text};
use throng_device::{CPU, Executor};
use throng_queue::cpu::simulate;
use throng_queue::{RunError, RunOptions, RunOutcome, Running, gpu};
use throng_traffic_scenario::events::{Event, EventLog, EventSink, SinkError};
use throng_traffic_scenario::{NetworkBuilder, RunStats, Scenario, ScenarioBuilder};

use super::VOLUME_BIN_S;
use super::generator::{Case, cases};
use super::timeout::with_timeout;
use crate::devices::{assert_same_events, devices};

fn options(threads: usize) -> RunOptions<'static> {
    RunOptions {
        threads,
        hash_every: 1,
        volume_bin_s: Some(VOLUME_BIN_S),
        always_shared: true,
        ..RunOptions::default()
    }
}

fn at_once(scenario: &Scenario, on: &Executor, options: &RunOptions<'_>) -> (EventLog, RunOutcome) {
    let mut log = EventLog::default();
    let outcome = match on.device() {
        None => simulate(scenario, &mut log, options),
        Some(device) => gpu::simulate(scenario, &mut log, options, device),
    };
    (log, outcome.unwrap())
}

/// Times between pauses, seconds; 0 for a single step.
const PORTIONS: [f64; 7] = [3.5, 0.0, 17.0, 0.0, 0.0, 1.0, 61.3];

/// Panics if a run in portions differs from the uninterrupted run `whole`.
fn check_portions(scenario: &Arc<Scenario>, on: &Executor, threads: usize, whole: &(EventLog, RunOutcome)) {
    let (expected, expected_outcome) = whole;
    let mut log = EventLog::default();
    let mut run = Running::start(Arc::clone(scenario), on, options(threads), &mut log).unwrap();
    // A run on threads for comparison at the same times.
    let mut on_threads =
        on.device().map(|_| Running::start(Arc::clone(scenario), &CPU, options(1), EventLog::default()).unwrap());
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
        assert!(run.active_agents() >= u64::from(vehicles.iter().sum::<u32>()));
        if let Some(on_threads) = &mut on_threads {
            assert!(on_threads.step_to(time).unwrap());
            assert_eq!(
                (run.active_agents(), vehicles),
                (on_threads.active_agents(), on_threads.vehicles().unwrap()),
                "{time}"
            );
        }
    }
    assert!(matches!((run.hash(), run.vehicles()), (Err(RunError::Ended), Err(RunError::Ended))));
    assert_eq!((run.step().unwrap(), run.next_time(), run.active_agents()), (false, f64::INFINITY, 0));
    let outcome = run.finish().unwrap();
    assert_same(&(log, outcome), (expected, expected_outcome), on);
}

/// Panics if a run that is stopped after a fraction of its steps differs from a run limited to that number of steps.
fn check_stop(scenario: &Arc<Scenario>, on: &Executor, share: f64, whole: &EventLog) {
    let steps = (whole.hashes.len() as f64 * share) as usize;
    let mut log = EventLog::default();
    let mut run = Running::start(Arc::clone(scenario), on, options(2), &mut log).unwrap();
    // Most of these times have no step: the pauses must not change where the run ends.
    for at in &whole.hashes[..steps] {
        run.step_to(at.time).unwrap();
    }
    let stopped = run.stop().unwrap();
    let limited = RunOptions { max_steps: Some(steps as u64), ..options(2) };
    let (expected, expected_outcome) = at_once(scenario, on, &limited);
    assert_same(&(log, stopped), (&expected, &expected_outcome), on);
}

fn assert_same(found: &(EventLog, RunOutcome), expected: (&EventLog, &RunOutcome), on: &Executor) {
    let ((log, outcome), (expected, expected_outcome)) = (found, expected);
    assert_same_events(expected, log, "steps");
    assert_eq!(log.hashes, expected.hashes);
    let steps_matter = on.device().is_none();
    let stats =
        |outcome: &RunOutcome| RunStats { steps: if steps_matter { outcome.stats.steps } else { 0 }, ..outcome.stats };
    assert_eq!(stats(outcome), stats(expected_outcome));
    assert_eq!((outcome.start_time, outcome.end_time), (expected_outcome.start_time, expected_outcome.end_time));
    assert_eq!(outcome.last_hash, expected_outcome.last_hash);
    assert_eq!(outcome.link_volumes, expected_outcome.link_volumes);
    assert_eq!(outcome.waiting_for_ever, expected_outcome.waiting_for_ever);
}

fn check(scenario: &Arc<Scenario>, share: f64, on: &Executor) {
    for threads in if on.device().is_some() { &[1][..] } else { &[1, 4] } {
        let whole = at_once(scenario, on, &options(*threads));
        if whole.0.hashes.is_empty() {
            continue;
        }
        check_portions(scenario, on, *threads, &whole);
        check_stop(scenario, on, share, &whole.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(16), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn portions_do_not_matter_on_threads(case in cases(400.0), share in 0.0..1.0f64) {
        check(&Case::scenario(&case).into(), share, &CPU);
    }
}

#[test]
fn portions_do_not_matter_on_devices() {
    let config =
        ProptestConfig { cases: 2, max_shrink_time: 60_000, failure_persistence: None, ..ProptestConfig::default() };
    let checked = TestRunner::new(config).run(&(cases(60.0), 0.0..1.0f64), |(case, share)| {
        let scenario: Arc<Scenario> = Case::scenario(&case).into();
        for device in devices().iter().filter(|_| gpu::unsuitable(&scenario).is_none()) {
            let on = Executor::from(device.info().open().unwrap());
            check(&scenario, share, &on);
        }
        Ok(())
    });
    checked.unwrap();
}

/// A ring road with 600 vehicles that depart within 50 s. Its busiest 128 steps have more events than a device reserves
/// for a batch of 128 steps.
fn busy_ring() -> Scenario {
    let names: Vec<String> = (0..10).map(|i| i.to_string()).collect();
    let name = |i: usize| names[i % 10].as_str();
    let nodes = (0..10).fold(NetworkBuilder::new(), |network, i| network.node(name(i), 50.0 * i as f64, 0.0));
    let links = |network: NetworkBuilder, i| network.link(name(i), name(i), name(i + 1), 50.0, 10.0, 72_000.0, 20.0);
    let network = (0..10).fold(nodes, links).build().unwrap();
    let persons = (0..600).fold(ScenarioBuilder::new(network), |scenario, i| {
        let route: Vec<&str> = (i..i + 60).map(name).collect();
        let begin = 60.0 + (i % 50) as f64;
        let work = route[59];
        scenario
            .person(&i.to_string(), |plan| plan.until("home", route[0], begin).drive("car", &route).stay("work", work))
    });
    persons.build().unwrap()
}

/// Counts how often a run is restarted.
#[derive(Default)]
struct Repeats {
    reached_s: AtomicU64,
    repeats: AtomicU64,
}

impl Progress for Repeats {
    fn at(&self, done: u64, note: &str) {
        // The last report of a run has no note. It may be earlier than the previous one, whose batch may pass the end.
        if !note.is_empty() && self.reached_s.swap(done, Ordering::SeqCst) > done {
            self.repeats.fetch_add(1, Ordering::SeqCst);
        }
    }
}

#[test]
fn portions_do_not_matter_when_a_device_repeats_the_run() {
    /// A batch has at most 128 steps, and ends with a step that has a hash. Hence there is a batch of 128 steps between
    /// the pauses before steps 101 and 291.
    const HASH_EVERY: u64 = 150;
    /// The last step before a pause, and the number of restarts so far.
    const PAUSES: [(u32, u64); 4] = [(20, 0), (100, 0), (290, 1), (309, 1)];
    let options = |max_steps, progress| RunOptions {
        max_steps,
        hash_every: HASH_EVERY,
        volume_bin_s: Some(1e6),
        progress,
        ..RunOptions::default()
    };
    let scenario = Arc::new(busy_ring());
    for device in devices() {
        let on = Executor::from(device.info().open().unwrap());
        // To the end, or only to the last pause.
        for max_steps in [None, Some(310)] {
            let (expected, expected_outcome) = at_once(&scenario, &CPU, &options(max_steps, &NoProgress));
            let repeats: &'static Repeats = Box::leak(Box::default());
            let mut log = EventLog::default();
            let options = options(None, repeats);
            let mut run = Running::start(Arc::clone(&scenario), &on, options, &mut log).unwrap();
            let mut on_threads =
                Running::start(Arc::clone(&scenario), &CPU, RunOptions::default(), EventLog::default()).unwrap();
            for (step, repeated) in PAUSES {
                let time = expected_outcome.start_time + f64::from(step);
                assert!(run.step_to(time).unwrap() && on_threads.step_to(time).unwrap());
                assert_eq!(repeats.repeats.load(Ordering::SeqCst), repeated, "until {time}");
                assert_eq!(run.sink().events.len(), on_threads.sink().events.len(), "events until {time}");
                assert_eq!(run.hash().unwrap(), on_threads.hash().unwrap(), "state at {time}");
                assert_eq!(run.vehicles().unwrap(), on_threads.vehicles().unwrap(), "{time}");
                assert_eq!(run.active_agents(), on_threads.active_agents(), "{time}");
            }
            let outcome = if max_steps.is_some() { run.stop() } else { run.finish() }.unwrap();
            assert_same(&(log, outcome), (&expected, &expected_outcome), &on);
        }
    }
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
fn every_call_to_a_failed_run_returns_an_error() {
    let mut runner = TestRunner::deterministic();
    let case = cases(400.0).new_tree(&mut runner).unwrap().current();
    let start = || Running::start(Case::scenario(&case).into(), &CPU, options(2), Full(1)).unwrap();
    let mut run = start();
    assert!(matches!(run.step_to(1e9), Err(RunError::Output(_))));
    assert!(matches!(run.step(), Err(RunError::Ended)));
    assert!(matches!(run.hash(), Err(RunError::Ended)));
    assert!(matches!(run.finish(), Err(RunError::Ended)));
    assert!(matches!(start().finish(), Err(RunError::Output(_))));
    // The run ends without results, and without waiting forever.
    drop(start());
}

/// A sink that panics after some steps.
struct Faulty(u32);

impl EventSink for Faulty {
    fn step(&mut self, _: f64, _: &[Event]) -> Result<(), SinkError> {
        // `resume_unwind` avoids the panic message on standard error.
        self.0 = self.0.checked_sub(1).unwrap_or_else(|| resume_unwind(Box::new("a defect of the sink")));
        Ok(())
    }
}

#[test]
fn every_call_after_a_sink_panic_returns_an_error() {
    let scenario = Arc::new(busy_ring());
    let opened = devices().into_iter().map(|device| Executor::from(device.info().open().unwrap()));
    for on in [Executor::cpu()].into_iter().chain(opened) {
        let scenario = Arc::clone(&scenario);
        with_timeout(move || {
            let options = || RunOptions { threads: 2, ..RunOptions::default() };
            let start = |steps| Running::start(Arc::clone(&scenario), &on, options(), Faulty(steps)).unwrap();
            let panics = |what: &mut dyn FnMut()| {
                let panic = catch_unwind(AssertUnwindSafe(what)).unwrap_err();
                assert_eq!(panic_text(panic.as_ref()), "a defect of the sink");
            };
            // In the first step, soon afterwards with events of later steps in flight, and in the middle of the run.
            for steps in [0, 7, 200] {
                let mut run = start(steps);
                panics(&mut || drop(run.step_to(1e9)));
                assert!(matches!(run.step_to(1e9), Err(RunError::SinkPanicked)));
                assert!(matches!(run.step(), Err(RunError::SinkPanicked)));
                assert!(matches!(run.hash(), Err(RunError::SinkPanicked)));
                assert!(matches!(run.vehicles(), Err(RunError::SinkPanicked)));
                assert_eq!((run.next_time(), run.active_agents(), run.sink().0), (f64::INFINITY, 0, 0));
                assert!(matches!(run.stop(), Err(RunError::SinkPanicked)));
            }
            let mut run = start(7);
            assert!(run.step_to(65).unwrap());
            panics(&mut || drop(run.step_to(120)));
            assert!(matches!(run.finish(), Err(RunError::SinkPanicked)));
            let mut run = Some(start(0));
            panics(&mut || drop(run.take().map(Running::finish)));
            // The next run is unaffected.
            let mut log = EventLog::default();
            let run = Running::start(Arc::clone(&scenario), &on, options(), &mut log).unwrap();
            let outcome = run.finish().unwrap();
            let (expected, expected_outcome) = at_once(&scenario, &CPU, &options());
            assert_same(&(log, outcome), (&expected, &expected_outcome), &on);
        });
    }
}

#[test]
fn a_run_without_agents_ends_at_once() {
    let mut run = Running::start(Arc::default(), &CPU, options(1), EventLog::default()).unwrap();
    assert!(!run.step_to(1e9).unwrap());
    assert_eq!(run.stop().unwrap().stats, RunStats::default());
}
