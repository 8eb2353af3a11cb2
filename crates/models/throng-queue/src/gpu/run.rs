//! Runs a scenario on a device: submits batches of steps, receives their results, and finds the end.

use std::collections::VecDeque;
use std::time::Instant;

use throng_device::exact::NEGATIVE_ZERO;
use throng_device::{Arithmetic, Buffer, Device, DeviceClass, DeviceError, DeviceLock, KernelParameter, faults};

use super::batch::{Batch, Counters};
use super::buffers::{BatchBuffers, Buffers};
use super::changes::Changes;
use super::hashes::Hashes;
use super::host_state::HostState;
use super::kernels::{self, KernelConfig, RunParameters, StepParameters};
use super::launch::{Launcher, Threads};
use super::record::*;
use super::suitable::{unsuitable, unsuitable_device};
use super::upload::{CalendarSize, Source, Speeds};
use super::volumes::Volumes;
use super::{changes::Changed, outbox::Outbox};
use crate::pacing::{Pacing, Paused};
use crate::prepare::checked::CheckedScenario;
use crate::prepare::clock::{Clock, NEVER};
use crate::prepare::end::End;
use crate::prepare::first_activities::{first_activities, start_time};
use crate::prepare::layout::Layout;
use crate::prepare::rules::{Rules, kinds, main_modes, ranks};
use crate::prepare::step_clock::StepClock as _;
use crate::{DeviceThreads, RunError, RunOptions, RunOutcome};
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::{EventKind, EventSink};

/// Steps of a batch, unless their events do not fit into the buffer.
const BATCH_STEPS: i64 = 128;
/// Units per cube. Small cubes spread few active threads over many multiprocessors.
const UNITS_PER_CUBE: u32 = 64;
/// Units per cube of a persistent kernel, which has one cube per multiprocessor: a multiple of 32, and as many as there
/// are registers for.
const UNITS_PER_PERSISTENT_CUBE: u32 = 768;
/// The most batches whose events are being sorted.
const MAX_SORTING: usize = 3;
/// The most batches in flight.
const MAX_IN_FLIGHT: usize = 3;
/// Lower and upper bound of the event capacity of a batch.
const EVENT_CAPACITY: (usize, usize) = (1 << 14, 1 << 24);

/// Runs a scenario and pauses where `pacing` says. If a batch has more events than its buffer holds, the run is
/// repeated with shorter batches; if a grid barrier times out, it is repeated with a launch for each half of a step.
pub(super) fn run(
    scenario: &Scenario,
    sink: &mut dyn EventSink,
    options: &RunOptions<'_>,
    pacing: &mut Pacing<'_>,
    device: &Device,
) -> Result<RunOutcome, RunError> {
    let began = Instant::now();
    let scenario = CheckedScenario::new(scenario)?;
    if let Some(reason) = unsuitable_device(device.info()).or_else(|| unsuitable(&scenario)) {
        return Err(RunError::NotOnDevice { device: device.label(), reason });
    }
    let is_main = main_modes(&scenario);
    let agents = first_activities(&scenario);
    let Some(start) = start_time(&scenario, &agents) else {
        return Ok(RunOutcome { threads: 1, ..RunOutcome::default() });
    };
    let (rules, kinds) = (Rules::new(&scenario), kinds(&scenario));
    let speeds = Speeds::new(&kinds);
    let layout = Layout::new(&scenario.network, 1, |_| 1);
    let clock = Clock::new(start, rules.step_s);
    let config = kernel_config(&rules, sink.wants_events(), options.volume_bin_s.is_some());
    check_arithmetic(device, rules.step_s)?;
    device.check_buffers(Buffers::MAX_PER_KERNEL)?;
    let source = Source {
        scenario,
        layout: &layout,
        rules: &rules,
        kinds: &kinds,
        speeds: &speeds,
        is_main: &is_main,
        calendar: CalendarSize::of(scenario.population.persons()),
        config,
    };
    let initial_agents = source.agents(&agents, &clock);
    let ranks = ranks(&scenario);
    let persons = scenario.population.persons();
    let mut size = BatchSize {
        steps: BATCH_STEPS,
        events: (6 * persons).clamp(EVENT_CAPACITY.0, EVENT_CAPACITY.1),
        persistent: true,
    };
    let mut outbox = Outbox::new(sink, &layout.link_external);
    let mut end = End::of(&scenario, options);
    let mut prepared = None;
    loop {
        // This includes the memory of an earlier attempt.
        device.release_unused()?;
        device.check_memory("the scenario", Buffers::bytes(&source, ranks.len()))?;
        let buffers = Buffers::new(device, &source, &initial_agents, &ranks)?;
        let mut run = DeviceRun {
            device,
            source: &source,
            buffers,
            volumes: Volumes::new(device, &layout, options.volume_bin_s, start)?,
            clock: clock.clone(),
            end: &mut end,
            pacing: &mut *pacing,
            options,
            outbox: &mut outbox,
            hashes: Hashes::new(options.hash_every),
            size,
            living: initial_agents.living,
            outcome: RunOutcome { threads: 1, start_time: start, ..RunOutcome::default() },
            spare_events: Vec::new(),
            lock: None,
        };
        run.lock = run.take_lock();
        run.warm_up()?;
        // The time of a failed attempt counts as simulation.
        run.outcome.preparation_s = *prepared.get_or_insert_with(|| began.elapsed().as_secs_f64());
        match run.run()? {
            AttemptEnd::Finished(outcome) => return Ok(*outcome),
            AttemptEnd::TooManyEvents if size.steps > 1 => size.steps = (size.steps / 8).max(1),
            AttemptEnd::TooManyEvents => size.events *= 4,
            AttemptEnd::BarrierTimedOut => size.persistent = false,
        }
    }
}

