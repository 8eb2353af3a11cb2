//! Checks of single numbers.

use crate::InputError;

/// Refuses anything but finite numbers, in single or double precision.
///
/// # Errors
/// Any other number.
pub fn finite<T: Into<f64> + Copy + std::fmt::Display>(place: &str, value: T) -> Result<T, InputError> {
    if value.into().is_finite() { Ok(value) } else { Err(InputError::one(place, value, "expected a finite number")) }
}

/// Refuses anything but finite numbers above 0.
///
/// # Errors
/// Any other number.
pub fn positive(place: &str, value: f32) -> Result<f32, InputError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(InputError::one(place, value, "expected a finite number above 0"))
    }
}

/// Refuses anything but finite numbers of 0 or more.
///
/// # Errors
/// Any other number.
pub fn not_negative(place: &str, value: f32) -> Result<f32, InputError> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(InputError::one(place, value, "expected a finite number, 0 or more"))
    }
}
