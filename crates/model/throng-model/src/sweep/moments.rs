//! Means over the runs of a parameter set, their confidence intervals, and differences between parameter sets.

use super::student;

/// Probability that an interval does not contain the true value.
const ALPHA: f64 = 0.05;

/// Number, mean and variance of values, computed incrementally (Welford, Technometrics 4, 1962). Values that are not
/// finite are ignored.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Moments {
    count: u32,
    mean: f64,
    /// Sum of the squared differences from the mean.
    squares: f64,
}

/// The difference between the means of two parameter sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Difference {
    /// Second mean minus first mean.
    pub value: f64,
    pub standard_error: f64,
    /// Degrees of freedom after Welch; NaN if neither set has a spread, or one has fewer than two values.
    pub degrees_of_freedom: f64,
}

impl Moments {
    /// Computes the moments of some values.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut moments = Self::default();
        values.into_iter().for_each(|value| moments.add(value));
        moments
    }

    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        if value.is_finite() {
            self.count += 1;
            let from_old = value - self.mean;
            self.mean += from_old / f64::from(self.count);
            self.squares += from_old * (value - self.mean);
        }
    }

    /// Returns the number of values.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the mean; NaN if there are no values.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { f64::NAN } else { self.mean }
    }

    /// Returns the unbiased variance (divisor `n - 1`); NaN for fewer than two values.
    fn variance(&self) -> f64 {
        if self.count < 2 { f64::NAN } else { self.squares / f64::from(self.count - 1) }
    }

    /// Returns the standard deviation; NaN for fewer than two values.
    pub fn standard_deviation(&self) -> f64 {
        self.variance().sqrt()
    }

    fn variance_of_mean(&self) -> f64 {
        self.variance() / f64::from(self.count)
    }

    /// Returns the standard error of the mean; NaN for fewer than two values.
    pub fn standard_error(&self) -> f64 {
        self.variance_of_mean().sqrt()
    }

    /// Returns half the width of the 95 % confidence interval of the mean: the standard error times the quantile of
    /// Student's t with one degree of freedom fewer than there are values. NaN for fewer than two values.
    pub fn half_width(&self) -> f64 {
        half_width(self.standard_error(), ALPHA, f64::from(self.count) - 1.0)
    }

    /// Returns the lower end of the confidence interval, the mean, and the upper end.
    pub fn interval(&self) -> [f64; 3] {
        let (mean, half) = (self.mean(), self.half_width());
        [mean - half, mean, mean + half]
    }

    /// Returns the mean of `other` minus this mean. The standard error is NaN unless both have at least two values.
    pub fn difference(&self, other: &Self) -> Difference {
        let [a, b] = [self, other].map(Self::variance_of_mean);
        let sum = a + b;
        // Welch-Satterthwaite equation, in fractions of the sum, whose squares do not underflow.
        let [of_a, of_b] = [(a, self), (b, other)].map(|(variance, moments)| {
            let fraction = variance / sum;
            fraction * fraction / (f64::from(moments.count) - 1.0)
        });
        Difference {
            value: other.mean() - self.mean(),
            standard_error: sum.sqrt(),
            degrees_of_freedom: 1.0 / (of_a + of_b),
        }
    }
}

impl Difference {
    /// Returns half the width of the confidence interval of the difference (Welch, Biometrika 34, 1947). With
    /// Bonferroni's correction for `comparisons` comparisons, all intervals together contain the true differences with
    /// a probability of at least 95 %. NaN if neither set has a spread, or one has fewer than two values.
    pub fn half_width(&self, comparisons: u64) -> f64 {
        // Two sets of equal values have no spread from which to estimate the uncertainty of the difference.
        if self.standard_error == 0.0 {
            return f64::NAN;
        }
        half_width(self.standard_error, ALPHA / comparisons.max(1) as f64, self.degrees_of_freedom)
    }
}

