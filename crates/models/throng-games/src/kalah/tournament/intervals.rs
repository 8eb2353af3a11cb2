//! 95 % confidence intervals of means.

/// Normal quantile for 95 % intervals.
const Z: f64 = 1.959_964;

/// A mean and its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The mean; NaN without observations.
    pub mean: f64,
    /// Lower end; NaN with too few observations.
    pub low: f64,
    /// Upper end; NaN with too few observations.
    pub high: f64,
}

/// Returns the mean of observations from 0 to 1 with Wilson's score interval. For `n` observations with mean `m`, its
/// centre is (m + z^2 / 2n) / (1 + z^2 / n) and its half-width z / (1 + z^2 / n) sqrt(m (1 - m) / n + z^2 / 4n^2), with
/// z = 1.96.
///
/// The interval is derived for proportions, whose observations are 0 or 1. The variance of observations in between is
/// at most m (1 - m), so their interval is too wide rather than too narrow.
///
/// ```
/// use throng_games::kalah::tournament::wilson;
///
/// let interval = wilson(&[1.0; 10]);
/// assert_eq!((interval.mean, (interval.low * 1000.0).round(), interval.high), (1.0, 722.0, 1.0));
/// ```
pub fn wilson(observations: &[f64]) -> Interval {
    let (n, mean) = (observations.len() as f64, mean(observations));
    let shrink = 1.0 + Z * Z / n;
    let middle = (mean + Z * Z / (2.0 * n)) / shrink;
    let half = Z / shrink * (mean * (1.0 - mean) / n + Z * Z / (4.0 * n * n)).sqrt();
    let [low, high] = [middle - half, middle + half].map(|end| (end * 1e12).round() / 1e12);
    Interval { mean, low, high }
}

/// Returns the mean of any observations with the interval of ±1.96 s / sqrt(n), where s is their standard deviation
/// (with n - 1). A single observation has no interval.
///
/// ```
/// use throng_games::kalah::tournament::normal;
///
/// let interval = normal(&[1.0, 2.0, 3.0, 4.0]);
/// assert_eq!((interval.mean, (interval.high * 1000.0).round()), (2.5, 3765.0));
/// assert!(normal(&[1.0]).low.is_nan());
/// ```
pub fn normal(observations: &[f64]) -> Interval {
    let (n, mean) = (observations.len() as f64, mean(observations));
    let squares: f64 = observations.iter().map(|value| (value - mean) * (value - mean)).sum();
    let half = if observations.len() > 1 { Z * (squares / (n - 1.0) / n).sqrt() } else { f64::NAN };
    Interval { mean, low: mean - half, high: mean + half }
}

fn mean(observations: &[f64]) -> f64 {
    observations.iter().sum::<f64>() / observations.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of Wilson's interval in Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263 gives 0.2553
    /// to 0.3662; 0 of 20 gives 0 to 0.1611.
    #[test]
    fn published_intervals() {
        let of = |successes: usize, all: usize| {
            let observations: Vec<f64> = (0..all).map(|i| f64::from(u8::from(i < successes))).collect();
            let Interval { low, high, .. } = wilson(&observations);
            [low, high].map(|end| (end * 1e4).round() / 1e4)
        };
        assert_eq!(of(81, 263), [0.2553, 0.3662]);
        assert_eq!(of(0, 20), [0.0, 0.1611]);
        assert_eq!(of(1, 29), [0.0061, 0.1718]);
    }

    #[test]
    fn intervals_without_samples_are_nan() {
        assert!(wilson(&[]).mean.is_nan() && normal(&[]).low.is_nan());
        assert_eq!(normal(&[3.0, 3.0]), Interval { mean: 3.0, low: 3.0, high: 3.0 });
    }
}
