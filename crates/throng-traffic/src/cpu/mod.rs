//! The CPU executor: plain Rust, one thread per partition of the network.
//!
//! A step has four phases: agents whose activity is over depart; vehicles cross nodes; links are stepped; teleported
//! agents arrive. Only nodes, links and agents with something to do are visited, and steps in which nothing is due
//! are skipped. Links that wait for time or flow capacity sleep; what MATSim would have added to their accumulators
//! meanwhile is made up for, addition by addition, when they wake.
//!
//! Each partition owns a range of nodes and their in-links. Vehicles that cross into another partition, and room that
//! becomes free on a link whose start node is elsewhere, travel in mailboxes between barriers, so the result does not
//! depend on the number of partitions.

mod active_set;
mod agents;
mod calendar;
mod changes;
mod clock;
mod context;
mod exchange;
mod finish;
mod layout;
mod link;
mod links;
mod nodes;
mod order;
mod partition;
mod vehicle;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

use throng_core::{NONE, NoProgress, Progress, StateHash};

use crate::RunError;
use crate::events::{Event, EventSink};
use crate::rules::activity_end::activity_end;
use crate::rules::inlet::TimeOfStep as _;
use crate::rules::java_random::JavaRandom;
use crate::scenario::{PlanElement, RouteKind, Scenario};
use crate::settings::{EndInterpretation, JavaSeeding, NodeRandom, StartInterpretation};
use crate::stats::RunStats;

use agents::AtActivity;
use changes::ChangeCursor;
use clock::{Clock, NEVER};
use context::Context;
use exchange::{Broken, Post, SpinBarrier};
use layout::Layout;
use partition::Partition;
use vehicle::{MAX_KINDS, MAX_POSITIONS, MAX_ROUTE_LINKS};

/// How to run a scenario, apart from its settings.
pub struct RunOptions<'a> {
    /// Threads, at least 1. The result does not depend on it.
    pub threads: usize,
    /// Stop after this many steps, counted with those that are skipped because nothing is due.
    pub max_steps: Option<u64>,
    /// Record the state hash every this many steps; 0 never.
    pub hash_every: u64,
    /// Told how far the run is.
    pub progress: &'a dyn Progress,
    /// Visit each link that is not empty in every step, as MATSim does, instead of letting it sleep until something is
    /// due. The result is the same; for tests.
    pub eager: bool,
}

impl Default for RunOptions<'_> {
    fn default() -> Self {
        Self { threads: 1, max_steps: None, hash_every: 0, progress: &NoProgress, eager: false }
    }
}

/// The state hash after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HashAt {
    /// Step, counted from 0.
    pub step: u64,
    /// Time of the step, seconds of the day.
    pub time: f64,
    /// Order-free hash over all vehicles in traffic and all agents at finite activities or teleported.
    pub hash: u64,
}

/// What came of a run.
#[derive(Debug, Clone, Default)]
pub struct RunOutcome {
    /// Counters.
    pub stats: RunStats,
    /// Threads that were used.
    pub threads: usize,
    /// Why fewer threads than asked for were used.
    pub threads_note: Option<&'static str>,
    /// Time of the first step, seconds of the day.
    pub start_time: f64,
    /// Time of the last step, seconds of the day.
    pub end_time: f64,
    /// State hashes, as asked for.
    pub hashes: Vec<HashAt>,
    /// Agents who would have waited for ever: for a vehicle that never came, or behind a link without capacity.
    pub waiting_for_ever: u64,
}

/// Runs `scenario` and hands its events to `sink`.
///
/// # Errors
/// When an agent cannot go on in a way that MATSim also treats as fatal, when the scenario is too large for the
/// executor's numbers, or when the sink fails.
pub fn simulate(
    scenario: &Scenario,
    sink: &mut dyn EventSink,
    options: &RunOptions<'_>,
) -> Result<RunOutcome, RunError> {
    check(scenario)?;
    let (threads, threads_note) = usable_threads(scenario, options.threads);
    let mut outcome = RunOutcome { threads, threads_note, ..RunOutcome::default() };
    let weights = link_weights(scenario, threads);
    let layout = Layout::new(&scenario.network, threads, |link| weights.get(link as usize).copied().unwrap_or(1));
    let ctx = Context::new(scenario, &layout, (sink.wants_events(), options.eager));

    let agents = first_activities(scenario);
    let Some(start) = start_time(scenario, &agents) else { return Ok(outcome) };
    let clock = Clock::new(start, scenario.settings.qsim.time_step_s);
    let post = Post::new(threads);
    let mut parts: Vec<Partition<'_>> =
        (0..threads).map(|id| Partition::new(id, &ctx, &post, clock.clone(), java_random(scenario))).collect();
    for agent in agents {
        let owner = usize::from(layout.owner(layout.link_of[agent.link as usize]));
        if agent.end < f64::INFINITY {
            parts[owner].living += 1;
            parts[owner].settle(agent);
        }
    }
    outcome.start_time = start;
    let run = Run {
        barrier: SpinBarrier::new(threads),
        reports: (0..threads).map(|_| Report::default()).collect(),
        end: End::of(scenario, options),
        onward: scenario.settings.qsim.end_interpretation == EndInterpretation::OnlyUseEndtime,
        hash_every: options.hash_every,
    };
    let finished = run.all(parts, sink, options.progress, &mut outcome);
    finished.map(|()| outcome)
}

