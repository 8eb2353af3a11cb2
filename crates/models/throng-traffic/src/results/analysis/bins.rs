//! Values per time interval.

/// Bins of equal width, in order of time. Only bins with events exist, so memory is bounded for days of any length.
#[derive(Debug, Clone)]
pub struct Bins<T> {
    width_s: f64,
    /// Number and value of each bin.
    items: Vec<(i64, T)>,
}

impl<T: Default> Bins<T> {
    /// Creates an empty list of bins; `width_s` must be positive.
    pub fn new(width_s: f64) -> Self {
        Self { width_s, items: Vec::new() }
    }

    /// Returns the bin of `time`; fast for events in chronological order.
    pub fn at(&mut self, time: f64) -> &mut T {
        let number = (time / self.width_s).floor() as i64;
        let is_last = self.items.last().is_some_and(|last| last.0 == number);
        let at = if is_last { self.items.len() - 1 } else { self.items.partition_point(|bin| bin.0 < number) };
        if self.items.get(at).is_none_or(|bin| bin.0 != number) {
            self.items.insert(at, (number, T::default()));
        }
        &mut self.items[at].1
    }

    /// Iterates over the start time and value of each bin with events.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (f64, &T)> {
        self.items.iter().map(|(number, item)| (*number as f64 * self.width_s, item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bins_with_events_exist() {
        let mut bins = Bins::<u32>::new(300.0);
        for time in [21_510.0, 21_599.9, 22_200.0, 0.0, 999_999_000.0, 22_300.0] {
            *bins.at(time) += 1;
        }
        let all: Vec<(f64, u32)> = bins.iter().map(|(t, &n)| (t, n)).collect();
        assert_eq!(all, [(0.0, 1), (21_300.0, 2), (22_200.0, 2), (999_999_000.0, 1)]);
    }
}
