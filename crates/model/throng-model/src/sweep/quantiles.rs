//! Quantiles over the replicates of a parameter set.

/// The quantiles, each with the minimum number of values for it: at least two values are expected on each side of a
/// quantile. With fewer values, a quantile would be little more than the minimum or maximum.
pub(super) const QUANTILES: [(f64, usize); 5] = [(0.1, 20), (0.25, 8), (0.5, 4), (0.75, 8), (0.9, 20)];
/// Minimum number of values for quartiles. Fewer runs are shown individually.
pub(super) const MIN_FOR_QUARTILES: usize = QUANTILES[1].1;

/// Returns the 10, 25, 50, 75 and 90 % quantiles of the finite values, interpolated linearly between values, so that
/// the 0 % quantile would be the minimum and the 100 % quantile the maximum. NaN where there are too few values.
pub(super) fn quantiles(values: impl IntoIterator<Item = f64>) -> [f64; 5] {
    let mut sorted: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    QUANTILES.map(|(fraction, minimum)| {
        if sorted.len() < minimum {
            return f64::NAN;
        }
        let at = fraction * (sorted.len() - 1) as f64;
        let (below, part) = (at.floor() as usize, at - at.floor());
        let low = sorted[below];
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
        let of_20 = quantiles((0..20).map(f64::from));
        assert!(of_20.iter().zip([1.9, 4.75, 9.5, 14.25, 17.1]).all(|(a, b)| (a - b).abs() < 1e-12), "{of_20:?}");
    }

    #[test]
    fn quantiles_need_a_minimum_number_of_values() {
        for (fraction, minimum) in QUANTILES {
            assert!(minimum as f64 * fraction.min(1.0 - fraction) > 1.999, "{fraction}");
        }
        let has = |count: u32| quantiles((0..count).map(f64::from).chain([f64::NAN])).map(f64::is_finite);
        assert_eq!([has(0), has(3)], [[false; 5]; 2]);
        assert_eq!([has(4), has(7)], [[false, false, true, false, false]; 2]);
        assert_eq!([has(8), has(19)], [[false, true, true, true, false]; 2]);
        assert_eq!(has(20), [true; 5]);
    }
}
