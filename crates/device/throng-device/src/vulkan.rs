//! Vulkan, or Metal and DX12, through wgpu: lists and opens devices.

use std::sync::OnceLock;

use cubecl::wgpu::WgpuDevice;

use crate::choice::{Backend, DeviceId};
use crate::device::Device;
use crate::error::DeviceError;
use crate::inventory::{DeviceClass, DeviceInfo};
use crate::open::client;
use crate::runtime::GpuDevice;

/// Opens a device.
pub(crate) fn open(info: &DeviceInfo) -> Result<Device, DeviceError> {
    let index = info.index_in_class;
    let device = match info.class {
        DeviceClass::Discrete => WgpuDevice::DiscreteGpu(index),
        DeviceClass::Integrated => WgpuDevice::IntegratedGpu(index),
        DeviceClass::Virtual => WgpuDevice::VirtualGpu(index),
        DeviceClass::Software => WgpuDevice::Cpu,
    };
    Ok(Device::new(client(info, &GpuDevice::Vulkan(device))?, info.clone()))
}

pub(crate) fn devices() -> Result<Vec<DeviceInfo>, String> {
    // Never dropped: dropping the last instance would unload the drivers, whose thread-exit hooks are still called when
    // threads end.
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
            // Unknown kind of device.
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
        return Err("no Vulkan driver was found; install the driver of your GPU, or mesa-vulkan-drivers for a \
                    software device"
            .into());
    }
    Ok(devices)
}

/// Assigns device indices: hardware before software, and within a class in the driver's order.
fn numbered(found: impl Iterator<Item = DeviceInfo>) -> Vec<DeviceInfo> {
    let mut counts = [0usize; 4];
    let mut devices: Vec<DeviceInfo> = found
        .filter_map(|mut device| {
            let count = &mut counts[device.class as usize];
            device.index_in_class = *count;
            *count += 1;
            // CubeCL can open only the first software device.
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

    #[test]
    fn hardware_is_numbered_before_software() {
        use DeviceClass::{Discrete, Integrated, Software};
        let found = [("lavapipe", Software), ("a", Integrated), ("b", Discrete), ("other", Software), ("c", Discrete)];
        let id = DeviceId { backend: Backend::Vulkan, index: 0 };
        let found = found.map(|(name, class)| DeviceInfo {
            id,
            name: name.into(),
            driver: String::new(),
            class,
            memory_bytes: None,
            has_f64: true,
            index_in_class: 0,
        });
        let numbered = numbered(found.into_iter());
        let told: Vec<_> = numbered.iter().map(|d| (d.id.index, d.name.as_str(), d.index_in_class)).collect();
        assert_eq!(told, [(0, "b", 0), (1, "c", 1), (2, "a", 0), (3, "lavapipe", 0)]);
    }
}
