//! The coordinator advances from step to step until the end, delivers events to the sink and reports progress.

use std::cmp::Reverse;

use throng_core::{Progress, StateHash};

use super::phase::Phase;
use super::worker_pool::{Task, WorkerPool};
use crate::pacing::{Pacing, Paused};
use crate::prepare::clock::{Clock, NEVER};
use crate::prepare::end::End;
use crate::prepare::hash_schedule::HashSchedule;
use crate::prepare::step_clock::StepClock as _;
use crate::{RunError, RunOptions, RunOutcome};
use throng_traffic_scenario::events::{Event, EventSink};
use throng_traffic_scenario::volumes;

/// Minimum number of visited nodes, links and agents in a step for which the workers are woken. Below it, waking them
/// takes longer than the work: a visit takes some 100 nanoseconds, waking a thread a few microseconds.
const MIN_PARALLEL_WORK: usize = 256;

/// The events of one partition in one step, and the positions at which its phases end.
type StepEvents = (Vec<Event>, Vec<(Phase, usize)>);

/// The state of the coordinating thread.
pub(super) struct Coordinator<'r, 'a> {
    pool: &'r WorkerPool<'a>,
    clock: Clock,
    end: End,
    hash_schedule: HashSchedule,
    sink: &'r mut dyn EventSink,
    progress: &'r dyn Progress,
    outcome: &'r mut RunOutcome,
    /// The undelivered events of the last step, by partition.
    step_events: Vec<StepEvents>,
    /// The events of a step and the ends of its phases, as one partition would have them.
    merged: StepEvents,
    /// Rank of each person in the order of ids.
    person_rank: &'r [u32],
    /// Whether the last step was so little work that the coordinating thread executes the next one alone.
    sequential: bool,
    /// Whether steps are never executed sequentially.
    always_shared: bool,
}

impl<'r, 'a> Coordinator<'r, 'a> {
    pub fn new(
        pool: &'r WorkerPool<'a>,
        clock: Clock,
        end: End,
        sink: &'r mut dyn EventSink,
        person_rank: &'r [u32],
        options: &RunOptions<'r>,
        outcome: &'r mut RunOutcome,
    ) -> Self {
        let step_events = pool.parts().map(|_| StepEvents::default()).collect();
        let (hash_schedule, progress) = (HashSchedule::new(options.hash_every), options.progress);
        Self {
            pool,
            clock,
            end,
            hash_schedule,
            sink,
            progress,
            outcome,
            step_events,
            merged: StepEvents::default(),
            person_rank,
            sequential: false,
            always_shared: options.always_shared,
        }
    }

    /// Runs to the end, with pauses.
    ///
    /// # Errors
    /// An agent or the sink cannot continue, a thread has panicked, or a pause ended in an error.
    pub fn run(&mut self, pacing: &mut Pacing<'_>) -> Result<(), RunError> {
        let (mut step, mut previous) = (0, 0);
        loop {
            self.clock.advance_to(step);
            while pacing.pauses_before(self.clock.time_of(step)) {
                self.deliver_events(previous)?;
                if let Some(end) = pacing.pause(&mut BetweenSteps { coordinator: self, next: step })? {
                    // The run ends as if this had been the end from the start; such a run executes at least one step.
                    let last = self.clock.last_step_until(end, step).max(previous);
                    self.end.stop_at(last);
                    if step > 0 && last == previous {
                        return self.finish(previous);
                    }
                    step = last;
                }
            }
            // Skipped steps do not change the state, so their hashes equal the hash of the last step before them.
            if step > 0 {
                self.hash(previous, step - 1)?;
            }
            self.step(step, previous)?;
            match self.next_step(step) {
                Some(next) => (previous, step) = (step, next),
                None => return self.finish(step),
            }
        }
    }

