//! Medians of times.

/// The median of times that are in ascending order, of which there is one at least.
pub(super) fn median(seconds: &[f64]) -> f64 {
    seconds[seconds.len() / 2]
}