fn half_width(standard_error: f64, alpha: f64, degrees_of_freedom: f64) -> f64 {
    // Equal values have no spread, and possibly no degrees of freedom.
    if standard_error == 0.0 { 0.0 } else { standard_error * student::two_sided(alpha, degrees_of_freedom) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() <= 1e-9 * expected.abs().max(1.0)
    }

    #[test]
    fn intervals_of_means_match_a_textbook() {
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares 32, variance 32/7. t(7) = 2.364624.
        let moments = Moments::of([2.0, 4.0, f64::NAN, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0, f64::INFINITY]);
        assert_eq!((moments.count(), moments.mean()), (8, 5.0));
        assert!(near(moments.standard_deviation(), (32.0_f64 / 7.0).sqrt()));
        assert!(near(moments.standard_error(), (32.0_f64 / 56.0).sqrt()));
        assert!((moments.half_width() - 2.364_624 * 0.755_929).abs() < 1e-5, "{}", moments.half_width());
        let [low, mean, high] = moments.interval();
        assert!(near(high - mean, mean - low) && near(mean, 5.0));
    }

    #[test]
    fn intervals_need_two_values_and_have_no_width_for_equal_values() {
        let [none, one] = [Moments::default(), Moments::of([3.0])];
        assert!(none.mean().is_nan() && none.half_width().is_nan());
        assert!(one.mean() == 3.0 && one.standard_deviation().is_nan() && one.half_width().is_nan());
        let equal = Moments::of([3.0; 4]);
        assert_eq!((equal.standard_error(), equal.interval()), (0.0, [3.0; 3]));
        let difference = equal.difference(&Moments::of([5.0, 5.0]));
        assert!(difference.value == 2.0 && difference.half_width(9).is_nan() && difference.degrees_of_freedom.is_nan());
        assert!(one.difference(&equal).half_width(1).is_nan() && one.difference(&equal).value == 0.0);
    }

    /// Returns the moments of an even number of values with the given mean and standard deviation.
    fn with(count: u32, mean: f64, deviation: f64) -> Moments {
        let from_mean = deviation * (f64::from(count - 1) / f64::from(count)).sqrt();
        Moments::of((0..count).map(|i| if i % 2 == 0 { mean - from_mean } else { mean + from_mean }))
    }

    #[test]
    fn differences_match_the_formula_of_welch() {
        // Means 20.0 and 22.0, variances 4 and 16, 10 and 20 values: standard error sqrt(0.4 + 0.8) = 1.0954,
        // degrees of freedom 1.44 / (0.16 / 9 + 0.64 / 19) = 27.99, t = 2.0485.
        let difference = with(10, 20.0, 2.0).difference(&with(20, 22.0, 4.0));
        assert!(near(difference.value, 2.0) && near(difference.standard_error, 1.2_f64.sqrt()), "{difference:?}");
        assert!(near(difference.degrees_of_freedom, 1.44 / (0.16 / 9.0 + 0.64 / 19.0)));
        assert!((difference.half_width(1) - 2.0485 * 1.2_f64.sqrt()).abs() < 1e-3, "{}", difference.half_width(1));
        assert!(difference.half_width(3) > difference.half_width(1));
        // Spreads so small that their squares underflow.
        let tiny = with(4, 0.0, 1e-120).difference(&with(4, 0.0, 1e-120));
        assert!(near(tiny.degrees_of_freedom, 6.0), "{tiny:?}");
    }

    #[test]
    fn overlapping_quartiles_do_not_hide_a_difference() {
        // Two sets of 200 runs with overlapping quartiles, means 4.45 and 4.85 and deviations of 0.74: t = 5.4.
        let difference = with(200, 4.45, 0.74).difference(&with(200, 4.85, 0.74));
        assert!((difference.value / difference.standard_error - 5.4).abs() < 0.05);
        assert!(difference.value > difference.half_width(1));
        assert!((difference.half_width(1) - 1.966 * 0.074).abs() < 1e-3);
    }
}
