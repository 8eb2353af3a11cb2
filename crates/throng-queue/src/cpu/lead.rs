//! The leading thread: one step after the other, until the end; it hands events on and tells how far the run is.

use throng_core::{Progress, StateHash};

use super::crew::{Crew, Order};
use crate::prepare::clock::{Clock, NEVER};
use crate::prepare::end::End;
use crate::prepare::hash_schedule::HashSchedule;
use crate::rules::inlet::TimeOfStep as _;
use crate::{RunError, RunOptions, RunOutcome};
use throng_traffic_scenario::events::{Event, EventSink};
use throng_traffic_scenario::volumes;

/// With fewer nodes, links and agents to look at in a step than this, calling the helpers takes longer than the work:
/// each takes some 100 nanoseconds, a call some microseconds.
const LITTLE: usize = 256;

/// What happened in a step in one partition, and where its phases end.
type StepEvents = (Vec<Event>, Vec<usize>);

/// The leading thread.
pub(super) struct Lead<'r, 'a> {
    crew: &'r Crew<'a>,
    clock: Clock,
    end: End,
    hash_schedule: HashSchedule,
    sink: &'r mut dyn EventSink,
    progress: &'r dyn Progress,
    outcome: &'r mut RunOutcome,
    /// The events of the last step, by partition, until they are handed on.
    taken: Vec<StepEvents>,
    merged: Vec<Event>,
    /// The last step was so little work that the next is done alone.
    little: bool,
    /// Work is never too little to be shared.
    always_shared: bool,
}

impl<'r, 'a> Lead<'r, 'a> {
    pub fn new(
        crew: &'r Crew<'a>,
        clock: Clock,
        end: End,
        sink: &'r mut dyn EventSink,
        options: &RunOptions<'r>,
        outcome: &'r mut RunOutcome,
    ) -> Self {
        let taken = crew.parts().map(|_| StepEvents::default()).collect();
        let (hash_schedule, progress) = (HashSchedule::new(options.hash_every), options.progress);
        Self {
            crew,
            clock,
            end,
            hash_schedule,
            sink,
            progress,
            outcome,
            taken,
            merged: Vec::new(),
            little: false,
            always_shared: options.always_shared,
        }
    }

    /// Runs to the end.
    ///
    /// # Errors
    /// What an agent or the receiver of events could not go on with; a panic of any thread.
    pub fn run(&mut self) -> Result<(), RunError> {
        let (mut step, mut previous) = (0, 0);
        loop {
            self.clock.advance_to(step);
            // Skipped steps leave the state as it is, so their hashes are those of the last step before them.
            if step > 0 {
                self.hash(previous, step - 1)?;
            }
            self.step(step, previous)?;
            match self.next_step(step) {
                Some(next) => (previous, step) = (step, next),
                None => return self.wind_up(step),
            }
        }
    }

    /// One step; meanwhile the events of the `previous` one are handed on.
    fn step(&mut self, step: i64, previous: i64) -> Result<(), RunError> {
        let mut handed_on = Ok(());
        let crew = self.crew;
        let carried_out = crew.carry_out(Order::Nodes, step, self.little, || handed_on = self.hand_on(previous));
        carried_out.map_err(RunError::Internal)?;
        self.carry_out(Order::Links, step)?;
        self.carry_out(Order::Teleports, step)?;
        // Agents who were teleported to another partition in no time arrive there in this very step.
        while crew.parts().any(|part| part.posted_due <= step) {
            self.carry_out(Order::Teleports, step)?;
        }
        handed_on?;
        // Of several errors in one step always the same, however the network is divided.
        let errors = crew.parts().filter_map(|mut part| part.error.take());
        if let Some(error) = errors.min_by_key(ToString::to_string) {
            return Err(error);
        }
        self.take_events();
        self.little = !self.always_shared && crew.parts().map(|part| part.visited).sum::<usize>() < LITTLE;
        let now = self.clock.time_of(step);
        self.outcome.end_time = now;
        self.outcome.stats.steps += 1;
        if self.outcome.stats.steps.is_multiple_of(64) {
            let note = format!("at {}, {} agents not yet done", throng_core::clock::format(now), self.living());
            self.progress.at((now - self.outcome.start_time) as u64, &note);
        }
        Ok(())
    }

