//! The cases on a device.

use throng_device::{Device, GpuError};
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_fields_core::influence::InfluenceMap;
use throng_fields_core::layers::Combination;
use throng_fields_core::query::Best;
use throng_fields_core::routing::Order;
use throng_pictures::Grid;

use super::executor::Executor;
use crate::gpu::{DeviceEntities, DeviceField, DeviceInfluenceMap, DeviceTravelTimes, MovingDeviceField, Windows};

/// A device.
pub(super) struct OnDevice<'d>(pub &'d Device);

impl Executor for OnDevice<'_> {
    fn create(&self, grid: &Grid, entities: &[Entity], fixed: Option<FixedPoint>) -> Result<Field, GpuError> {
        {
            let device = self.0;
            let there = DeviceEntities::new(device, grid, entities, fixed)?;
            let field = DeviceField::new(device, grid)?;
            field.create(device, &there)?;
            field.read(device)
        }
    }

    fn combined(&self, grid: &Grid, entities: &[Entity], layers: &Combination) -> Result<Field, GpuError> {
        {
            let device = self.0;
            let there = DeviceEntities::new(device, grid, entities, Some(FixedPoint::default()))?;
            let field = DeviceField::new(device, grid)?;
            field.create_combined(device, &there, layers)?;
            field.read(device)
        }
    }

    fn moved(&self, grid: &Grid, first: &[Entity], rounds: &[Vec<(usize, Entity)>]) -> Result<Field, GpuError> {
        {
            let device = self.0;
            let mut moving = MovingDeviceField::new(device, grid, first.to_vec(), None)?;
            for round in rounds {
                for (i, entity) in round {
                    moving.set(*i, entity.clone())?;
                }
                moving.update(device)?;
            }
            moving.read(device)
        }
    }

    fn spread(&self, map: InfluenceMap, sweeps: u32) -> Result<Field, GpuError> {
        {
            let device = self.0;
            let mut there = DeviceInfluenceMap::new(device, &map)?;
            there.sweep(device, sweeps)?;
            there.read(device)
        }
    }

    fn travel_times(&self, order: Order, grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<Field, GpuError> {
        let times = {
            let device = self.0;
            let there = DeviceTravelTimes::new(device, order, grid, costs, goals)?;
            there.compute(device)?;
            there.read(device)
        }?;
        Ok(times.field())
    }

    fn best(&self, windows: &[Grid], entities: &[Entity]) -> Result<Vec<Option<Best>>, GpuError> {
        let found = {
            let device = self.0;
            let there = DeviceEntities::in_world(device, entities)?;
            Windows::new(device, windows)?.best(device, &there, 1)
        }?;
        Ok(found.into_iter().map(|best| best.first().copied()).collect())
    }

    fn combines_whole_steps(&self) -> bool {
        true
    }
}
