//! Opens a device by its id.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cubecl::config::cache::CacheConfig;
use cubecl::config::compilation::{BoundsCheckMode, CompilationConfig};
use cubecl::config::{CubeClRuntimeConfig, RuntimeConfig};
use cubecl::cuda::{CudaDevice, CudaRuntime};
use cubecl::prelude::*;
use cubecl::wgpu::{WgpuDevice, WgpuRuntime};

use crate::choice::{Backend, DeviceId};
use crate::device::Device;
use crate::error::DeviceError;
use crate::inventory::{DeviceClass, DeviceInfo, inventory_of};
use crate::transfer::write_to_cuda;

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

/// Has compiled kernels kept in a folder below `cache`, where the backend can (CUDA). Counts when it comes before the first
/// [`open`]. Each build of the program has a folder of its own, because a kernel is found again by its name alone.
pub fn keep_kernels_in(cache: &Path) {
    let build = std::env::current_exe().and_then(std::fs::metadata).and_then(|m| Ok((m.len(), m.modified()?)));
    let Ok((len, modified)) = build else { return };
    let modified = modified.duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    // The first one counts.
    let _ = KERNELS.set(cache.join(format!("kernels-{len:x}-{modified:x}")));
}

static KERNELS: OnceLock<PathBuf> = OnceLock::new();

/// Tells CubeCL, once, where kernels are kept, and whether they check their indices: in debug builds they do.
fn configure() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let check_mode = if cfg!(debug_assertions) { BoundsCheckMode::Enforce } else { BoundsCheckMode::Auto };
        let cache = KERNELS.get().cloned().map(CacheConfig::File);
        let compilation = CompilationConfig { cache, check_mode, ..CompilationConfig::default() };
        let config = CubeClRuntimeConfig { compilation, ..CubeClRuntimeConfig::default() };
        // Refused when another user of CubeCL in this process came first; then its settings hold, which is no harm.
        let _ = catch_unwind(AssertUnwindSafe(|| CubeClRuntimeConfig::set(config)));
    });
}

/// Opens a device. The first opening of a process takes some tenths of a second.
///
/// # Errors
/// When there is no such device, or its driver fails.
pub fn open(id: DeviceId) -> Result<AnyDevice, DeviceError> {
    let there = inventory_of(&[id.backend]);
    there.get(id).ok_or_else(|| DeviceError::NotFound { id, reason: there.why_not(id) })?.open()
}

impl DeviceInfo {
    /// Opens the device, as [`open`] does.
    ///
    /// # Errors
    /// When its driver fails.
    pub fn open(&self) -> Result<AnyDevice, DeviceError> {
        configure();
        Ok(match self.id.backend {
            Backend::Cuda => {
                let client = client::<CudaRuntime>(self, &CudaDevice { index: self.id.index })?;
                AnyDevice::Cuda(Device::new(client, self.clone(), Some(write_to_cuda)))
            }
            Backend::Vulkan => {
                let index = self.index_in_class;
                let device = match self.class {
                    DeviceClass::Discrete => WgpuDevice::DiscreteGpu(index),
                    DeviceClass::Integrated => WgpuDevice::IntegratedGpu(index),
                    DeviceClass::Virtual => WgpuDevice::VirtualGpu(index),
                    DeviceClass::Software => WgpuDevice::Cpu,
                };
                AnyDevice::Vulkan(Device::new(client::<WgpuRuntime>(self, &device)?, self.clone(), None))
            }
        })
    }
}

fn client<R: Runtime>(info: &DeviceInfo, device: &R::Device) -> Result<ComputeClient<R>, DeviceError> {
    catch_unwind(AssertUnwindSafe(|| R::client(device))).map_err(|panic| DeviceError::Lost {
        device: info.label(),
        during: "start".into(),
        message: throng_core::panic_text(&*panic),
    })
}
