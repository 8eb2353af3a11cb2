//! Values per time interval, for events that come in order.

/// Bins of equal width. The first bin contains the first event.
#[derive(Debug, Clone)]
pub struct Bins<T> {
    width_s: f64,
    first: i64,
    items: Vec<T>,
}

/// Maximum number of bins, more than any day needs. A longer run adds to the last one, so memory is bounded.
const MAX_BINS: i64 = 1 << 20;

impl<T: Default> Bins<T> {
    /// Creates an empty list of bins; `width_s` must be positive.
    pub fn new(width_s: f64) -> Self {
        Self { width_s, first: 0, items: Vec::new() }
    }

    /// Returns the bin of `time`, and creates the bins in between.
    pub fn at(&mut self, time: f64) -> &mut T {
        let number = (time / self.width_s).floor() as i64;
        if self.items.is_empty() {
            self.first = number;
        }
        let i = (number - self.first).clamp(0, MAX_BINS - 1) as usize;
        if i >= self.items.len() {
            self.items.resize_with(i + 1, T::default);
        }
        &mut self.items[i]
    }

    /// Returns the width of a bin, seconds.
    pub fn width_s(&self) -> f64 {
        self.width_s
    }

    /// Iterates over the start time and value of each bin.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (f64, &T)> {
        self.items.iter().enumerate().map(|(i, item)| ((self.first + i as i64) as f64 * self.width_s, item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled() {
        let mut bins = Bins::<u32>::new(300.0);
        *bins.at(21_510.0) += 1;
        *bins.at(21_599.9) += 1;
        *bins.at(22_200.0) += 5;
        *bins.at(0.0) += 1;
        let all: Vec<(f64, u32)> = bins.iter().map(|(t, &n)| (t, n)).collect();
        assert_eq!(all, [(21_300.0, 3), (21_600.0, 0), (21_900.0, 0), (22_200.0, 5)]);
    }
}
