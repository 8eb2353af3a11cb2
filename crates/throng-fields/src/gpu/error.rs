//! What can be wrong when a field is made on a device.

use thiserror::Error;
use throng_device::DeviceError;

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

/// The error for users to whom all devices and the CPU are one.
///
/// No `From`: a second conversion to [`FieldError`] would leave `?` undecided in functions whose error is inferred.
pub(crate) fn neutral(error: impl Into<GpuError>) -> FieldError {
    let error = match error.into() {
        GpuError::Field(error) => return error,
        GpuError::Device(error) => error,
    };
    let remedy = match &error {
        DeviceError::NotFound { .. } | DeviceError::Unsuitable { .. } => {
            "choose another device, or the CPU, which computes the same fields"
        }
        DeviceError::OutOfMemory { .. } | DeviceError::BufferTooLarge { .. } => {
            "use larger cells, fewer entities or a device with more memory, or choose the CPU"
        }
        DeviceError::Kernel { .. } => "update the driver, or choose another device or the CPU",
        DeviceError::Lost { .. } => "open the device again, or choose another one or the CPU",
        DeviceError::Foreign { .. } => error.remedy(),
    };
    FieldError::new("device", &error, remedy).of_machine()
}
