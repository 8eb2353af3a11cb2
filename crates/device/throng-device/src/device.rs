//! An open device: its properties and synchronisation.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use cubecl::prelude::*;
use cubecl::server::Handle;

use crate::arithmetic::SingleArithmetic;
use crate::choice::{Backend, DeviceId};
use crate::error::DeviceError;
use crate::failure::ErrorContext;
use crate::faults::{self, Place};
use crate::inventory::DeviceInfo;
use crate::ledger::Ledger;
use crate::origin::{Foreign, Origin};
use crate::runner_panics::Watch;
use crate::runtime::Gpu;

/// Writes all bytes of a buffer on the device with the given index.
pub(crate) type Write = fn(&ComputeClient<Gpu>, &Handle, usize, &[u8]) -> Result<(), String>;

/// An open device.
pub struct Device {
    /// Lives as long as the process, like the driver's state; futures of transfers borrow it.
    pub(crate) client: &'static ComputeClient<Gpu>,
    info: DeviceInfo,
    /// Transfers of large buffers that bypass CubeCL, if the backend has them.
    pub(crate) write: Option<Write>,
    /// Returns the free memory of the device with the given index, if the backend reports it.
    pub(crate) free_bytes: Option<fn(usize) -> Option<u64>>,
    pub(crate) watch: Watch,
    ledger: Mutex<Ledger>,
    /// Tested on first use.
    single: OnceLock<SingleArithmetic>,
    /// One in `time_every` launches of each label is timed; none if it is 0.
    pub(crate) time_every: u64,
    /// Duration of an empty launch.
    pub(crate) idle: Duration,
    pub(crate) checks_indices: bool,
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Device").field(&self.info.label()).finish()
    }
}

impl Device {
    pub(crate) fn new(client: ComputeClient<Gpu>, info: DeviceInfo) -> Self {
        Self {
            client: Box::leak(Box::new(client)),
            info,
            write: None,
            free_bytes: None,
            watch: Watch::begin(),
            ledger: Mutex::default(),
            single: OnceLock::new(),
            time_every: 0,
            idle: Duration::ZERO,
            checks_indices: false,
        }
    }

    /// Returns the properties of the device.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Returns id and name.
    pub fn label(&self) -> String {
        self.info.label()
    }

    /// Returns the ledger of all work so far.
    pub fn ledger(&self) -> Ledger {
        self.counts().clone()
    }

    /// Returns the error for work that the device did not execute.
    pub fn lost(&self, during: &str, message: &str) -> DeviceError {
        self.error_context().lost(during, message)
    }

    /// Checks that a kernel may take `buffers` buffers, plus one for scalars.
    ///
    /// # Errors
    /// [`DeviceError::Unsuitable`] with both numbers.
    pub fn check_buffers(&self, buffers: u32) -> Result<(), DeviceError> {
        let limit = self.client.properties().hardware.max_bindings.saturating_sub(1);
        if buffers <= limit {
            return Ok(());
        }
        let lacks = format!("its kernels take at most {limit} buffers, and {buffers} are needed");
        Err(DeviceError::Unsuitable { device: self.label(), lacks })
    }

    /// Shared memory per cube, in bytes.
    pub fn shared_bytes(&self) -> usize {
        self.client.properties().hardware.max_shared_memory_size
    }

    /// Checks that the device agrees with the host in the single-precision arithmetic of results that must match to the
    /// last bit: travel times and fixed-point fields. The test runs once.
    ///
    /// # Errors
    /// [`DeviceError::Unsuitable`] if it does not; also if the device fails.
    pub fn check_single_precision(&self) -> Result<(), DeviceError> {
        let found = if let Some(found) = self.single.get() {
            *found
        } else {
            let found = SingleArithmetic::of(self)?;
            *self.single.get_or_init(|| found)
        };
        match found.lacks() {
            Some(lacks) => Err(DeviceError::Unsuitable { device: self.label(), lacks: lacks.to_owned() }),
            None => Ok(()),
        }
    }

    /// Number of cubes of any size that are guaranteed to run at the same time, as a
    /// [`grid_barrier`](crate::grid_barrier()) needs: at least one.
    pub fn co_resident_cubes(&self) -> u32 {
        match self.info.id.backend {
            // One per multiprocessor: kernels are compiled such that a cube fits.
            Backend::Cuda => self.client.properties().hardware.num_streaming_multiprocessors.unwrap_or(1).max(1),
            Backend::Vulkan | Backend::Host => 1,
        }
    }

    /// Waits until the device has completed all work.
    ///
    /// # Errors
    /// Any failure since the last synchronisation.
    pub fn synchronize(&self, during: &str) -> Result<(), DeviceError> {
        let done = self.guard(Place::Elsewhere, during, || cubecl::future::block_on(self.client.sync()))?;
        done.map_err(|error| self.error_context().failure(during, &error))
    }

    /// Starts the launches so far without waiting for them.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn flush(&self) -> Result<(), DeviceError> {
        let done = self.guard(Place::Elsewhere, "flush", || self.client.flush())?;
        done.map_err(|error| self.error_context().failure("flush", &error))
    }

    pub(crate) fn counts(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the origin of the buffers that it accepts.
    pub(crate) fn origin(&self) -> Origin {
        Origin::of(&self.info)
    }

    /// Returns the device as named in errors.
    pub(crate) fn error_context(&self) -> ErrorContext {
        ErrorContext { label: self.label(), reports_faults: self.info.id.backend == Backend::Host }
    }

    /// Runs `work` and turns panics into errors. CubeCL panics when a driver fails, either on this thread or on one of
    /// its own threads, where the expansion of a kernel may panic, too. A launch unwinds when it is given a
    /// buffer of another device.
    pub(crate) fn guard<T>(&self, place: Place, during: &str, work: impl FnOnce() -> T) -> Result<T, DeviceError> {
        let work = || {
            faults::inject_fault(place);
            work()
        };
        match (catch_unwind(AssertUnwindSafe(work)), self.watch.panic()) {
            (Ok(done), None) => Ok(done),
            (Ok(_), Some(panic)) => Err(self.error_context().kernel(during, panic)),
            (Err(unwound), panic) => Err(if let Some(&Foreign(owner)) = unwound.downcast_ref::<Foreign>() {
                self.foreign(owner)
            } else {
                let panic = panic.unwrap_or_else(|| throng_core::panic_text(&*unwound));
                self.error_context().lost(during, panic)
            }),
        }
    }

    pub(crate) fn foreign(&self, owner: DeviceId) -> DeviceError {
        DeviceError::Foreign { device: self.label(), owner }
    }
}
