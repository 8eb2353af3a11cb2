//! Execution of the verification cases on a device.

use std::sync::Arc;

use throng_device::{Device, Error};
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_fields_core::influence::InfluenceMap;
use throng_fields_core::layers::Combination;
use throng_fields_core::query::Best;
use throng_fields_core::routing::Scheme;
use throng_pictures::Grid;

use super::executor::{CaseExecutor, moved};
use crate::gpu::{DeviceEntities, DeviceField, DeviceInfluenceMap, DeviceTravelTimes, Windows, create};

/// Runs the operations of the cases on a device.
pub(super) struct OnDevice<'d>(pub &'d Arc<Device>);

impl CaseExecutor for OnDevice<'_> {
    fn create(&self, grid: &Grid, entities: &[Entity], fixed: Option<FixedPoint>) -> Result<Field, Error> {
        create(self.0, grid, entities, fixed)
    }

    fn combined(&self, grid: &Grid, entities: &[Entity], layers: &Combination) -> Result<Field, Error> {
        let device_copy = DeviceEntities::new(self.0, grid, entities, Some(FixedPoint::default()))?;
        let field = DeviceField::new(self.0, grid)?;
        field.create_combined(self.0, &device_copy, layers)?;
        field.read(self.0)
    }

    fn moved(&self, grid: &Grid, first: &[Entity], rounds: &[Vec<(usize, Entity)>]) -> Result<Field, Error> {
        moved(&self.0.into(), grid, first, rounds)
    }

    fn spread(&self, map: InfluenceMap, sweeps: u32) -> Result<Field, Error> {
        let mut device_copy = DeviceInfluenceMap::new(self.0, &map)?;
        device_copy.sweep(self.0, sweeps)?;
        device_copy.read(self.0)
    }

    fn travel_times(&self, scheme: Scheme, grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<Field, Error> {
        let device_copy = DeviceTravelTimes::new(self.0, scheme, grid, costs, goals)?;
        device_copy.compute(self.0)?;
        Ok(device_copy.read(self.0)?.field())
    }

    fn best(&self, windows: &[Grid], entities: &[Entity]) -> Result<Vec<Option<Best>>, Error> {
        let device_copy = DeviceEntities::in_world(self.0, entities)?;
        let found = Windows::new(self.0, windows)?.best(self.0, &device_copy, 1)?;
        Ok(found.into_iter().map(|best| best.first().copied()).collect())
    }

    fn combines_whole_steps(&self) -> bool {
        true
    }
}
