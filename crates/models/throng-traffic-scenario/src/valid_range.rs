//! Valid ranges of numbers, for files and for scenarios built in code.

use throng_core::Problems;
use throng_core::clock::MAX_SECONDS;

use crate::settings::MIN_DURATION_S;

/// The valid range of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValidRange {
    /// Above 0 and finite.
    Positive,
    /// Above 0; infinity is allowed.
    PositiveOrInfinite,
    /// 0 or more; infinity is allowed.
    NotNegative,
    /// 0 or more and finite.
    NotNegativeFinite,
    /// Anything but NaN and infinity.
    Finite,
    /// Anything but NaN.
    Number,
    /// The length of a step or time bin, seconds: from [`MIN_DURATION_S`] to [`MAX_SECONDS`].
    Duration,
    /// A time of day, seconds: from 0 to [`MAX_SECONDS`].
    TimeOfDay,
    /// Time that a person takes at the doors of a vehicle, seconds: from 0 to an hour.
    TimeAtDoors,
}

impl ValidRange {
    /// Whether `value` is in the range.
    #[inline]
    pub fn holds(self, value: f64) -> bool {
        match self {
            Self::Positive => value > 0.0 && value.is_finite(),
            Self::PositiveOrInfinite => value > 0.0,
            Self::NotNegative => value >= 0.0,
            Self::NotNegativeFinite => value >= 0.0 && value.is_finite(),
            Self::Finite => value.is_finite(),
            Self::Number => !value.is_nan(),
            Self::Duration => (MIN_DURATION_S..=MAX_SECONDS).contains(&value),
            Self::TimeOfDay => (0.0..=MAX_SECONDS).contains(&value),
            Self::TimeAtDoors => (0.0..=3600.0).contains(&value),
        }
    }

    /// Describes the range for messages.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Positive => "a finite number above 0",
            Self::PositiveOrInfinite => "a number above 0, or Infinity",
            Self::NotNegative => "a number not below 0",
            Self::NotNegativeFinite => "a finite number not below 0",
            Self::Finite => "a finite number",
            Self::Number => "a number",
            Self::Duration => "a number from 0.01 to 1000000000",
            Self::TimeOfDay => "a number from 0 to 1000000000",
            Self::TimeAtDoors => "a number from 0 to 3600",
        }
    }

    /// Adds a problem if `value` is not in the range. `unit` is the end of the remedy, for example ` (metres)`.
    pub(crate) fn check(self, value: f64, unit: &str, place: impl FnOnce() -> String, problems: &mut Problems) {
        if !self.holds(value) {
            problems.push(place(), value.to_string(), format!("expected {}{unit}", self.in_words()));
        }
    }
}
