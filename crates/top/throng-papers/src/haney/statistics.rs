//! Means over seeds, and their ratios.

/// Statistics of a figure over seeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// The number of seeds.
    pub count: usize,
    /// Mean over seeds.
    pub mean: f64,
    /// Minimum over seeds.
    pub least: f64,
    /// Maximum over seeds.
    pub greatest: f64,
    /// The standard deviation over seeds; `None` for a single seed.
    pub deviation: Option<f64>,
}

impl Statistics {
    /// Computes the statistics of these values; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let (least, greatest) = (values.iter().copied().reduce(f64::min)?, values.iter().copied().reduce(f64::max)?);
        let count = values.len();
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let deviation = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
        Some(Self { count, mean, least, greatest, deviation })
    }

    /// The standard error of the mean.
    fn error(&self) -> Option<f64> {
        Some(self.deviation? / (self.count as f64).sqrt())
    }
}

/// A ratio with its standard error, which is unknown for a single seed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    /// Value of the ratio.
    pub value: f64,
    /// Its standard error; `None` if unknown.
    pub error: Option<f64>,
}

impl Ratio {
    /// The ratio of the means of independent runs. `None` if the second is not positive.
    pub fn of_means(of: &Statistics, to: &Statistics) -> Option<Self> {
        if to.mean <= 0.0 {
            return None;
        }
        let value = of.mean / to.mean;
        let error = of.error().zip(to.error()).map(|(a, b)| (a * a + value * value * b * b).sqrt() / to.mean);
        Some(Self { value, error })
    }

    /// The ratio of a mean to the figure of a single run, which is assumed to vary as much between seeds as the
    /// measured runs. `None` if the figure is not positive.
    pub fn to_single(of: &Statistics, single: f64) -> Option<Self> {
        let error = of.deviation.map(|deviation| deviation * (1.0 + 1.0 / of.count as f64).sqrt() / single);
        (single > 0.0).then(|| Self { value: of.mean / single, error })
    }

    /// Its distance from 1.
    pub fn difference(&self) -> f64 {
        (self.value - 1.0).abs()
    }

    /// The minimum distance from 1 within two standard errors; 0 if the error is unknown.
    pub fn nearest(&self) -> f64 {
        self.error.map_or(0.0, |error| (self.difference() - 2.0 * error).max(0.0))
    }

    /// The maximum distance from 1 within two standard errors. If the error is unknown: 0 for a ratio of exactly 1,
    /// else infinity.
    pub fn farthest(&self) -> f64 {
        let unknown = if self.difference() == 0.0 { 0.0 } else { f64::INFINITY };
        self.error.map_or(unknown, |error| self.difference() + 2.0 * error)
    }

    /// Text for tables, such as `1.02 ± 0.01`.
    pub fn text(&self) -> String {
        self.error.map_or_else(|| format!("{:.2}", self.value), |error| format!("{:.2} ± {error:.2}", self.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_match_hand_computed_values() {
        assert_eq!(Statistics::of(&[]), None);
        let one = Statistics::of(&[3.0]).unwrap();
        assert_eq!((one.mean, one.deviation), (3.0, None));
        let four = Statistics::of(&[1.0, 3.0, 1.0, 3.0]).unwrap();
        assert_eq!((four.mean, four.least, four.greatest), (2.0, 1.0, 3.0));
        assert!((four.error().unwrap() - (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn ratios_match_hand_computed_values() {
        let constant = Statistics::of(&[2.0, 2.0]).unwrap();
        let varied = Statistics::of(&[2.0, 4.0]).unwrap();
        // The standard error of the second mean is 1.
        assert_eq!(Ratio::of_means(&varied, &constant).unwrap(), Ratio { value: 1.5, error: Some(0.5) });
        let ratio = Ratio::of_means(&constant, &varied).unwrap();
        assert!((ratio.error.unwrap() - 2.0 / 9.0).abs() < 1e-12, "{ratio:?}");
        assert_eq!(Ratio::of_means(&constant, &Statistics::of(&[0.0]).unwrap()), None);
        let ratio = Ratio::to_single(&varied, 2.0).unwrap();
        assert!((ratio.error.unwrap() - 3.0_f64.sqrt() / 2.0).abs() < 1e-12, "{ratio:?}");
        assert_eq!(Ratio { value: 1.5, error: Some(0.125) }.text(), "1.50 ± 0.12");
    }

    #[test]
    fn two_standard_errors_bound_the_distance_from_1() {
        let ratio = Ratio { value: 1.5, error: Some(0.125) };
        assert_eq!((ratio.nearest(), ratio.farthest()), (0.25, 0.75));
        assert_eq!(Ratio { value: 0.75, ..ratio }.nearest(), 0.0);
        // With a single seed, only an exact ratio of 1 is certain.
        let unknown = Ratio { value: 1.5, error: None };
        assert_eq!((unknown.nearest(), unknown.farthest()), (0.0, f64::INFINITY));
        assert_eq!(Ratio { value: 1.0, error: None }.farthest(), 0.0);
    }
}
