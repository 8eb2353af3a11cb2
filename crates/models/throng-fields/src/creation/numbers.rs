//! Numbers in the sentences of plans.

use std::fmt;

/// A time with two digits, in a suitable unit.
pub(super) struct Time(pub f64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // From 0.995 on, two digits of a number are 1.0.
        let (factor, unit) = match self.0 {
            seconds if seconds >= 0.995 => (1.0, "s"),
            seconds if seconds >= 0.995e-3 => (1e3, "ms"),
            _ => (1e6, "µs"),
        };
        write!(f, "{} {unit}", TwoDigits((self.0 * factor) as f32))
    }
}

/// A number of 0 or more, rounded to two significant digits.
pub(super) struct TwoDigits(pub f32);

impl fmt::Display for TwoDigits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0.0 {
            return f.write_str("0");
        }
        if !(1e-4..1e7).contains(&self.0) {
            return write!(f, "{:.1e}", self.0);
        }
        let number = f64::from(self.0);
        let unit_for = |digits_before: f64| libm::pow(10.0, digits_before - 1.0);
        let before = libm::log10(number).floor();
        // 9.96 has one digit before the point, and 10 two.
        let before = if (number / unit_for(before)).round() >= 100.0 { before + 1.0 } else { before };
        let unit = unit_for(before);
        write!(f, "{:.*}", (1.0 - before).max(0.0) as usize, (number / unit).round() * unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_two_digits() {
        let text = |number: f32| TwoDigits(number).to_string();
        assert_eq!([0.0312, 0.5, 1.0, 18.4, 12345.0].map(text), ["0.031", "0.50", "1.0", "18", "12000"]);
        assert_eq!([0.0, 1.26e-7, 3e12, f32::INFINITY].map(text), ["0", "1.3e-7", "3.0e12", "inf"]);
        assert_eq!([9.96, 0.0996, 99.6, 0.994].map(text), ["10", "0.10", "100", "0.99"]);
        let time = |seconds| Time(seconds).to_string();
        assert_eq!([2.36, 0.212, 95e-6].map(time), ["2.4 s", "210 ms", "95 µs"]);
        assert_eq!([0.9994, 0.9996e-3, 0.994].map(time), ["1.0 s", "1.0 ms", "990 ms"]);
    }
}
