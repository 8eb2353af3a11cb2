//! From batch to batch: submits steps, takes what comes back, and finds the end.

use std::collections::VecDeque;
use std::time::Instant;

use throng_device::cubecl::prelude::*;
use throng_device::{Arithmetic, Buffer, Device, DeviceClass, DeviceError, faults};

use super::batch::{Batch, Mail};
use super::buffers::Buffers;
use super::changes::Changes;
use super::hashes::Hashes;
use super::kernels::{self, Fixed};
use super::launch::{Launcher, Threads};
use super::mirror::Mirror;
use super::numbers::Numbers;
use super::record::*;
use super::suitable::unsuitable;
use super::upload::{CalendarSize, Source, Speeds};
use super::volumes::Volumes;
use super::{changes::Changed, outbox::Outbox};
use crate::prepare::checked::CheckedScenario;
use crate::prepare::clock::{Clock, NEVER};
use crate::prepare::end::End;
use crate::prepare::first_activities::{first_activities, start_time};
use crate::prepare::layout::Layout;
use crate::prepare::rules::{Rules, kinds, main_modes, ranks};
use crate::rules::inlet::TimeOfStep as _;
use crate::{DeviceThreads, RunError, RunOptions, RunOutcome};
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::{EventKind, EventSink};

/// Steps of a batch, while it is not known how many events they bring.
const BATCH_STEPS: i64 = 128;
/// Units of a cube. Small ones spread few active threads over many multiprocessors.
const UNITS: u32 = 64;
/// Units of a cube when there is one cube on each multiprocessor, a multiple of 32: as many as have registers enough.
const UNITS_AT_ONCE: u32 = 768;
/// Batches whose events are put in order meanwhile.
const IN_ORDER: usize = 3;
/// Batches under way at a time.
const UNDER_WAY: usize = 3;
/// Events that a batch can hold: at least, and at most.
const EVENTS: (usize, usize) = (1 << 14, 1 << 24);

/// Runs a scenario; when more events come in a batch than it can hold, once more with shorter batches, and when parts of
/// the device waited in vain for others, once more with a launch for each of the points at which they wait.
pub(super) fn run<R: Runtime>(
    scenario: &Scenario,
    sink: &mut dyn EventSink,
    options: &RunOptions<'_>,
    device: &Device<R>,
) -> Result<RunOutcome, RunError> {
    let began = Instant::now();
    let scenario = CheckedScenario::new(scenario)?;
    if let Some(reason) = unsuitable(&scenario) {
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
    let fixed = fixed(&rules, sink.wants_events(), options.volume_bin_s.is_some());
    check_arithmetic(device, rules.step_s)?;
    device.check_buffers(Buffers::MOST)?;
    let source = Source {
        scenario,
        layout: &layout,
        rules: &rules,
        kinds: &kinds,
        speeds: &speeds,
        is_main: &is_main,
        calendar: CalendarSize::of(scenario.population.persons()),
        fixed,
    };
    let people = source.agents(&agents, &clock);
    let ranks = ranks(&scenario);
    let persons = scenario.population.persons();
    let mut size = Size { steps: BATCH_STEPS, events: (6 * persons).clamp(EVENTS.0, EVENTS.1), together: true };
    let mut outbox = Outbox::new(sink, &layout.link_external);
    let mut prepared = None;
    loop {
        // Also of what an attempt before left.
        device.release_unused()?;
        device.check_memory("the scenario", Buffers::bytes(&source, ranks.len()))?;
        let buffers = Buffers::new(device, &source, &people, &ranks)?;
        let mut drive = Drive {
            device,
            source: &source,
            buffers,
            volumes: Volumes::new(device, &layout, options.volume_bin_s, start)?,
            clock: clock.clone(),
            end: End::of(&scenario, options),
            options,
            outbox: &mut outbox,
            hashes: Hashes::new(options.hash_every),
            size,
            living: people.living,
            outcome: RunOutcome { threads: 1, start_time: start, ..RunOutcome::default() },
            spare_events: Vec::new(),
        };
        // Beside another such run, the cubes of both would wait for each other until they give up.
        let _turn = drive.threads_at_once().filter(|(cubes, _)| *cubes > 1).map(|_| device.turn());
        drive.warm_up()?;
        // What an attempt that failed took counts as simulation.
        drive.outcome.preparation_s = *prepared.get_or_insert_with(|| began.elapsed().as_secs_f64());
        match drive.run()? {
            Ended::Well(outcome) => return Ok(*outcome),
            Ended::TooManyEvents if size.steps > 1 => size.steps = (size.steps / 8).max(1),
            Ended::TooManyEvents => size.events *= 4,
            Ended::Parted => size.together = false,
        }
    }
}

/// What is compiled into the kernels.
fn fixed(rules: &Rules, record: bool, volumes: bool) -> Fixed {
    Fixed {
        passing: rules.passing,
        dynamics: rules.dynamics,
        selection: rules.selection,
        fast_update: rules.fast_update,
        waiting_first: rules.waiting_first,
        record,
        volumes,
    }
}

/// Refuses devices whose results would differ.
fn check_arithmetic<R: Runtime>(device: &Device<R>, step_s: f64) -> Result<(), DeviceError> {
    match Arithmetic::of(device)?.lacks(step_s != 1.0) {
        Some(lacks) => Err(DeviceError::Unsuitable { device: device.label(), lacks: lacks.to_owned() }),
        None => Ok(()),
    }
}

/// How much a batch holds.
#[derive(Debug, Clone, Copy)]
struct Size {
    steps: i64,
    events: usize,
    /// Whether many steps are made in one launch, where the device can.
    together: bool,
}

/// How an attempt ended.
enum Ended {
    Well(Box<RunOutcome>),
    /// A batch brought more events than it can hold.
    TooManyEvents,
    /// Parts of the device waited in vain for others.
    Parted,
}

struct Drive<'r, 'a, 's, R: Runtime> {
    device: &'r Device<R>,
    source: &'r Source<'a>,
    buffers: Buffers,
    volumes: Volumes<'a>,
    clock: Clock,
    end: End,
    options: &'r RunOptions<'r>,
    outbox: &'r mut Outbox<'s>,
    hashes: Hashes,
    size: Size,
    living: u64,
    outcome: RunOutcome,
    spare_events: Vec<(Buffer<u32>, Buffer<u32>)>,
}