/// The settings that are compiled into the kernels.
fn kernel_config(rules: &Rules, record: bool, volumes: bool) -> KernelConfig {
    KernelConfig {
        passing: rules.passing,
        dynamics: rules.dynamics,
        selection: rules.selection,
        fast_update: rules.fast_update,
        waiting_first: rules.waiting_first,
        behavior: rules.behavior,
        interpretation: rules.interpretation,
        record,
        volumes,
    }
}

/// Refuses devices whose results would differ.
fn check_arithmetic(device: &Device, step_s: f64) -> Result<(), DeviceError> {
    match Arithmetic::of(device)?.lacks(step_s != 1.0) {
        Some(lacks) => Err(DeviceError::Unsuitable { device: device.label(), lacks: lacks.to_owned() }),
        None => Ok(()),
    }
}

/// The capacity of a batch.
#[derive(Debug, Clone, Copy)]
struct BatchSize {
    steps: i64,
    events: usize,
    /// Whether to use a persistent kernel, if the device supports it.
    persistent: bool,
}

/// How an attempt ended.
enum AttemptEnd {
    Finished(Box<RunOutcome>),
    /// A batch had more events than its buffer holds.
    TooManyEvents,
    /// A grid barrier timed out.
    BarrierTimedOut,
}

struct DeviceRun<'r, 'a, 's, 'p> {
    device: &'r Device,
    source: &'r Source<'a>,
    buffers: Buffers,
    volumes: Volumes<'a>,
    clock: Clock,
    end: &'r mut End,
    pacing: &'r mut Pacing<'p>,
    options: &'r RunOptions<'r>,
    outbox: &'r mut Outbox<'s>,
    hashes: Hashes,
    size: BatchSize,
    living: u64,
    outcome: RunOutcome,
    spare_events: Vec<(Buffer<u32>, Buffer<u32>)>,
    /// Held while a persistent kernel may run.
    lock: Option<DeviceLock>,
}

/// Why no more steps are submitted.
enum RunEnd {
    /// No agent is left, or the end time is reached; the last step.
    At(i64),
    /// Nothing will ever be due again; the last step in which an agent was due or links changed.
    NothingDue(i64),
}

