//! The devices of the machine, and the reasons why a backend has none.

use std::sync::OnceLock;

use crate::choice::{Backend, DeviceId};

/// The kind of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceClass {
    /// A graphics card with its own memory.
    Discrete,
    /// A graphics unit integrated in the processor.
    Integrated,
    /// A graphics card as presented by a virtual machine.
    Virtual,
    /// A software implementation on the processor (lavapipe): correct, but no faster than a CPU.
    Software,
}

impl DeviceClass {
    /// The name shown to users.
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
    /// The id by which users request it.
    pub id: DeviceId,
    /// The vendor's name of the device.
    pub name: String,
    /// Driver and version, as far as known.
    pub driver: String,
    /// Class.
    pub class: DeviceClass,
    /// Total memory, bytes, if the interface reports it.
    pub memory_bytes: Option<u64>,
    /// Whether it supports double precision, which some models need.
    pub has_f64: bool,
    /// The index of this device within its class, as wgpu counts.
    pub(crate) index_in_class: usize,
}

impl DeviceInfo {
    /// Id and name, for messages.
    pub fn label(&self) -> String {
        format!("{} ({})", self.id, self.name)
    }
}

/// A backend without devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Backend.
    pub backend: Backend,
    /// Why there is none, and the remedy.
    pub reason: String,
}

/// All devices, fastest backend first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inventory {
    /// The devices found.
    pub devices: Vec<DeviceInfo>,
    /// Backends without devices.
    pub missing: Vec<Missing>,
}

impl Inventory {
    /// The device that `auto` selects: the first that is not software.
    pub fn fastest(&self) -> Option<&DeviceInfo> {
        self.devices.iter().find(|device| device.class != DeviceClass::Software)
    }

    /// The device with this id.
    pub fn get(&self, id: DeviceId) -> Option<&DeviceInfo> {
        self.devices.iter().find(|device| device.id == id)
    }

    /// Why a device does not exist: what the backend lacks, or which devices it has.
    pub(crate) fn why_not(&self, id: DeviceId) -> String {
        if let Some(missing) = self.missing.iter().find(|missing| missing.backend == id.backend) {
            return missing.reason.clone();
        }
        let there: Vec<String> =
            self.devices.iter().filter(|device| device.id.backend == id.backend).map(DeviceInfo::label).collect();
        format!("there {} {}", if there.len() == 1 { "is" } else { "are" }, there.join(", "))
    }
}

/// Finds all devices. Takes some milliseconds; with CUDA, a few hundred the first time.
pub fn inventory() -> Inventory {
    inventory_of(&Backend::ALL)
}

/// The devices of some backends.
pub(crate) fn inventory_of(backends: &[Backend]) -> Inventory {
    let mut all = Inventory::default();
    for &backend in backends {
        let found = match backend {
            Backend::Cuda => cuda_devices(),
            Backend::Vulkan => vulkan_devices(),
        };
        match found {
            Ok(devices) => all.devices.extend(devices),
            Err(reason) => all.missing.push(Missing { backend, reason }),
        }
    }
    all
}

/// Queries the driver without creating a context on any card, because cards that are not used may be in exclusive use.
#[allow(unsafe_code)]
fn cuda_devices() -> Result<Vec<DeviceInfo>, String> {
    use cudarc::driver::result::{self, device};
    use cudarc::driver::sys::CUdevice_attribute::{
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as MINOR,
    };

    // The second name is the one on Windows.
    if !["cuda", "nvcuda"].into_iter().any(stays_loaded) {
        return Err("no NVIDIA driver (libcuda) was found; install the driver of the card".into());
    }
    let text = |error: cudarc::driver::DriverError| format!("the NVIDIA driver refused: {error}");
    result::init().map_err(text)?;
    let count = device::get_count().map_err(text)?;
    if count == 0 {
        return Err("the NVIDIA driver is there, but no card".into());
    }
    if !stays_loaded("nvrtc") || cubecl::cuda::install::cuda_path().is_none_or(|path| !path.exists()) {
        return Err(
            "the NVIDIA driver and a card are there, but no CUDA toolkit, whose compiler (libnvrtc) and headers make \
                    the kernels; install it, or set CUDA_PATH to its folder"
                .into(),
        );
    }
    let device = |index: i32| -> Result<DeviceInfo, String> {
        let card = device::get(index).map_err(text)?;
        // SAFETY: the driver is initialised and has just returned this card.
        let (total, major, minor) = unsafe {
            let of = |attribute| device::get_attribute(card, attribute).map_err(text);
            (device::total_mem(card).map_err(text)?, of(MAJOR)?, of(MINOR)?)
        };
        Ok(DeviceInfo {
            id: DeviceId { backend: Backend::Cuda, index: index as usize },
            name: device::get_name(card).map_err(text)?,
            driver: format!("NVIDIA, compute capability {major}.{minor}"),
            class: DeviceClass::Discrete,
            memory_bytes: Some(total as u64),
            has_f64: true,
            index_in_class: index as usize,
        })
    };
    (0..count).map(device).collect()
}

