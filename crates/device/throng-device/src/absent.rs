//! Stand-ins for devices in a build without backends.

use std::convert::Infallible;
use std::path::Path;

use crate::choice::DeviceId;
use crate::error::DeviceError;
use crate::inventory::{DeviceInfo, inventory_of};

pub use throng_device_macros::{AbsentKernelArrays as KernelArrays, AbsentKernelParameter as KernelParameter};

/// A kernel parameter: in a build without kernels, any value that can be shared between threads.
pub trait KernelParameter: Copy + Send + Sync + 'static {}

impl<T: Copy + Send + Sync + 'static> KernelParameter for T {}

/// A device of any backend. This build has no backends, so the type has no values.
///
/// Callers cannot see that the type is uninhabited, so code for devices compiles without unreachable-code warnings.
#[derive(Debug)]
pub struct Device(Infallible);

impl Device {
    /// Returns the properties of the device.
    pub fn info(&self) -> &DeviceInfo {
        self.absent()
    }

    /// Returns the ledger of all work so far.
    pub fn ledger(&self) -> crate::Ledger {
        self.absent()
    }

    /// See the device in a build with backends.
    ///
    /// # Errors
    /// If the device fails.
    pub fn time_launches(&mut self, _every: u64) -> Result<(), DeviceError> {
        self.absent()
    }

    /// See the device in a build with backends.
    pub fn check_indices(&mut self, _on: bool) {
        self.absent::<()>();
    }

    /// See the device of a build with backends.
    ///
    /// # Errors
    /// If the device fails.
    pub fn synchronize(&self, _during: &str) -> Result<(), DeviceError> {
        self.absent()
    }

    /// Stands in for every result: the type has no values, so this function is never called.
    fn absent<T>(&self) -> T {
        match self.0 {}
    }
}

/// Does nothing: this build has no kernels to keep.
pub fn keep_kernels_in(_cache: &Path) {}

/// Fails, because this build has no devices.
///
/// # Errors
/// Always; the error names the missing feature.
pub fn open(id: DeviceId) -> Result<Device, DeviceError> {
    Err(DeviceError::NotFound { id, reason: inventory_of(&[id.backend]).why_not(id) })
}

impl DeviceInfo {
    /// Opens the device like [`open`].
    ///
    /// # Errors
    /// Always.
    pub fn open(&self) -> Result<Device, DeviceError> {
        open(self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Backend;
    use crate::inventory::inventory;

    #[test]
    fn errors_contain_the_missing_build_feature() {
        assert_eq!(inventory().missing.len(), Backend::of_gpus().count());
        for backend in Backend::ALL {
            let error = open(DeviceId { backend, index: 0 }).unwrap_err();
            let (told, feature) = (error.to_string(), format!("build with the feature `{}`", backend.name()));
            assert!(told.starts_with(&format!("there is no device {}:0", backend.name())), "{told}");
            assert!(told.ends_with(&feature), "{told}");
            assert!(error.remedy().contains("the device cpu"));
        }
    }
}
