//! Opening of devices by id.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use cubecl::config::cache::CacheConfig;
use cubecl::config::compilation::{BoundsCheckMode, CompilationConfig};
use cubecl::config::{CubeClRuntimeConfig, RuntimeConfig};
use cubecl::prelude::*;

use crate::choice::{Backend, DeviceId};
use crate::device::Device;
use crate::error::DeviceError;
use crate::inventory::{DeviceInfo, inventory_of};
use crate::runtime::{Gpu, GpuDevice};

/// Caches compiled kernels in a folder below `cache`, if the backend supports it (CUDA). Only effective before the
/// first [`open`]. Each build of the program has a separate folder for each kind of GPU, because kernels are looked up
/// by name alone; folders older than a month are removed.
pub fn keep_kernels_in(cache: &Path) {
    // Only the first call takes effect.
    let _ = CACHE.set(cache.to_owned());
}

static CACHE: OnceLock<PathBuf> = OnceLock::new();

/// Lifetime of cached kernels.
const MONTH: Duration = Duration::from_hours(30 * 24);

/// Returns the folder for the kernels of this build and kind of GPU.
fn kernels_of(info: &DeviceInfo) -> Option<PathBuf> {
    let cache = CACHE.get()?;
    let program = throng_core::program_id()?;
    let gpu_kind: String = info.driver.chars().filter(char::is_ascii_digit).collect();
    let old = |entry: &std::fs::DirEntry| {
        let made = entry.metadata().and_then(|metadata| metadata.modified());
        entry.file_name().to_string_lossy().starts_with("kernels-")
            && made.is_ok_and(|made| made.elapsed().is_ok_and(|since| since > MONTH))
    };
    for entry in std::fs::read_dir(cache).into_iter().flatten().flatten().filter(old) {
        // A leftover folder does no harm.
        let _ = std::fs::remove_dir_all(entry.path());
    }
    Some(cache.join(format!("kernels-{program}-{gpu_kind}")))
}

/// Configures CubeCL once: the kernel cache, and index checks, always on in debug builds. On a machine with different
/// kinds of GPUs, kernels are not cached, because CubeCL would mix them up.
fn configure(info: &DeviceInfo) {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let check_mode = if cfg!(debug_assertions) { BoundsCheckMode::Enforce } else { BoundsCheckMode::Auto };
        let is_only_kind = || inventory_of(&[Backend::Cuda]).devices.iter().all(|other| other.driver == info.driver);
        let keeps = info.id.backend == Backend::Cuda && is_only_kind();
        let cache = if keeps { kernels_of(info).map(CacheConfig::File) } else { None };
        let compilation = CompilationConfig { cache, check_mode, ..CompilationConfig::default() };
        let config = CubeClRuntimeConfig { compilation, ..CubeClRuntimeConfig::default() };
        // Fails if another user of CubeCL in this process has already set a configuration, which then applies and does
        // no harm.
        let _ = catch_unwind(AssertUnwindSafe(|| CubeClRuntimeConfig::set(config)));
    });
}

/// Opens a device. The first call in a process takes a few tenths of a second.
///
/// # Errors
/// When there is no such device, or its driver fails.
pub fn open(id: DeviceId) -> Result<Device, DeviceError> {
    let devices = inventory_of(&[id.backend]);
    devices.get(id).ok_or_else(|| DeviceError::NotFound { id, reason: devices.why_not(id) })?.open()
}

impl DeviceInfo {
    /// Opens the device like [`open`].
    ///
    /// # Errors
    /// When its driver fails.
    pub fn open(&self) -> Result<Device, DeviceError> {
        configure(self);
        match self.id.backend {
            #[cfg(feature = "cuda")]
            Backend::Cuda => crate::cuda::open(self),
            #[cfg(feature = "vulkan")]
            Backend::Vulkan => crate::vulkan::open(self),
            #[cfg(feature = "host")]
            Backend::Host => crate::host::open(self),
            #[cfg(not(all(feature = "cuda", feature = "vulkan", feature = "host")))]
            backend => Err(DeviceError::NotFound { id: self.id, reason: backend.not_built() }),
        }
    }
}

/// Starts a device, identified in CubeCL's terms.
pub(crate) fn client(info: &DeviceInfo, device: &GpuDevice) -> Result<ComputeClient<Gpu>, DeviceError> {
    catch_unwind(AssertUnwindSafe(|| Gpu::client(device))).map_err(|panic| DeviceError::Lost {
        device: info.label(),
        during: "start".into(),
        message: throng_core::panic_text(&*panic),
    })
}
