//! Copies of the device state on the host, for the hashes and the end of a run.

use throng_device::DeviceError;

use super::super::host_state::HostState;
use super::super::record::*;
use super::{AttemptEnd, DeviceRun, RunEnd};
use crate::RunError;
use crate::prepare::step_clock::StepClock as _;
use throng_traffic_scenario::events::EventKind;

impl DeviceRun<'_, '_, '_, '_> {
    /// Ends a failed attempt. The results so far are delivered, and will not be delivered again.
    pub(super) fn abandon(self, ended: AttemptEnd) -> Result<AttemptEnd, RunError> {
        self.outbox.deliver(&self.clock, 0)?;
        Ok(ended)
    }

    /// Copies the state after the last step.
    fn host_state(&self) -> Result<HostState<'_>, DeviceError> {
        HostState::new(self.device, &self.buffers, self.source)
    }

    /// Computes the hash of the current state for all steps from `first` to `last`, and releases the hashes of steps
    /// that certainly belong to the run: up to the last step in which anything has happened so far.
    pub(super) fn hash(&mut self, first: i64, last: i64, last_action: i64) -> Result<(), RunError> {
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

    /// Returns the last step so far in which MATSim visits a node or link with something to do.
    fn last_busy(&self, host_state: &HostState<'_>) -> Result<i64, DeviceError> {
        let nodes = self.device.read(&self.buffers.nodes)?;
        let active_at = nodes.iter().skip(ACTIVE_AT as usize).step_by(NODE_WORDS as usize).copied().max();
        Ok(i64::from(active_at.unwrap_or(0).max(host_state.last_stepped())) - 1)
    }

    /// Collects the counters of nodes and aborts the remaining agents.
    pub(super) fn finish(&mut self, over: &RunEnd) -> Result<(), RunError> {
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
        if self.hashes.is_missing(last) {
            self.hash(last, last, last)?;
        }
        self.outcome.last_hash = self.outbox.last_hash;
        if self.living > 0 {
            let host_state = self.host_state()?;
            let (unreported, events) = (host_state.unreported(), host_state.abort_all()?);
            self.outcome.unreported = unreported;
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
