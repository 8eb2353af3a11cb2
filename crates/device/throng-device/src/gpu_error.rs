//! Errors of computations on a device.

use thiserror::Error;
use throng_core::ValueError;

use crate::DeviceError;

/// Either the input or the device.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GpuError {
    /// The input cannot be used.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// The device lacks something or failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