/// One run, as all its threads see it.
struct Run {
    barrier: SpinBarrier,
    reports: Vec<Report>,
    end: End,
    /// Go on to the end time also when no agent is living.
    onward: bool,
    hash_every: u64,
}

/// When a run is over, though agents are still under way.
struct End {
    /// The last step is the first one at or, when `exclusive`, later than this time, seconds of the day.
    time_s: f64,
    exclusive: bool,
    last_step: i64,
}

impl End {
    fn of(scenario: &Scenario, options: &RunOptions<'_>) -> Self {
        let qsim = &scenario.settings.qsim;
        Self {
            time_s: qsim.end_time.filter(|&t| t != 0.0).unwrap_or(f64::INFINITY),
            // "Only the end time" goes on while now <= end.
            exclusive: qsim.end_interpretation == EndInterpretation::OnlyUseEndtime,
            last_step: options.max_steps.map_or(NEVER, |steps| i64::try_from(steps.max(1) - 1).unwrap_or(NEVER)),
        }
    }

    fn is_reached(&self, step: i64, now: f64) -> bool {
        step >= self.last_step || now > self.time_s || (now == self.time_s && !self.exclusive)
    }

    /// The first step that may be the last one.
    fn first_step(&self, clock: &Clock) -> i64 {
        let at = if self.exclusive { clock.first_step_after(self.time_s) } else { clock.step_at(self.time_s) };
        at.min(self.last_step)
    }
}

/// What a partition reports at the end of a step.
#[derive(Default)]
struct Report {
    living: AtomicI64,
    next_step: AtomicI64,
    /// Agents were teleported to another partition and arrive there in this very step.
    pending: AtomicBool,
    failed: AtomicBool,
    events: Mutex<(Vec<Event>, Vec<usize>)>,
    hash: Mutex<StateHash>,
}

/// What all partitions decide alike from all reports.
enum Decision {
    /// Once more the last phase of this step.
    Again,
    Next(i64),
    Stop,
}

impl Run {
    fn all(
        &self,
        mut parts: Vec<Partition<'_>>,
        sink: &mut dyn EventSink,
        progress: &dyn Progress,
        outcome: &mut RunOutcome,
    ) -> Result<(), RunError> {
        let first = parts.remove(0);
        let mut coordinator = Coordinator { sink, progress, outcome, merged: Vec::new(), error: None };
        let results = std::thread::scope(|scope| {
            let mut workers = Vec::new();
            let mut results = Vec::new();
            for part in parts {
                match std::thread::Builder::new().spawn_scoped(scope, move || self.guarded(part, None)) {
                    Ok(worker) => workers.push(worker),
                    Err(error) => {
                        self.barrier.break_off();
                        results.push(Err(Some(RunError::NoThread(error.to_string()))));
                    }
                }
            }
            results.push(self.guarded(first, Some(&mut coordinator)));
            results
                .extend(workers.into_iter().map(|w| w.join().unwrap_or_else(|_| Err(Some(panicked("join failed"))))));
            results
        });
        if let Some(error) = coordinator.error.take() {
            return Err(error);
        }
        let mut errors = Vec::new();
        for result in results {
            match result {
                Ok(stats) => outcome.stats.merge(&stats),
                Err(error) => errors.extend(error),
            }
        }
        // Of several in one step always the same, however the network is divided.
        errors.into_iter().min_by_key(ToString::to_string).map_or(Ok(()), Err)
    }

    /// Runs a partition; a panic becomes an error and frees the other threads.
    fn guarded(&self, part: Partition<'_>, lead: Option<&mut Coordinator<'_>>) -> Result<RunStats, Option<RunError>> {
        let result = catch_unwind(AssertUnwindSafe(|| self.partition(part, lead)));
        match result {
            Ok(Ok(stats)) => Ok(stats),
            Ok(Err(error)) => {
                self.barrier.break_off();
                Err(error)
            }
            Err(panic) => {
                self.barrier.break_off();
                let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
                Err(Some(panicked(&text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default())))
            }
        }
    }