/// Why no more steps are submitted.
enum Over {
    /// No agent is left, or the time is over; the last step.
    At(i64),
    /// Nothing will ever happen again; the last step in which an agent was looked at, or links changed.
    Forever(i64),
}

impl<R: Runtime> Drive<'_, '_, '_, R> {
    fn run(mut self) -> Result<Ended, RunError> {
        let mut changes = Changes::new(self.source);
        let mut under_way: VecDeque<Batch> = VecDeque::new();
        let mut next = 0i64;
        let mut last_news = 0i64;
        let mut draining = false;
        let over = loop {
            while under_way.len() < UNDER_WAY && !draining && !self.is_last(next - 1) {
                // A hash is taken before anything goes on.
                if under_way.back().is_some_and(|batch| self.hashes.is_due(batch.last)) {
                    break;
                }
                let batch = self.submit(next, &mut changes)?;
                if batch.changed {
                    last_news = last_news.max(batch.first);
                }
                next = batch.last + 1;
                under_way.push_back(batch);
            }
            let Some(batch) = under_way.pop_front() else { break Over::At(next - 1) };
            let (first, last) = (batch.first, batch.last);
            let mail = match self.take(batch)? {
                Ok(mail) => mail,
                Err(ended) => return self.give_up(ended),
            };
            last_news = last_news.max(mail.step_of(LAST_AGENT, first).unwrap_or(0));
            if self.living == 0 && !self.end.exclusive {
                break Over::At(mail.step_of(LAST_DONE, first).unwrap_or(last));
            }
            if under_way.is_empty() && self.hashes.is_due(last) {
                self.hash(last, last, last_news)?;
            }
            let mut due = self.next_step(mail.next_due(last), &changes, last);
            let hashed = self.hashes.next(last);
            if due < NEVER && due > hashed {
                if under_way.is_empty() {
                    // In the steps that are skipped the state stays as it is.
                    self.hash(hashed, due - 1, last_news)?;
                } else {
                    due = hashed;
                }
            }
            // Steps under way may begin with a change that wakes somebody; none are added meanwhile.
            draining = due == NEVER;
            if draining && under_way.is_empty() {
                break Over::Forever(last_news);
            }
            // Steps are skipped only when all that is known to be due is known: not before a change has had its effect.
            if !draining && !under_way.iter().any(|batch| batch.changed) {
                next = next.max(due);
                self.clock.advance_to(next);
            }
        };
        self.wind_up(&over)?;
        self.outcome.link_volumes = self.volumes.finish(self.device)?;
        Ok(Ended::Well(Box::new(self.outcome)))
    }

    /// Launches all kernels of a step on nothing, so that they are compiled and the device is awake. The slot of the
    /// calendar that they sweep is one that is never used.
    fn warm_up(&self) -> Result<(), DeviceError> {
        let mailbox = self.device.upload("mailbox", &[0u32; MAILBOX_WORDS as usize])?;
        let launcher = self.launcher(&mailbox, &mailbox, &mailbox);
        let mut no_work = self.numbers(0, 0);
        no_work.step = self.source.calendar.slots - 1;
        (no_work.ways, no_work.nodes, no_work.links) = (0, 0, 0);
        if let Some(threads) = self.threads_at_once() {
            launcher.many_steps(threads, no_work, 1)?;
        } else {
            launcher.agents_and_nodes((1, UNITS), no_work)?;
            launcher.links_and_teleports((1, UNITS), no_work)?;
        }
        launcher.horizon(1, no_work)?;
        self.device.synchronize("warming up")
    }

    /// The first step after `last` that has to be made: something is `due`, links change, or it is the end. [`NEVER`]
    /// when nothing will ever happen again.
    fn next_step(&self, due: Option<i64>, changes: &Changes<'_>, last: i64) -> i64 {
        let change = changes.next_time().map_or(NEVER, |time| self.clock.step_at(time));
        let end = self.end.first_step(&self.clock);
        due.unwrap_or(NEVER).min(change.min(end).max(last + 1))
    }

    fn is_last(&self, step: i64) -> bool {
        step >= 0 && self.end.is_reached(step, self.clock.time_of(step))
    }

    /// Submits the steps from `first` on, up to the next at which the host has to do something.
    fn submit(&mut self, first: i64, changes: &mut Changes<'_>) -> Result<Batch, RunError> {
        self.clock.advance_to(first + self.size.steps);
        self.volumes.go_on(self.device, self.clock.time_of(first))?;
        let mailbox = self.device.upload("mailbox", &[0u32; MAILBOX_WORDS as usize])?;
        let (events, errors) = if let Some(spare) = self.spare_events.pop() {
            spare
        } else {
            let words = if self.source.fixed.record { self.size.events * EVENT_WORDS as usize } else { 1 };
            let errors = (MAX_ERRORS * ERROR_WORDS) as usize;
            (self.device.empty("events", words)?, self.device.empty("errors", errors)?)
        };
        let change = changes.apply(self.clock.time_of(first), self.source, self.device)?;
        let launcher = self.launcher(&mailbox, &events, &errors);
        let changed = change.is_some();
        if let Some(change) = change {
            self.change(first, &change, &launcher)?;
        }
        let change = changes.next_time().map_or(NEVER, |time| self.clock.step_at(time));
        let mut last = first;
        let goes_on = |last: i64| {
            let counts = self.volumes.is_now(self.clock.time_of(last + 1));
            last + 1 < change && counts && !self.is_last(last) && !self.hashes.is_due(last)
        };
        while last - first + 1 < self.size.steps && goes_on(last) {
            last += 1;
        }
        if let Some(threads) = self.threads_at_once() {
            launcher.many_steps(threads, self.numbers(first, first), (last - first + 1) as u32)?;
        } else {
            for step in first..=last {
                self.step(step, first, &launcher)?;
            }
        }
        let threads = match self.device.info().class {
            DeviceClass::Software => 256,
            _ => self.source.layout.from.len().max(1024).next_multiple_of(256).min(1 << 15),
        };
        launcher.horizon(threads, self.numbers(last, first))?;
        let mail = self.device.read_later(&mailbox)?;
        Ok(Batch { first, last, changed, events, errors, mailbox: mail })
    }

    fn launcher<'l>(
        &'l self,
        mailbox: &'l Buffer<u32>,
        events: &'l Buffer<u32>,
        errors: &'l Buffer<u32>,
    ) -> Launcher<'l, R> {
        let (device, buffers, fixed) = (self.device, &self.buffers, self.source.fixed);
        Launcher { device, buffers, fixed, volumes: self.volumes.counts(), mailbox, events, errors }
    }

    fn step(&self, step: i64, first: i64, launcher: &Launcher<'_, R>) -> Result<(), DeviceError> {
        let numbers = self.numbers(step, first);
        let threads = |entities: usize| self.threads(entities + self.source.calendar.ways as usize);
        launcher.agents_and_nodes(threads(self.source.layout.node_external.len()), numbers)?;
        launcher.links_and_teleports(threads(self.source.layout.from.len()), numbers)
    }

    /// Cubes and units of a cube for so many entities: a thread for each, on software devices a few threads for all.
    fn threads(&self, entities: usize) -> Threads {
        if self.device.info().class == DeviceClass::Software && self.options.device_threads == DeviceThreads::Automatic
        {
            return (4, 16);
        }
        ((entities as u32).div_ceil(UNITS), UNITS)
    }

    /// Cubes and units of a cube that run at once, so that many steps can be made in one launch.
    fn threads_at_once(&self) -> Option<Threads> {
        let cubes = self.device.cubes_at_once();
        let suits = match self.options.device_threads {
            DeviceThreads::Automatic => cubes > 1,
            DeviceThreads::PerEntity => false,
            DeviceThreads::AtOnce => true,
        };
        (suits && self.size.together).then_some((cubes, UNITS_AT_ONCE))
    }

    fn change(&self, step: i64, changed: &Changed, launcher: &Launcher<'_, R>) -> Result<(), DeviceError> {
        let numbers = self.numbers(step, step);
        self.device.launch("network changes", changed.count as usize, |client, cubes, dim| {
            let (world, now) = (launcher.world(), numbers.arg());
            let (links, values) = (changed.links.arg(), changed.values.arg());
            kernels::change_links::launch::<R>(
                client,
                cubes,
                dim,
                world,
                links,
                values,
                changed.count,
                now,
                self.source.fixed,
            );
        })
    }

    fn numbers(&self, step: i64, first: i64) -> Numbers {
        let Source { rules, calendar, .. } = self.source;
        Numbers {
            time: self.clock.time_of(step),
            start: self.clock.time_of(0),
            step_s: rules.step_s,
            stuck_time_s: rules.stuck_time_s,
            easing: rules.easing,
            step: step as u32,
            in_batch: (step - first) as u32,
            event_capacity: self.size.events as u32,
            hole_capacity: self.buffers.hole_capacity,
            slots: calendar.slots,
            ways: calendar.ways,
            speeds: self.source.speeds.limits.len() as u32,
            early: if self.clock.is_exact() { 0 } else { 2 },
            remove_stuck: rules.remove_stuck,
            behavior: rules.behavior,
            interpretation: self.source.scenario.settings.plans.activity_duration_interpretation,
            links: self.source.layout.from.len() as u32,
            nodes: self.source.layout.node_external.len() as u32,
            seed: self.source.scenario.settings.global.random_seed as u64,
        }
    }

    /// Takes in a batch: counters, errors, events. `Err` inside `Ok`: the attempt has to be given up.
    fn take(&mut self, batch: Batch) -> Result<Result<Mail, Ended>, RunError> {
        let Batch { first, last, changed: _, events, errors, mailbox } = batch;
        let mail = Mail::new(mailbox.wait()?);
        if mail.count(PARTED) > 0 || faults::parted() {
            return Ok(Err(Ended::Parted));
        }
        // Some failures of a driver show in nothing else.
        if mail.count(MADE) != (last - first + 1) as u64 {
            return Err(self.device.lost("steps", "they were submitted, and not carried out").into());
        }
        let told = mail.count(super::record::EVENTS);
        if told > self.size.events as u64 && self.source.fixed.record {
            return Ok(Err(Ended::TooManyEvents));
        }
        if mail.count(ERRORS) > 0 {
            let count = mail.count(ERRORS).min(u64::from(MAX_ERRORS)) as usize;
            let records = self.device.read_first(&errors, count * ERROR_WORDS as usize)?.wait()?;
            self.outbox.deliver(&self.clock, 0)?;
            return Err(self.first_error(&records, first));
        }
        if told > 0 && self.source.fixed.record {
            let records = self.device.read_first(&events, told as usize * EVENT_WORDS as usize)?;
            self.outbox.send(first, records)?;
        }
        // Used again while they are still on their way: the device does one after the other.
        self.spare_events.push((events, errors));
        self.outbox.deliver(&self.clock, IN_ORDER)?;
        let stats = &mut self.outcome.stats;
        stats.steps += (last - first + 1) as u64;
        stats.arrivals += mail.count(ARRIVALS);
        stats.stuck_pushed += mail.count(PUSHED);
        stats.stuck_removed += mail.count(REMOVED);
        stats.aborted += mail.count(ABORTED);
        stats.teleported_vehicles += mail.count(TELEPORTED_VEHICLES);
        self.living = self.living.saturating_sub(mail.count(DONE));
        let now = self.clock.time_of(last);
        let note = format!("at {}, {} agents not yet done", throng_core::clock::format(now), self.living);
        self.options.progress.at((now - self.outcome.start_time) as u64, &note);
        Ok(Ok(mail))
    }

    /// Ends an attempt; what came before has been handed on and is not handed on again.
    fn give_up(self, ended: Ended) -> Result<Ended, RunError> {
        self.outbox.deliver(&self.clock, 0)?;
        Ok(ended)
    }

    /// Of several errors in the first step that has any, the one with the least text.
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
                reason: "more freed room is on its way upstream than fits into its memory".into(),
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

    /// The state after the last step.
    fn mirror(&self) -> Result<Mirror<'_>, DeviceError> {
        Mirror::new(self.device, &self.buffers, self.source)
    }

    /// The state of now is that of all steps from `first` to `last`. Hands on the hashes of those that belong to the run
    /// for certain: up to the last step in which anything has happened so far.
    fn hash(&mut self, first: i64, last: i64, last_news: i64) -> Result<(), RunError> {
        let mirror = self.mirror()?;
        let (hash, busy) = (mirror.hash().finish(), self.last_busy(&mirror)?);
        self.hashes.hold(first, last, hash);
        self.hashes.release(busy.max(last_news), &mut self.clock, self.outbox)
    }

    /// The last step in which MATSim looks at a node or link with something to do, of those so far.
    fn last_busy(&self, mirror: &Mirror<'_>) -> Result<i64, DeviceError> {
        let nodes = self.device.read(&self.buffers.nodes)?;
        let active_at = nodes.iter().skip(ACTIVE_AT as usize).step_by(NODE_WORDS as usize).copied().max();
        Ok(i64::from(active_at.unwrap_or(0).max(mirror.last_stepped())) - 1)
    }

    /// Counts what was counted at nodes, and aborts the agents that are left.
    fn wind_up(&mut self, over: &Over) -> Result<(), RunError> {
        let nodes = self.device.read(&self.buffers.nodes)?;
        let of_nodes = |word: u32| nodes.iter().skip(word as usize).step_by(NODE_WORDS as usize).copied();
        self.outcome.stats.moves = of_nodes(CROSSED).map(u64::from).sum();
        let last = match *over {
            Over::At(last) => last,
            Over::Forever(last_news) => {
                self.outcome.waiting_for_ever = self.living;
                last_news.max(self.last_busy(&self.mirror()?)?)
            }
        };
        self.outcome.end_time = self.clock.time_of(last);
        // A batch may go on for some steps after the last one in which anything happens.
        self.hashes.release(last, &mut self.clock, self.outbox)?;
        self.hashes.drop_held();
        self.outbox.deliver(&self.clock, 0)?;
        self.options.progress.at((self.outcome.end_time - self.outcome.start_time) as u64, "");
        if self.hashes.lacks(last) {
            self.hash(last, last, last)?;
        }
        self.outcome.last_hash = self.outbox.last_hash;
        if self.living > 0 {
            let events = self.mirror()?.abort_all()?;
            let aborted = events.iter().filter(|event| event.kind == EventKind::StuckAndAbort).count();
            self.outcome.stats.aborted_at_end = aborted as u64;
            if self.source.fixed.record {
                self.outbox.step(self.outcome.end_time, &events)?;
            }
        }
        self.outcome.stats.events = self.outbox.events;
        Ok(())
    }
}
