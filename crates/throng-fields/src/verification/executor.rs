//! What the cases are carried out on.

use throng_device::{AnyDevice, with_device};

use crate::creation::{self, FixedPoint, MovingField};
use crate::entities::Entity;
use crate::field::Field;
use crate::gpu::{self, DeviceEntities, DeviceField, DeviceInfluenceMap, GpuError, MovingDeviceField};
use crate::grid::Grid;
use crate::influence::InfluenceMap;
use crate::layers::Combination;
use crate::routing::TravelTimes;

/// The CPU, or a device; each in the way that it makes fields by default.
#[derive(Debug, Clone, Copy)]
pub(super) enum Executor<'d> {
    Cpu,
    Device(&'d AnyDevice),
}

impl Executor<'_> {
    pub fn create(self, grid: &Grid, entities: &[Entity], fixed: Option<FixedPoint>) -> Result<Field, GpuError> {
        match (self, fixed) {
            (Self::Cpu, None) => Ok(creation::by_tiles(grid, entities)?),
            (Self::Cpu, Some(fixed)) => Ok(fixed.by_tiles(grid, entities)?),
            (Self::Device(device), fixed) => with_device!(device, |device| {
                let there = DeviceEntities::new(device, grid, entities, fixed)?;
                let field = DeviceField::new(device, grid)?;
                field.create(device, &there)?;
                field.read(device)
            }),
        }
    }

    /// The combination of layers that are never stored; of whole steps on a device.
    pub fn combined(self, grid: &Grid, entities: &[Entity], layers: &Combination) -> Result<Field, GpuError> {
        match self {
            Self::Cpu => Ok(creation::combined(grid, entities, layers)?),
            Self::Device(device) => with_device!(device, |device| {
                let there = DeviceEntities::new(device, grid, entities, Some(FixedPoint::default()))?;
                let field = DeviceField::new(device, grid)?;
                field.create_combined(device, &there, layers)?;
                field.read(device)
            }),
        }
    }

    /// A field that follows its entities to other ones, in rounds.
    pub fn moved(self, grid: &Grid, first: &[Entity], rounds: &[Vec<(usize, Entity)>]) -> Result<Field, GpuError> {
        match self {
            Self::Cpu => {
                let mut moving = MovingField::new(grid, first.to_vec())?;
                for round in rounds {
                    for (i, entity) in round {
                        moving.set(*i, entity.clone())?;
                    }
                    moving.update();
                }
                Ok(moving.field().clone())
            }
            Self::Device(device) => with_device!(device, |device| {
                let mut moving = MovingDeviceField::new(device, grid, first.to_vec(), None)?;
                for round in rounds {
                    for (i, entity) in round {
                        moving.set(*i, entity.clone())?;
                    }
                    moving.update(device)?;
                }
                moving.read(device)
            }),
        }
    }

    /// A map of influence after some sweeps.
    pub fn spread(self, mut map: InfluenceMap, sweeps: u32) -> Result<Field, GpuError> {
        match self {
            Self::Cpu => {
                map.tick(sweeps);
                Ok(map.field())
            }
            Self::Device(device) => with_device!(device, |device| {
                let mut there = DeviceInfluenceMap::new(device, &map)?;
                there.tick(device, sweeps)?;
                there.read(device)
            }),
        }
    }

    pub fn travel_times(self, grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<TravelTimes, GpuError> {
        match self {
            Self::Cpu => Ok(TravelTimes::to_goals(grid, costs, goals)?),
            Self::Device(device) => with_device!(device, |device| gpu::travel_times(device, grid, costs, goals)),
        }
    }
}
