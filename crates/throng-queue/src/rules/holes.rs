//! Holes: the room that leaving vehicles free, on its way to the upstream end of the link.

use std::collections::VecDeque;

use super::storage_capacity::HOLE_SPEED_KM_H;

/// The holes under way on one link, in order of arrival.
#[derive(Debug, Clone, PartialEq)]
pub struct Holes {
    under_way: VecDeque<Hole>,
    /// How long a hole travels, seconds.
    travel_time_s: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Hole {
    arrives_at: f64,
    pcu: f64,
}

impl Holes {
    /// A link of this length without holes.
    pub fn new(length_m: f64) -> Self {
        Self { under_way: VecDeque::new(), travel_time_s: hole_travel_time(length_m) }
    }

    /// Whether no hole is under way.
    pub fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// A vehicle has left the queue at `now`; its room travels upstream.
    pub fn push(&mut self, pcu: f64, now: f64) {
        self.under_way.push_back(Hole { arrives_at: now + self.travel_time_s, pcu });
    }

    /// When the next hole arrives, seconds of the day.
    pub fn next_arrival(&self) -> Option<f64> {
        self.under_way.front().map(|hole| hole.arrives_at)
    }

    /// Removes the next hole if it arrived before `now`, and returns its size.
    pub fn pop_arrived(&mut self, now: f64) -> Option<f64> {
        self.under_way.pop_front_if(|hole| hole.arrives_at < now).map(|hole| hole.pcu)
    }
}

/// How long a hole takes from the downstream to the upstream end, seconds.
pub fn hole_travel_time(length_m: f64) -> f64 {
    // In MATSim's order of operations, so that a hole is due in the same step.
    length_m * 3600.0 / HOLE_SPEED_KM_H / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_travel_for_exact_times() {
        for (length_m, seconds) in [(25.0, 6.0), (1250.0, 300.0), (5000.0, 1200.0)] {
            assert_eq!(hole_travel_time(length_m), seconds);
        }
    }
}
