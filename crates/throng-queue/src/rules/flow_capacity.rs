//! How many vehicles may leave a link: a fractional allowance that grows with time and falls with each vehicle.
//!
//! Floating-point operations keep the order of MATSim's `QueueWithBuffer`: a link with a capacity of a third of a
//! vehicle per step lets one pass in the same step as MATSim only if every sum is rounded in the same way.

/// The flow accumulator of one link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowCapacity {
    /// Allowance added per step, vehicles.
    pub per_step: f64,
    /// What may still leave; negative after a vehicle has used more than there was.
    pub accumulated: f64,
    /// When `accumulated` was brought up to date, seconds of the day.
    pub updated_at: f64,
    /// Upper bound of `accumulated`: the allowance of a step less what waits in the buffer.
    pub rest: f64,
}

impl FlowCapacity {
    /// A link that begins with the allowance of one step.
    pub fn new(per_step: f64) -> Self {
        Self { per_step, accumulated: per_step, updated_at: 0.0, rest: per_step }
    }

    /// Sets a new allowance per step and refills (network change events). `buffered` lists what the vehicles in the
    /// buffer have used, in their order.
    pub fn reset(&mut self, per_step: f64, buffered: impl Iterator<Item = f64>) {
        self.per_step = per_step;
        self.accumulated = per_step;
        self.recompute_rest(buffered);
    }

    /// Fast update: adds the allowance of all time since the last update at once, up to `rest`.
    /// Called at each test for capacity; `step_s` is the length of a step.
    #[inline]
    pub fn refill_since_last(&mut self, now: f64, step_s: f64) {
        if self.updated_at < now && self.accumulated < self.rest {
            let steps = (now - self.updated_at) / step_s;
            self.accumulated = (self.accumulated + steps * self.per_step).min(self.rest);
            self.updated_at = now;
        }
    }

    /// Slow update: adds the allowance of one step, up to `rest`. Called once per step of an active link.
    #[inline]
    pub fn refill_one_step(&mut self) {
        if self.accumulated < self.rest {
            self.accumulated = (self.accumulated + self.per_step).min(self.rest);
        }
    }

    /// Whether a vehicle of `pcu` may leave now. Vehicles up to the `easing` threshold always may.
    #[inline]
    pub fn has_capacity(&self, pcu: f64, easing: f64) -> bool {
        self.accumulated > 0.0 || pcu <= easing
    }

    /// A vehicle that uses `consumption` goes into the buffer.
    #[inline]
    pub fn consume(&mut self, consumption: f64, now: f64) {
        self.accumulated -= consumption;
        self.updated_at = now;
        // Appending to the buffer appends to the sum, so the rounding is that of summing anew.
        self.rest -= consumption;
    }

    /// A vehicle has left the buffer; `buffered` lists what the remaining ones have used.
    #[inline]
    pub fn recompute_rest(&mut self, buffered: impl Iterator<Item = f64>) {
        self.rest = buffered.fold(self.per_step, |rest, used| rest - used);
    }

    /// Whether there is less than the allowance of a step: under the slow update the link stays active then, even if it
    /// is empty.
    #[inline]
    pub fn is_below_a_step(&self) -> bool {
        self.accumulated < self.per_step
    }

    /// Whether the allowance of another step makes a difference: not on a link without capacity, nor where it is lost
    /// in rounding.
    pub fn grows(&self) -> bool {
        self.accumulated + self.per_step > self.accumulated
    }

    /// After how many further fast updates, one per step, there is capacity: `None` when the allowance is used up by
    /// vehicles in the buffer, so that only their leaving helps, or does not grow. Looks at most `horizon` steps ahead.
    ///
    /// Exact only where time advances without rounding, because then each update adds exactly one allowance.
    pub fn steps_until_capacity(&self, horizon: u32) -> Option<u32> {
        let mut accumulated = self.accumulated;
        for step in 1..=horizon {
            let before = accumulated;
            if accumulated >= self.rest {
                return None;
            }
            accumulated = (accumulated + self.per_step).min(self.rest);
            if accumulated <= before {
                return None;
            }
            if accumulated > 0.0 {
                return Some(step);
            }
        }
        Some(horizon)
    }

    /// Makes up for `steps` fast updates that were skipped while nothing could change but the allowance.
    pub fn catch_up(&mut self, steps: u32, last_time: f64) {
        for _ in 0..steps {
            if self.accumulated >= self.rest {
                return;
            }
            self.accumulated = (self.accumulated + self.per_step).min(self.rest);
            self.updated_at = last_time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_of_a_vehicle_per_step_lets_one_pass_every_third_step() {
        let mut flow = FlowCapacity::new(1.0 / 3.0);
        let mut leaving = Vec::new();
        for t in 0..12 {
            let now = f64::from(t);
            flow.refill_since_last(now, 1.0);
            if flow.has_capacity(1.0, 0.0) {
                flow.consume(1.0, now);
                flow.recompute_rest(std::iter::empty());
                leaving.push(t);
            }
        }
        // 1/3 - 1 + 2/3 is 0 in floating point, which is no capacity: the third step after is the first above 0.
        assert_eq!(leaving, [0, 3, 6, 9]);
    }

    #[test]
    fn what_waits_in_the_buffer_bounds_the_allowance() {
        let mut flow = FlowCapacity::new(2.0);
        flow.consume(1.0, 10.0);
        flow.consume(1.0, 10.0);
        assert_eq!((flow.accumulated, flow.rest), (0.0, 0.0));
        flow.refill_since_last(11.0, 1.0);
        assert!(!flow.has_capacity(1.0, 0.0));
        assert_eq!(flow.steps_until_capacity(100), None);
        flow.recompute_rest([1.0].into_iter());
        flow.refill_since_last(11.0, 1.0);
        assert_eq!(flow.accumulated, 1.0);
    }

    #[test]
    fn skipped_updates_are_made_up_for_to_the_last_bit() {
        let mut polled = FlowCapacity::new(0.1);
        polled.consume(1.0, 0.0);
        polled.recompute_rest(std::iter::empty());
        let mut slept = polled;
        for t in 1..=7 {
            polled.refill_since_last(f64::from(t), 1.0);
        }
        slept.catch_up(7, 7.0);
        assert_eq!(polled, slept);
        let wait = polled.steps_until_capacity(1000).unwrap();
        for t in 8..8 + wait {
            assert!(!polled.has_capacity(1.0, 0.0));
            polled.refill_since_last(f64::from(t), 1.0);
        }
        assert!(polled.has_capacity(1.0, 0.0));
    }

    #[test]
    fn an_allowance_without_effect_is_waited_for_by_nobody() {
        for per_step in [0.0, 1e-30] {
            let mut flow = FlowCapacity::new(per_step);
            flow.consume(1.0, 0.0);
            flow.recompute_rest(std::iter::empty());
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
