//! State hashes, which are held back until it is certain that the run reaches their steps.
//!
//! A device continues for some steps after the last one in which anything happens, and only later batches reveal that
//! step.

use std::collections::VecDeque;

use super::outbox::Outbox;
use crate::RunError;
use crate::prepare::clock::Clock;
use crate::prepare::hash_schedule::HashSchedule;

/// State hashes that are held until they are certain, then released on schedule.
pub(super) struct Hashes {
    schedule: HashSchedule,
    held: VecDeque<UnchangedSteps>,
    /// The last step whose hash this attempt released; an earlier attempt may already have delivered it.
    released: Option<i64>,
}

/// A range of steps in which nothing happened, so that all of them have the same hash.
struct UnchangedSteps {
    first: i64,
    last: i64,
    hash: u64,
}

impl Hashes {
    /// Schedules a hash every `every` steps; 0 for none.
    pub fn new(every: u64) -> Self {
        Self { schedule: HashSchedule::new(every), held: VecDeque::new(), released: None }
    }

    /// Whether a step has a hash.
    pub fn is_due(&self, step: i64) -> bool {
        self.schedule.is_due(step)
    }

    /// Returns the first step after `last` that has a hash, or [`NEVER`](crate::prepare::clock::NEVER).
    pub fn next(&self, last: i64) -> i64 {
        self.schedule.next_after(last)
    }

    /// Stores the hash of all steps from `first` to `last`.
    pub fn hold(&mut self, first: i64, last: i64, hash: u64) {
        match self.held.back_mut() {
            Some(same) if same.hash == hash => same.last = last,
            _ => self.held.push_back(UnchangedSteps { first, last, hash }),
        }
    }

    /// Delivers the hashes of all steps up to `last`.
    pub fn release(&mut self, last: i64, clock: &mut Clock, outbox: &mut Outbox<'_>) -> Result<(), RunError> {
        while let Some(same) = self.held.front_mut().filter(|same| same.first <= last) {
            let certain = same.last.min(last);
            let mut deliver = |hashes: &[_]| outbox.hashes(hashes);
            if let Some(at) = self.schedule.deliver(same.first, certain, same.hash, clock, &mut deliver)? {
                self.released = Some(at.step as i64);
            }
            same.first = certain + 1;
            if same.first > same.last {
                self.held.pop_front();
            }
        }
        Ok(())
    }

    /// Whether the hash of `step` is missing: due, but not released.
    pub fn is_missing(&self, step: i64) -> bool {
        self.is_due(step) && self.released.is_none_or(|released| released < step)
    }

    /// Discards the hashes that are still held, because the run ended before their steps.
    pub fn drop_held(&mut self) {
        self.held.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::events::EventLog;

    fn released(every: u64, work: impl FnOnce(&mut Hashes, &mut Clock, &mut Outbox<'_>)) -> Vec<(u64, f64, u64)> {
        let mut log = EventLog::default();
        let mut outbox = Outbox::new(&mut log, &[]);
        work(&mut Hashes::new(every), &mut Clock::new(100.0, 10.0), &mut outbox);
        log.hashes.iter().map(|at| (at.step, at.time, at.hash)).collect()
    }

    #[test]
    fn only_certain_hashes_are_delivered() {
        let found = released(3, |hashes, clock, outbox| {
            hashes.hold(0, 0, 7);
            hashes.hold(3, 9, 8);
            hashes.release(-1, clock, outbox).unwrap();
            hashes.release(4, clock, outbox).unwrap();
            assert!(!hashes.is_missing(3) && hashes.is_missing(6) && !hashes.is_missing(5));
            hashes.hold(12, 12, 8);
            hashes.hold(15, 15, 9);
            hashes.release(12, clock, outbox).unwrap();
            hashes.drop_held();
            hashes.release(100, clock, outbox).unwrap();
        });
        assert_eq!(found, [(0, 100.0, 7), (3, 130.0, 8), (6, 160.0, 8), (9, 190.0, 8), (12, 220.0, 8)]);
    }

    #[test]
    fn an_idle_day_takes_one_entry() {
        let found = released(1, |hashes, clock, outbox| {
            for step in 0..5000 {
                hashes.hold(step, step, 1);
            }
            assert_eq!(hashes.held.len(), 1);
            hashes.release(4999, clock, outbox).unwrap();
        });
        assert_eq!(found.iter().map(|at| at.0).collect::<Vec<_>>(), (0..5000).collect::<Vec<_>>());
    }

    #[test]
    fn a_repeated_attempt_delivers_no_hash_twice() {
        let mut log = EventLog::default();
        let mut outbox = Outbox::new(&mut log, &[]);
        let mut clock = Clock::new(0.0, 1.0);
        for last in [4, 9] {
            let mut hashes = Hashes::new(1);
            hashes.hold(0, last, 5);
            hashes.release(last, &mut clock, &mut outbox).unwrap();
        }
        assert_eq!(outbox.last_hash.map(|at| at.step), Some(9));
        assert_eq!(log.hashes.iter().map(|at| at.step).collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
    }
}
