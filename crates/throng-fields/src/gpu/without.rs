//! Fields on devices in a build without kernels: all calls return an error.

mod error;

use std::convert::Infallible;
use std::marker::PhantomData;

use throng_device::AnyDevice;

use crate::creation::FixedPoint;
use crate::entities::Entity;
use crate::error::FieldError;
use crate::field::Field;
use crate::grid::Grid;

pub use error::GpuError;

/// The error of every device operation.
pub(crate) fn no_kernels(device: &AnyDevice) -> GpuError {
    device.no_kernels("throng-fields").into()
}

/// A layer of a simulation on a device, of which there is none.
#[derive(Debug)]
pub(crate) struct LayerOnDevice<'d>(Infallible, PhantomData<&'d AnyDevice>);

impl<'d> LayerOnDevice<'d> {
    pub(crate) fn new(
        device: &'d AnyDevice,
        _grid: &Grid,
        _entities: Vec<Entity>,
        _fixed_point: FixedPoint,
    ) -> Result<(Self, Field), GpuError> {
        Err(no_kernels(device))
    }

    pub(crate) fn set(&mut self, _i: usize, _entity: Entity) -> Result<(), FieldError> {
        match self.0 {}
    }

    pub(crate) fn update(&mut self) -> Result<Option<Field>, GpuError> {
        match self.0 {}
    }
}
