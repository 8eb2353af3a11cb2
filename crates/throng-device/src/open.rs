//! Opens a device by its id.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use cubecl::config::cache::CacheConfig;
use cubecl::config::compilation::{BoundsCheckMode, CompilationConfig};
use cubecl::config::{CubeClRuntimeConfig, RuntimeConfig};
#[cfg(feature = "cuda")]
use cubecl::cuda::CudaRuntime;
use cubecl::prelude::*;
#[cfg(feature = "vulkan")]
use cubecl::wgpu::WgpuRuntime;

use crate::choice::{Backend, DeviceId};
use crate::device::Device;
use crate::error::DeviceError;
use crate::inventory::{DeviceInfo, inventory_of};

/// A device of any backend; see [`with_device!`](crate::with_device).
#[derive(Debug)]
pub enum AnyDevice {
    /// CUDA.
    #[cfg(feature = "cuda")]
    Cuda(Device<CudaRuntime>),
    /// Vulkan.
    #[cfg(feature = "vulkan")]
    Vulkan(Device<WgpuRuntime>),
}

impl AnyDevice {
    /// Properties of the device.
    pub fn info(&self) -> &DeviceInfo {
        crate::with_device!(self, |device| device.info())
    }

    /// The ledger of all work so far.
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

    /// See [`Device::check_indices`].
    pub fn check_indices(&mut self, on: bool) {
        crate::with_device!(self, |device| device.check_indices(on));
    }
}

/// Evaluates an expression on the device inside an [`AnyDevice`], whatever its backend.
#[cfg(all(feature = "cuda", feature = "vulkan"))]
#[macro_export]
macro_rules! with_device {
    ($any:expr, |$device:ident| $body:expr) => {
        match $any {
            $crate::AnyDevice::Cuda($device) => $body,
            $crate::AnyDevice::Vulkan($device) => $body,
        }
    };
}

/// Evaluates an expression on the device inside an [`AnyDevice`], which is one of CUDA in this build.
#[cfg(all(feature = "cuda", not(feature = "vulkan")))]
#[macro_export]
macro_rules! with_device {
    ($any:expr, |$device:ident| $body:expr) => {
        match $any {
            $crate::AnyDevice::Cuda($device) => $body,
        }
    };
}

/// Evaluates an expression on the device inside an [`AnyDevice`], which is one of Vulkan in this build.
#[cfg(all(feature = "vulkan", not(feature = "cuda")))]
#[macro_export]
macro_rules! with_device {
    ($any:expr, |$device:ident| $body:expr) => {
        match $any {
            $crate::AnyDevice::Vulkan($device) => $body,
        }
    };
}

/// Caches compiled kernels in a folder below `cache`, if the backend supports it (CUDA). Takes effect only before the
/// first [`open`]. Each build of the program has a separate folder for each kind of card, because kernels are looked up
/// by name alone; folders older than a month are removed.
pub fn keep_kernels_in(cache: &Path) {
    // The first call takes effect.
    let _ = CACHE.set(cache.to_owned());
}

static CACHE: OnceLock<PathBuf> = OnceLock::new();

/// How long kernels are cached.
const MONTH: Duration = Duration::from_hours(30 * 24);

/// The folder for the kernels of this build and card.
fn kernels_of(info: &DeviceInfo) -> Option<PathBuf> {
    let cache = CACHE.get()?;
    let build = std::env::current_exe().and_then(std::fs::metadata).ok()?;
    let modified = build.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?.as_nanos();
    let card: String = info.driver.chars().filter(char::is_ascii_digit).collect();
    let old = |entry: &std::fs::DirEntry| {
        let made = entry.metadata().and_then(|metadata| metadata.modified());
        entry.file_name().to_string_lossy().starts_with("kernels-")
            && made.is_ok_and(|made| made.elapsed().is_ok_and(|since| since > MONTH))
    };
    for entry in std::fs::read_dir(cache).into_iter().flatten().flatten().filter(old) {
        // A remaining folder does no harm.
        let _ = std::fs::remove_dir_all(entry.path());
    }
    Some(cache.join(format!("kernels-{:x}-{modified:x}-{card}", build.len())))
}

/// Configures CubeCL, once: where kernels are cached, and whether they check indices, which they do in debug builds. In
/// a process with different kinds of cards none are cached, because CubeCL would confuse them.
fn configure(info: &DeviceInfo) {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let check_mode = if cfg!(debug_assertions) { BoundsCheckMode::Enforce } else { BoundsCheckMode::Auto };
        let is_only_kind = || inventory_of(&[Backend::Cuda]).devices.iter().all(|other| other.driver == info.driver);
        let keeps = info.id.backend == Backend::Cuda && is_only_kind();
        let cache = if keeps { kernels_of(info).map(CacheConfig::File) } else { None };
        let compilation = CompilationConfig { cache, check_mode, ..CompilationConfig::default() };
        let config = CubeClRuntimeConfig { compilation, ..CubeClRuntimeConfig::default() };
        // Fails if another user of CubeCL in this process came first; its settings then apply, which does no harm.
        let _ = catch_unwind(AssertUnwindSafe(|| CubeClRuntimeConfig::set(config)));
    });
}

/// Opens a device. The first call in a process takes some tenths of a second.
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
        configure(self);
        match self.id.backend {
            #[cfg(feature = "cuda")]
            Backend::Cuda => crate::cuda::open(self),
            #[cfg(feature = "vulkan")]
            Backend::Vulkan => crate::vulkan::open(self),
            #[cfg(not(all(feature = "cuda", feature = "vulkan")))]
            backend => Err(DeviceError::NotFound { id: self.id, reason: backend.not_built() }),
        }
    }
}

pub(crate) fn client<R: Runtime>(info: &DeviceInfo, device: &R::Device) -> Result<ComputeClient<R>, DeviceError> {
    catch_unwind(AssertUnwindSafe(|| R::client(device))).map_err(|panic| DeviceError::Lost {
        device: info.label(),
        during: "start".into(),
        message: throng_core::panic_text(&*panic),
    })
}
