//! The flow capacity of a link: an allowance of vehicles that may leave. It grows with time and shrinks with each
//! vehicle that leaves.
//!
//! Floating-point operations keep the order of MATSim's `QueueWithBuffer`: a link with a capacity of a third of a
//! vehicle per step releases it in the same step as MATSim only if every sum is rounded in the same way.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::{ieee_min, rounded_product};

/// Flow accumulator of one link: how many vehicles may leave now.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct FlowCapacity {
    /// Allowance added per step, vehicles.
    pub per_step: f64,
    /// Allowance left; negative after a vehicle has used more than there was.
    pub accumulated: f64,
    /// When `accumulated` was last updated, seconds of the day.
    pub updated_at: f64,
    /// Upper bound of `accumulated`: the allowance of a step minus the allowance used by the vehicles in the buffer.
    pub upper_bound: f64,
}

#[cube]
impl FlowCapacity {
    /// Fast update: adds the allowance of the whole time since the last update, up to `upper_bound`. Called at each
    /// test for capacity. `step_s` is the length of a step, `zero` is [`throng_device::exact::NEGATIVE_ZERO`]. Returns
    /// whether anything changed.
    #[inline]
    pub fn refill_since_last(&mut self, now: f64, step_s: f64, zero: f64) -> bool {
        let refills = self.updated_at < now && self.accumulated < self.upper_bound;
        if refills {
            let mut steps = now - self.updated_at;
            if step_s != 1.0f64 {
                steps /= step_s;
            }
            self.accumulated =
                ieee_min(self.accumulated + rounded_product(steps, self.per_step, zero), self.upper_bound);
            self.updated_at = now;
        }
        refills
    }

    /// Slow update: adds the allowance of one step, up to `upper_bound`. Called once per step of an active link.
    /// Returns whether anything changed.
    #[inline]
    pub fn refill_one_step(&mut self) -> bool {
        let refills = self.accumulated < self.upper_bound;
        if refills {
            self.accumulated = ieee_min(self.accumulated + self.per_step, self.upper_bound);
        }
        refills
    }

    /// Whether a vehicle of `pcu` may leave now. Vehicles up to the `easing` threshold always may.
    #[inline]
    pub fn has_capacity(&self, pcu: f64, easing: f64) -> bool {
        self.accumulated > 0.0f64 || pcu <= easing
    }

    /// Records that a vehicle that uses `consumption` enters the buffer.
    #[inline]
    pub fn consume(&mut self, consumption: f64, now: f64) {
        self.accumulated -= consumption;
        self.updated_at = now;
        // The vehicle is the last one in the buffer, so this rounds like a recomputed sum.
        self.upper_bound -= consumption;
    }

    /// Fast update: records that a vehicle left the buffer at `now`, so the next test for capacity adds the allowance
    /// of a step.
    #[inline]
    pub fn leave_buffer(&mut self, now: f64, step_s: f64) {
        self.updated_at = now - step_s;
    }

    /// Whether the allowance is below that of a step. In that case the slow update keeps the link active, even if it is
    /// empty.
    #[inline]
    pub fn is_below_a_step(&self) -> bool {
        self.accumulated < self.per_step
    }

    /// Whether adding the allowance of another step changes anything: false on a link without capacity, or if the
    /// allowance is lost to rounding.
    #[inline]
    pub fn grows(&self) -> bool {
        self.accumulated + self.per_step > self.accumulated
    }
}

/// Functions for the CPU executor, which keeps the vehicles of a buffer in a queue and skips updates of waiting links.
impl FlowCapacity {
    /// Creates the accumulator of a link, with the allowance of one step.
    pub fn new(per_step: f64) -> Self {
        Self { per_step, accumulated: per_step, updated_at: 0.0, upper_bound: per_step }
    }

    /// Sets a new allowance per step and refills (network change events). `buffered` yields the allowance used by each
    /// vehicle in the buffer, front first.
    pub fn reset(&mut self, per_step: f64, buffered: impl Iterator<Item = f64>) {
        self.per_step = per_step;
        self.accumulated = per_step;
        self.recompute_upper_bound(buffered);
    }

