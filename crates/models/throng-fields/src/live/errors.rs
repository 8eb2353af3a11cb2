//! Conversion of device errors, so that the error type does not depend on whether the CPU or a device computes.

use throng_core::InputError;
use throng_device::{DeviceError, Error};

/// Not `From`: a second conversion to [`InputError`] would make `?` ambiguous in functions whose error type is
/// inferred.
pub(super) fn value_error(error: Error) -> InputError {
    let error = match error {
        Error::Input(error) => return error,
        Error::Device(error) => error,
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
        DeviceError::Foreign { .. } | DeviceError::OutOfBounds { .. } => error.remedy(),
    };
    InputError::resource("device", &error, remedy)
}
