//! Errors of single values.

use thiserror::Error;

/// A value that cannot be used: its place, the value, and valid ones.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{place}: {value}\n    {remedy}")]
pub struct ValueError {
    /// The place of the value, such as "profile, knot 3, distance".
    pub place: String,
    /// The value.
    pub value: String,
    /// Valid values.
    pub remedy: String,
    /// The cause of the error.
    pub cause: Cause,
}

/// The cause of a [`ValueError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A value that cannot be used.
    Value,
    /// The machine: missing memory, or a target that refuses bytes, such as a full disk.
    Machine,
}

impl ValueError {
    /// A value that cannot be used: its place, the value, and the remedy.
    pub fn new(place: impl Into<String>, value: impl std::fmt::Display, remedy: impl Into<String>) -> Self {
        Self { place: place.into(), value: value.to_string(), remedy: remedy.into(), cause: Cause::Value }
    }

    /// The target of some bytes refuses them.
    pub fn not_written(place: &str, error: impl std::fmt::Display) -> Self {
        Self::new(place, format!("not written: {error}"), "check that the target is writable and has free space")
            .of_machine()
    }

    /// The same, with the machine as the cause.
    pub fn of_machine(self) -> Self {
        Self { cause: Cause::Machine, ..self }
    }

    /// The same within something larger: `entity 7` before `radius`.
    pub fn within(mut self, outer: &str) -> Self {
        self.place = format!("{outer}, {}", self.place);
        self
    }
}

/// Refuses anything but finite numbers, in single or double precision.
///
/// # Errors
/// Any other number.
pub fn finite<T: Into<f64> + Copy + std::fmt::Display>(place: &str, value: T) -> Result<T, ValueError> {
    if value.into().is_finite() { Ok(value) } else { Err(ValueError::new(place, value, "expected a finite number")) }
}

/// Refuses anything but finite numbers above 0.
///
/// # Errors
/// Any other number.
pub fn positive(place: &str, value: f32) -> Result<f32, ValueError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(ValueError::new(place, value, "expected a finite number above 0"))
    }
}

/// Refuses anything but finite numbers of 0 or more.
///
/// # Errors
/// Any other number.
pub fn not_negative(place: &str, value: f32) -> Result<f32, ValueError> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(ValueError::new(place, value, "expected a finite number, 0 or more"))
    }
}