    /// Recomputes `upper_bound` after a vehicle has left the buffer. `buffered` yields the allowance used by each
    /// remaining vehicle.
    #[inline]
    pub fn recompute_upper_bound(&mut self, buffered: impl Iterator<Item = f64>) {
        self.upper_bound = buffered.fold(self.per_step, |rest, used| rest - used);
    }

    /// Returns the number of further fast updates, one per step, until there is capacity, or `horizon` if it is more.
    /// `None` if the allowance does not grow, or if the vehicles in the buffer have used it up, so that it grows only
    /// after one of them leaves.
    ///
    /// Exact only if step times are not rounded, because only then does each update add exactly one allowance.
    pub fn steps_until_capacity(&self, horizon: u32) -> Option<u32> {
        let mut accumulated = self.accumulated;
        for step in 1..=horizon {
            let before = accumulated;
            if accumulated >= self.upper_bound {
                return None;
            }
            accumulated = ieee_min(accumulated + self.per_step, self.upper_bound);
            if accumulated <= before {
                return None;
            }
            if accumulated > 0.0 {
                return Some(step);
            }
        }
        Some(horizon)
    }

    /// Applies `steps` fast updates that were skipped while nothing but the allowance could change.
    pub fn catch_up(&mut self, steps: u32, last_time: f64) {
        for _ in 0..steps {
            if !self.refill_one_step() {
                return;
            }
            self.updated_at = last_time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_device::exact::NEGATIVE_ZERO;

    #[test]
    fn a_third_of_a_vehicle_per_step_lets_one_pass_every_third_step() {
        let mut flow = FlowCapacity::new(1.0 / 3.0);
        let mut leaving = Vec::new();
        for t in 0..12 {
            let now = f64::from(t);
            flow.refill_since_last(now, 1.0, NEGATIVE_ZERO);
            if flow.has_capacity(1.0, 0.0) {
                flow.consume(1.0, now);
                flow.recompute_upper_bound(std::iter::empty());
                leaving.push(t);
            }
        }
        // 1/3 - 1 + 2/3 is 0 in floating point, which is no capacity. Only the third step afterwards is above 0.
        assert_eq!(leaving, [0, 3, 6, 9]);
    }

    #[test]
    fn vehicles_in_the_buffer_bound_the_allowance() {
        let mut flow = FlowCapacity::new(2.0);
        flow.consume(1.0, 10.0);
        flow.consume(1.0, 10.0);
        assert_eq!((flow.accumulated, flow.upper_bound), (0.0, 0.0));
        flow.refill_since_last(11.0, 1.0, NEGATIVE_ZERO);
        assert!(!flow.has_capacity(1.0, 0.0));
        assert_eq!(flow.steps_until_capacity(100), None);
        flow.recompute_upper_bound([1.0].into_iter());
        flow.refill_since_last(11.0, 1.0, NEGATIVE_ZERO);
        assert_eq!(flow.accumulated, 1.0);
    }

    #[test]
    fn skipped_updates_are_caught_up_bit_for_bit() {
        let mut polled = FlowCapacity::new(0.1);
        polled.consume(1.0, 0.0);
        polled.recompute_upper_bound(std::iter::empty());
        let mut slept = polled;
        for t in 1..=7 {
            polled.refill_since_last(f64::from(t), 1.0, NEGATIVE_ZERO);
        }
        slept.catch_up(7, 7.0);
        assert_eq!(polled, slept);
        let wait = polled.steps_until_capacity(1000).unwrap();
        for t in 8..8 + wait {
            assert!(!polled.has_capacity(1.0, 0.0));
            polled.refill_since_last(f64::from(t), 1.0, NEGATIVE_ZERO);
        }
        assert!(polled.has_capacity(1.0, 0.0));
    }

    #[test]
    fn a_vanishing_allowance_never_gives_capacity() {
        for per_step in [0.0, 1e-30] {
            let mut flow = FlowCapacity::new(per_step);
            flow.consume(1.0, 0.0);
            flow.recompute_upper_bound(std::iter::empty());
            assert!(!flow.grows());
            assert_eq!(flow.steps_until_capacity(256), None);
        }
    }

    #[test]
    fn small_vehicles_pass_with_easing() {
        let mut flow = FlowCapacity::new(1.0);
        flow.consume(1.0, 0.0);
        assert!(!flow.has_capacity(0.1, 0.0));
        assert!(flow.has_capacity(0.1, 0.1));
    }
}
