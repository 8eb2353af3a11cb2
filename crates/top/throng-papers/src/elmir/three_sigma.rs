//! The range of a speed-up, from means and standard deviations (section 5.5 of the thesis).

use throng_core::three_figures;

use crate::experiment::Times;

/// Mean and standard deviation of run times, seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// Standard deviation of a single run.
    pub deviation: f64,
}

impl Spread {
    /// Mean and sample standard deviation; `None` for a single run.
    pub fn of(times: &Times) -> Option<Self> {
        let (mean, runs) = (times.mean(), times.runs() as f64);
        let squares: f64 = times.seconds().iter().map(|seconds| (seconds - mean) * (seconds - mean)).sum();
        (times.runs() > 1).then(|| Self { mean, deviation: (squares / (runs - 1.0)).sqrt() })
    }
}

/// A speed-up with the range that the thesis gives: three standard deviations around both means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The shortest time of the slow program over the longest of the fast one.
    pub least: f64,
    /// The ratio of the means.
    pub mean: f64,
    /// The longest time of the slow program over the shortest of the fast one; infinite if that is not positive.
    pub greatest: f64,
}

impl Range {
    /// The speed-up of `fast` over `slow`.
    pub fn of(slow: Spread, fast: Spread) -> Self {
        let at = |spread: Spread, sigmas: f64| (spread.mean + sigmas * spread.deviation).max(0.0);
        Self {
            least: at(slow, -3.0) / at(fast, 3.0),
            mean: slow.mean / fast.mean,
            greatest: at(slow, 3.0) / at(fast, -3.0),
        }
    }

    /// Text such as `18.8 times (18.5 to 19.0)`.
    pub fn text(self) -> String {
        let [least, mean, greatest] = [self.least, self.mean, self.greatest].map(three_figures);
        format!("{mean} times ({least} to {greatest})")
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::Case;
    use super::super::program::Program;
    use super::super::published;
    use super::*;

    #[test]
    fn three_deviations_around_both_means_bound_a_speed_up() {
        let range = Range::of(Spread { mean: 8.0, deviation: 1.0 }, Spread { mean: 2.0, deviation: 0.5 });
        assert_eq!(range, Range { least: 5.0 / 3.5, mean: 4.0, greatest: 22.0 });
        let uncertain = Range::of(Spread { mean: 8.0, deviation: 3.0 }, Spread { mean: 2.0, deviation: 1.0 });
        assert_eq!((uncertain.least, uncertain.greatest), (0.0, f64::INFINITY));
    }

    #[test]
    fn deviations_need_two_runs() {
        assert_eq!(Spread::of(&Times::of(vec![2.0])), None);
        let found = Spread::of(&Times::of(vec![1.0, 3.0])).unwrap();
        assert_eq!((found.mean, found.deviation), (2.0, 2.0_f64.sqrt()));
    }

    #[test]
    fn the_range_in_the_text_of_the_thesis_is_wider_than_that_of_its_table() {
        let case = Case { radius: 15.0, resolution: 2048, count: 2048 };
        let [copy, shared] =
            [Program::CpuCopy, Program::GpuShared].map(|program| published::times(case, program).unwrap());
        assert_eq!(Range::of(copy, shared).text(), "18.8 times (18.5 to 19.0)");
    }
}