impl DeviceRun<'_, '_, '_, '_> {
    fn run(mut self) -> Result<AttemptEnd, RunError> {
        let mut changes = Changes::new(self.source);
        let mut in_flight: VecDeque<Batch> = VecDeque::new();
        let mut next = 0i64;
        let mut last_action = 0i64;
        // The last step that was received.
        let mut done = -1i64;
        let mut draining = false;
        let over = loop {
            while in_flight.is_empty() && !self.is_last(next - 1) && self.pauses_before(next) {
                if let Some(end) = self.pause(next)? {
                    // As if this had been the end from the start; such a run executes at least one step.
                    let last = self.clock.last_step_until(end, next).max(done).max(0);
                    self.end.stop_at(last);
                    next = last.max(done + 1).min(last + 1);
                }
            }
            while in_flight.len() < MAX_IN_FLIGHT && !draining && !self.is_last(next - 1) && !self.pauses_before(next) {
                // A hash must be taken before the next step is submitted.
                if in_flight.back().is_some_and(|batch| self.hashes.is_due(batch.last)) {
                    break;
                }
                let batch = self.submit(next, &mut changes)?;
                if batch.changed {
                    last_action = last_action.max(batch.first);
                }
                next = batch.last + 1;
                in_flight.push_back(batch);
            }
            let Some(batch) = in_flight.pop_front() else { break RunEnd::At(next - 1) };
            let (first, last) = (batch.first, batch.last);
            done = last;
            let counters = match self.receive(batch)? {
                Ok(counters) => counters,
                Err(ended) => return self.abandon(ended),
            };
            last_action = last_action.max(counters.step_of(LAST_AGENT_STEP, first).unwrap_or(0));
            if self.living == 0 && !self.end.exclusive {
                break RunEnd::At(counters.step_of(LAST_DONE_STEP, first).unwrap_or(last));
            }
            if in_flight.is_empty() && self.hashes.is_due(last) {
                self.hash(last, last, last_action)?;
            }
            let mut due = self.next_step(counters.next_due(last), &changes, last);
            let hashed = self.hashes.next(last);
            if due < NEVER && due > hashed {
                if in_flight.is_empty() {
                    // The state does not change in the steps that are skipped.
                    self.hash(hashed, due - 1, last_action)?;
                } else {
                    due = hashed;
                }
            }
            // Batches in flight may begin with a change that wakes links; no more are submitted meanwhile.
            draining = due == NEVER;
            if draining && in_flight.is_empty() {
                break RunEnd::NothingDue(last_action);
            }
            // Steps are skipped only if everything that is due is known, and so not while a batch that begins with a
            // change is in flight.
            if !draining && !in_flight.iter().any(|batch| batch.changed) {
                next = next.max(due);
                self.clock.advance_to(next);
            }
        };
        self.finish(&over)?;
        self.outcome.link_volumes = self.volumes.finish(self.device)?;
        Ok(AttemptEnd::Finished(Box::new(self.outcome)))
    }

    /// Launches all kernels of a step without work, so that they are compiled and the device is awake. They sweep a
    /// slot of the calendar that is never used.
    fn warm_up(&self) -> Result<(), DeviceError> {
        let counters = self.device.upload("counters", &[0u32; COUNTER_WORDS as usize])?;
        let launcher = self.launcher(&counters, &counters, &counters);
        let mut no_work = self.parameters(0, 0);
        no_work.step = self.source.calendar.slots - 1;
        (no_work.run.lists_per_slot, no_work.run.nodes, no_work.run.links) = (0, 0, 0);
        if let Some(threads) = self.persistent_threads() {
            launcher.many_steps(threads, no_work, 1)?;
        } else {
            launcher.agents_and_nodes((1, UNITS_PER_CUBE), no_work)?;
            launcher.links_and_teleports((1, UNITS_PER_CUBE), no_work)?;
        }
        launcher.horizon(1, no_work)?;
        self.device.synchronize("warming up")
    }

    /// The first step after `last` that has to be executed: something is `due`, links change, or the run ends.
    /// [`NEVER`] if nothing will ever be due again.
    fn next_step(&self, due: Option<i64>, changes: &Changes<'_>, last: i64) -> i64 {
        let change = changes.next_time().map_or(NEVER, |time| self.clock.step_at(time));
        let end = self.end.first_step(&self.clock);
        due.unwrap_or(NEVER).min(change.min(end).max(last + 1))
    }

    fn pauses_before(&self, step: i64) -> bool {
        self.pacing.pauses_before(self.clock.time_of(step))
    }

    /// Pauses before the step `next`, with no batch in flight. If the run is to stop, returns the time of its end.
    fn pause(&mut self, next: i64) -> Result<Option<f64>, RunError> {
        self.outbox.deliver(&self.clock, 0)?;
        // Other runs may use the device meanwhile.
        self.lock = None;
        let mut paused = BetweenSteps {
            next_time: self.clock.time_of(next),
            under_way: self.living,
            device: self.device,
            buffers: &self.buffers,
            source: self.source,
        };
        let stops = self.pacing.pause(&mut paused)?;
        self.lock = self.take_lock();
        Ok(stops)
    }

    /// With another such run on the device, the cubes of both would wait for each other until they time out.
    fn take_lock(&self) -> Option<DeviceLock> {
        self.persistent_threads().filter(|(cubes, _)| *cubes > 1).map(|_| self.device.lock())
    }

    fn is_last(&self, step: i64) -> bool {
        step >= 0 && self.end.is_reached(step, self.clock.time_of(step))
    }

