//! Batches of steps that are submitted together, and the counters that they return.

use throng_device::{Buffer, Pending};

use super::record::*;

/// A batch of submitted steps.
pub(super) struct Batch {
    /// First step.
    pub first: i64,
    /// Last step.
    pub last: i64,
    /// Whether the batch begins with a network change event, which may wake links that earlier batches did not count as
    /// due.
    pub changed: bool,
    pub events: Buffer<u32>,
    pub errors: Buffer<u32>,
    pub counters: Pending<u32>,
}

/// Counters that the device returned for a completed batch.
#[derive(Debug, Clone)]
pub(super) struct Counters {
    words: Vec<u32>,
}

impl Counters {
    pub fn new(words: Vec<u32>) -> Self {
        Self { words }
    }

    /// Returns the value of a counter.
    pub fn count(&self, counter: u32) -> u64 {
        u64::from(self.words[counter as usize])
    }

    /// Returns the first step after `last` in which anything is due; `None` if there is none.
    pub fn next_due(&self, last: i64) -> Option<i64> {
        let nearest = NONE - self.words[HORIZON as usize];
        (nearest != NONE).then(|| last + i64::from(nearest))
    }

    /// Returns the step stored in a counter whose values count from 1 at step `first`; `None` if it was never set.
    pub fn step_of(&self, counter: u32, first: i64) -> Option<i64> {
        let step = self.words[counter as usize];
        (step > 0).then(|| first + i64::from(step) - 1)
    }
}
