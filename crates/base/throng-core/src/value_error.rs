//! Errors about single values.

use thiserror::Error;

/// An invalid value: its place, the value, and the remedy.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{place}: {value}\n    {remedy}")]
pub struct ValueError {
    /// The place of the value, such as "profile, knot 3, distance".
    pub place: String,
    /// The value.
    pub value: String,
    /// Remedy, such as the valid values.
    pub remedy: String,
    /// The cause of the error.
    pub cause: Cause,
}

/// The cause of a [`ValueError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// An invalid value.
    Value,
    /// The machine: insufficient memory, or an output that cannot be written, such as on a full disk.
    Machine,
}

impl ValueError {
    /// Creates an error from the place of a value, the value and the remedy.
    pub fn new(place: impl Into<String>, value: impl std::fmt::Display, remedy: impl Into<String>) -> Self {
        Self { place: place.into(), value: value.to_string(), remedy: remedy.into(), cause: Cause::Value }
    }

    /// Creates an error for an output that could not be written.
    pub fn not_written(place: &str, error: impl std::fmt::Display) -> Self {
        Self::new(place, format!("not written: {error}"), "check that the target is writable and has free space")
            .of_machine()
    }

    /// Sets the machine as the cause.
    pub fn of_machine(self) -> Self {
        Self { cause: Cause::Machine, ..self }
    }

    /// Prefixes the place with an enclosing object: `entity 7` before `radius`.
    pub fn within(mut self, outer: &str) -> Self {
        self.place = format!("{outer}, {}", self.place);
        self
    }
}

/// Rejects numbers that are not finite, in single or double precision.
///
/// # Errors
/// If the number is not finite.
pub fn finite<T: Into<f64> + Copy + std::fmt::Display>(place: &str, value: T) -> Result<T, ValueError> {
    if value.into().is_finite() { Ok(value) } else { Err(ValueError::new(place, value, "expected a finite number")) }
}

/// Rejects numbers that are not finite and positive.
///
/// # Errors
/// If the number is not finite and positive.
pub fn positive(place: &str, value: f32) -> Result<f32, ValueError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(ValueError::new(place, value, "expected a finite number above 0"))
    }
}

/// Rejects numbers that are negative or not finite.
///
/// # Errors
/// If the number is negative or not finite.
pub fn not_negative(place: &str, value: f32) -> Result<f32, ValueError> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(ValueError::new(place, value, "expected a finite number, 0 or more"))
    }
}