    /// Submits the steps from `first` up to the next one at which the host has work to do.
    fn submit(&mut self, first: i64, changes: &mut Changes<'_>) -> Result<Batch, RunError> {
        self.clock.advance_to(first + self.size.steps);
        self.volumes.advance_to(self.device, self.clock.time_of(first))?;
        let counters = self.device.upload("counters", &[0u32; COUNTER_WORDS as usize])?;
        let (events, errors) = if let Some(spare) = self.spare_events.pop() {
            spare
        } else {
            let words = if self.source.config.record { self.size.events * EVENT_WORDS as usize } else { 1 };
            let errors = (MAX_ERRORS * ERROR_WORDS) as usize;
            (self.device.empty("events", words)?, self.device.empty("errors", errors)?)
        };
        let change = changes.apply(self.clock.time_of(first), self.source, self.device)?;
        let launcher = self.launcher(&counters, &events, &errors);
        let changed = change.is_some();
        if let Some(change) = change {
            self.change(first, &change, &launcher)?;
        }
        let change = changes.next_time().map_or(NEVER, |time| self.clock.step_at(time));
        let mut last = first;
        let goes_on = |last: i64| {
            let counts = self.volumes.is_current_bin(self.clock.time_of(last + 1));
            let goes_on = counts && !self.pauses_before(last + 1) && !self.is_last(last);
            last + 1 < change && goes_on && !self.hashes.is_due(last)
        };
        while last - first + 1 < self.size.steps && goes_on(last) {
            last += 1;
        }
        if let Some(threads) = self.persistent_threads() {
            launcher.many_steps(threads, self.parameters(first, first), (last - first + 1) as u32)?;
        } else {
            for step in first..=last {
                self.step(step, first, &launcher)?;
            }
        }
        let threads = match self.device.info().class {
            DeviceClass::Software => 256,
            _ => self.source.layout.from.len().max(1024).next_multiple_of(256).min(1 << 15),
        };
        launcher.horizon(threads, self.parameters(last, first))?;
        let counters = self.device.read_later(&counters)?;
        Ok(Batch { first, last, changed, events, errors, counters })
    }

