//! What stands for devices in a build without them.

use std::convert::Infallible;
use std::path::Path;

use crate::choice::DeviceId;
use crate::error::DeviceError;
use crate::inventory::{DeviceInfo, inventory_of};

pub use throng_device_macros::AbsentKernelParameter as KernelParameter;

/// A parameter of kernels: in a build without them, any value that threads share.
pub trait KernelParameter: Copy + Send + Sync + 'static {}

impl<T: Copy + Send + Sync + 'static> KernelParameter for T {}

/// A device of any backend. This build has no backends, so that there are none: the type has no values.
///
/// That it has none does not show outside, so that code for devices compiles without warnings of what is never reached.
#[derive(Debug)]
pub struct Device(Infallible);

impl Device {
    /// Who it is.
    pub fn info(&self) -> &DeviceInfo {
        self.absent()
    }

    /// What was done so far.
    pub fn ledger(&self) -> crate::Ledger {
        self.absent()
    }

    /// See the device of a build with backends.
    ///
    /// # Errors
    /// When the device fails.
    pub fn time_launches(&mut self, _every: u64) -> Result<(), DeviceError> {
        self.absent()
    }

    /// See the device of a build with backends.
    pub fn check_indices(&mut self, _on: bool) {
        self.absent::<()>();
    }

    /// Never called.
    fn absent<T>(&self) -> T {
        match self.0 {}
    }
}

/// Nothing: this build has no kernels to keep.
pub fn keep_kernels_in(_cache: &Path) {}

/// Opens a device, of which this build has none.
///
/// # Errors
/// Always: it says with which feature to build.
pub fn open(id: DeviceId) -> Result<Device, DeviceError> {
    Err(DeviceError::NotFound { id, reason: inventory_of(&[id.backend]).why_not(id) })
}

impl DeviceInfo {
    /// Opens the device, as [`open`] does.
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
    fn what_to_build_with_is_said_of_each_backend() {
        assert_eq!(inventory().missing.len(), Backend::ALL.len());
        for backend in Backend::ALL {
            let error = open(DeviceId { backend, index: 0 }).unwrap_err();
            let (told, feature) = (error.to_string(), format!("build with the feature `{}`", backend.name()));
            assert!(told.starts_with(&format!("there is no device {}:0", backend.name())), "{told}");
            assert!(told.ends_with(&feature), "{told}");
            assert!(error.remedy().contains("--device cpu"));
        }
    }
}