    fn partition(
        &self,
        mut part: Partition<'_>,
        mut lead: Option<&mut Coordinator<'_>>,
    ) -> Result<RunStats, Option<RunError>> {
        let broken = |_: Broken| None;
        let mut changes = ChangeCursor::default();
        let (mut step, mut previous) = (0, 0);
        loop {
            // Skipped steps leave the state as it is, so their hashes are those of the last step before them.
            let hashed = if step > 0 { self.hashed_steps(previous, step - 1) } else { 0..0 };
            self.store_hash(&part, &hashed);
            part.begin(step);
            part.change_links(&mut changes);
            part.end_activities();
            part.mark();
            part.cross_nodes();
            part.mark();
            self.barrier.wait().map_err(broken)?;
            if let Some(lead) = &mut lead {
                self.add_hashes(lead, &part, hashed);
            }
            part.receive_vehicles();
            part.step_links();
            part.mark();
            self.barrier.wait().map_err(broken)?;
            part.receive_inlets();
            let decision = loop {
                part.receive_teleports();
                part.end_teleports();
                part.mark();
                self.report(&mut part, step, changes, lead.as_ref().is_some_and(|lead| lead.error.is_some()));
                self.barrier.wait().map_err(broken)?;
                match self.decide(&part) {
                    // Nobody may report again before everybody has read.
                    Decision::Again => self.barrier.wait().map_err(broken)?,
                    decision => break decision,
                }
            };
            if let Some(error) = part.error.take() {
                return Err(Some(error));
            }
            part.stats.steps += 1;
            if let Some(lead) = &mut lead {
                self.collect(lead, &part);
            }
            match decision {
                Decision::Next(next) => (previous, step) = (step, next),
                Decision::Again | Decision::Stop => break,
            }
        }
        self.wind_up(part, lead)
    }

    /// `sink_failed`: the events of an earlier step could not be handed on.
    fn report(&self, part: &mut Partition<'_>, step: i64, changes: ChangeCursor, sink_failed: bool) {
        let report = &self.reports[part.id];
        let next_change = part.next_change(changes).map_or(NEVER, |time| part.clock.step_at(time).max(step + 1));
        let pending = part.posted_due <= step;
        report.living.store(part.living, Ordering::Relaxed);
        report.next_step.store(part.next_step().min(next_change), Ordering::Relaxed);
        report.pending.store(pending, Ordering::Relaxed);
        report.failed.store(part.error.is_some() || sink_failed, Ordering::Relaxed);
        if !pending || !part.events.is_empty() {
            self.hand_over(part);
        }
    }

    /// Puts the events of a partition where the leading thread gathers them.
    fn hand_over(&self, part: &Partition<'_>) {
        let mut events = self.reports[part.id].events.lock().unwrap_or_else(PoisonError::into_inner);
        events.0.clone_from(&part.events);
        events.1.clone_from(&part.marks);
    }

    /// Gathers what all partitions have handed over and passes it on.
    fn gather(&self, lead: &mut Coordinator<'_>, now: f64) {
        let reports: Vec<_> =
            self.reports.iter().map(|r| r.events.lock().unwrap_or_else(PoisonError::into_inner)).collect();
        lead.pass_on(now, &reports.iter().map(|r| (r.0.as_slice(), r.1.as_slice())).collect::<Vec<_>>());
    }

    /// Agents in a finite activity or on a leg, as last reported.
    fn living(&self) -> i64 {
        self.reports.iter().map(|r| r.living.load(Ordering::Relaxed)).sum()
    }

    /// The steps from `first` to `last` whose hash is wanted, as a range of multiples.
    fn hashed_steps(&self, first: i64, last: i64) -> std::ops::Range<u64> {
        if self.hash_every == 0 {
            return 0..0;
        }
        (first as u64).div_ceil(self.hash_every)..last as u64 / self.hash_every + 1
    }

    fn store_hash(&self, part: &Partition<'_>, wanted: &std::ops::Range<u64>) {
        if !wanted.is_empty() {
            *self.reports[part.id].hash.lock().unwrap_or_else(PoisonError::into_inner) = part.hash();
        }
    }

    fn add_hashes(&self, lead: &mut Coordinator<'_>, part: &Partition<'_>, wanted: std::ops::Range<u64>) {
        if wanted.is_empty() {
            return;
        }
        let mut hash = StateHash::new();
        for report in &self.reports {
            hash.merge(*report.hash.lock().unwrap_or_else(PoisonError::into_inner));
        }
        for step in wanted.map(|multiple| multiple * self.hash_every) {
            let time = part.clock.time_of(step as i64);
            lead.outcome.hashes.push(HashAt { step, time, hash: hash.finish() });
        }
    }

