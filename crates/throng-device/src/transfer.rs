//! Large transfers to CUDA devices directly through the driver: CubeCL copies its input twice and keeps the copies for
//! a while.

use cubecl::prelude::*;
use cubecl::server::Handle;

/// Writes all bytes of a buffer.
pub(crate) type Write<R> = fn(&ComputeClient<R>, &Handle, usize, &[u8]) -> Result<(), String>;

/// Writes `bytes` to memory of at least that size on CUDA device `index`. Waits for all earlier work and for the
/// transfer.
#[allow(unsafe_code)]
pub(crate) fn write_to_cuda(
    client: &ComputeClient<cubecl::cuda::CudaRuntime>,
    memory: &Handle,
    index: usize,
    bytes: &[u8],
) -> Result<(), String> {
    // Makes the device current on this thread.
    let context = cudarc::driver::CudaContext::new(index).map_err(|error| error.to_string())?;
    context.bind_to_thread().map_err(|error| error.to_string())?;
    let resource = client.get_resource(memory.clone()).map_err(|error| error.to_string())?;
    // Earlier launches may still read memory that is being reused.
    cubecl::future::block_on(client.sync()).map_err(|error| error.to_string())?;
    let memory = resource.resource();
    if memory.size < bytes.len() as u64 {
        return Err(format!("{} bytes do not fit into {}", bytes.len(), memory.size));
    }
    // SAFETY: the memory belongs to the handle, is large enough, and is not in use: everything submitted is done, and
    // the handle has not been returned yet.
    unsafe { cudarc::driver::result::memcpy_htod_sync(memory.ptr, bytes) }.map_err(|error| error.to_string())?;
    // The last part of pageable memory may still be in transfer, and CubeCL's streams would not wait for it.
    context.synchronize().map_err(|error| error.to_string())
}
