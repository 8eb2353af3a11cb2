//! Fields on devices in a build without kernels: all calls return an error.

#![allow(missing_docs, reason = "the other builds document the same items")]

use std::convert::Infallible;
use std::marker::PhantomData;

use throng_core::ValueError;
use throng_device::Device;
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_fields_core::layers::Combination;
use throng_fields_core::routing::{Order, TravelTimes};
use throng_pictures::Grid;

pub use throng_device::GpuError;

/// The error of every device operation.
pub fn no_kernels(device: &Device) -> GpuError {
    device.no_kernels("throng-fields").into()
}

/// Travel times on a device, of which there is none.
pub fn travel_times_of_order(
    device: &Device,
    _order: Order,
    _grid: &Grid,
    _costs: &[f32],
    _goals: &[(u32, u32)],
) -> Result<TravelTimes, GpuError> {
    Err(no_kernels(device))
}

/// No device computes travel times.
pub fn has_travel_times(_device: &Device) -> bool {
    false
}

/// A layer of a simulation on a device, of which there is none.
#[derive(Debug)]
pub struct LayerOnDevice<'d>(Infallible, PhantomData<&'d Device>);

impl<'d> LayerOnDevice<'d> {
    pub fn new(
        device: &'d Device,
        _grid: &Grid,
        _entities: Vec<Entity>,
        _fixed_point: Option<FixedPoint>,
    ) -> Result<Self, GpuError> {
        Err(no_kernels(device))
    }

    pub fn set(&mut self, _i: usize, _entity: Entity) -> Result<(), ValueError> {
        match self.0 {}
    }

    pub fn update(&mut self) -> Result<bool, GpuError> {
        match self.0 {}
    }

    pub fn read(&self) -> Result<Field, GpuError> {
        match self.0 {}
    }

    pub fn hash(&self, _first_high: u32) -> Result<u64, GpuError> {
        match self.0 {}
    }
}

/// The field that agents feel on a device, of which there is none.
#[derive(Debug)]
pub struct CombinedOnDevice<'d>(Infallible, PhantomData<&'d Device>);

impl<'d> CombinedOnDevice<'d> {
    pub fn new(device: &'d Device, _grid: &Grid, _combination: &'d Combination) -> Result<Self, GpuError> {
        Err(no_kernels(device))
    }

    pub fn read<'l>(&self, _layer: impl Fn(u32) -> Option<&'l LayerOnDevice<'d>>) -> Result<Field, GpuError>
    where
        'd: 'l,
    {
        match self.0 {}
    }
}