    fn decide(&self, part: &Partition<'_>) -> Decision {
        if self.reports.iter().any(|r| r.failed.load(Ordering::Relaxed)) {
            return Decision::Stop;
        }
        if self.reports.iter().any(|r| r.pending.load(Ordering::Relaxed)) {
            return Decision::Again;
        }
        if self.end.is_reached(part.step, part.now) || (self.living() <= 0 && !self.onward) {
            return Decision::Stop;
        }
        let due = self.reports.iter().map(|r| r.next_step.load(Ordering::Relaxed)).min().unwrap_or(NEVER);
        match due.min(self.end.first_step(&part.clock).max(part.step + 1)) {
            // Agents live, but nothing will ever happen to them.
            NEVER => Decision::Stop,
            next => Decision::Next(next),
        }
    }

    /// The leading thread gathers the events of a step, phase by phase, and passes them on.
    fn collect(&self, lead: &mut Coordinator<'_>, part: &Partition<'_>) {
        let now = part.now;
        lead.outcome.end_time = now;
        lead.outcome.stats.steps += 1;
        self.gather(lead, now);
        if lead.outcome.stats.steps.is_multiple_of(64) {
            let (clock, living) = (throng_core::clock::format(now), self.living().max(0));
            let simulated = (now - lead.outcome.start_time) as u64;
            lead.progress.at(simulated, &format!("at {clock}, {living} agents not yet done"));
        }
    }

    /// Aborts whoever is left, and passes on the last events.
    fn wind_up(
        &self,
        mut part: Partition<'_>,
        lead: Option<&mut Coordinator<'_>>,
    ) -> Result<RunStats, Option<RunError>> {
        let broken = |_: Broken| None;
        // The reports of the last step have been read by all before they are written again.
        self.barrier.wait().map_err(broken)?;
        let hashed = self.hashed_steps(part.step, part.step);
        self.store_hash(&part, &hashed);
        // A sender counts its mail; nobody may take it before.
        self.barrier.wait().map_err(broken)?;
        part.events.clear();
        part.marks.clear();
        // Agents sent away in the last phase have not been received by anybody yet.
        part.receive_teleports();
        part.abort_all();
        part.mark();
        self.hand_over(&part);
        self.barrier.wait().map_err(broken)?;
        if let Some(lead) = lead {
            self.gather(lead, part.now);
            self.add_hashes(lead, &part, hashed);
            if !self.end.is_reached(part.step, part.now) && lead.error.is_none() {
                lead.outcome.waiting_for_ever = self.living().max(0) as u64;
            }
        }
        Ok(part.stats)
    }
}

fn panicked(text: &str) -> RunError {
    RunError::Internal(text.to_owned())
}

/// The thread that talks to the outside.
struct Coordinator<'a> {
    sink: &'a mut dyn EventSink,
    progress: &'a dyn Progress,
    outcome: &'a mut RunOutcome,
    merged: Vec<Event>,
    error: Option<RunError>,
}

impl Coordinator<'_> {
    fn pass_on(&mut self, now: f64, reports: &[(&[Event], &[usize])]) {
        if self.error.is_some() || reports.iter().all(|r| r.0.is_empty()) {
            return;
        }
        let events: &[Event] = if let [(events, _)] = reports {
            events
        } else {
            // Phase by phase, so that what happens to one agent or vehicle stays in order across partitions.
            self.merged.clear();
            let phases = reports.iter().map(|r| r.1.len()).max().unwrap_or(0);
            for phase in 0..phases {
                for (events, marks) in reports {
                    let end = |p: usize| marks.get(p).copied().unwrap_or(events.len());
                    let start = if phase == 0 { 0 } else { end(phase - 1) };
                    self.merged.extend_from_slice(&events[start..end(phase)]);
                }
            }
            &self.merged
        };
        self.outcome.stats.events += events.len() as u64;
        if let Err(error) = self.sink.step(now, events) {
            self.error = Some(error.into());
        }
    }
}

