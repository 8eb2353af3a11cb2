//! The schedule of state hashes, and their delivery to the sink.

use super::clock::{Clock, NEVER};
use crate::RunError;
use crate::prepare::step_clock::StepClock as _;
use throng_traffic_scenario::HashAt;

/// Maximum number of hashes delivered at once, reached after many steps were skipped.
const AT_A_TIME: usize = 1024;

/// A schedule of state hashes at regular intervals.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HashSchedule {
    /// Interval in steps; 0 if no step has a hash.
    every: i64,
}

impl HashSchedule {
    /// Schedules a hash every `every` steps; 0 for none.
    pub fn new(every: u64) -> Self {
        Self { every: i64::try_from(every).unwrap_or(NEVER) }
    }

    /// Whether a step has a hash.
    pub fn is_due(self, step: i64) -> bool {
        self.every > 0 && step >= 0 && step % self.every == 0
    }

    /// Returns the first step after `last` that has a hash; [`NEVER`] if there is none.
    pub fn next_after(self, last: i64) -> i64 {
        if self.every > 0 { (last.div_euclid(self.every) + 1).saturating_mul(self.every).max(0) } else { NEVER }
    }

    /// Delivers one hash for each scheduled step from `first` to `last`. Returns the last hash delivered.
    ///
    /// # Errors
    /// Those of `deliver`.
    pub fn deliver(
        self,
        first: i64,
        last: i64,
        hash: u64,
        clock: &mut Clock,
        deliver: &mut dyn FnMut(&[HashAt]) -> Result<(), RunError>,
    ) -> Result<Option<HashAt>, RunError> {
        let mut hashes = Vec::new();
        let mut delivered = None;
        let mut step = self.next_after(first - 1);
        while step <= last && step < NEVER {
            clock.advance_to(step);
            hashes.push(HashAt { step: step as u64, time: clock.time_of(step), hash });
            step = self.next_after(step);
            if hashes.len() == AT_A_TIME || step > last {
                deliver(&hashes)?;
                delivered = hashes.pop();
                hashes.clear();
            }
        }
        Ok(delivered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delivered(every: u64, first: i64, last: i64) -> (Vec<usize>, Vec<u64>) {
        let (mut sizes, mut steps) = (Vec::new(), Vec::new());
        let mut take = |hashes: &[HashAt]| {
            sizes.push(hashes.len());
            steps.extend(hashes.iter().map(|at| at.step));
            assert!(hashes.iter().all(|at| at.hash == 7 && at.time == 100.0 + 10.0 * at.step as f64));
            Ok(())
        };
        let last = HashSchedule::new(every).deliver(first, last, 7, &mut Clock::new(100.0, 10.0), &mut take).unwrap();
        assert_eq!(last.map(|at| at.step), steps.last().copied());
        (sizes, steps)
    }

    #[test]
    fn multiples_in_a_range_are_delivered() {
        assert_eq!(delivered(3, 1, 9), (vec![3], vec![3, 6, 9]));
        assert_eq!(delivered(3, 0, 2), (vec![1], vec![0]));
        assert!(delivered(3, 4, 5).1.is_empty());
        assert!(delivered(0, 0, 100).1.is_empty());
        assert_eq!(delivered(u64::MAX, 0, 100).1, [0]);
    }

    #[test]
    fn many_hashes_are_delivered_in_slices() {
        let (sizes, steps) = delivered(1, 0, 2500);
        assert_eq!(sizes, [1024, 1024, 453]);
        assert_eq!(steps, (0..=2500).collect::<Vec<_>>());
    }

    #[test]
    fn multiples_of_the_interval_are_due() {
        let schedule = HashSchedule::new(5);
        assert!([0, 5, 10].into_iter().all(|step| schedule.is_due(step)));
        assert!(!schedule.is_due(-5) && !schedule.is_due(4) && !HashSchedule::new(0).is_due(0));
        assert_eq!([-1, 0, 4, 5].map(|step| schedule.next_after(step)), [0, 5, 5, 10]);
        assert_eq!(HashSchedule::new(0).next_after(3), NEVER);
    }
}
