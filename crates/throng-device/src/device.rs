//! A device at work: what it is, and waiting for it.

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

/// Writes all bytes of a buffer on the device of a number.
pub(crate) type Write<R> = fn(&ComputeClient<R>, &Handle, usize, &[u8]) -> Result<(), String>;

/// An open device.
pub struct Device<R: Runtime> {
    /// Lives as long as the process, as the driver's state behind it does; futures of transfers borrow it.
    pub(crate) client: &'static ComputeClient<R>,
    info: DeviceInfo,
    /// How large buffers are filled, where there is a way past CubeCL.
    pub(crate) write: Option<Write<R>>,
    /// How to learn what memory is free on the device of a number, where the backend tells.
    pub(crate) free_bytes: Option<fn(usize) -> Option<u64>>,
    ledger: Mutex<Ledger>,
    /// Tried when it is first asked for.
    single: OnceLock<SingleArithmetic>,
    /// Every so many launches of a label one is timed; 0 none.
    pub(crate) time_every: u64,
    /// What timing an empty launch takes.
    pub(crate) idle: Duration,
}

impl<R: Runtime> std::fmt::Debug for Device<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Device").field(&self.info.label()).finish()
    }
}

impl<R: Runtime> Device<R> {
    pub(crate) fn new(client: ComputeClient<R>, info: DeviceInfo) -> Self {
        Self {
            client: Box::leak(Box::new(client)),
            info,
            write: None,
            free_bytes: None,
            ledger: Mutex::default(),
            single: OnceLock::new(),
            time_every: 0,
            idle: Duration::ZERO,
        }
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

    /// The error for work of which it turned out that the device did not do it.
    pub fn lost(&self, during: &str, message: &str) -> DeviceError {
        self.error_context().lost(during, message)
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

    /// Says whether the device counts in single precision as the host does, where results have to be the same to the last
    /// bit: travel times, and fields in fixed point. It is tried once.
    ///
    /// # Errors
    /// [`DeviceError::Unsuitable`] where it does not, and when the device fails.
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

    /// How many cubes of any size surely run at once, so that they can [`meet`](crate::meet()): at least one.
    pub fn cubes_at_once(&self) -> u32 {
        match self.info.id.backend {
            // One on each multiprocessor: kernels are compiled such that a cube fits.
            Backend::Cuda => self.client.properties().hardware.num_streaming_multiprocessors.unwrap_or(1).max(1),
            Backend::Vulkan => 1,
        }
    }

    /// Waits until the device has done everything.
    ///
    /// # Errors
    /// What went wrong since the last time.
    pub fn synchronize(&self, during: &str) -> Result<(), DeviceError> {
        let done = self.guard(Place::Elsewhere, during, || cubecl::future::block_on(self.client.sync()))?;
        done.map_err(|error| self.error_context().failure(during, &error))
    }

    /// Has the device begin what was launched so far, without waiting for it.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn flush(&self) -> Result<(), DeviceError> {
        let done = self.guard(Place::Elsewhere, "flush", || self.client.flush())?;
        done.map_err(|error| self.error_context().failure("flush", &error))
    }

    pub(crate) fn counts(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whose buffers it takes.
    pub(crate) fn origin(&self) -> Origin {
        Origin::of(&self.info)
    }

    /// The device, in messages about what went wrong.
    pub(crate) fn error_context(&self) -> ErrorContext {
        ErrorContext { label: self.label() }
    }

    /// CubeCL panics where a driver fails; and a launch that got a buffer of another device unwinds.
    pub(crate) fn guard<T>(&self, place: Place, during: &str, work: impl FnOnce() -> T) -> Result<T, DeviceError> {
        let work = || {
            faults::pass(place);
            work()
        };
        catch_unwind(AssertUnwindSafe(work)).map_err(|unwound| match unwound.downcast_ref::<Foreign>() {
            Some(&Foreign(owner)) => self.foreign(owner),
            None => self.error_context().lost(during, throng_core::panic_text(&*unwound)),
        })
    }

    pub(crate) fn foreign(&self, owner: DeviceId) -> DeviceError {
        DeviceError::Foreign { device: self.label(), owner }
    }
}
