//! CUDA: lists and opens devices, and calls the driver directly where CubeCL has no function.

use cubecl::prelude::*;
use cubecl::server::Handle;

use crate::choice::{Backend, DeviceId};
use crate::device::Device;
use crate::error::DeviceError;
use crate::inventory::{DeviceClass, DeviceInfo};
use crate::open::client;
use crate::runtime::{Gpu, GpuDevice};

/// Opens a device.
pub(crate) fn open(info: &DeviceInfo) -> Result<Device, DeviceError> {
    let client = client(info, &GpuDevice::Cuda(info.id.index))?;
    let mut device = Device::new(client, info.clone());
    device.write = Some(write);
    device.free_bytes = Some(free_bytes);
    Ok(device)
}

/// Queries the driver without creating a context on any device, because some devices may be in exclusive use.
#[allow(unsafe_code)]
pub(crate) fn devices() -> Result<Vec<DeviceInfo>, String> {
    use cudarc::driver::result::{self, device};
    use cudarc::driver::sys::CUdevice_attribute::{
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as MINOR,
    };

    // The second name is for Windows.
    if !["cuda", "nvcuda"].into_iter().any(load_permanently) {
        return Err("no NVIDIA driver (libcuda) was found; install the driver of your GPU".into());
    }
    let text = |error: cudarc::driver::DriverError| format!("the NVIDIA driver failed: {error}");
    result::init().map_err(text)?;
    let count = device::get_count().map_err(text)?;
    if count == 0 {
        return Err("the NVIDIA driver was found, but no GPU".into());
    }
    if !load_permanently("nvrtc") || cubecl::cuda::install::cuda_path().is_none_or(|path| !path.exists()) {
        return Err(
            "the NVIDIA driver and a GPU were found, but no CUDA toolkit, whose compiler (libnvrtc) and headers build \
                    the kernels; install it, or set CUDA_PATH to its folder"
                .into(),
        );
    }
    let device = |index: i32| -> Result<DeviceInfo, String> {
        let card = device::get(index).map_err(text)?;
        // SAFETY: the driver is initialised and has just returned this device.
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

/// Loads one of CUDA's libraries permanently; false if it is not installed. The library must not be unloaded: when a
/// thread that used the library ends, the C library calls destructors in its code.
#[allow(unsafe_code)]
fn load_permanently(library: &str) -> bool {
    // SAFETY: nothing is called, and the library runs the same initialisers as when CubeCL loads it.
    let load = |name: String| unsafe { libloading::Library::new(name) }.ok();
    cudarc::get_lib_name_candidates(library).into_iter().find_map(load).map(std::mem::forget).is_some()
}

/// Returns the free memory of a device, in bytes.
fn free_bytes(index: usize) -> Option<u64> {
    let context = cudarc::driver::CudaContext::new(index).ok()?;
    context.mem_get_info().ok().map(|(free, _)| free as u64)
}

/// Writes `bytes` to `memory`, which must be large enough, on device `index`. Waits for all earlier work and for the
/// transfer.
///
/// Bypasses CubeCL, which copies its input twice and does not free the copies immediately.
#[allow(unsafe_code)]
fn write(client: &ComputeClient<Gpu>, memory: &Handle, index: usize, bytes: &[u8]) -> Result<(), String> {
    // Makes this device current for the thread.
    let context = cudarc::driver::CudaContext::new(index).map_err(|error| error.to_string())?;
    context.bind_to_thread().map_err(|error| error.to_string())?;
    let resource = client.get_resource(memory.clone()).map_err(|error| error.to_string())?;
    // Launches before this may still read recycled memory.
    cubecl::future::block_on(client.sync()).map_err(|error| error.to_string())?;
    let memory = *resource.resource();
    let address = memory.address.ok_or("the memory has no address")?;
    if memory.bytes < bytes.len() as u64 {
        return Err(format!("{} bytes do not fit into {}", bytes.len(), memory.bytes));
    }
    // SAFETY: the memory belongs to the handle and is large enough, and nothing uses it: all submitted work is
    // complete, and the handle has not been returned yet.
    unsafe { cudarc::driver::result::memcpy_htod_sync(address, bytes) }.map_err(|error| error.to_string())?;
    // The end of a transfer from pageable memory may still be in flight, and CubeCL's streams would not wait for it.
    context.synchronize().map_err(|error| error.to_string())
}
