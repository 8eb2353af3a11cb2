//! Pauses between steps, in which other runs may use the device.

use throng_device::{Device, DeviceLock};

use super::super::buffers::Buffers;
use super::super::host_state::HostState;
use super::super::upload::Source;
use super::DeviceRun;
use crate::RunError;
use crate::pacing::Paused;
use crate::prepare::step_clock::StepClock as _;

impl DeviceRun<'_, '_, '_, '_> {
    pub(super) fn pauses_before(&self, step: i64) -> bool {
        self.pacing.pauses_before(self.clock.time_of(step))
    }

    /// Pauses before the step `next`, with no batch in flight. Returns the time of the end if the run is to stop.
    pub(super) fn pause(&mut self, next: i64) -> Result<Option<f64>, RunError> {
        self.outbox.deliver(&self.clock, 0)?;
        // Lets other runs use the device meanwhile.
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

    /// Locks the device if a persistent kernel of several cubes is used. Without the lock, the cubes of two concurrent
    /// persistent kernels would wait for each other until they time out.
    pub(super) fn take_lock(&self) -> Option<DeviceLock> {
        self.persistent_threads().filter(|(cubes, _)| *cubes > 1).map(|_| self.device.lock())
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
