//! Conversion between steps and times, as needed by the rules.

/// Converts between steps and seconds of the day; implemented by the clock that all executors share.
pub trait StepClock {
    /// Returns the time of `step`, seconds of the day.
    fn time_of(&self, step: i64) -> f64;
    /// Returns the first step later than `time`, or an earlier step if rounding makes the exact one uncertain.
    fn first_step_after(&self, time: f64) -> i64;
}
