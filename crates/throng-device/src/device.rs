//! A device at work: memory, launches, transfers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cubecl::bytes::Bytes;
use cubecl::prelude::*;
use cubecl::server::{Handle, ServerError};

use crate::buffer::{Buffer, Element, Pending};
use crate::choice::Backend;
use crate::error::DeviceError;
use crate::inventory::{DeviceInfo, cuda_free_bytes};
use crate::ledger::Ledger;
use crate::transfer::Write;

/// Units (threads) of a cube (block) in ordinary launches.
pub const CUBE_UNITS: u32 = 256;

/// Bytes from which on a buffer is treated by itself.
const LARGE: usize = 1 << 20;

/// An open device.
pub struct Device<R: Runtime> {
    /// Lives as long as the process, as the driver's state behind it does; futures of transfers borrow it.
    client: &'static ComputeClient<R>,
    info: DeviceInfo,
    /// How large buffers are filled, where there is a way past CubeCL.
    write: Option<Write<R>>,
    ledger: Mutex<Ledger>,
    /// Every so many launches of a label one is timed; 0 none.
    time_every: u64,
    /// What timing an empty launch takes.
    idle: Duration,
}

impl<R: Runtime> std::fmt::Debug for Device<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Device").field(&self.info.label()).finish()
    }
}

#[cube(launch)]
fn nothing(values: &mut Array<u32>) {
    if ABSOLUTE_POS == 0 {
        values[0] += 1;
    }
}

impl<R: Runtime> Device<R> {
    pub(crate) fn new(client: ComputeClient<R>, info: DeviceInfo, write: Option<Write<R>>) -> Self {
        Self {
            client: Box::leak(Box::new(client)),
            info,
            write,
            ledger: Mutex::default(),
            time_every: 0,
            idle: Duration::ZERO,
        }
    }

    /// What CubeCL calls the device.
    pub(crate) fn client(&self) -> &ComputeClient<R> {
        self.client
    }

    /// Who it is.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Id and name.
    pub fn label(&self) -> String {
        self.info.label()
    }

    /// What was done so far.
    pub fn ledger(&self) -> Ledger {
        self.counts().clone()
    }

    /// From now on times every `every`-th launch of each label by itself; 0 none. A timed launch waits for the device
    /// before and after, so that a run takes longer.
    ///
    /// # Errors
    /// When the device fails.
    pub fn time_launches(&mut self, every: u64) -> Result<(), DeviceError> {
        let mut times = Vec::new();
        for _ in 0..16 {
            self.launch_nothing()?;
            let since = Instant::now();
            self.launch_nothing()?;
            times.push(since.elapsed());
        }
        times.sort_unstable();
        self.idle = times[times.len() / 2];
        self.time_every = every;
        Ok(())
    }

    /// Launches a kernel that does nothing worth mentioning, and waits for it.
    fn launch_nothing(&self) -> Result<(), DeviceError> {
        let buffer = self.upload("timing", &[0u32])?;
        nothing::launch::<R>(self.client, CubeCount::Static(1, 1, 1), CubeDim::new_1d(32), buffer.arg());
        self.synchronize("timing")
    }

    /// The error for work of which it turned out that the device did not do it.
    pub fn lost(&self, during: &str, message: &str) -> DeviceError {
        lost(&self.label(), during, message.to_owned())
    }

    /// Says whether a kernel may have `buffers` buffers; one more is for numbers.
    ///
    /// # Errors
    /// [`DeviceError::Unsuitable`] with both numbers.
    pub fn check_buffers(&self, buffers: u32) -> Result<(), DeviceError> {
        let most = self.client.properties().hardware.max_bindings.saturating_sub(1);
        if buffers <= most {
            return Ok(());
        }
        let lacks = format!("its kernels take at most {most} buffers, and {buffers} are needed");
        Err(DeviceError::Unsuitable { device: self.label(), lacks })
    }

    /// How many cubes of any size surely run at once, so that they can [`meet`](crate::meet()): at least one.
    pub fn cubes_at_once(&self) -> u32 {
        match self.info.id.backend {
            // One on each multiprocessor: kernels are compiled such that a cube fits.
            Backend::Cuda => self.client.properties().hardware.num_streaming_multiprocessors.unwrap_or(1).max(1),
            Backend::Vulkan => 1,
        }
    }

    /// Bytes of memory that are free, where the backend tells.
    pub fn free_bytes(&self) -> Option<u64> {
        match self.info.id.backend {
            Backend::Cuda => cuda_free_bytes(self.info.id.index),
            Backend::Vulkan => None,
        }
    }