/// What the executor takes for granted.
fn check(scenario: &Scenario) -> Result<(), RunError> {
    let population = &scenario.population;
    let longest = population.legs.route_len.iter().copied().max().unwrap_or(0);
    let limits = [
        ("vehicle types", scenario.vehicles.types.len() as u64, MAX_KINDS as u64),
        ("links of one route", u64::from(longest), MAX_ROUTE_LINKS as u64),
        ("links of all routes", population.route_links.len() as u64, MAX_POSITIONS),
    ];
    for (what, found, limit) in limits {
        if found > limit {
            return Err(RunError::TooLarge { what, found, limit });
        }
    }
    let is_link = |link: u32| (link as usize) < scenario.network.links();
    let main_modes: Vec<_> = scenario.settings.qsim.main_modes.iter().filter_map(|m| scenario.modes.get(m)).collect();
    for person in 0..population.persons() as u32 {
        let begins = match population.plan(person).next() {
            Some(PlanElement::Activity(a)) => is_link(population.activities.link[a as usize]),
            _ => true,
        };
        let ends = population.plan(person).all(|element| match element {
            PlanElement::Leg(l) if population.legs.route[l as usize] != RouteKind::Missing => {
                let legs = &population.legs;
                main_modes.contains(&legs.mode[l as usize]) || is_link(legs.end_link[l as usize])
            }
            _ => true,
        });
        if !(begins && ends) {
            return Err(RunError::NoLink { person: population.person_ids.name(person).to_owned() });
        }
    }
    Ok(())
}

/// More than one thread only where the result cannot depend on it.
fn usable_threads(scenario: &Scenario, asked: usize) -> (usize, Option<&'static str>) {
    let asked = asked.clamp(1, scenario.network.nodes().clamp(1, 1024));
    if asked == 1 {
        return (1, None);
    }
    if scenario.settings.throng.node_random == NodeRandom::Java {
        return (1, Some("throng.nodeRandom=java draws from one common stream of random numbers"));
    }
    if shares_vehicles(scenario) {
        return (1, Some("some vehicles are used by more than one person, and who comes first must stay certain"));
    }
    (asked, None)
}

fn shares_vehicles(scenario: &Scenario) -> bool {
    let population = &scenario.population;
    let mut user = vec![NONE; scenario.vehicles.ids.len()];
    for person in 0..population.persons() as u32 {
        for element in population.plan(person) {
            let PlanElement::Leg(leg) = element else { continue };
            if let Some(user) = user.get_mut(population.legs.vehicle[leg as usize] as usize) {
                if *user != NONE && *user != person {
                    return true;
                }
                *user = person;
            }
        }
    }
    false
}

/// How often each link is driven: what partitions balance. Empty for a single partition, which needs no balance.
fn link_weights(scenario: &Scenario, threads: usize) -> Vec<u64> {
    if threads == 1 {
        return Vec::new();
    }
    let mut weights = vec![1u64; scenario.network.links()];
    for &link in &scenario.population.route_links {
        if let Some(weight) = weights.get_mut(link as usize) {
            *weight += 1;
        }
    }
    weights
}

/// The first activity of every plan with its end; an agent whose first activity is also its last never leaves.
fn first_activities(scenario: &Scenario) -> Vec<AtActivity> {
    let population = &scenario.population;
    let interpretation = scenario.settings.plans.activity_duration_interpretation;
    let mut agents = Vec::with_capacity(population.persons());
    for person in 0..population.persons() as u32 {
        let plan = population.plan_range(person);
        if plan.is_empty() {
            continue;
        }
        let PlanElement::Activity(activity) = population.element(plan.start) else { continue };
        let a = activity as usize;
        let end = if plan.len() == 1 {
            f64::INFINITY
        } else {
            let (end, duration) = (population.activities.end_time[a], population.activities.max_duration[a]);
            activity_end(end, duration, 0.0, interpretation)
        };
        agents.push(AtActivity { end, person, element: plan.start, link: population.activities.link[a] });
    }
    agents
}

/// `None` when nobody ever leaves.
fn start_time(scenario: &Scenario, agents: &[AtActivity]) -> Option<f64> {
    let configured = scenario.settings.qsim.start_time.unwrap_or(0.0);
    let earliest = agents.iter().map(|a| a.end).fold(f64::INFINITY, f64::min);
    let start = match scenario.settings.qsim.start_interpretation {
        StartInterpretation::MaxOfStarttimeAndEarliestActivityEnd => configured.max(earliest).floor(),
        StartInterpretation::OnlyUseStarttime => configured,
    };
    (start.is_finite() && earliest.is_finite()).then_some(start)
}

/// A fresh generator of the seed; a controller re-seeds before each iteration and discards one draw.
fn java_random(scenario: &Scenario) -> JavaRandom {
    let settings = &scenario.settings;
    if settings.throng.java_seeding == JavaSeeding::Fresh {
        return JavaRandom::new(settings.global.random_seed);
    }
    let seed = settings.global.random_seed.wrapping_add(i64::from(settings.controller.first_iteration));
    let mut random = JavaRandom::new(seed);
    random.next_double();
    random
}