/// Loads one of CUDA's libraries permanently; false if it is missing. Unloading it would leave dangling callbacks: when
/// a thread that used the library ends, the C library calls code that is no longer there.
#[allow(unsafe_code)]
fn stays_loaded(library: &str) -> bool {
    // SAFETY: nothing is called, and the library runs the same initialisers as when CubeCL loads it.
    let load = |name: String| unsafe { libloading::Library::new(name) }.ok();
    cudarc::get_lib_name_candidates(library).into_iter().find_map(load).map(std::mem::forget).is_some()
}

/// Free bytes on a CUDA device.
pub(crate) fn cuda_free_bytes(index: usize) -> Option<u64> {
    let context = cudarc::driver::CudaContext::new(index).ok()?;
    context.mem_get_info().ok().map(|(free, _)| free as u64)
}

fn vulkan_devices() -> Result<Vec<DeviceInfo>, String> {
    // Never dropped: dropping the last instance unloads the drivers, see [`stays_loaded`].
    static INSTANCE: OnceLock<wgpu::Instance> = OnceLock::new();
    let instance = INSTANCE.get_or_init(|| {
        wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: wgpu::Backends::PRIMARY,
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        })
    });
    let adapters = cubecl::future::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    let found = adapters.iter().filter_map(|adapter| {
        let info = adapter.get_info();
        let class = match info.device_type {
            wgpu::DeviceType::DiscreteGpu => DeviceClass::Discrete,
            wgpu::DeviceType::VirtualGpu => DeviceClass::Virtual,
            wgpu::DeviceType::Cpu => DeviceClass::Software,
            wgpu::DeviceType::IntegratedGpu => DeviceClass::Integrated,
            // Adapters of unknown type are left out.
            wgpu::DeviceType::Other => return None,
        };
        Some(DeviceInfo {
            id: DeviceId { backend: Backend::Vulkan, index: 0 },
            name: info.name,
            driver: [info.driver, info.driver_info].join(" ").trim().to_owned(),
            class,
            memory_bytes: None,
            has_f64: adapter.features().contains(wgpu::Features::SHADER_F64),
            index_in_class: 0,
        })
    });
    let devices = numbered(found);
    if devices.is_empty() {
        return Err("no Vulkan driver was found; install the driver of the card, or mesa-vulkan-drivers for a \
                    software one"
            .into());
    }
    Ok(devices)
}

/// Numbers devices: hardware comes before software, and within a class the order of the driver is kept.
fn numbered(found: impl Iterator<Item = DeviceInfo>) -> Vec<DeviceInfo> {
    let mut counts = [0usize; 4];
    let mut devices: Vec<DeviceInfo> = found
        .filter_map(|mut device| {
            let count = &mut counts[device.class as usize];
            device.index_in_class = *count;
            *count += 1;
            // CubeCL opens only the first software device.
            (device.class != DeviceClass::Software || device.index_in_class == 0).then_some(device)
        })
        .collect();
    devices.sort_by_key(|device| (device.class, device.index_in_class));
    for (index, device) in devices.iter_mut().enumerate() {
        device.id.index = index;
    }
    devices
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
    fn software_is_never_the_fastest() {
        let mut all = Inventory { devices: vec![device(Backend::Vulkan, 0, DeviceClass::Software)], missing: vec![] };
        assert_eq!(all.fastest(), None);
        all.devices.push(device(Backend::Vulkan, 1, DeviceClass::Discrete));
        assert_eq!(all.fastest().map(|d| d.id.index), Some(1));
    }

    #[test]
    fn hardware_is_numbered_before_software() {
        use DeviceClass::{Discrete, Integrated, Software};
        let found = [("lavapipe", Software), ("a", Integrated), ("b", Discrete), ("other", Software), ("c", Discrete)];
        let found = found.map(|(name, class)| DeviceInfo { name: name.into(), ..device(Backend::Vulkan, 0, class) });
        let numbered = numbered(found.into_iter());
        let found: Vec<_> = numbered.iter().map(|d| (d.id.index, d.name.as_str(), d.index_in_class)).collect();
        assert_eq!(found, [(0, "b", 0), (1, "c", 1), (2, "a", 0), (3, "lavapipe", 0)]);
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
    fn looking_for_devices_finds_or_explains_each_backend() {
        let all = inventory();
        for backend in Backend::ALL {
            let found = all.devices.iter().any(|device| device.id.backend == backend);
            let missing = all.missing.iter().any(|missing| missing.backend == backend);
            assert!(found != missing, "{backend:?}: {all:?}");
        }
    }
}