    /// Executes one step. The events of the `previous` step are delivered while the workers are busy.
    fn step(&mut self, step: i64, previous: i64) -> Result<(), RunError> {
        let mut delivered = Ok(());
        let pool = self.pool;
        let executed = pool.execute(Task::Nodes, step, self.sequential, || delivered = self.deliver_events(previous));
        executed.map_err(RunError::Internal)?;
        self.execute(Task::Links, step)?;
        self.execute(Task::Teleports, step)?;
        // Agents that were teleported to another partition without taking time arrive there in the same step.
        while pool.parts().any(|part| part.sent_due <= step) {
            self.execute(Task::Teleports, step)?;
        }
        delivered?;
        // If there are several errors in one step, the reported one does not depend on the partitions.
        let errors = pool.parts().filter_map(|mut part| part.error.take());
        let error = errors.min_by_key(ToString::to_string);
        self.take_events();
        if let Some(error) = error {
            self.deliver_events(step)?;
            return Err(error);
        }
        self.sequential =
            !self.always_shared && pool.parts().map(|part| part.visited).sum::<usize>() < MIN_PARALLEL_WORK;
        let now = self.clock.time_of(step);
        self.outcome.end_time = now;
        self.outcome.stats.steps += 1;
        if self.outcome.stats.steps.is_multiple_of(64) {
            let note =
                format!("at {}, {} agents not yet done", throng_core::clock::format(now), self.agents_under_way());
            self.progress.at((now - self.outcome.start_time) as u64, &note);
        }
        Ok(())
    }

    fn execute(&self, task: Task, step: i64) -> Result<(), RunError> {
        self.pool.execute(task, step, self.sequential, || ()).map_err(RunError::Internal)
    }

    /// Returns the number of agents in a finite activity or on a leg.
    fn agents_under_way(&self) -> i64 {
        self.pool.parts().map(|part| part.agents_under_way).sum::<i64>().max(0)
    }

    /// Returns the next step in which anything is due; `None` if this was the last step.
    fn next_step(&self, step: i64) -> Option<i64> {
        // `OnlyUseEndtime` continues even if no agent is under way.
        if self.end.is_reached(step, self.clock.time_of(step)) || (self.agents_under_way() == 0 && !self.end.exclusive)
        {
            return None;
        }
        let due = self.pool.parts().map(|part| {
            let change = part.next_change().map_or(NEVER, |time| self.clock.step_at(time).max(step + 1));
            part.next_step().min(change)
        });
        let next = due.min().unwrap_or(NEVER).min(self.end.first_step(&self.clock).max(step + 1));
        // If nothing is due, the state of the agents still under way never changes again.
        (next < NEVER).then_some(next)
    }

    /// Aborts the remaining agents and collects the counters.
    fn finish(&mut self, step: i64) -> Result<(), RunError> {
        self.deliver_events(step)?;
        self.progress.at((self.outcome.end_time - self.outcome.start_time) as u64, "");
        self.hash(step, step)?;
        if !self.end.is_reached(step, self.clock.time_of(step)) {
            self.outcome.waiting_for_ever = self.agents_under_way() as u64;
        }
        self.outcome.unreported = self.unreported();
        self.execute(Task::Abort, step)?;
        self.take_events();
        self.deliver_events(step)?;
        for part in self.pool.parts() {
            self.outcome.stats.merge(&part.stats);
            for (bin, counts) in &part.volumes {
                let by_link = counts.iter().enumerate().map(|(local, &count)| (part.external(local), count));
                volumes::add(&mut self.outcome.link_volumes, part.ctx.scenario.network.links(), *bin, by_link);
            }
        }
        Ok(())
    }

    /// See [`RunOutcome::unreported`].
    fn unreported(&self) -> [u64; 2] {
        let at_stops = self.pool.parts().map(|part| part.vehicles_at_stops.values().map(Vec::len).sum::<usize>()).sum();
        let on_board = self.pool.parts().next().map_or(0, |part| part.ctx.on_board());
        [on_board, at_stops].map(|count: usize| count as u64)
    }

