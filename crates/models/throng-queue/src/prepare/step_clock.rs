//! The times of steps, as the rules need them.

/// Converts between steps and seconds of the day; implemented by the clock that all executors share.
pub trait StepClock {
    /// Seconds of the day at `step`.
    fn time_of(&self, step: i64) -> f64;
    /// The first step later than `time`, or an earlier step if rounding makes the exact one uncertain.
    fn first_step_after(&self, time: f64) -> i64;
}
