//! The work of a device, counted by label: launches, time, transfers.

use std::collections::BTreeMap;
use std::time::Duration;

/// Counters of the launches of one label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PhaseTime {
    /// Number of launches.
    pub launches: u64,
    /// Number of launches that were timed one by one.
    pub timed: u64,
    /// The device time of the timed launches.
    pub timed_for: Duration,
    /// The time of the first launch, with the compilation of the kernel.
    pub first: Duration,
}

impl PhaseTime {
    /// The device time of all launches, estimated from the timed ones; `None` if none was timed.
    pub fn estimated(&self) -> Option<Duration> {
        (self.timed > 0).then(|| self.timed_for.mul_f64(self.launches as f64 / self.timed as f64))
    }
}

/// The totals of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    /// By label.
    pub phases: BTreeMap<&'static str, PhaseTime>,
    /// Bytes to the device.
    pub uploaded_bytes: u64,
    /// Bytes from the device.
    pub downloaded_bytes: u64,
    /// Bytes of all buffers allocated.
    pub allocated_bytes: u64,
}

impl Ledger {
    /// The time of compilation and first launches of all kernels.
    pub fn compile_time(&self) -> Duration {
        self.phases.values().map(|phase| phase.first).sum()
    }

    /// The number of all launches.
    pub fn launches(&self) -> u64 {
        self.phases.values().map(|phase| phase.launches).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_of_all_launches_follows_from_those_that_were_timed() {
        let phase = PhaseTime { launches: 100, timed: 4, timed_for: Duration::from_micros(20), ..PhaseTime::default() };
        assert_eq!(phase.estimated(), Some(Duration::from_micros(500)));
        assert_eq!(PhaseTime::default().estimated(), None);
    }
}
