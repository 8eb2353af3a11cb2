//! The periods of a run, for slowly changing quantities.

/// Number of periods of a run.
const PERIODS: u64 = 4;

/// The days of a run, split into four periods of nearly equal length.
#[derive(Debug, Clone, Copy)]
pub struct Periods {
    days: u64,
}

impl Periods {
    pub fn new(days: u32) -> Self {
        Self { days: u64::from(days).max(1) }
    }

    /// Returns the index of the period of a day. Days are counted from 1; day 0 belongs to the first period.
    pub fn of(self, day: u64) -> u64 {
        (day.saturating_sub(1) * PERIODS / self.days).min(PERIODS - 1)
    }

    /// Returns the first and the last day of a period; a very short run has empty periods.
    pub fn days(self, period: u64) -> [u64; 2] {
        let end = |period: u64| (period * self.days).div_ceil(PERIODS);
        [end(period) + 1, end(period + 1)]
    }

    /// Whether a day is the last of its period.
    pub fn is_last(self, day: u64) -> bool {
        day > 0 && self.days(self.of(day))[1] == day
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_contain_their_days() {
        for days in [1, 3, 4, 5, 10, 13, 200] {
            let periods = Periods::new(days);
            let mut last = 0;
            for day in 1..=u64::from(days) {
                let [from, to] = periods.days(periods.of(day));
                assert!((from..=to).contains(&day), "day {day} of {days}: {from} to {to}");
                assert_eq!(periods.is_last(day), day == to);
                last = to;
            }
            assert_eq!(last, u64::from(days));
        }
        assert_eq!([0, 1, 2, 3].map(|period| Periods::new(10).days(period)), [[1, 3], [4, 5], [6, 8], [9, 10]]);
    }
}
