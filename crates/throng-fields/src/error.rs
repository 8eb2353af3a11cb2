//! What can be wrong with a field and what it is made of.

use thiserror::Error;
use throng_model::Failure;

/// A value that cannot be used: where it stands, what it is, and what would do.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{place}: {value}\n    {remedy}")]
pub struct FieldError {
    /// What has the value, such as "profile, knot 3, distance".
    pub place: String,
    /// The value.
    pub value: String,
    /// What would do.
    pub remedy: String,
    /// What the error comes from.
    pub cause: Cause,
}

/// What a [`FieldError`] comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A value that cannot be used.
    Value,
    /// The machine: memory that it does not have, or a target that takes no bytes, such as a full disk.
    Machine,
}

impl FieldError {
    /// A value that cannot be used: where it stands, the value, and the remedy.
    pub fn new(place: impl Into<String>, value: impl std::fmt::Display, remedy: impl Into<String>) -> Self {
        Self { place: place.into(), value: value.to_string(), remedy: remedy.into(), cause: Cause::Value }
    }

    /// The target of some bytes refuses them.
    pub(crate) fn not_written(place: &str, error: impl std::fmt::Display) -> Self {
        Self::new(place, format!("not written: {error}"), "check that the target is writable and has free space")
            .of_machine()
    }

    /// The same, where the machine is to blame.
    pub(crate) fn of_machine(self) -> Self {
        Self { cause: Cause::Machine, ..self }
    }

    /// The same within something larger: `entity 7` before `radius`.
    pub fn within(mut self, outer: &str) -> Self {
        self.place = format!("{outer}, {}", self.place);
        self
    }
}

impl From<FieldError> for Failure {
    fn from(error: FieldError) -> Self {
        match error.cause {
            Cause::Value => Self::input(error.place, error.value, error.remedy),
            Cause::Machine => Self::resource(format!("{}: {}", error.place, error.value), error.remedy),
        }
    }
}

/// Refuses what is not a finite number, in single or double precision.
pub(crate) fn finite<T: Into<f64> + Copy + std::fmt::Display>(place: &str, value: T) -> Result<T, FieldError> {
    if value.into().is_finite() { Ok(value) } else { Err(FieldError::new(place, value, "expected a finite number")) }
}

/// Refuses what is not a finite number above 0.
pub(crate) fn positive(place: &str, value: f32) -> Result<f32, FieldError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(FieldError::new(place, value, "expected a finite number above 0"))
    }
}

/// Refuses what is not a finite number from 0 on.
pub(crate) fn not_negative(place: &str, value: f32) -> Result<f32, FieldError> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(FieldError::new(place, value, "expected a finite number, 0 or more"))
    }
}
