//! The executors as those of a model in steps.

use std::sync::Arc;

use throng_core::InputError;
#[cfg(feature = "gpu")]
use throng_device::{Device, cubecl::prelude::Runtime};
use throng_model::{Failure, Steps};

use super::super::cpu::SocialField;
#[cfg(feature = "gpu")]
use super::super::gpu::DeviceSocialField;
use super::crowd::{Crowd, Prepared};

/// On the threads of the CPU.
pub struct OnCpu {
    prepared: Arc<Prepared>,
    field: SocialField,
    tick: u32,
}

impl OnCpu {
    pub fn new(Crowd { pedestrians, tick, prepared }: Crowd) -> Result<Self, InputError> {
        let (world, tables) = (prepared.world.clone(), prepared.tables.clone());
        let field = SocialField::new(world, tables, pedestrians, prepared.seed, tick, prepared.summing)?;
        Ok(Self { prepared, field, tick })
    }
}

impl Steps for OnCpu {
    type State = Crowd;

    fn step(&mut self) -> Result<(), Failure> {
        self.field.step();
        self.tick += 1;
        Ok(())
    }

    fn state(&self) -> Result<Crowd, Failure> {
        Ok(Crowd { pedestrians: self.field.pedestrians(), tick: self.tick, prepared: Arc::clone(&self.prepared) })
    }
}

/// On a device.
#[cfg(feature = "gpu")]
pub struct OnDevice<'d, R: Runtime> {
    device: &'d Device<R>,
    prepared: Arc<Prepared>,
    field: DeviceSocialField,
    tick: u32,
}

#[cfg(feature = "gpu")]
impl<'d, R: Runtime> OnDevice<'d, R> {
    pub fn new(device: &'d Device<R>, Crowd { pedestrians, tick, prepared }: Crowd) -> Result<Self, Failure> {
        let Prepared { world, tables, summing, seed, .. } = &*prepared;
        let field = DeviceSocialField::new(device, world, tables, &pedestrians, *seed, tick, *summing)?;
        Ok(Self { device, prepared, field, tick })
    }
}

#[cfg(feature = "gpu")]
impl<R: Runtime> Steps for OnDevice<'_, R> {
    type State = Crowd;

    fn step(&mut self) -> Result<(), Failure> {
        self.field.step(self.device)?;
        self.tick += 1;
        Ok(())
    }

    fn state(&self) -> Result<Crowd, Failure> {
        let pedestrians = self.field.pedestrians(self.device)?;
        Ok(Crowd { pedestrians, tick: self.tick, prepared: Arc::clone(&self.prepared) })
    }
}
