//! The work of a device, counted by label: launches, time and transfers.

use std::collections::BTreeMap;
use std::time::Duration;

/// Counters of the launches of one label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PhaseTime {
    /// Number of launches.
    pub launches: u64,
    /// Number of launches that were timed individually.
    pub timed: u64,
    /// Total device time of the timed launches.
    pub timed_for: Duration,
    /// Time of the first launch, including the compilation of the kernel.
    pub first: Duration,
}

impl PhaseTime {
    /// Estimates the device time of all launches from the timed ones; `None` if none was timed.
    pub fn estimated(&self) -> Option<Duration> {
        (self.timed > 0).then(|| self.timed_for.mul_f64(self.launches as f64 / self.timed as f64))
    }
}

/// Totals of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Launch counters by label.
    pub phases: BTreeMap<&'static str, PhaseTime>,
    /// Bytes copied to the device.
    pub uploaded_bytes: u64,
    /// Bytes copied from the device.
    pub downloaded_bytes: u64,
    /// Total bytes of all allocated buffers.
    pub allocated_bytes: u64,
}

impl Ledger {
    /// Total time of the first launches of all kernels, including compilation.
    pub fn compile_time(&self) -> Duration {
        self.phases.values().map(|phase| phase.first).sum()
    }

    /// Total number of launches.
    pub fn launches(&self) -> u64 {
        self.phases.values().map(|phase| phase.launches).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn total_time_is_estimated_from_timed_launches() {
        let phase = PhaseTime { launches: 100, timed: 4, timed_for: Duration::from_micros(20), ..PhaseTime::default() };
        assert_eq!(phase.estimated(), Some(Duration::from_micros(500)));
        assert_eq!(PhaseTime::default().estimated(), None);
    }
}
