//! The values that the colours of an image span.

use throng_core::InputError;
use throng_core::checks::finite;

/// A range from the lowest to the highest value; both are finite, and may be equal.
///
/// ```
/// use throng_pictures::ValueRange;
///
/// // A range for both frames of an animation.
/// let frames = [[0.5, 2.0], [-3.0, f32::NAN]].map(|values| ValueRange::of(&values));
/// let both = frames[0].zip(frames[1]).map(|(first, second)| first.and(second));
/// assert_eq!(both.map(|range| (range.low(), range.high())), Some((-3.0, 2.0)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueRange {
    low: f32,
    high: f32,
}

impl ValueRange {
    /// Creates a range with given ends.
    ///
    /// # Errors
    /// When an end is not finite, or `low` exceeds `high`.
    pub fn new(low: f32, high: f32) -> Result<Self, InputError> {
        finite("value range, low", low)?;
        finite("value range, high", high)?;
        if low > high {
            let remedy = "expected the lower end first";
            return Err(InputError::one("value range", format!("{low} to {high}"), remedy));
        }
        Ok(Self { low, high })
    }

    /// Returns the range of the finite values; `None` if there are none.
    pub fn of(values: &[f32]) -> Option<Self> {
        let finite = values.iter().copied().filter(|value| value.is_finite());
        let start = (f32::INFINITY, f32::NEG_INFINITY);
        let (low, high) = finite.fold(start, |(low, high), value| (value.min(low), value.max(high)));
        (low <= high).then_some(Self { low, high })
    }

    /// Returns the smallest range that contains both, for example for all frames of an animation.
    pub fn and(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Returns the lower end.
    pub fn low(self) -> f32 {
        self.low
    }

    /// Returns the upper end.
    pub fn high(self) -> f32 {
        self.high
    }

    /// Returns the position of a value in the range, from 0 at the lower to 1 at the upper end; 0.5 if both are equal.
    pub(super) fn share(self, value: f32) -> f64 {
        if self.low == self.high {
            return 0.5;
        }
        (f64::from(value) - f64::from(self.low)) / (f64::from(self.high) - f64::from(self.low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_only_finite_values() {
        let range = ValueRange::of(&[f32::NAN, 2.0, f32::INFINITY, -1.5, f32::NEG_INFINITY]).unwrap();
        assert_eq!((range.low(), range.high()), (-1.5, 2.0));
        assert_eq!(ValueRange::of(&[f32::NAN, f32::INFINITY]), None);
    }

    #[test]
    fn a_constant_field_is_in_the_middle_of_its_range() {
        let range = ValueRange::of(&[7.0; 3]).unwrap();
        assert_eq!((range.low(), range.high(), range.share(7.0)), (7.0, 7.0, 0.5));
        let all = ValueRange::new(f32::MIN, f32::MAX).unwrap();
        assert_eq!((all.share(f32::MIN), all.share(0.0), all.share(f32::MAX)), (0.0, 0.5, 1.0));
    }

    #[test]
    fn ranges_are_joined_and_checked() {
        let joined = ValueRange::new(0.0, 2.0).unwrap().and(ValueRange::new(-1.0, 1.0).unwrap());
        assert_eq!((joined.low(), joined.high()), (-1.0, 2.0));
        assert_eq!(ValueRange::new(1.0, 0.0).unwrap_err().place(), "value range");
        assert_eq!(ValueRange::new(f32::NAN, 0.0).unwrap_err().place(), "value range, low");
        assert_eq!(ValueRange::new(0.0, f32::INFINITY).unwrap_err().place(), "value range, high");
    }
}
