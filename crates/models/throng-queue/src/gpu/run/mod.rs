//! Runs a scenario on a device: submits batches of steps, receives their results, and finds the end.

mod attempts;
mod ending;
mod pause;
mod receive;
mod submit;

use std::collections::VecDeque;

use throng_device::{Buffer, Device, DeviceLock};

use super::batch::Batch;
use super::buffers::Buffers;
use super::changes::Changes;
use super::hashes::Hashes;
use super::outbox::Outbox;
use super::record::*;
use super::upload::Source;
use super::volumes::Volumes;
use crate::pacing::Pacing;
use crate::prepare::clock::{Clock, NEVER};
use crate::prepare::end::End;
use crate::prepare::step_clock::StepClock as _;
use crate::{RunError, RunOptions, RunOutcome};

pub(super) use attempts::run;

/// Maximum number of batches in flight.
const MAX_IN_FLIGHT: usize = 3;

/// Maximum number of steps and events of a batch.
#[derive(Debug, Clone, Copy)]
struct BatchSize {
    steps: i64,
    events: usize,
    /// Whether to use a persistent kernel if the device supports it.
    persistent: bool,
    /// The factor of the sizes of pools: of holes, and of entries for persons who found no place.
    pools: u32,
}

enum AttemptEnd {
    Finished(Box<RunOutcome>),
    /// A batch had more events than its buffer holds.
    TooManyEvents,
    /// A pool was too small.
    PoolFull,
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

/// The reason why no more steps are submitted.
enum RunEnd {
    /// No agent is left, or the [`End`] is reached. Contains the last step.
    At(i64),
    /// Nothing will ever be due again. Contains the last step in which an agent was due or links changed.
    NothingDue(i64),
}

impl DeviceRun<'_, '_, '_, '_> {
    fn run(mut self) -> Result<AttemptEnd, RunError> {
        let mut changes = Changes::new(self.source);
        let mut in_flight: VecDeque<Batch> = VecDeque::new();
        let mut next = 0i64;
        let mut last_action = 0i64;
        // The last step whose results were received.
        let mut last_received = -1i64;
        let mut draining = false;
        let over = loop {
            while in_flight.is_empty() && !self.is_last(next - 1) && self.pauses_before(next) {
                if let Some(end) = self.pause(next)? {
                    // The run ends as if this had been the end from the start; such a run executes at least one step.
                    let last = self.clock.last_step_until(end, next).max(last_received).max(0);
                    self.end.stop_at(last);
                    next = last.max(last_received + 1).min(last + 1);
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
            last_received = last;
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
                    // The skipped steps do not change the state.
                    self.hash(hashed, due - 1, last_action)?;
                } else {
                    due = hashed;
                }
            }
            // Batches in flight may begin with a change that wakes links; no further batches are submitted meanwhile.
            draining = due == NEVER;
            if draining && in_flight.is_empty() {
                break RunEnd::NothingDue(last_action);
            }
            // Steps are skipped only if everything that is due is known, which is not the case while a batch that
            // begins with a change is in flight.
            if !draining && !in_flight.iter().any(|batch| batch.changed) {
                next = next.max(due);
                self.clock.advance_to(next);
            }
        };
        self.finish(&over)?;
        self.outcome.link_volumes = self.volumes.finish(self.device)?;
        Ok(AttemptEnd::Finished(Box::new(self.outcome)))
    }

    /// Returns the first step after `last` that must be executed because something is `due`, links change, or the run
    /// ends. [`NEVER`] if nothing will ever be due again.
    fn next_step(&self, due: Option<i64>, changes: &Changes<'_>, last: i64) -> i64 {
        let change = changes.next_time().map_or(NEVER, |time| self.clock.step_at(time));
        let end = self.end.first_step(&self.clock);
        due.unwrap_or(NEVER).min(change.min(end).max(last + 1))
    }

    fn is_last(&self, step: i64) -> bool {
        step >= 0 && self.end.is_reached(step, self.clock.time_of(step))
    }
}