    /// Gives memory of buffers that are gone back to the driver. It is kept for the next ones otherwise.
    ///
    /// # Errors
    /// When the device failed before.
    pub fn release_unused(&self) -> Result<(), DeviceError> {
        // Drivers take it back when they come to it.
        self.guard("release of memory", || self.client.memory_cleanup())?;
        self.synchronize("release of memory")
    }

    /// Says whether `bytes` more fit into memory, before anything is allocated.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] with both numbers.
    pub fn check_memory(&self, what: &str, bytes: u64) -> Result<(), DeviceError> {
        match self.free_bytes() {
            Some(free) if bytes > free => Err(DeviceError::OutOfMemory {
                device: self.label(),
                what: what.to_owned(),
                asked_mib: bytes.div_ceil(1 << 20),
                available_mib: free >> 20,
            }),
            _ => Ok(()),
        }
    }

    /// Copies `values` to the device. An empty slice gives a buffer of one zero, because devices have no empty buffers.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn upload<T: Element>(&self, what: &str, values: &[T]) -> Result<Buffer<T>, DeviceError> {
        let zero = [T::zeroed()];
        let values = if values.is_empty() { &zero } else { values };
        let bytes: &[u8] = bytemuck::cast_slice(values);
        self.admit(what, bytes.len() as u64)?;
        let handle = match self.write {
            Some(write) if bytes.len() >= LARGE => {
                let handle = self.allocate(what, bytes.len())?;
                let written = self.guard(what, || write(self.client, &handle, self.info.id.index, bytes))?;
                written.map_err(|error| lost(&self.label(), what, error))?;
                handle
            }
            _ => self.guard(what, || self.client.create_from_slice(bytes))?,
        };
        self.counts().uploaded_bytes += bytes.len() as u64;
        Ok(Buffer::new(handle, values.len()))
    }

    /// Memory for `len` elements, at least one, with unknown content.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn empty<T: Element>(&self, what: &str, len: usize) -> Result<Buffer<T>, DeviceError> {
        let len = len.max(1);
        let bytes = len as u64 * size_of::<T>() as u64;
        self.admit(what, bytes)?;
        Ok(Buffer::new(self.allocate(what, bytes as usize)?, len))
    }

    /// Large buffers get memory of exactly their size, small ones a part of a page.
    fn allocate(&self, what: &str, bytes: usize) -> Result<Handle, DeviceError> {
        let client = self.client;
        if bytes < LARGE {
            return self.guard(what, || client.empty(bytes));
        }
        let handle = self.guard(what, || client.memory_persistent_allocation((), |()| client.empty(bytes)))?;
        handle.map_err(|error| failure(&self.label(), what, &error))
    }

    fn admit(&self, what: &str, bytes: u64) -> Result<(), DeviceError> {
        let limit = self.client.properties().memory.max_page_size;
        if bytes > limit {
            return Err(DeviceError::BufferTooLarge {
                device: self.label(),
                what: what.to_owned(),
                asked_mib: bytes.div_ceil(1 << 20),
                limit_mib: limit >> 20,
            });
        }
        // Asking the driver costs some microseconds; small buffers go without.
        if bytes >= LARGE as u64 {
            self.check_memory(what, bytes)?;
        }
        self.counts().allocated_bytes += bytes;
        Ok(())
    }

    /// Copies a buffer from the device, when everything before is done.
    ///
    /// # Errors
    /// When the device failed in this transfer, with CUDA also in any launch before it.
    pub fn read<T: Element>(&self, buffer: &Buffer<T>) -> Result<Vec<T>, DeviceError> {
        self.read_later(buffer)?.wait()
    }

    /// Begins to copy a buffer from the device: its content of now, though the device goes on meanwhile.
    ///
    /// # Errors
    /// When the device failed before.
    pub fn read_later<T: Element>(&self, buffer: &Buffer<T>) -> Result<Pending<T>, DeviceError> {
        self.read_first(buffer, buffer.len())
    }

    /// As [`Device::read_later`], only the first `len` elements.
    ///
    /// # Errors
    /// When the device failed before.
    pub fn read_first<T: Element>(&self, buffer: &Buffer<T>, len: usize) -> Result<Pending<T>, DeviceError> {
        let len = len.min(buffer.len());
        let unused = (buffer.len() - len) as u64 * size_of::<T>() as u64;
        let handle = buffer.handle.clone().offset_end(unused);
        let client = self.client;
        let future = self.guard("transfer", || client.read_async(vec![handle]))?;
        self.counts().downloaded_bytes += len as u64 * size_of::<T>() as u64;
        let device = self.label();
        let wait = move || -> Result<Bytes, DeviceError> {
            let result = catch_unwind(AssertUnwindSafe(|| cubecl::future::block_on(future)));
            match result {
                Ok(Ok(mut all)) => Ok(all.remove(0)),
                Ok(Err(error)) => Err(failure(&device, "transfer", &error)),
                Err(panic) => Err(lost(&device, "transfer", throng_core::panic_text(&*panic))),
            }
        };
        Ok(Pending::new(Box::new(wait)))
    }

    /// Launches a kernel on `units` units in cubes of [`CUBE_UNITS`]. The label shows in timings and errors.
    ///
    /// # Errors
    /// When the device is lost; what a kernel does wrong shows at the next transfer or [`Device::synchronize`].
    pub fn launch(
        &self,
        label: &'static str,
        units: usize,
        launch: impl FnOnce(&ComputeClient<R>, CubeCount, CubeDim),
    ) -> Result<(), DeviceError> {
        let cubes = (units as u64).div_ceil(u64::from(CUBE_UNITS)).max(1) as u32;
        self.launch_cubes(label, cubes, CUBE_UNITS, launch)
    }

    /// Launches a kernel on `cubes` cubes of `units` units each.
    ///
    /// # Errors
    /// As for [`Device::launch`].
    pub fn launch_cubes(
        &self,
        label: &'static str,
        cubes: u32,
        units: u32,
        launch: impl FnOnce(&ComputeClient<R>, CubeCount, CubeDim),
    ) -> Result<(), DeviceError> {
        let (count, dim) = (cube_count(cubes), CubeDim::new_1d(units));
        let (first, timed) = {
            let mut ledger = self.counts();
            let phase = ledger.phases.entry(label).or_default();
            phase.launches += 1;
            let timed = self.time_every > 0 && phase.launches > 1 && phase.launches.is_multiple_of(self.time_every);
            (phase.launches == 1, timed)
        };
        if !first && !timed {
            return self.guard(label, || launch(self.client, count, dim));
        }
        self.synchronize(label)?;
        if timed {
            // The first launch after a pause also wakes the driver's thread.
            self.launch_nothing()?;
        }
        let since = Instant::now();
        self.guard(label, || launch(self.client, count, dim))?;
        self.synchronize(label)?;
        let elapsed = since.elapsed();
        let mut ledger = self.counts();
        let phase = ledger.phases.entry(label).or_default();
        if first {
            phase.first = elapsed;
        } else {
            phase.timed += 1;
            phase.timed_for += elapsed.saturating_sub(self.idle);
        }
        Ok(())
    }

    /// Waits until the device has done everything.
    ///
    /// # Errors
    /// What went wrong since the last time.
    pub fn synchronize(&self, during: &str) -> Result<(), DeviceError> {
        let done = self.guard(during, || cubecl::future::block_on(self.client.sync()))?;
        done.map_err(|error| failure(&self.label(), during, &error))
    }

    /// Has the device begin what was launched so far, without waiting for it.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn flush(&self) -> Result<(), DeviceError> {
        let done = self.guard("flush", || self.client.flush())?;
        done.map_err(|error| failure(&self.label(), "flush", &error))
    }

    fn counts(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// CubeCL panics where a driver fails.
    fn guard<T>(&self, during: &str, work: impl FnOnce() -> T) -> Result<T, DeviceError> {
        catch_unwind(AssertUnwindSafe(work))
            .map_err(|panic| lost(&self.label(), during, throng_core::panic_text(&*panic)))
    }
}

/// Cubes in two dimensions where one dimension does not reach. Kernels ask for `ABSOLUTE_POS`, which counts through.
fn cube_count(cubes: u32) -> CubeCount {
    const MOST: u32 = 65_535;
    if cubes <= MOST {
        return CubeCount::Static(cubes, 1, 1);
    }
    let rows = cubes.div_ceil(MOST);
    CubeCount::Static(cubes.div_ceil(rows), rows, 1)
}

fn lost(device: &str, during: &str, message: String) -> DeviceError {
    DeviceError::Lost { device: device.to_owned(), during: during.to_owned(), message }
}

fn failure(device: &str, during: &str, error: &ServerError) -> DeviceError {
    // Without the backtrace of CubeCL, which tells a user nothing.
    let message = error.to_string();
    let message = message.split("Backtrace").next().unwrap_or_default().trim().to_owned();
    if message.contains("ompilation") {
        return DeviceError::Kernel { device: device.to_owned(), kernel: during.to_owned(), message };
    }
    lost(device, during, message)
}
