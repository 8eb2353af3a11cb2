//! Ratios of measured times, with their ranges.

use std::ops::RangeBounds;

use throng_core::three_figures;

use super::statements::Verdict;
use super::times::Times;

/// Fewer runs on either side decide nothing.
pub(crate) const MIN_RUNS: usize = 3;

/// How many times as fast one program is as another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SpeedUp {
    /// The ratio of the medians.
    pub median: f64,
    /// The ratio of the fastest run of the slow program to the slowest run of the fast one.
    pub least: f64,
    /// The ratio of the slowest run of the slow program to the fastest run of the fast one.
    pub greatest: f64,
    /// Runs of the program with fewer runs.
    pub runs: usize,
}

impl SpeedUp {
    /// The times of a slow program divided by those of a fast one. (It may be below 1.)
    pub(crate) fn of(slow: &Times, fast: &Times) -> Self {
        Self {
            median: slow.median() / fast.median(),
            least: slow.fastest() / fast.slowest(),
            greatest: slow.slowest() / fast.fastest(),
            runs: slow.runs().min(fast.runs()),
        }
    }

    /// The ratio multiplied by a positive number.
    pub(crate) fn times(&self, factor: f64) -> Self {
        let [median, least, greatest] = [self.median, self.least, self.greatest].map(|ratio| ratio * factor);
        Self { median, least, greatest, ..*self }
    }

    /// Whether the ratio is within a range: undecided if the ratios of single runs are partly inside and partly
    /// outside, or if there are fewer than [`MIN_RUNS`] runs.
    pub(crate) fn within(&self, range: impl RangeBounds<f64>) -> Verdict {
        match [self.least, self.greatest].map(|ratio| range.contains(&ratio)) {
            _ if self.runs < MIN_RUNS => Verdict::Undecided,
            [true, true] => Verdict::Confirmed,
            // A range between the two ratios contains neither.
            [false, false] if !range.contains(&self.median) => Verdict::NotConfirmed,
            _ => Verdict::Undecided,
        }
    }

    /// Whether the ratio is larger than another one: undecided if their single runs overlap, or if there are fewer than
    /// [`MIN_RUNS`] runs.
    pub(crate) fn exceeds(&self, other: &Self) -> Verdict {
        if self.runs.min(other.runs) < MIN_RUNS {
            Verdict::Undecided
        } else if self.least > other.greatest {
            Verdict::Confirmed
        } else if self.greatest < other.least {
            Verdict::NotConfirmed
        } else {
            Verdict::Undecided
        }
    }

    /// Text such as `1.41 times (1.32 to 1.45; 3 runs)`.
    pub(crate) fn text(&self) -> String {
        let [median, least, greatest] = [self.median, self.least, self.greatest].map(three_figures);
        let few = if self.runs < MIN_RUNS { format!(", fewer than {MIN_RUNS}") } else { String::new() };
        let runs = if self.runs == 1 { "run" } else { "runs" };
        format!("{median} times ({least} to {greatest}; {} {runs}{few})", self.runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speed_up(slow: [f64; 3], fast: [f64; 3]) -> SpeedUp {
        SpeedUp::of(&Times::of(slow.to_vec()), &Times::of(fast.to_vec()))
    }

    #[test]
    fn overlapping_ranges_decide_nothing() {
        assert_eq!(speed_up([4.0, 4.0, 4.0], [1.0, 1.0, 2.0]).within(1.5..), Verdict::Confirmed);
        assert_eq!(speed_up([4.0, 4.0, 4.0], [1.0, 1.0, 2.0]).within(3.0..), Verdict::Undecided);
        assert_eq!(speed_up([4.0, 4.0, 4.0], [1.0, 1.0, 2.0]).within(5.0..), Verdict::NotConfirmed);
        assert_eq!(speed_up([1.0, 1.0, 1.1], [1.05, 1.1, 1.2]).within(1.0..), Verdict::Undecided);
    }

    #[test]
    fn a_range_between_single_runs_is_not_refuted_by_them() {
        assert_eq!(speed_up([3.0, 4.0, 5.0], [1.0, 1.0, 1.0]).within(3.9..4.1), Verdict::Undecided);
        assert_eq!(speed_up([3.0, 4.0, 5.0], [1.0, 1.0, 1.0]).within(6.0..7.0), Verdict::NotConfirmed);
    }

    #[test]
    fn a_larger_ratio_exceeds_a_smaller_one_in_all_runs() {
        let [one, two] = [1.0, 2.0].map(|seconds| speed_up([seconds; 3], [1.0; 3]));
        assert_eq!((two.exceeds(&one), one.exceeds(&two)), (Verdict::Confirmed, Verdict::NotConfirmed));
        assert_eq!(two.exceeds(&speed_up([1.0, 1.0, 2.0], [1.0; 3])), Verdict::Undecided);
    }

    #[test]
    fn two_runs_are_too_few() {
        let few = SpeedUp::of(&Times::of(vec![4.0, 4.0]), &Times::of(vec![1.0, 1.0, 1.0]));
        assert_eq!(few.exceeds(&speed_up([1.0; 3], [1.0; 3])), Verdict::Undecided);
        assert_eq!(few.within(2.0..), Verdict::Undecided);
        assert_eq!(few.text(), "4.00 times (4.00 to 4.00; 2 runs, fewer than 3)");
    }

    #[test]
    fn a_factor_changes_all_single_runs() {
        let two = speed_up([1.0, 2.0, 2.5], [1.0; 3]);
        assert_eq!(two.times(0.5), SpeedUp { median: 1.0, least: 0.5, greatest: 1.25, runs: 3 });
    }

    #[test]
    fn the_text_has_the_range_of_single_runs() {
        assert_eq!(speed_up([2.0, 3.0, 4.0], [1.0, 1.0, 2.0]).text(), "3.00 times (1.00 to 4.00; 3 runs)");
    }
}
