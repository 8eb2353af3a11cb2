//! Round numbers along a legend or an axis.

/// Ranges narrower than this, relative to their numbers, have no ticks, which would need more digits than floats have.
const MIN_RELATIVE_WIDTH: f64 = 1e-9;
/// Tolerance for ticks outside the range, as a fraction of a step, because ends such as 0.1 are inexact in binary.
const TOLERANCE: f64 = 1e-3;
/// Numbers of at least this size are written with an exponent.
const LARGE: f64 = 1e8;
/// Numbers with more decimals than this are written with an exponent.
const MAX_DECIMALS: i32 = 5;

/// Multiples of a step that is 1, 2 or 5 times a power of ten.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ticks {
    /// The step is `digit * 10^exponent`.
    digit: i64,
    exponent: i32,
    first: i64,
    last: i64,
}

impl Ticks {
    /// Returns the round numbers from `low` to `high`, with the smallest step that fits in between at most `max`
    /// times; `None` if the range is too narrow.
    pub(super) fn between(low: f64, high: f64, max: u32) -> Option<Self> {
        let width = high - low;
        let wide = width.is_finite() && width > MIN_RELATIVE_WIDTH * low.abs().max(high.abs());
        if !wide || max == 0 {
            return None;
        }
        let min_step = width / f64::from(max) * (1.0 - TOLERANCE);
        let exponent = libm::log10(min_step).floor() as i32;
        let digits = [(1, exponent), (2, exponent), (5, exponent), (1, exponent + 1)];
        let length = |(digit, exponent)| power_of_ten(exponent) * f64::from(digit);
        let (digit, exponent) = digits.into_iter().find(|&step| length(step) >= min_step).unwrap_or((1, exponent + 1));
        let step = length((digit, exponent));
        let first = (low / step - TOLERANCE).ceil() as i64;
        let last = (high / step + TOLERANCE).floor() as i64;
        Some(Self { digit: i64::from(digit), exponent, first, last })
    }

    /// Returns the distance between ticks.
    pub(super) fn step(&self) -> f64 {
        scaled(self.digit, self.exponent)
    }

    /// Returns each tick and its label.
    pub(super) fn labels(&self) -> Vec<(f64, String)> {
        let digits = |i: i64| i * self.digit;
        let largest = scaled(digits(self.first).abs().max(digits(self.last).abs()), self.exponent);
        let plain = largest < LARGE && -self.exponent <= MAX_DECIMALS;
        let label = |digits: i64| {
            let value = scaled(digits, self.exponent);
            let text = if plain {
                format!("{value:.*}", self.exponent.min(0).unsigned_abs() as usize)
            } else {
                with_exponent(digits, self.exponent)
            };
            (value, text)
        };
        (self.first..=self.last).map(|i| label(digits(i))).collect()
    }
}

/// Formats a single value exactly.
pub(super) fn exact(value: f32) -> String {
    let size = f64::from(value.abs());
    if size == 0.0 || (1e-4..LARGE).contains(&size) { format!("{value}") } else { format!("{value:e}") }
}

fn power_of_ten(exponent: i32) -> f64 {
    libm::pow(10.0, f64::from(exponent))
}

/// Computes `digits * 10^exponent`, by division where that is exact and multiplication is not.
fn scaled(digits: i64, exponent: i32) -> f64 {
    if exponent < 0 { digits as f64 / power_of_ten(-exponent) } else { digits as f64 * power_of_ten(exponent) }
}

/// Formats `digits * 10^exponent` with one digit before the decimal point, such as `1.25e9`.
fn with_exponent(digits: i64, exponent: i32) -> String {
    if digits == 0 {
        return "0".into();
    }
    let sign = if digits < 0 { "-" } else { "" };
    let all = digits.unsigned_abs().to_string();
    let (head, tail) = all.split_at(1);
    let exponent = exponent + tail.len() as i32;
    match tail.trim_end_matches('0') {
        "" => format!("{sign}{head}e{exponent}"),
        tail => format!("{sign}{head}.{tail}e{exponent}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(low: f64, high: f64, max: u32) -> Vec<String> {
        Ticks::between(low, high, max).unwrap().labels().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        assert_eq!(texts(0.0, 1.0, 6), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(-3.2, 9.9, 6), ["0", "5"]);
        assert_eq!(texts(-0.13, 0.31, 6), ["-0.1", "0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(texts(604_100.0, 604_600.0, 6), ["604100", "604200", "604300", "604400", "604500", "604600"]);
        assert_eq!(texts(f64::from(0.1f32), f64::from(0.3f32), 4), ["0.10", "0.15", "0.20", "0.25", "0.30"]);
    }

    #[test]
    fn large_and_small_numbers_have_an_exponent() {
        assert_eq!(texts(0.0, 2.5e9, 6), ["0", "5e8", "1e9", "1.5e9", "2e9", "2.5e9"]);
        assert_eq!(texts(-2e-7, 2e-7, 4), ["-2e-7", "-1e-7", "0", "1e-7", "2e-7"]);
        assert_eq!([exact(0.0), exact(-2.5), exact(1e10), exact(1e-7)], ["0", "-2.5", "1e10", "1e-7"]);
    }

    #[test]
    fn the_number_of_ticks_is_near_the_requested_number() {
        let mut width: f64 = 1.7e-38;
        while width < 1e38 {
            for low in [0.0, -0.3 * width, 12.0 * width] {
                let ticks = Ticks::between(low, low + width, 6).unwrap();
                let labels = ticks.labels();
                assert!((2..=7).contains(&labels.len()), "{low} {width}: {labels:?}");
                let slack = 0.01 * ticks.step();
                assert!(labels.iter().all(|&(value, _)| value >= low - slack && value <= low + width + slack));
            }
            width *= 1.37;
        }
    }

    #[test]
    fn empty_and_invalid_ranges_have_no_ticks() {
        for (low, high) in [(1.0, 1.0), (1e12, 1e12 + 1.0), (2.0, 1.0), (0.0, f64::INFINITY), (f64::NAN, 1.0)] {
            assert_eq!(Ticks::between(low, high, 5), None, "{low} {high}");
        }
        assert_eq!(Ticks::between(0.0, 1.0, 0), None);
    }
}
