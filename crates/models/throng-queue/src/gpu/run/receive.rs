//! Receives the results of batches, and reports errors of kernels.

use throng_device::{Buffer, faults};

use super::super::batch::{Batch, Counters};
use super::super::record::*;
use super::{AttemptEnd, DeviceRun};
use crate::RunError;
use crate::prepare::step_clock::StepClock as _;

/// Maximum number of batches whose events are being sorted.
const MAX_SORTING: usize = 3;

/// Maximum factor of the sizes of pools.
const MAX_POOLS: u32 = 1 << 10;

impl DeviceRun<'_, '_, '_, '_> {
    /// Receives the counters, errors and events of a batch. `Err` inside `Ok` means that the attempt must be abandoned.
    pub(super) fn receive(&mut self, batch: Batch) -> Result<Result<Counters, AttemptEnd>, RunError> {
        let Batch { first, last, changed: _, events, errors, counters } = batch;
        let counters = Counters::new(counters.wait()?);
        if counters.count(BARRIER_TIMED_OUT) > 0 || faults::barrier_timed_out() {
            return Ok(Err(AttemptEnd::BarrierTimedOut));
        }
        // Some driver failures only show up here.
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
            let is_full = |record: &[u32]| [ERROR_HOLES, ERROR_DENIED].contains(&record[0]);
            if self.size.pools < MAX_POOLS && records.chunks_exact(ERROR_WORDS as usize).any(is_full) {
                return Ok(Err(AttemptEnd::PoolFull));
            }
            let (step, error) = self.first_error(&records, first);
            self.send_events(&events, recorded, first)?;
            self.outbox.end_at(step, &self.clock)?;
            return Err(error);
        }
        self.send_events(&events, recorded, first)?;
        // These buffers are reused while they are still being copied: the device executes commands in order.
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

    /// Sends the events of the batch that begins with step `first` to the outbox.
    fn send_events(&mut self, events: &Buffer<u32>, recorded: u64, first: i64) -> Result<(), RunError> {
        if recorded > 0 && self.source.config.record {
            let records = self.device.read_first(events, recorded as usize * EVENT_WORDS as usize)?;
            self.outbox.send(first, records)?;
        }
        Ok(())
    }

    /// Returns the first step that has an error, and its error. If there are several, it is the one whose message sorts
    /// first, as on the CPU; of more than [`MAX_ERRORS`], which are not recorded, it may be another one.
    fn first_error(&self, records: &[u32], first: i64) -> (i64, RunError) {
        let records = || records.chunks_exact(ERROR_WORDS as usize);
        let step = records().map(|record| record[4]).min().unwrap_or(0);
        let at = first + i64::from(step);
        let time = self.clock.time_of(at);
        let errors = records().filter(|record| record[4] == step).map(|record| self.error(record, time));
        (at, errors.min_by_key(ToString::to_string).unwrap_or_else(|| RunError::Internal("an unknown error".into())))
    }

    fn error(&self, record: &[u32], time: f64) -> RunError {
        let scenario = self.source.scenario.get();
        let &[code, person, element, link, ..] = record else { return RunError::Internal("a truncated record".into()) };
        if code == ERROR_HOLES {
            return RunError::NotOnDevice {
                device: self.device.label(),
                reason: "more holes are under way than fit into its memory".into(),
            };
        }
        if code == ERROR_DENIED {
            return RunError::NotOnDevice {
                device: self.device.label(),
                reason:
                    "more persons find no place in vehicles (vspExperimental.isGeneratingBoardingDeniedEvent) than \
                         fit into its memory"
                        .into(),
            };
        }
        let external = self.source.layout.link_external[link as usize];
        // These have a stop instead of a plan element.
        if code == ERROR_STOP_NOT_REACHED {
            return RunError::stop_not_reached(scenario, person, element, external);
        }
        if code == ERROR_NOT_AT_STOP {
            return RunError::not_at_stop(scenario, person, element, external);
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
        RunError::vehicle_not_here(scenario, person, legs.vehicle[leg], external, time, code == ERROR_IN_USE)
    }
}