    fn launcher<'l>(
        &'l self,
        counters: &'l Buffer<u32>,
        events: &'l Buffer<u32>,
        errors: &'l Buffer<u32>,
    ) -> Launcher<'l> {
        let (device, buffers, config) = (self.device, &self.buffers, self.source.config);
        let batch = BatchBuffers { volumes: self.volumes.counts(), counters, events, errors };
        Launcher { device, buffers, config, batch }
    }

    fn step(&self, step: i64, first: i64, launcher: &Launcher<'_>) -> Result<(), DeviceError> {
        let parameters = self.parameters(step, first);
        let threads = |entities: usize| self.threads(entities + self.source.calendar.lists_per_slot as usize);
        launcher.agents_and_nodes(threads(self.source.layout.node_external.len()), parameters)?;
        launcher.links_and_teleports(threads(self.source.layout.from.len()), parameters)
    }

    /// Cubes and units per cube for a number of entities: one thread each; on software devices, few threads for all.
    fn threads(&self, entities: usize) -> Threads {
        if self.device.info().class == DeviceClass::Software && self.options.device_threads == DeviceThreads::Automatic
        {
            return (4, 16);
        }
        ((entities as u32).div_ceil(UNITS_PER_CUBE), UNITS_PER_CUBE)
    }

    /// Cubes and units per cube of a persistent kernel; `None` if none is used.
    fn persistent_threads(&self) -> Option<Threads> {
        let cubes = self.device.co_resident_cubes();
        let suits = match self.options.device_threads {
            DeviceThreads::Automatic => cubes > 1,
            DeviceThreads::PerEntity => false,
            DeviceThreads::Persistent => true,
        };
        (suits && self.size.persistent).then_some((cubes, UNITS_PER_PERSISTENT_CUBE))
    }

    fn change(&self, step: i64, changed: &Changed, launcher: &Launcher<'_>) -> Result<(), DeviceError> {
        let parameters = self.parameters(step, step);
        self.device.launch("network changes", changed.count as usize, |client, cubes, dim| {
            let (state, params) = (launcher.state(), parameters.arg());
            let (links, values) = (changed.links.arg(), changed.values.arg());
            kernels::change_links::launch(
                client,
                cubes,
                dim,
                state,
                links,
                values,
                changed.count,
                params,
                self.source.config,
            );
        })
    }

    fn parameters(&self, step: i64, first: i64) -> StepParameters {
        let Source { rules, calendar, .. } = self.source;
        let seed = self.source.scenario.settings.global.random_seed as u64;
        let run = RunParameters {
            start: self.clock.time_of(0),
            step_s: rules.step_s,
            stuck_time_s: rules.stuck_time_s,
            easing: rules.easing,
            neg_infinity: f64::NEG_INFINITY,
            zero: NEGATIVE_ZERO,
            event_capacity: self.size.events as u32,
            hole_capacity: self.buffers.hole_capacity,
            calendar_slots: calendar.slots,
            lists_per_slot: calendar.lists_per_slot,
            speeds: self.source.speeds.limits.len() as u32,
            early: if self.clock.is_exact() { 0 } else { 2 },
            remove_stuck: u32::from(rules.remove_stuck),
            links: self.source.layout.from.len() as u32,
            nodes: self.source.layout.node_external.len() as u32,
            seed_low: seed as u32,
            seed_high: (seed >> 32) as u32,
        };
        StepParameters { time: self.clock.time_of(step), step: step as u32, batch_step: (step - first) as u32, run }
    }

    /// Receives the counters, errors and events of a batch. `Err` inside `Ok`: the attempt has to be abandoned.
    fn receive(&mut self, batch: Batch) -> Result<Result<Counters, AttemptEnd>, RunError> {
        let Batch { first, last, changed: _, events, errors, counters } = batch;
        let counters = Counters::new(counters.wait()?);
        if counters.count(BARRIER_TIMED_OUT) > 0 || faults::barrier_timed_out() {
            return Ok(Err(AttemptEnd::BarrierTimedOut));
        }
        // Some failures of a driver show only here.
        if counters.count(STEPS_MADE) != (last - first + 1) as u64 {
            return Err(self.device.lost("steps", "they were submitted, but not executed").into());
        }
        let recorded = counters.count(EVENTS);
        if recorded > self.size.events as u64 && self.source.config.record {
            return Ok(Err(AttemptEnd::TooManyEvents));
        }
        if counters.count(ERRORS) > 0 {
            let count = counters.count(ERRORS).min(u64::from(MAX_ERRORS)) as usize;
            let records = self.device.read_first(&errors, count * ERROR_WORDS as usize)?.wait()?;
            self.outbox.deliver(&self.clock, 0)?;
            return Err(self.first_error(&records, first));
        }
        if recorded > 0 && self.source.config.record {
            let records = self.device.read_first(&events, recorded as usize * EVENT_WORDS as usize)?;
            self.outbox.send(first, records)?;
        }
        // Reused while they are still being copied: the device executes commands in order.
        self.spare_events.push((events, errors));
        self.outbox.deliver(&self.clock, MAX_SORTING)?;
        let stats = &mut self.outcome.stats;
        stats.steps += (last - first + 1) as u64;
        stats.arrivals += counters.count(ARRIVALS);
        stats.stuck_pushed += counters.count(PUSHED);
        stats.stuck_removed += counters.count(REMOVED);
        stats.aborted += counters.count(ABORTED);
        stats.teleported_vehicles += counters.count(TELEPORTED_VEHICLES);
        self.living = self.living.saturating_sub(counters.count(AGENTS_DONE));
        let now = self.clock.time_of(last);
        let note = format!("at {}, {} agents not yet done", throng_core::clock::format(now), self.living);
        self.options.progress.at((now - self.outcome.start_time) as u64, &note);
        Ok(Ok(counters))
    }

    /// Ends an attempt. The results so far are delivered, and will not be delivered again.
    fn abandon(self, ended: AttemptEnd) -> Result<AttemptEnd, RunError> {
        self.outbox.deliver(&self.clock, 0)?;
        Ok(ended)
    }

    /// Of several errors in the first step that has any, the one whose text sorts first.
    fn first_error(&self, records: &[u32], first: i64) -> RunError {
        let records = || records.chunks_exact(ERROR_WORDS as usize);
        let step = records().map(|record| record[4]).min().unwrap_or(0);
        let time = self.clock.time_of(first + i64::from(step));
        let errors = records().filter(|record| record[4] == step).map(|record| self.error(record, time));
        errors.min_by_key(ToString::to_string).unwrap_or_else(|| RunError::Internal("an unknown error".into()))
    }

    fn error(&self, record: &[u32], time: f64) -> RunError {
        let scenario = self.source.scenario.get();
        let &[code, person, element, link, ..] = record else { return RunError::Internal("a cut error".into()) };
        if code == ERROR_HOLES {
            return RunError::NotOnDevice {
                device: self.device.label(),
                reason: "more holes are under way than fit into its memory".into(),
            };
        }
        let Some(leg) = scenario.population.leg_at(element).map(|leg| leg as usize) else {
            return RunError::Internal(format!(
                "the device reported an error for plan element {element}, which is not a leg"
            ));
        };
        let legs = &scenario.population.legs;
        if code == ERROR_NO_TIME {
            return RunError::no_travel_time(scenario, person, legs.mode[leg]);
        }
        let external = self.source.layout.link_external[link as usize];
        RunError::vehicle_not_here(scenario, person, legs.vehicle[leg], external, time, code == ERROR_IN_USE)
    }

    /// Copies the state after the last step.
    fn host_state(&self) -> Result<HostState<'_>, DeviceError> {
        HostState::new(self.device, &self.buffers, self.source)
    }

    /// Takes the hash of the current state for all steps from `first` to `last`, and releases the hashes of steps that
    /// certainly belong to the run: up to the last step in which anything has happened so far.
    fn hash(&mut self, first: i64, last: i64, last_action: i64) -> Result<(), RunError> {
        let host_state = self.host_state()?;
        let (hash, busy) = (host_state.hash().finish(), self.last_busy(&host_state)?);
        self.hashes.hold(first, last, hash);
        let mut certain = busy.max(last_action);
        if self.pauses_before(certain) {
            // The run may be stopped in the pause.
            certain = self.clock.last_step_until(self.pacing.until(), certain);
        }
        self.hashes.release(certain, &mut self.clock, self.outbox)
    }

    /// The last step so far in which MATSim visits a node or link with something to do.
    fn last_busy(&self, host_state: &HostState<'_>) -> Result<i64, DeviceError> {
        let nodes = self.device.read(&self.buffers.nodes)?;
        let active_at = nodes.iter().skip(ACTIVE_AT as usize).step_by(NODE_WORDS as usize).copied().max();
        Ok(i64::from(active_at.unwrap_or(0).max(host_state.last_stepped())) - 1)
    }

    /// Collects the counters of nodes, and aborts the remaining agents.
    fn finish(&mut self, over: &RunEnd) -> Result<(), RunError> {
        let nodes = self.device.read(&self.buffers.nodes)?;
        let of_nodes = |word: u32| nodes.iter().skip(word as usize).step_by(NODE_WORDS as usize).copied();
        self.outcome.stats.moves = of_nodes(CROSSED).map(u64::from).sum();
        let last = match *over {
            RunEnd::At(last) => last,
            RunEnd::NothingDue(last_action) => {
                self.outcome.waiting_for_ever = self.living;
                last_action.max(self.last_busy(&self.host_state()?)?)
            }
        };
        self.outcome.end_time = self.clock.time_of(last);
        // A batch may continue for some steps after the last one in which anything happens.
        self.hashes.release(last, &mut self.clock, self.outbox)?;
        self.hashes.drop_held();
        self.outbox.deliver(&self.clock, 0)?;
        self.options.progress.at((self.outcome.end_time - self.outcome.start_time) as u64, "");
        if self.hashes.lacks(last) {
            self.hash(last, last, last)?;
        }
        self.outcome.last_hash = self.outbox.last_hash;
        if self.living > 0 {
            let events = self.host_state()?.abort_all()?;
            let aborted = events.iter().filter(|event| event.kind == EventKind::StuckAndAbort).count();
            self.outcome.stats.aborted_at_end = aborted as u64;
            if self.source.config.record {
                self.outbox.step(self.outcome.end_time, &events)?;
            }
        }
        self.outcome.stats.events = self.outbox.events;
        Ok(())
    }
}

/// A pause, with no batch in flight.
struct BetweenSteps<'r, 'a> {
    next_time: f64,
    under_way: u64,
    device: &'r Device,
    buffers: &'r Buffers,
    source: &'r Source<'a>,
}

impl Paused for BetweenSteps<'_, '_> {
    fn next_time(&self) -> f64 {
        self.next_time
    }

    fn under_way(&self) -> u64 {
        self.under_way
    }

    fn hash(&mut self) -> Result<u64, RunError> {
        Ok(HostState::new(self.device, self.buffers, self.source)?.hash().finish())
    }

    fn vehicles(&mut self) -> Result<Vec<u32>, RunError> {
        Ok(HostState::new(self.device, self.buffers, self.source)?.vehicles())
    }
}
