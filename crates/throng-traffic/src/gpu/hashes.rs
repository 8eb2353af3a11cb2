//! State hashes on their way to the sink: held back until it is certain that their steps belong to the run.
//!
//! A device goes on for some steps after the last one in which anything happens, and it shows only later which that was.

use std::collections::VecDeque;

use super::outbox::Outbox;
use crate::prepare::clock::{Clock, NEVER};
use crate::rules::inlet::TimeOfStep as _;
use crate::{HashAt, RunError};

/// Hashes that are handed on at a time.
const AT_A_TIME: usize = 1024;

/// The hashes of a run.
pub(super) struct Hashes {
    /// Every so many steps have a hash; 0 none.
    every: i64,
    held: VecDeque<Same>,
    /// The last step whose hash was handed on, or would have been if an earlier attempt had not done so.
    released: Option<i64>,
}

/// Steps in which nothing happened: all that have a hash have the same one. However long that lasts, it takes one entry.
struct Same {
    first: i64,
    last: i64,
    hash: u64,
}

impl Hashes {
    /// Every `every` steps; 0 none.
    pub fn new(every: u64) -> Self {
        Self { every: i64::try_from(every).unwrap_or(NEVER), held: VecDeque::new(), released: None }
    }

    /// Whether a step has a hash.
    pub fn is_due(&self, step: i64) -> bool {
        self.every > 0 && step >= 0 && step % self.every == 0
    }

    /// The first step that has a hash after `last`; [`NEVER`] when none has.
    pub fn next(&self, last: i64) -> i64 {
        if self.every > 0 { (last / self.every + 1).saturating_mul(self.every) } else { NEVER }
    }

    /// Takes the hash of all steps from `first` to `last` that have one.
    pub fn hold(&mut self, first: i64, last: i64, hash: u64) {
        match self.held.back_mut() {
            Some(same) if same.hash == hash => same.last = last,
            _ => self.held.push_back(Same { first, last, hash }),
        }
    }

    /// Hands on the hashes of all steps up to `last`.
    pub fn release(&mut self, last: i64, clock: &mut Clock, outbox: &mut Outbox<'_>) -> Result<(), RunError> {
        let mut certain = Vec::new();
        while let Some(same) = self.held.front_mut().filter(|same| same.first <= last) {
            let (step, hash) = (same.first, same.hash);
            same.first = (step / self.every + 1).saturating_mul(self.every);
            if same.first > same.last {
                self.held.pop_front();
            }
            clock.advance_to(step);
            certain.push(HashAt { step: step as u64, time: clock.time_of(step), hash });
            self.released = Some(step);
            if certain.len() == AT_A_TIME {
                outbox.hashes(&certain)?;
                certain.clear();
            }
        }
        outbox.hashes(&certain)
    }

    /// Whether the hash of `step` is missing: due, and not handed on.
    pub fn lacks(&self, step: i64) -> bool {
        self.is_due(step) && self.released.is_none_or(|released| released < step)
    }

    /// The run ended before the steps whose hashes are still held back.
    pub fn drop_held(&mut self) {
        self.held.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::EventLog;

    fn released(every: u64, work: impl FnOnce(&mut Hashes, &mut Clock, &mut Outbox<'_>)) -> Vec<(u64, f64, u64)> {
        let mut log = EventLog::default();
        let mut outbox = Outbox::new(&mut log, &[]);
        work(&mut Hashes::new(every), &mut Clock::new(100.0, 10.0), &mut outbox);
        log.hashes.iter().map(|at| (at.step, at.time, at.hash)).collect()
    }

    #[test]
    fn only_what_is_certain_is_handed_on() {
        let found = released(3, |hashes, clock, outbox| {
            hashes.hold(0, 0, 7);
            hashes.hold(3, 9, 8);
            hashes.release(-1, clock, outbox).unwrap();
            hashes.release(4, clock, outbox).unwrap();
            assert!(!hashes.lacks(3) && hashes.lacks(6) && !hashes.lacks(5));
            hashes.hold(12, 12, 8);
            hashes.hold(15, 15, 9);
            hashes.release(12, clock, outbox).unwrap();
            hashes.drop_held();
            hashes.release(100, clock, outbox).unwrap();
        });
        assert_eq!(found, [(0, 100.0, 7), (3, 130.0, 8), (6, 160.0, 8), (9, 190.0, 8), (12, 220.0, 8)]);
    }

    #[test]
    fn a_day_in_which_nothing_happens_takes_one_entry() {
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
    fn an_attempt_made_again_hands_nothing_on_twice() {
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
