//! The executors of the step model.

use std::sync::Arc;

use throng_core::InputError;
#[cfg(feature = "gpu")]
use throng_device::Device;
use throng_model::{Failure, Steps};

use super::super::bodies::Bodies;
use super::super::cpu::SocialField;
#[cfg(feature = "gpu")]
use super::super::gpu::{DeviceBodies, DeviceSocialField};
use super::crowd::{Crowd, Prepared};

/// The executor on CPU threads.
pub struct OnCpu {
    prepared: Arc<Prepared>,
    executor: CpuExecutor,
    tick: u32,
}

/// The executor required by the largest body.
enum CpuExecutor {
    OneUnit(Box<SocialField>),
    Bodies(Box<Bodies>),
}

impl OnCpu {
    pub fn new(Crowd { pedestrians, tick, prepared }: Crowd) -> Result<Self, InputError> {
        let Prepared { world, tables, summing, seed } = (*prepared).clone();
        let executor = if pedestrians.has_large_bodies() {
            CpuExecutor::Bodies(Box::new(Bodies::new(world, tables, pedestrians, seed, tick)?))
        } else {
            CpuExecutor::OneUnit(Box::new(SocialField::new(world, tables, pedestrians, seed, tick, summing)?))
        };
        Ok(Self { prepared, executor, tick })
    }
}

impl Steps for OnCpu {
    type State = Crowd;

    fn step(&mut self) -> Result<(), Failure> {
        match &mut self.executor {
            CpuExecutor::OneUnit(field) => field.step(),
            CpuExecutor::Bodies(bodies) => bodies.step(),
        };
        self.tick += 1;
        Ok(())
    }

    fn state(&self) -> Result<Crowd, Failure> {
        let pedestrians = match &self.executor {
            CpuExecutor::OneUnit(field) => field.pedestrians(),
            CpuExecutor::Bodies(bodies) => bodies.pedestrians(),
        };
        Ok(Crowd { pedestrians, tick: self.tick, prepared: Arc::clone(&self.prepared) })
    }
}

/// The executor on a device.
#[cfg(feature = "gpu")]
pub struct OnDevice {
    device: Arc<Device>,
    prepared: Arc<Prepared>,
    executor: DeviceExecutor,
    tick: u32,
}

/// The executor required by the largest body.
#[cfg(feature = "gpu")]
enum DeviceExecutor {
    OneUnit(Box<DeviceSocialField>),
    Bodies(Box<DeviceBodies>),
}

#[cfg(feature = "gpu")]
impl OnDevice {
    pub fn new(device: &Arc<Device>, Crowd { pedestrians, tick, prepared }: Crowd) -> Result<Self, Failure> {
        let Prepared { world, tables, summing, seed } = &*prepared;
        let (seed, summing) = (*seed, *summing);
        let executor = if pedestrians.has_large_bodies() {
            DeviceExecutor::Bodies(Box::new(DeviceBodies::new(device, world, tables, &pedestrians, seed, tick)?))
        } else {
            let field = DeviceSocialField::new(device, world, tables, &pedestrians, seed, tick, summing)?;
            DeviceExecutor::OneUnit(Box::new(field))
        };
        Ok(Self { device: Arc::clone(device), prepared, executor, tick })
    }
}

#[cfg(feature = "gpu")]
impl Steps for OnDevice {
    type State = Crowd;

    fn step(&mut self) -> Result<(), Failure> {
        match &mut self.executor {
            DeviceExecutor::OneUnit(field) => field.step(&self.device)?,
            DeviceExecutor::Bodies(bodies) => bodies.step(&self.device)?,
        }
        self.tick += 1;
        Ok(())
    }

    fn state(&self) -> Result<Crowd, Failure> {
        let pedestrians = match &self.executor {
            DeviceExecutor::OneUnit(field) => field.pedestrians(&self.device)?,
            DeviceExecutor::Bodies(bodies) => bodies.pedestrians(&self.device)?,
        };
        Ok(Crowd { pedestrians, tick: self.tick, prepared: Arc::clone(&self.prepared) })
    }
}
