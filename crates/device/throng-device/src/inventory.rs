//! The devices of the machine, and the reasons why a backend has none.

use crate::Device;
use crate::choice::{Backend, DeviceId};
use crate::error::DeviceError;

/// Class of a device. Devices of a backend are listed in the order of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceClass {
    /// A graphics card with dedicated memory.
    Discrete,
    /// A graphics unit integrated in the processor.
    Integrated,
    /// A graphics card exposed by a virtual machine.
    Virtual,
    /// A software implementation on the processor (lavapipe): correct, but no faster than a CPU.
    Software,
}

impl DeviceClass {
    /// Returns the name for users, such as `discrete GPU`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Discrete => "discrete GPU",
            Self::Integrated => "integrated GPU",
            Self::Virtual => "virtual GPU",
            Self::Software => "software on the CPU",
        }
    }
}

/// A device of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Id by which users select it.
    pub id: DeviceId,
    /// The vendor's name of the device.
    pub name: String,
    /// Driver and version, as far as known.
    pub driver: String,
    /// Class of the device.
    pub class: DeviceClass,
    /// Total memory, bytes, if the interface reports it.
    pub memory_bytes: Option<u64>,
    /// Whether it supports double precision, which some models need.
    pub has_f64: bool,
    /// Index of this device within its class, as counted by wgpu.
    pub(crate) index_in_class: usize,
}

impl Device {
    /// Returns the error with which crate `of`, if built without kernels, refuses to use this device.
    pub fn no_kernels(&self, of: &str) -> DeviceError {
        let lacks = format!("{of} was built without kernels; build it with the feature `gpu`");
        DeviceError::Unsuitable { device: self.info().label(), lacks }
    }
}

impl DeviceInfo {
    /// Returns id and name, for messages.
    pub fn label(&self) -> String {
        format!("{} ({})", self.id, self.name)
    }

    /// Returns the reason why the device cannot run computations that need double precision; `None` if it can.
    pub fn unsuitable_for_f64(&self) -> Option<String> {
        (!self.has_f64).then(|| "the device has no double precision".to_owned())
    }
}

/// A backend without devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Backend.
    pub backend: Backend,
    /// Why there are no devices, and the remedy.
    pub reason: String,
}

/// All devices, fastest backend first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inventory {
    /// Devices that were found and can be opened.
    pub devices: Vec<DeviceInfo>,
    /// Backends without devices.
    pub missing: Vec<Missing>,
}

impl Inventory {
    /// Returns the devices that `auto` selects from, fastest first: all that are not software.
    pub fn gpus(&self) -> impl Iterator<Item = &DeviceInfo> {
        self.devices.iter().filter(|device| device.class != DeviceClass::Software)
    }

    /// Returns the device with this id.
    pub fn get(&self, id: DeviceId) -> Option<&DeviceInfo> {
        self.devices.iter().find(|device| device.id == id)
    }

    /// Explains why a device does not exist: the backend is missing, or has only other devices.
    pub(crate) fn why_not(&self, id: DeviceId) -> String {
        if let Some(missing) = self.missing.iter().find(|missing| missing.backend == id.backend) {
            return missing.reason.clone();
        }
        let existing: Vec<String> =
            self.devices.iter().filter(|device| device.id.backend == id.backend).map(DeviceInfo::label).collect();
        format!("there {} {}", if existing.len() == 1 { "is" } else { "are" }, existing.join(", "))
    }
}

/// Finds all devices but the kernel interpreter, which is only for debugging and is opened by its name. Takes a few
/// milliseconds; with CUDA, a few hundred the first time.
///
/// A backend that this build does not support (see [`Backend::is_built`]) is listed as missing for that reason.
pub fn inventory() -> Inventory {
    inventory_of(&Backend::of_gpus().collect::<Vec<_>>())
}

/// Finds the devices of some backends.
pub(crate) fn inventory_of(backends: &[Backend]) -> Inventory {
    let mut all = Inventory::default();
    for &backend in backends {
        let found: Result<Vec<DeviceInfo>, String> = match backend {
            #[cfg(feature = "cuda")]
            Backend::Cuda => crate::cuda::devices(),
            #[cfg(feature = "vulkan")]
            Backend::Vulkan => crate::vulkan::devices(),
            #[cfg(feature = "host")]
            Backend::Host => Ok(crate::host::devices()),
            #[cfg(not(all(feature = "cuda", feature = "vulkan", feature = "host")))]
            _ => Err(backend.not_built()),
        };
        match found {
            Ok(devices) => all.devices.extend(devices),
            Err(reason) => all.missing.push(Missing { backend, reason }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(backend: Backend, index: usize, class: DeviceClass) -> DeviceInfo {
        DeviceInfo {
            id: DeviceId { backend, index },
            name: "card".into(),
            driver: String::new(),
            class,
            memory_bytes: None,
            has_f64: true,
            index_in_class: index,
        }
    }

    #[test]
    fn software_devices_are_not_listed_as_gpus() {
        let mut all = Inventory { devices: vec![device(Backend::Vulkan, 0, DeviceClass::Software)], missing: vec![] };
        assert_eq!(all.gpus().next(), None);
        all.devices.push(device(Backend::Vulkan, 1, DeviceClass::Discrete));
        assert_eq!(all.gpus().next().map(|d| d.id.index), Some(1));
    }

    #[test]
    fn a_missing_device_is_explained() {
        let all = Inventory {
            devices: vec![device(Backend::Vulkan, 0, DeviceClass::Software)],
            missing: vec![Missing { backend: Backend::Cuda, reason: "no driver".into() }],
        };
        let id = |text| DeviceId::parse(text).unwrap();
        assert_eq!(all.why_not(id("cuda:0")), "no driver");
        assert_eq!(all.why_not(id("vulkan:7")), "there is vulkan:0 (card)");
    }

    #[test]
    fn each_backend_is_found_or_explained() {
        let all = inventory();
        for backend in Backend::of_gpus() {
            let found = all.devices.iter().any(|device| device.id.backend == backend);
            let missing = all.missing.iter().any(|missing| missing.backend == backend);
            assert!(found != missing, "{backend:?}: {all:?}");
        }
    }
}
