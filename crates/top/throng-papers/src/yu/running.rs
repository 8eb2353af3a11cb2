//! A common interface to the running programs.

use std::time::Instant;

use throng_device::{Device, with_kernels};
use throng_model::Failure;
#[cfg(feature = "gpu")]
use throng_pedestrians::DeviceSocialField;
use throng_pedestrians::{FieldTables, Pedestrians, SocialField, Summing, World};

use super::caching::Caching;
#[cfg(feature = "gpu")]
use super::device::DeviceStoredFields;
use super::method::Method;
use super::program::StoredFields;
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
    pub device: Option<&'a Device>,
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
    ThrongOnDevice(Box<DeviceSocialField>, &'a Device),
}

impl<'a> Setting<'a> {
    /// Starts a program with a state of pedestrians, before a tick.
    pub fn start(&self, method: Method, state: &Pedestrians, tick: u32) -> Result<Running<'a>, Failure> {
        let Self { world, tables, seed, pool, device } = self;
        match (method, *device) {
            (Method::Naive, _) => {
                let stored = StoredFields::new(world.clone(), tables, state.clone(), *seed, tick, Caching::None)?;
                Ok(Running::Stored(Box::new(stored)))
            }
            (Method::Cpu, _) => {
                let (world, state, summing) = (world.clone(), state.clone(), Summing::fastest(tables));
                let field = SocialField::new(world, tables.clone(), state, *seed, tick, summing)?;
                Ok(Running::Throng(Box::new(field), pool))
            }
            (_, Some(device)) => {
                with_kernels!("throng-papers", device, |device| self.start_on(device, method, state, tick))
            }
            (_, None) => Err(Failure::input("device", method.name(), "this program needs a device")),
        }
    }

    #[cfg(feature = "gpu")]
    fn start_on(
        &self,
        device: &'a Device,
        method: Method,
        state: &Pedestrians,
        tick: u32,
    ) -> Result<Running<'a>, Failure> {
        let Self { world, tables, seed, .. } = self;
        Ok(if let Some(caching) = method.caching() {
            let stored = DeviceStoredFields::new(device, world, tables, state, *seed, tick, caching)?;
            Running::StoredOnDevice(Box::new(stored), device)
        } else {
            let summing = Summing::fastest(tables);
            let field = DeviceSocialField::new(device, world, tables, state, *seed, tick, summing)?;
            Running::ThrongOnDevice(Box::new(field), device)
        })
    }
}

impl Running<'_> {
    /// Makes ticks, and waits for the last one. Returns the seconds elapsed.
    pub fn run(&mut self, ticks: u32) -> Result<f64, Failure> {
        let on_cpu = |step: &mut (dyn FnMut() -> usize + Send)| {
            let since = Instant::now();
            for _ in 0..ticks {
                step();
            }
            since.elapsed().as_secs_f64()
        };
        match self {
            Self::Stored(state) => Ok(on_cpu(&mut || state.step())),
            Self::Throng(state, pool) => Ok(pool.install(|| on_cpu(&mut || state.step()))),
            #[cfg(feature = "gpu")]
            Self::StoredOnDevice(state, device) => steps_on(device, ticks, FLUSH_EVERY, |_| Ok(state.step(device)?)),
            #[cfg(feature = "gpu")]
            Self::ThrongOnDevice(state, device) => steps_on(device, ticks, FLUSH_EVERY, |_| state.step(device)),
        }
    }

    /// Returns the pedestrians after the last tick.
    pub fn pedestrians(&self) -> Result<Pedestrians, Failure> {
        Ok(match self {
            Self::Stored(state) => state.pedestrians().clone(),
            Self::Throng(state, _) => state.pedestrians(),
            #[cfg(feature = "gpu")]
            Self::StoredOnDevice(state, device) => state.pedestrians(device)?,
            #[cfg(feature = "gpu")]
            Self::ThrongOnDevice(state, device) => state.pedestrians(device)?,
        })
    }

    /// Bytes of its device memory; `None` on the CPU.
    pub fn bytes(&self) -> Option<u64> {
        match self {
            Self::Stored(_) | Self::Throng(..) => None,
            #[cfg(feature = "gpu")]
            Self::StoredOnDevice(state, _) => Some(state.bytes()),
            #[cfg(feature = "gpu")]
            Self::ThrongOnDevice(state, _) => Some(state.bytes() as u64),
        }
    }
}
