//! A layer of a simulation, on any device.

use throng_device::{AnyDevice, with_device};

use super::error::GpuError;
use super::moving::MovingDeviceField;
use crate::creation::FixedPoint;
use crate::entities::Entity;
use crate::error::FieldError;
use crate::field::Field;
use crate::grid::Grid;

/// A field in fixed point that follows its entities.
#[derive(Debug)]
pub(crate) struct LayerOnDevice<'d> {
    device: &'d AnyDevice,
    made: MovingDeviceField,
}

impl<'d> LayerOnDevice<'d> {
    /// With the initial field.
    pub(crate) fn new(
        device: &'d AnyDevice,
        grid: &Grid,
        entities: Vec<Entity>,
        fixed_point: FixedPoint,
    ) -> Result<(Self, Field), GpuError> {
        with_device!(device, |here| {
            let made = MovingDeviceField::new(here, grid, entities, Some(fixed_point))?;
            let field = made.read(here)?;
            Ok((Self { device, made }, field))
        })
    }

    /// See [`MovingDeviceField::set`].
    pub(crate) fn set(&mut self, i: usize, entity: Entity) -> Result<(), FieldError> {
        self.made.set(i, entity)
    }

    /// The field, if it was recomputed.
    pub(crate) fn update(&mut self) -> Result<Option<Field>, GpuError> {
        with_device!(self.device, |device| {
            Ok(if self.made.update(device)? > 0 { Some(self.made.read(device)?) } else { None })
        })
    }
}