    fn carry_out(&self, order: Order, step: i64) -> Result<(), RunError> {
        self.crew.carry_out(order, step, self.little, || ()).map_err(RunError::Internal)
    }

    /// Agents in a finite activity or on a leg.
    fn living(&self) -> i64 {
        self.crew.parts().map(|part| part.living).sum::<i64>().max(0)
    }

    /// The next step in which anything is due; `None` when this one was the last.
    fn next_step(&self, step: i64) -> Option<i64> {
        // "Only the end time" goes on when no agent is under way, too.
        if self.end.is_reached(step, self.clock.time_of(step)) || (self.living() == 0 && !self.end.exclusive) {
            return None;
        }
        let due = self.crew.parts().map(|part| {
            let change = part.next_change().map_or(NEVER, |time| self.clock.step_at(time).max(step + 1));
            part.next_step().min(change)
        });
        let next = due.min().unwrap_or(NEVER).min(self.end.first_step(&self.clock).max(step + 1));
        // Agents may be living, and nothing will ever happen to them.
        (next < NEVER).then_some(next)
    }

    /// Aborts the agents that are left.
    fn wind_up(&mut self, step: i64) -> Result<(), RunError> {
        self.hand_on(step)?;
        self.progress.at((self.outcome.end_time - self.outcome.start_time) as u64, "");
        self.hash(step, step)?;
        if !self.end.is_reached(step, self.clock.time_of(step)) {
            self.outcome.waiting_for_ever = self.living() as u64;
        }
        self.carry_out(Order::Abort, step)?;
        self.take_events();
        self.hand_on(step)?;
        for part in self.crew.parts() {
            self.outcome.stats.merge(&part.stats);
            for (bin, counts) in &part.volumes {
                let by_link = counts.iter().enumerate().map(|(local, &count)| (part.external(local), count));
                volumes::add(&mut self.outcome.link_volumes, part.ctx.scenario.network.links(), *bin, by_link);
            }
        }
        Ok(())
    }

    /// Delivers the hash of now for the steps from `first` to `last` that have one.
    fn hash(&mut self, first: i64, last: i64) -> Result<(), RunError> {
        let schedule = self.hash_schedule;
        if schedule.next_after(first - 1) > last {
            return Ok(());
        }
        self.carry_out(Order::Hash, first)?;
        let mut hash = StateHash::new();
        for part in self.crew.parts() {
            hash.merge(part.hashed);
        }
        let mut deliver = |hashes: &[_]| Ok(self.sink.hashes(hashes)?);
        let delivered = schedule.deliver(first, last, hash.finish(), &mut self.clock, &mut deliver)?;
        self.outcome.last_hash = delivered.or(self.outcome.last_hash);
        Ok(())
    }

    fn take_events(&mut self) {
        for (taken, mut part) in self.taken.iter_mut().zip(self.crew.parts()) {
            std::mem::swap(&mut taken.0, &mut part.events);
            std::mem::swap(&mut taken.1, &mut part.marks);
        }
    }

    /// Hands the events of `step` on, phase by phase, so that what happens to one agent or vehicle stays in order across
    /// partitions.
    fn hand_on(&mut self, step: i64) -> Result<(), RunError> {
        if self.taken.iter().all(|(events, _)| events.is_empty()) {
            return Ok(());
        }
        let events: &[Event] = if let [(events, _)] = self.taken.as_slice() {
            events
        } else {
            self.merged.clear();
            let phases = self.taken.iter().map(|(_, marks)| marks.len()).max().unwrap_or(0);
            for phase in 0..phases {
                for (events, marks) in &self.taken {
                    let end = |p: usize| marks.get(p).copied().unwrap_or(events.len());
                    let start = if phase == 0 { 0 } else { end(phase - 1) };
                    self.merged.extend_from_slice(&events[start..end(phase)]);
                }
            }
            &self.merged
        };
        self.outcome.stats.events += events.len() as u64;
        self.sink.step(self.clock.time_of(step), events)?;
        self.taken.iter_mut().for_each(|(events, _)| events.clear());
        Ok(())
    }
}
