//! Errors of computations on a device.

use thiserror::Error;
use throng_core::ValueError;

use crate::DeviceError;

/// An invalid input or a device error.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GpuError {
    /// The input is invalid.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// The device lacks a feature or failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
