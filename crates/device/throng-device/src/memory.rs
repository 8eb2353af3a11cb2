//! Memory of a device: buffers and transfers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cubecl::bytes::Bytes;
use cubecl::server::{Handle, ServerError};
use cubecl::stream_id::StreamId;

use crate::buffer::{Buffer, Element, Pending};
use crate::device::Device;
use crate::error::DeviceError;
use crate::faults::{self, Place};

/// Size in bytes from which a buffer gets a separate allocation.
const LARGE: usize = 1 << 20;

impl Device {
    /// Free memory in bytes, if the backend reports it.
    pub fn free_bytes(&self) -> Option<u64> {
        self.free_bytes.and_then(|free_bytes| free_bytes(self.info().id.index))
    }

    /// Returns the memory of dropped buffers to the driver. Without this call it is kept for new buffers.
    ///
    /// # Errors
    /// When the device failed earlier.
    pub fn release_unused(&self) -> Result<(), DeviceError> {
        // Drivers release memory asynchronously, so wait for it.
        self.guard(Place::Elsewhere, "release of memory", || self.client.memory_cleanup())?;
        self.synchronize("release of memory")
    }

    /// Checks, before anything is allocated, that `bytes` more bytes are free, if the backend reports free memory.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] with the requested and the free memory.
    pub fn check_memory(&self, what: &str, bytes: u64) -> Result<(), DeviceError> {
        match self.free_bytes() {
            Some(free) if bytes > free => Err(self.error_context().out_of_memory(what, Some(bytes), Some(free))),
            _ => Ok(()),
        }
    }

    /// Copies `values` to the device. An empty slice gives a buffer with one zero, because devices have no empty
    /// buffers.
    ///
    /// # Errors
    /// When the buffer does not fit, or the device fails.
    pub fn upload<T: Element>(&self, what: &str, values: &[T]) -> Result<Buffer<T>, DeviceError> {
        let zero = [T::zeroed()];
        let values = if values.is_empty() { &zero } else { values };
        let bytes: &[u8] = bytemuck::cast_slice(values);
        self.admit(what, bytes.len() as u64)?;
        let handle = match self.write {
            Some(write) if bytes.len() >= LARGE => {
                let handle = self.allocate(what, bytes.len())?;
                let index = self.info().id.index;
                let written = self.guard(Place::Transfer, what, || write(self.client, &handle, index, bytes))?;
                written.map_err(|error| self.error_context().lost(what, error))?;
                handle
            }
            _ => {
                self.guard(Place::Transfer, what, || ())?;
                self.reserve(what, bytes.len(), || Ok(self.client.create_from_slice(bytes)))?
            }
        };
        self.counts().uploaded_bytes += bytes.len() as u64;
        Ok(Buffer::new(handle, self.origin(), values.len()))
    }

    /// Allocates a buffer of `len` elements, at least one, with undefined content.
    ///
    /// # Errors
    /// When the buffer does not fit, or the device fails.
    pub fn empty<T: Element>(&self, what: &str, len: usize) -> Result<Buffer<T>, DeviceError> {
        let len = len.max(1);
        let bytes = len as u64 * size_of::<T>() as u64;
        self.admit(what, bytes)?;
        Ok(Buffer::new(self.allocate(what, bytes as usize)?, self.origin(), len))
    }

    /// Allocates exactly the requested size for large buffers, and a part of a page for small ones.
    fn allocate(&self, what: &str, bytes: usize) -> Result<Handle, DeviceError> {
        let client = self.client;
        self.reserve(what, bytes, || {
            if bytes < LARGE {
                return Ok(client.empty(bytes));
            }
            client.memory_persistent_allocation((), |()| client.empty(bytes))
        })
    }

    /// Allocates memory with `ask`. CubeCL returns a handle at once and detects later whether the driver had memory.
    /// For a large buffer this function waits for the result, so that the error names the buffer; for a small one the
    /// error comes with the next transfer, because waiting would cost more than the buffer.
    fn reserve(
        &self,
        what: &str,
        bytes: usize,
        ask: impl FnOnce() -> Result<Handle, ServerError>,
    ) -> Result<Handle, DeviceError> {
        let refused = || Ok(Handle::new(StreamId::current(), bytes as u64));
        let handle = self.guard(Place::Elsewhere, what, || if faults::refused() { refused() } else { ask() })?;
        let handle = handle.map_err(|error| self.error_context().failure(what, &error))?;
        if bytes >= LARGE {
            let resource = self.guard(Place::Elsewhere, what, || self.client.get_resource(handle.clone()))?;
            resource.map_err(|error| self.refused(what, bytes as u64, &error))?;
        }
        Ok(handle)
    }

    /// Returns the error for a buffer without memory, or for any other failure.
    fn refused(&self, what: &str, bytes: u64, error: &ServerError) -> DeviceError {
        let context = self.error_context();
        match context.failure(what, error) {
            DeviceError::OutOfMemory { .. } => context.out_of_memory(what, Some(bytes), self.free_bytes()),
            other => other,
        }
    }

    /// Maximum size of a buffer on the device, in bytes.
    pub fn largest_buffer_bytes(&self) -> u64 {
        self.client.properties().memory.max_page_size
    }

