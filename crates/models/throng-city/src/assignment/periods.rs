//! The periods of the day for which volumes are counted.

/// Beginning of each period, hours; the last period ends at [`END_H`].
const BEGIN_H: [f64; 12] = [0.0, 6.0, 6.75, 7.5, 8.25, 9.25, 12.0, 15.0, 16.25, 17.25, 18.25, 20.0];
const END_H: f64 = 24.0;

/// Number of periods.
pub(crate) const PERIODS: usize = BEGIN_H.len();

/// Returns the period of a time of day in seconds; times after midnight belong to the last one.
pub(crate) fn period_of(time_s: f64) -> u8 {
    BEGIN_H.partition_point(|&begin| begin * 3600.0 <= time_s).saturating_sub(1) as u8
}

/// Returns the length of a period, hours.
pub(crate) fn hours(period: usize) -> f64 {
    BEGIN_H.get(period + 1).copied().unwrap_or(END_H) - BEGIN_H[period]
}

/// Whether a period belongs to the morning peak.
pub(crate) fn morning_peak(period: usize) -> bool {
    (6.75..8.25).contains(&BEGIN_H[period])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_map_to_periods() {
        assert_eq!([0.0, 21_599.0, 21_600.0, 27_000.0, 100_000.0].map(period_of), [0, 0, 1, 3, 11]);
        assert_eq!(hours(0), 6.0);
        assert_eq!((0..PERIODS).map(hours).sum::<f64>(), 24.0);
        assert_eq!((0..PERIODS).filter(|&p| morning_peak(p)).count(), 2);
    }
}
