//! Values in A and B and their change, as text.

/// Formats a value in A and B with `digits` decimals, and the change: `10.7 -> 10.6 (-0.03)`. The change has one more
/// decimal, because it may be smaller than the last place of the values; changes of whole numbers have none. A value
/// that is not finite is a dash.
pub(super) fn change([a, b]: [f64; 2], digits: usize) -> String {
    let text = |value: f64| if value.is_finite() { format!("{value:.digits$}") } else { "-".to_owned() };
    let of_change = if digits == 0 { 0 } else { digits + 1 };
    let change = format!("{:+.of_change$}", b - a);
    match change.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
        _ if !(b - a).is_finite() => format!("{} -> {}", text(a), text(b)),
        true => format!("{} -> {} ({change})", text(a), text(b)),
        // Without the sign of a negative zero.
        false => format!("{} -> {} ({})", text(a), text(b), change.trim_start_matches(['+', '-'])),
    }
}

/// The shortest value that at least `percent` of the values do not exceed; NaN without values. Sorts the values.
pub(super) fn percentile(values: &mut [f64], percent: usize) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let rank = (values.len() * percent).div_ceil(100).max(1) - 1;
    values.get(rank).copied().unwrap_or(f64::NAN)
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_a_sign_and_unknown_values_have_none() {
        assert_eq!(change([11.25, 3.5], 1), "11.2 -> 3.5 (-7.75)");
        assert_eq!(change([10.67, 10.64], 1), "10.7 -> 10.6 (-0.03)");
        assert_eq!(change([1.0, 1.004], 1), "1.0 -> 1.0 (0.00)");
        assert_eq!(change([1.004, 1.0], 1), "1.0 -> 1.0 (0.00)");
        assert_eq!(change([f64::NAN, 2.0], 0), "- -> 2");
        assert_eq!(change([7.0, 9.0], 0), "7 -> 9 (+2)");
    }

    #[test]
    fn percentiles_are_values_of_the_data() {
        for (n, of_50, of_90) in [(1u16, 1.0, 1.0), (2, 1.0, 2.0), (20, 10.0, 18.0), (101, 51.0, 91.0)] {
            let mut values: Vec<f64> = (1..=n).rev().map(f64::from).collect();
            assert_eq!([50, 90].map(|percent| percentile(&mut values, percent)), [of_50, of_90], "{n} values");
        }
        assert!(percentile(&mut [], 50).is_nan());
    }
}
