//! Times of repeated runs.

#[cfg(feature = "gpu")]
use std::time::Instant;

#[cfg(feature = "gpu")]
use throng_device::{Device, DeviceError};

use super::speed_up::MIN_RUNS;
use super::table::Cell;

/// A program with a run longer than this makes only [`MIN_RUNS`] runs, seconds.
pub(crate) const LONG_S: f64 = 1.0;

/// Run times of a program in seconds, ascending; at least one.
#[derive(Debug, Clone, PartialEq)]
pub struct Times(Vec<f64>);

impl Times {
    /// Sorts the times of runs, given in any order.
    ///
    /// # Panics
    /// If there are no runs.
    pub fn of(mut seconds: Vec<f64>) -> Self {
        assert!(!seconds.is_empty(), "a program runs at least once");
        seconds.sort_unstable_by(f64::total_cmp);
        Self(seconds)
    }

    /// The times of one of `parts` equal parts of each run.
    pub(crate) fn per(&self, parts: f64) -> Self {
        Self(self.0.iter().map(|seconds| seconds / parts).collect())
    }

    /// The number of runs.
    pub fn runs(&self) -> usize {
        self.0.len()
    }

    /// The median; for an even number of runs, the larger of the two middle values.
    pub fn median(&self) -> f64 {
        self.0[self.0.len() / 2]
    }

    /// All run times, ascending.
    pub fn seconds(&self) -> &[f64] {
        &self.0
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// The shortest run.
    pub fn fastest(&self) -> f64 {
        self.0[0]
    }

    /// The longest run.
    pub fn slowest(&self) -> f64 {
        self.0[self.0.len() - 1]
    }

    /// The cells of a machine-readable table: the number of runs, then median, fastest and slowest time in seconds
    /// times `scale`.
    pub(crate) fn cells(&self, scale: f64) -> Vec<Cell> {
        let times = [self.median(), self.fastest(), self.slowest()];
        [vec![self.runs().into()], times.map(|seconds| (seconds * scale).into()).to_vec()].concat()
    }
}

/// Calls `once`, which returns its run time in seconds, at least once and at most `max` times, until `is_enough`
/// holds.
///
/// # Errors
/// When `once` fails.
pub(crate) fn repeated<E>(
    max: usize,
    is_enough: impl Fn(&[f64]) -> bool,
    mut once: impl FnMut() -> Result<f64, E>,
) -> Result<Times, E> {
    let mut seconds = vec![once()?];
    while seconds.len() < max && !is_enough(&seconds) {
        seconds.push(once()?);
    }
    Ok(Times::of(seconds))
}

/// A condition for [`repeated`]: makes all runs.
pub(crate) fn never_enough(_: &[f64]) -> bool {
    false
}

/// A condition for [`repeated`]: after a long first run, makes no more runs than a comparison needs. Otherwise, tables
/// with single-threaded programs would take hours.
pub(crate) fn runs_are_long(seconds: &[f64]) -> bool {
    seconds[0] >= LONG_S && seconds.len() >= MIN_RUNS
}

/// Runs `step` for steps 1 to `steps` on a device, waits for the last one, and returns the seconds elapsed. Submits the
/// launches to the device every `flush_every` steps, because Vulkan would hold them back.
///
/// # Errors
/// When a step or the device fails.
#[cfg(feature = "gpu")]
pub(crate) fn steps_on<E: From<DeviceError>>(
    device: &Device,
    steps: u32,
    flush_every: u32,
    mut step: impl FnMut(u32) -> Result<(), E>,
) -> Result<f64, E> {
    device.synchronize("steps")?;
    let since = Instant::now();
    for number in 1..=steps {
        step(number)?;
        if number.is_multiple_of(flush_every) {
            device.flush()?;
        }
    }
    device.synchronize("last step")?;
    Ok(since.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_are_repeated_only_as_often_as_a_comparison_needs() {
        let run = |max, is_enough: fn(&[f64]) -> bool, seconds: &[f64]| {
            let mut left = seconds.iter();
            repeated(max, is_enough, || left.next().copied().ok_or(())).map(|times| times.0)
        };
        assert_eq!(run(4, runs_are_long, &[0.3, 0.1, 0.2, 0.2]), Ok(vec![0.1, 0.2, 0.2, 0.3]));
        assert_eq!(run(4, runs_are_long, &[1.5, 1.4, 1.6]), Ok(vec![1.4, 1.5, 1.6]));
        assert_eq!(run(2, runs_are_long, &[1.5, 1.4]), Ok(vec![1.4, 1.5]));
        assert_eq!(run(2, never_enough, &[1.5, 1.4]), Ok(vec![1.4, 1.5]));
        assert_eq!(run(3, never_enough, &[0.3]), Err(()));
    }

    #[test]
    fn the_median_is_between_the_fastest_and_the_slowest_run() {
        let times = Times::of(vec![0.6, 0.2, 0.1, 0.3, 0.25]);
        assert_eq!((times.runs(), times.fastest(), times.median(), times.slowest()), (5, 0.1, 0.25, 0.6));
        assert_eq!(times.cells(1e3), [5u32.into(), Cell::from(250.0), 100.0.into(), 600.0.into()]);
        assert_eq!(times.per(2.0), Times::of(vec![0.05, 0.1, 0.125, 0.15, 0.3]));
    }
}
