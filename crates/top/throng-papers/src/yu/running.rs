//! A common interface to the running programs.

use std::time::Instant;

use std::sync::Arc;

use throng_device::{CPU, Device, Executor, with_kernels};
use throng_model::Failure;
use throng_pedestrians::{FieldTables, Pedestrians, SocialField, World};

use super::caching::Caching;
#[cfg(feature = "gpu")]
use super::device::DeviceStoredFields;
use super::method::Method;
use super::program::StoredFields;
#[cfg(feature = "gpu")]
use super::techniques::Variant;
#[cfg(feature = "gpu")]
use crate::experiment::steps_on;

/// Launches are submitted to the device every this many ticks.
#[cfg(feature = "gpu")]
const FLUSH_EVERY: u32 = 16;

/// Data shared by all programs of a case.
#[derive(Debug)]
pub(super) struct Setting<'a> {
    pub world: World,
    pub tables: FieldTables,
    pub seed: u64,
    pub pool: &'a rayon::ThreadPool,
    pub device: Option<&'a Arc<Device>>,
}

/// A running program, with its state.
pub(super) enum Running<'a> {
    /// The paper's CPU model.
    Stored(Box<StoredFields>),
    /// Throng's CPU executor, and its threads.
    Throng(Box<SocialField>, &'a rayon::ThreadPool),
    #[cfg(feature = "gpu")]
    StoredOnDevice(Box<DeviceStoredFields>, &'a Device),
    #[cfg(feature = "gpu")]
    ThrongOnDevice(Box<SocialField>, &'a Device),
}

impl<'a> Setting<'a> {
    /// Starts a program with the state of the pedestrians before `tick`.
    pub fn start(&self, method: Method, state: &Pedestrians, tick: u32) -> Result<Running<'a>, Failure> {
        let Self { world, tables, seed, pool, device } = self;
        match (method, *device) {
            (Method::Naive, _) => {
                let stored = StoredFields::new(world.clone(), tables, state.clone(), *seed, tick, Caching::None)?;
                Ok(Running::Stored(Box::new(stored)))
            }
            (Method::Cpu, _) => Ok(Running::Throng(Box::new(self.throng(&CPU, state, tick)?), pool)),
            (_, Some(device)) => {
                with_kernels!("throng-papers", device, |device| self.start_on(device, method, state, tick))
            }
            (_, None) => Err(Failure::input("device", method.name(), "this program needs a device")),
        }
    }

    #[cfg(feature = "gpu")]
    fn start_on(
        &self,
        device: &'a Arc<Device>,
        method: Method,
        state: &Pedestrians,
        tick: u32,
    ) -> Result<Running<'a>, Failure> {
        Ok(if let Some(variant) = method.variant() {
            Running::StoredOnDevice(Box::new(self.stored_on(device, variant, state, tick)?), device)
        } else {
            Running::ThrongOnDevice(Box::new(self.throng(&device.into(), state, tick)?), device)
        })
    }

    /// Starts a version of the program with stored fields.
    #[cfg(feature = "gpu")]
    pub fn stored_on(
        &self,
        device: &Device,
        variant: Variant,
        state: &Pedestrians,
        tick: u32,
    ) -> Result<DeviceStoredFields, Failure> {
        DeviceStoredFields::new(device, &self.world, &self.tables, state, self.seed, tick, variant)
    }

    fn throng(&self, on: &Executor, state: &Pedestrians, tick: u32) -> Result<SocialField, Failure> {
        let field = SocialField::builder(self.world.clone()).tables(self.tables.clone()).pedestrians(state.clone());
        Ok(field.seed(self.seed).first_tick(tick).on(on).build()?)
    }
}

impl Running<'_> {
    /// Makes ticks, and waits for the last one. Returns the seconds elapsed.
    pub fn run(&mut self, ticks: u32) -> Result<f64, Failure> {
        let on_cpu = |step: &mut (dyn FnMut() -> Result<(), Failure> + Send)| {
            let since = Instant::now();
            for _ in 0..ticks {
                step()?;
            }
            Ok(since.elapsed().as_secs_f64())
        };
        match self {
            Self::Stored(state) => on_cpu(&mut || {
                state.step();
                Ok(())
            }),
            Self::Throng(state, pool) => pool.install(|| on_cpu(&mut || Ok(state.step()?))),
            #[cfg(feature = "gpu")]
            Self::StoredOnDevice(state, device) => run_stored(state, device, ticks),
            #[cfg(feature = "gpu")]
            Self::ThrongOnDevice(state, device) => steps_on(device, ticks, FLUSH_EVERY, |_| Ok(state.step()?)),
        }
    }

    /// Returns the pedestrians after the last tick.
    pub fn pedestrians(&self) -> Result<Pedestrians, Failure> {
        Ok(match self {
            Self::Stored(state) => state.pedestrians().clone(),
            Self::Throng(state, _) => state.pedestrians()?,
            #[cfg(feature = "gpu")]
            Self::StoredOnDevice(state, device) => state.pedestrians(device)?,
            #[cfg(feature = "gpu")]
            Self::ThrongOnDevice(state, _) => state.pedestrians()?,
        })
    }

    /// Bytes of its device memory; `None` on the CPU.
    pub fn bytes(&self) -> Option<u64> {
        match self {
            Self::Stored(_) | Self::Throng(..) => None,
            #[cfg(feature = "gpu")]
            Self::StoredOnDevice(state, _) => Some(state.bytes()),
            #[cfg(feature = "gpu")]
            Self::ThrongOnDevice(state, _) => state.device_bytes().map(|bytes| bytes as u64),
        }
    }
}

/// Makes ticks of a program with stored fields; the host waits for each of them, unless it has
/// [`Technique::Concurrency`](super::Technique::Concurrency). Returns the seconds elapsed.
#[cfg(feature = "gpu")]
pub(super) fn run_stored(state: &mut DeviceStoredFields, device: &Device, ticks: u32) -> Result<f64, Failure> {
    steps_on(device, ticks, FLUSH_EVERY, |_| {
        state.step(device)?;
        if !state.overlaps() {
            device.synchronize("tick")?;
        }
        Ok(())
    })
}
