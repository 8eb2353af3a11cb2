//! Fields on devices in a build without kernels: all calls return an error.

mod error;

use std::convert::Infallible;
use std::marker::PhantomData;

use throng_device::Device;

use crate::creation::FixedPoint;
use crate::entities::Entity;
use crate::error::FieldError;
use crate::field::Field;
use crate::grid::Grid;
use crate::layers::Combination;
use crate::routing::{Order, TravelTimes};

pub use error::GpuError;

/// The error of every device operation.
pub(crate) fn no_kernels(device: &Device) -> GpuError {
    device.no_kernels("throng-fields").into()
}

/// Travel times on a device, of which there is none.
pub(crate) fn travel_times_of_order(
    device: &Device,
    _order: Order,
    _grid: &Grid,
    _costs: &[f32],
    _goals: &[(u32, u32)],
) -> Result<TravelTimes, GpuError> {
    Err(no_kernels(device))
}

/// No device computes travel times.
pub(crate) fn has_travel_times(_device: &Device) -> bool {
    false
}

/// A layer of a simulation on a device, of which there is none.
#[derive(Debug)]
pub(crate) struct LayerOnDevice<'d>(Infallible, PhantomData<&'d Device>);

impl<'d> LayerOnDevice<'d> {
    pub(crate) fn new(
        device: &'d Device,
        _grid: &Grid,
        _entities: Vec<Entity>,
        _fixed_point: Option<FixedPoint>,
    ) -> Result<Self, GpuError> {
        Err(no_kernels(device))
    }

    pub(crate) fn set(&mut self, _i: usize, _entity: Entity) -> Result<(), FieldError> {
        match self.0 {}
    }

    pub(crate) fn update(&mut self) -> Result<bool, GpuError> {
        match self.0 {}
    }

    pub(crate) fn read(&self) -> Result<Field, GpuError> {
        match self.0 {}
    }

    pub(crate) fn hash(&self, _first_high: u32) -> Result<u64, GpuError> {
        match self.0 {}
    }
}

/// The field that agents feel on a device, of which there is none.
#[derive(Debug)]
pub(crate) struct CombinedOnDevice<'d>(Infallible, PhantomData<&'d Device>);

impl<'d> CombinedOnDevice<'d> {
    pub(crate) fn new(device: &'d Device, _grid: &Grid, _combination: &'d Combination) -> Result<Self, GpuError> {
        Err(no_kernels(device))
    }

    pub(crate) fn read<'l>(&self, _layer: impl Fn(u32) -> Option<&'l LayerOnDevice<'d>>) -> Result<Field, GpuError>
    where
        'd: 'l,
    {
        match self.0 {}
    }
}
