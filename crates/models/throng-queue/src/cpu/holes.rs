//! Holes: storage capacity that leaving vehicles free, and that travels to the upstream end of the link.

use std::collections::VecDeque;

use crate::rules::storage_capacity::hole_travel_time;
use crate::rules::upstream_end::hole_has_arrived;

/// The holes under way on one link, in order of arrival.
#[derive(Debug, Clone, PartialEq)]
pub struct Holes {
    under_way: VecDeque<Hole>,
    /// Travel time of a hole, seconds.
    travel_time_s: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Hole {
    arrives_at: f64,
    pcu: f64,
}

impl Holes {
    /// Creates the holes of an empty link of this length.
    pub fn new(length_m: f64) -> Self {
        Self { under_way: VecDeque::new(), travel_time_s: hole_travel_time(length_m) }
    }

    /// Whether no hole is under way.
    pub fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Adds the hole of a vehicle that left the queue at `now`.
    pub fn push(&mut self, pcu: f64, now: f64) {
        self.under_way.push_back(Hole { arrives_at: now + self.travel_time_s, pcu });
    }

    /// Returns the time at which the next hole arrives, seconds of the day.
    pub fn next_arrival(&self) -> Option<f64> {
        self.under_way.front().map(|hole| hole.arrives_at)
    }

    /// Removes the next hole if it arrived before `now`, and returns its size.
    pub fn pop_arrived(&mut self, now: f64) -> Option<f64> {
        self.under_way.pop_front_if(|hole| hole_has_arrived(hole.arrives_at, now)).map(|hole| hole.pcu)
    }
}
