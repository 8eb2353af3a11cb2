//! Simulation steps and their times.

use throng_core::clock::MAX_SECONDS;

use crate::prepare::step_clock::StepClock;

/// The step of an event that never happens.
pub(crate) const NEVER: i64 = i64::MAX;
/// Steps per block in the table of rounded times.
const BLOCK: usize = 1024;

/// Counts steps from 0. Step times are sums of step lengths, rounded as by MATSim's repeated addition.
#[derive(Debug, Clone)]
pub(crate) struct Clock {
    start: f64,
    step_s: f64,
    /// Whether start and step length are whole seconds, so that all sums are exact.
    whole_seconds: bool,
    /// If sums are rounded: the time at the beginning of each block so far, seconds of the day.
    blocks: Vec<f64>,
    /// The step times of the last two blocks, seconds of the day.
    recent: Vec<f64>,
}

impl Clock {
    pub fn new(start: f64, step_s: f64) -> Self {
        let whole_seconds = start.fract() == 0.0 && step_s.fract() == 0.0;
        let mut clock = Self { start, step_s, whole_seconds, blocks: Vec::new(), recent: Vec::new() };
        if !whole_seconds {
            clock.begin_block(start);
        }
        clock
    }

    /// Whether step times are exact, so that future times can be computed directly.
    pub fn is_exact(&self) -> bool {
        self.whole_seconds
    }

    /// Stores the times of all steps up to `step`, so that they are not summed again for each query.
    pub fn advance_to(&mut self, step: i64) {
        while !self.whole_seconds && (self.blocks.len() * BLOCK) as i64 <= step {
            let last = self.recent[self.recent.len() - 1];
            self.begin_block(last + self.step_s);
        }
    }

    fn begin_block(&mut self, first: f64) {
        self.blocks.push(first);
        let old = self.recent.len().saturating_sub(BLOCK);
        self.recent.drain(..old);
        self.recent.extend(step_times(first, self.step_s).take(BLOCK));
    }

    /// Returns the last step that is at or before `time` and before step `end`; -1 if there is none.
    pub fn last_step_until(&mut self, time: f64, end: i64) -> i64 {
        // With fractional steps this may be too early.
        let mut step = self.first_step_after(time).min(end);
        self.advance_to(step);
        while step < end && self.time_of(step) <= time {
            step += 1;
            self.advance_to(step);
        }
        step - 1
    }

    /// Returns the first step at or after `time`; with fractional steps, up to three steps earlier. At least 0;
    /// [`NEVER`] for a time beyond the range of times of day.
    ///
    /// With fractional steps the result is never too late within the first 90 million steps: the sum of n step lengths
    /// is off by at most n²/2⁵³ of a step.
    pub fn step_at(&self, time: f64) -> i64 {
        // Times in files do not exceed this.
        if time > MAX_SECONDS {
            return NEVER;
        }
        let steps = (time - self.start) / self.step_s;
        if steps <= 0.0 {
            return 0;
        }
        if self.whole_seconds { steps.ceil() as i64 } else { (steps.ceil() as i64 - i64::from(EARLY_STEPS)).max(0) }
    }
}

/// Number of steps that [`Clock::step_at`] subtracts with fractional steps, so that it is never too late although their
/// times are rounded sums.
pub const EARLY_STEPS: u32 = 2;

/// Returns `first` and all later step times, computed by repeated addition.
fn step_times(first: f64, step_s: f64) -> impl Iterator<Item = f64> {
    std::iter::successors(Some(first), move |time| Some(time + step_s))
}

impl StepClock for Clock {
    fn time_of(&self, step: i64) -> f64 {
        if self.whole_seconds {
            return self.start + step as f64 * self.step_s;
        }
        let step = step.max(0) as usize;
        let first_recent = self.blocks.len() * BLOCK - self.recent.len();
        if let Some(&time) = step.checked_sub(first_recent).and_then(|i| self.recent.get(i)) {
            return time;
        }
        // Times outside the recent blocks are summed again.
        let block = (step / BLOCK).min(self.blocks.len() - 1);
        step_times(self.blocks[block], self.step_s).nth(step - block * BLOCK).unwrap_or(f64::NAN)
    }

    fn first_step_after(&self, time: f64) -> i64 {
        let step = self.step_at(time);
        if step < NEVER && self.whole_seconds && self.time_of(step) <= time { step + 1 } else { step }
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
    fn very_late_times_map_to_never() {
        for clock in [Clock::new(0.0, 10.0), Clock::new(0.5, 0.1)] {
            assert!(clock.step_at(1e8) < NEVER);
            for time in [1e10, 1e300, f64::INFINITY] {
                assert_eq!((clock.step_at(time), clock.first_step_after(time)), (NEVER, NEVER));
            }
        }
    }

    #[test]
    fn the_last_step_until_a_time_is_exact() {
        for (start, step_s) in [(21_600.0, 10.0), (0.0, 0.1), (19_800.5, 7.7)] {
            let mut clock = Clock::new(start, step_s);
            for step in [0, 1, 2, 77, 3000] {
                clock.advance_to(step);
                let time = clock.time_of(step);
                assert_eq!(clock.last_step_until(time, step + 9), step);
                assert_eq!(clock.last_step_until(time.next_down(), step + 9), step - 1);
                assert_eq!(clock.last_step_until(1e10, step), step - 1);
            }
            assert_eq!(clock.last_step_until(-1.0, 9), -1);
        }
    }

    #[test]
    fn fractional_steps_add_up_with_rounding_and_are_never_late() {
        let mut clock = Clock::new(0.0, 0.1);
        clock.advance_to(5000);
        let mut now = 0.0;
        for step in 0..=5000 {
            assert_eq!(clock.time_of(step), now, "step {step}");
            assert!(clock.step_at(now) <= step);
            now += 0.1;
        }
        assert!(clock.recent.len() <= 2 * BLOCK);
    }

    #[test]
    fn times_before_and_beyond_the_table_equal_cumulative_sums() {
        for (start, step_s) in [(0.0, 0.1), (19_800.5, 1.0), (0.0, 7.7), (21_599.25, 900.5)] {
            let mut sums: Vec<f64> = vec![start];
            while sums.len() < 10 * BLOCK {
                sums.push(sums[sums.len() - 1] + step_s);
            }
            for known in [0, BLOCK - 1, BLOCK, 5 * BLOCK, 9 * BLOCK] {
                let mut clock = Clock::new(start, step_s);
                clock.advance_to(known as i64);
                for (step, &sum) in sums.iter().enumerate().step_by(97) {
                    assert_eq!(clock.time_of(step as i64), sum, "step {step} of {step_s} s, known up to {known}");
                }
            }
        }
    }
}