    /// Delivers the current hash for all steps from `first` to `last` that have one.
    fn hash(&mut self, first: i64, last: i64) -> Result<(), RunError> {
        let schedule = self.hash_schedule;
        if schedule.next_after(first - 1) > last {
            return Ok(());
        }
        let hash = self.state_hash()?;
        let mut deliver = |hashes: &[_]| Ok(self.sink.hashes(hashes)?);
        let delivered = schedule.deliver(first, last, hash, &mut self.clock, &mut deliver)?;
        self.outcome.last_hash = delivered.or(self.outcome.last_hash);
        Ok(())
    }

    /// Returns the hash of the current state.
    fn state_hash(&self) -> Result<u64, RunError> {
        // The result of this task does not depend on the step.
        self.execute(Task::Hash, 0)?;
        let mut hash = StateHash::new();
        for part in self.pool.parts() {
            hash.merge(part.hashed);
        }
        Ok(hash.finish())
    }

    fn take_events(&mut self) {
        for (events, mut part) in self.step_events.iter_mut().zip(self.pool.parts()) {
            std::mem::swap(&mut events.0, &mut part.events);
            std::mem::swap(&mut events.1, &mut part.phase_ends);
        }
    }

    /// Delivers the events of `step` in an order that does not depend on the partitions, which are ranges of nodes and
    /// links in order: phase by phase, and within a phase by agent in descending order of ids, by node or by link.
    fn deliver_events(&mut self, step: i64) -> Result<(), RunError> {
        if self.step_events.iter().all(|(events, _)| events.is_empty()) {
            return Ok(());
        }
        let (events, phase_ends) = &mut self.merged;
        if let [only] = self.step_events.as_mut_slice() {
            std::mem::swap(events, &mut only.0);
            std::mem::swap(phase_ends, &mut only.1);
        } else {
            // Every partition has executed the same phases.
            let phases = self.step_events.first().map_or(0, |(_, phase_ends)| phase_ends.len());
            for phase in 0..phases {
                for (of_part, ends) in &self.step_events {
                    let start = phase.checked_sub(1).map_or(0, |previous| ends[previous].1);
                    events.extend_from_slice(&of_part[start..ends[phase].1]);
                }
                phase_ends.push((self.step_events[0].1[phase].0, events.len()));
            }
        }
        let mut start = 0;
        // Teleports may take several rounds, which are one phase here.
        for rounds in phase_ends.chunk_by(|a, b| a.0 == b.0) {
            let Some(&(phase, end)) = rounds.last() else { continue };
            if phase.is_by_agent() {
                // Stable: the events of an agent keep their order.
                events[start..end].sort_by_key(|event| Reverse(self.person_rank[event.person as usize]));
            }
            start = end;
        }
        self.outcome.stats.events += events.len() as u64;
        let delivered = self.sink.step(self.clock.time_of(step), events);
        for (events, phase_ends) in self.step_events.iter_mut().chain([&mut self.merged]) {
            events.clear();
            phase_ends.clear();
        }
        Ok(delivered?)
    }
}

/// A pause before the step `next`.
struct BetweenSteps<'p, 'r, 'a> {
    coordinator: &'p Coordinator<'r, 'a>,
    next: i64,
}

impl Paused for BetweenSteps<'_, '_, '_> {
    fn next_time(&self) -> f64 {
        self.coordinator.clock.time_of(self.next)
    }

    fn under_way(&self) -> u64 {
        self.coordinator.agents_under_way() as u64
    }

    fn hash(&mut self) -> Result<u64, RunError> {
        self.coordinator.state_hash()
    }

    fn vehicles(&mut self) -> Result<Vec<u32>, RunError> {
        let parts = || self.coordinator.pool.parts();
        let links = parts().next().map_or(0, |part| part.ctx.scenario.network.links());
        let mut vehicles = vec![0; links];
        for part in parts() {
            for (local, link) in part.links.iter().enumerate() {
                let here = link.waiting.len() + link.queue.len() + link.buffer.len();
                vehicles[part.external(local) as usize] = here as u32;
            }
            for (&local, at_stops) in &part.vehicles_at_stops {
                vehicles[part.external(local as usize) as usize] += at_stops.len() as u32;
            }
        }
        Ok(vehicles)
    }
}
