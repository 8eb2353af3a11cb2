//! Errors of fields on a device.

use thiserror::Error;
use throng_device::DeviceError;
use throng_model::Failure;

use crate::error::FieldError;

/// Either the input or the device.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GpuError {
    /// The input cannot be used.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The device lacks something or failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl From<GpuError> for Failure {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::Field(error) => error.into(),
            GpuError::Device(error) => error.into(),
        }
    }
}
