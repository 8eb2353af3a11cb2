//! Quantiles over the replicates of a parameter set.

/// The shares whose quantiles are shown.
pub(super) const SHARES: [f64; 5] = [0.1, 0.25, 0.5, 0.75, 0.9];

/// The quantiles of 10, 25, 50, 75 and 90 % of the values that are finite: between two values they are interpolated linearly,
/// so that the quantile of 0 % is the smallest value and that of 100 % the largest. NaN without values.
pub(super) fn quantiles(values: impl IntoIterator<Item = f64>) -> [f64; 5] {
    let mut sorted: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    SHARES.map(|share| {
        let at = share * sorted.len().saturating_sub(1) as f64;
        let (below, part) = (at.floor() as usize, at - at.floor());
        let Some(&low) = sorted.get(below) else { return f64::NAN };
        let high = sorted.get(below + 1).copied().unwrap_or(low);
        low + part * (high - low)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_interpolated() {
        assert_eq!(quantiles((0..=100).rev().map(f64::from)), [10.0, 25.0, 50.0, 75.0, 90.0]);
        assert_eq!(quantiles([1.0, 2.0]), [1.1, 1.25, 1.5, 1.75, 1.9]);
        assert_eq!(quantiles([f64::NAN, 3.0]), [3.0; 5]);
        assert!(quantiles([]).iter().all(|value| value.is_nan()));
    }
}