    fn admit(&self, what: &str, bytes: u64) -> Result<(), DeviceError> {
        let limit = self.largest_buffer_bytes();
        if bytes > limit {
            return Err(DeviceError::BufferTooLarge {
                device: self.label(),
                what: what.to_owned(),
                asked_mib: bytes.div_ceil(1 << 20),
                limit_mib: limit >> 20,
            });
        }
        // Querying the driver costs a few microseconds, so small buffers are not checked.
        if bytes >= LARGE as u64 {
            self.check_memory(what, bytes)?;
        }
        self.counts().allocated_bytes += bytes;
        Ok(())
    }

    /// Copies a buffer from the device after all earlier work has finished.
    ///
    /// # Errors
    /// When the buffer belongs to another device, or the device failed in this transfer; with CUDA, also in any earlier
    /// launch.
    pub fn read<T: Element>(&self, buffer: &Buffer<T>) -> Result<Vec<T>, DeviceError> {
        self.read_later(buffer)?.wait()
    }

    /// Starts to copy the current content of a buffer from the device. The device continues to work in the meantime.
    ///
    /// # Errors
    /// When the buffer belongs to another device, or the device failed earlier.
    pub fn read_later<T: Element>(&self, buffer: &Buffer<T>) -> Result<Pending<T>, DeviceError> {
        self.read_first(buffer, buffer.len())
    }

    /// Like [`Device::read_later`], for the first `len` elements only.
    ///
    /// # Errors
    /// When the buffer belongs to another device, or the device failed earlier.
    pub fn read_first<T: Element>(&self, buffer: &Buffer<T>, len: usize) -> Result<Pending<T>, DeviceError> {
        if buffer.origin != self.origin() {
            return Err(self.foreign(buffer.origin.id));
        }
        let len = len.min(buffer.len());
        let unused = (buffer.len() - len) as u64 * size_of::<T>() as u64;
        let handle = buffer.handle.clone().offset_end(unused);
        let client = self.client;
        let future = self.guard(Place::Elsewhere, "transfer", || client.read_async(vec![handle]))?;
        self.counts().downloaded_bytes += len as u64 * size_of::<T>() as u64;
        let (device, watch) = (self.error_context(), self.watch);
        let arrive = move || {
            faults::inject_fault(Place::Transfer);
            cubecl::future::block_on(future)
        };
        let wait = move || -> Result<Bytes, DeviceError> {
            let arrived = catch_unwind(AssertUnwindSafe(arrive));
            match (arrived, watch.panic()) {
                (Ok(_), Some(panic)) => Err(device.kernel("transfer", panic)),
                (Ok(Ok(mut all)), None) => Ok(all.remove(0)),
                (Ok(Err(error)), None) => Err(device.failure("transfer", &error)),
                (Err(unwound), panic) => {
                    let panic = panic.unwrap_or_else(|| throng_core::panic_text(&*unwound));
                    Err(device.lost("transfer", panic))
                }
            }
        };
        Ok(Pending::new(Box::new(wait)))
    }
}

#[cfg(test)]
mod tests {
    use throng_testing::skip_backend;

    use super::*;
    use crate::choice::{Backend, DeviceId};
    use crate::open;

    /// Returns a handle without memory, as CubeCL does when the driver refuses memory.
    fn without_memory(bytes: usize) -> Handle {
        Handle::new(StreamId::current(), bytes as u64)
    }

    fn refused_memory(device: &Device) {
        let large = device.reserve("field", 3 << 20, || Ok(without_memory(3 << 20))).unwrap_err();
        let DeviceError::OutOfMemory { what, asked_mib, .. } = &large else { panic!("{large}") };
        assert_eq!((what.as_str(), *asked_mib), ("field", Some(3)));
        let small = device.reserve("counts", 64, || Ok(without_memory(64))).unwrap();
        let error = device.read(&Buffer::<u32>::new(small, device.origin(), 16)).unwrap_err();
        assert!(matches!(&error, DeviceError::OutOfMemory { asked_mib: None, .. }), "{error}");
        let after = device.upload("after", &[1u32, 2]).unwrap();
        assert_eq!(device.read(&after).unwrap(), [1, 2], "the device remains usable");
    }

    fn too_large(device: &Device) {
        let limit = device.client.properties().memory.max_page_size;
        let error = device.empty::<u32>("field", (limit / 4 + 1) as usize).unwrap_err();
        let text = error.to_string();
        let (allowed, asked) = (limit >> 20, (limit + 1).div_ceil(1 << 20));
        for part in [format!("at most {allowed} MiB"), format!("field needs {asked} MiB")] {
            assert!(text.contains(&part), "{text}");
        }
        assert!(error.remedy().contains("the device cpu"));
    }

    #[test]
    fn missing_memory_is_reported_with_numbers() {
        for backend in Backend::of_gpus() {
            match open(DeviceId { backend, index: 0 }) {
                Ok(device) => {
                    refused_memory(&device);
                    too_large(&device);
                }
                Err(error) => skip_backend(backend.name(), error),
            }
        }
    }
}
