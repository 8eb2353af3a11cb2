//! Simulation steps and their times.

use crate::rules::inlet::TimeOfStep;

/// Counts steps from 0. Step times are sums of step lengths, rounded as MATSim's repeated addition rounds them.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    start: f64,
    step_s: f64,
    /// Start and step length are whole seconds, so that all sums are exact.
    whole_seconds: bool,
    /// Times of all steps so far, where sums are rounded.
    table: Vec<f64>,
}

impl Clock {
    pub fn new(start: f64, step_s: f64) -> Self {
        let whole_seconds = start.fract() == 0.0 && step_s.fract() == 0.0;
        Self { start, step_s, whole_seconds, table: vec![start] }
    }

    /// True when step times are exact, so that the future can be told.
    pub fn is_exact(&self) -> bool {
        self.whole_seconds
    }

    /// Makes the times of all steps up to `step` known.
    pub fn advance_to(&mut self, step: i64) {
        if !self.whole_seconds {
            while (self.table.len() as i64) <= step {
                let last = self.table[self.table.len() - 1];
                self.table.push(last + self.step_s);
            }
        }
    }

    /// The first step at or after `time`; with fractional steps perhaps one too early, never too late. At least 0.
    pub fn step_at(&self, time: f64) -> i64 {
        let steps = (time - self.start) / self.step_s;
        if steps <= 0.0 {
            return 0;
        }
        // Beyond any simulated day, but still far from overflow.
        let steps = steps.min(1e15);
        if self.whole_seconds { steps.ceil() as i64 } else { (steps.ceil() as i64 - 2).max(0) }
    }
}

impl TimeOfStep for Clock {
    fn time_of(&self, step: i64) -> f64 {
        if self.whole_seconds { self.start + step as f64 * self.step_s } else { self.table[step.max(0) as usize] }
    }

    fn first_step_after(&self, time: f64) -> i64 {
        let step = self.step_at(time);
        if self.whole_seconds && self.time_of(step) <= time { step + 1 } else { step }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_seconds_are_exact() {
        let clock = Clock::new(21_600.0, 10.0);
        assert_eq!(clock.time_of(3), 21_630.0);
        assert_eq!(clock.step_at(21_630.0), 3);
        assert_eq!(clock.step_at(21_630.5), 4);
        assert_eq!(clock.step_at(-5.0), 0);
        assert_eq!(clock.first_step_after(21_630.0), 4);
        assert_eq!(clock.first_step_after(21_629.0), 3);
    }

    #[test]
    fn fractional_steps_add_up_with_rounding_and_are_never_late() {
        let mut clock = Clock::new(0.0, 0.1);
        clock.advance_to(1000);
        let mut now = 0.0;
        for step in 0..1000 {
            assert_eq!(clock.time_of(step), now);
            assert!(clock.step_at(now) <= step);
            now += 0.1;
        }
    }
}
