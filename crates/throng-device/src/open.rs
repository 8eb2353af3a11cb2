//! Opens a device by its id.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use cubecl::config::cache::CacheConfig;
use cubecl::config::compilation::CompilationConfig;
use cubecl::config::{CubeClRuntimeConfig, RuntimeConfig};
use cubecl::cuda::{CudaDevice, CudaRuntime};
use cubecl::prelude::*;
use cubecl::wgpu::{WgpuDevice, WgpuRuntime};

use crate::choice::{Backend, DeviceId};
use crate::device::Device;
use crate::error::DeviceError;
use crate::inventory::{DeviceClass, DeviceInfo, inventory};

/// A device of any backend; see [`with_device!`](crate::with_device).
#[derive(Debug)]
pub enum AnyDevice {
    /// CUDA.
    Cuda(Device<CudaRuntime>),
    /// Vulkan.
    Vulkan(Device<WgpuRuntime>),
}

impl AnyDevice {
    /// Who it is.
    pub fn info(&self) -> &DeviceInfo {
        crate::with_device!(self, |device| device.info())
    }

    /// What was done so far.
    pub fn ledger(&self) -> crate::Ledger {
        crate::with_device!(self, |device| device.ledger())
    }

    /// See [`Device::time_launches`].
    ///
    /// # Errors
    /// When the device fails.
    pub fn time_launches(&mut self, every: u64) -> Result<(), DeviceError> {
        crate::with_device!(self, |device| device.time_launches(every))
    }
}

/// Runs an expression on the device inside an [`AnyDevice`], whatever its backend.
#[macro_export]
macro_rules! with_device {
    ($any:expr, |$device:ident| $body:expr) => {
        match $any {
            $crate::AnyDevice::Cuda($device) => $body,
            $crate::AnyDevice::Vulkan($device) => $body,
        }
    };
}

/// Has compiled kernels kept in `folder`, where the backend can (CUDA). Counts for devices opened later.
pub fn keep_kernels_in(folder: PathBuf) {
    let config = CubeClRuntimeConfig {
        compilation: CompilationConfig { cache: Some(CacheConfig::File(folder)), ..CompilationConfig::default() },
        ..CubeClRuntimeConfig::default()
    };
    // Refused once a device is open; then kernels are compiled anew, which is no harm.
    let _ = catch_unwind(AssertUnwindSafe(|| CubeClRuntimeConfig::set(config)));
}

/// Opens a device. The first opening of a process takes some tenths of a second.
///
/// # Errors
/// When there is no such device, or its driver fails.
pub fn open(id: DeviceId) -> Result<AnyDevice, DeviceError> {
    let all = inventory();
    let info = all.get(id).cloned().ok_or_else(|| DeviceError::NotFound { id, reason: all.why_not(id) })?;
    Ok(match id.backend {
        Backend::Cuda => {
            AnyDevice::Cuda(Device::new(client::<CudaRuntime>(&info, &CudaDevice { index: id.index })?, info))
        }
        Backend::Vulkan => {
            let index = info.index_in_class;
            let device = match info.class {
                DeviceClass::Discrete => WgpuDevice::DiscreteGpu(index),
                DeviceClass::Integrated => WgpuDevice::IntegratedGpu(index),
                DeviceClass::Virtual => WgpuDevice::VirtualGpu(index),
                DeviceClass::Software => WgpuDevice::Cpu,
            };
            AnyDevice::Vulkan(Device::new(client::<WgpuRuntime>(&info, &device)?, info))
        }
    })
}

fn client<R: Runtime>(info: &DeviceInfo, device: &R::Device) -> Result<ComputeClient<R>, DeviceError> {
    catch_unwind(AssertUnwindSafe(|| R::client(device))).map_err(|panic| DeviceError::Lost {
        device: info.label(),
        during: "start".into(),
        message: throng_core::panic_text(&*panic),
    })
}
