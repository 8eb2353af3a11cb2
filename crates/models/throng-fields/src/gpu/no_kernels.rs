//! Fields on devices in a build without kernels: all calls return an error.

#![allow(missing_docs, reason = "the other builds document the same items")]

use std::convert::Infallible;
use std::marker::PhantomData;
use std::sync::Arc;

use throng_device::{Device, DeviceError};
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_fields_core::layers::Combination;
use throng_fields_core::query::Best;
use throng_fields_core::routing::{Scheme, TravelTimes};
use throng_pictures::Grid;

use crate::live::{Deferred, EntityTable, Window};

pub use throng_device::Error;

/// The error of every device operation.
pub fn no_kernels(device: &Device) -> Error {
    device.no_kernels("throng-fields").into()
}

/// Returns the error of a build without kernels.
pub fn travel_times_by_scheme(
    device: &Device,
    _scheme: Scheme,
    _grid: &Grid,
    _costs: &[f32],
    _goals: &[(u32, u32)],
) -> Result<TravelTimes, Error> {
    Err(no_kernels(device))
}

/// Always false: no device computes travel times in this build.
pub fn has_travel_times(_device: &Device) -> bool {
    false
}

/// Returns an error for every device.
pub(crate) fn check_arithmetic(device: &Device) -> Result<(), DeviceError> {
    Err(device.no_kernels("throng-fields"))
}

pub(crate) fn create(device: &Device, _: &Grid, _: &[Entity], _: Option<FixedPoint>) -> Result<Field, Error> {
    Err(no_kernels(device))
}

/// A field in device memory. There are no such fields without the feature `gpu`.
#[derive(Debug, Clone, Copy)]
pub struct FieldOnDevice<'f>(Infallible, PhantomData<&'f Device>);

pub fn hash(field: FieldOnDevice<'_>, _first_high: u32) -> Result<u64, Error> {
    match field.0 {}
}

/// A field on a device that tracks its entities. Uninhabited without the feature `gpu`.
#[derive(Debug)]
pub(crate) enum DynamicFieldOnDevice {}

impl DynamicFieldOnDevice {
    pub fn new(device: &Device, _: &Grid, _: &[&Entity], _: Option<FixedPoint>) -> Result<Self, Error> {
        Err(no_kernels(device))
    }

    pub fn update(&mut self, _: &Device, _: &EntityTable) -> Result<usize, Error> {
        match *self {}
    }

    pub fn read(&self, _: &Device) -> Result<Field, Error> {
        match *self {}
    }

    pub fn on<'f>(&'f self, _: &'f Device) -> FieldOnDevice<'f> {
        match *self {}
    }
}

pub(crate) fn best_in(
    _: &Arc<Device>,
    kept: &DynamicFieldOnDevice,
    _: &[Window],
    _: usize,
) -> Result<Deferred<Vec<Vec<Best>>>, Error> {
    match *kept {}
}

pub(crate) fn sample(
    _: &Arc<Device>,
    kept: &DynamicFieldOnDevice,
    _: &[[f64; 2]],
) -> Result<Deferred<Vec<f32>>, Error> {
    match *kept {}
}

pub(crate) fn gradients(
    _: &Arc<Device>,
    kept: &DynamicFieldOnDevice,
    _: &[[f64; 2]],
) -> Result<Deferred<Vec<[f32; 2]>>, Error> {
    match *kept {}
}

pub(crate) fn read_later(_: &Arc<Device>, kept: &DynamicFieldOnDevice) -> Deferred<Field> {
    match *kept {}
}

/// The combined field on a device that agents sense. Uninhabited without the feature `gpu`.
#[derive(Debug)]
pub struct CombinedOnDevice<'d>(Infallible, PhantomData<&'d Device>);

impl<'d> CombinedOnDevice<'d> {
    pub fn new(device: &'d Device, _grid: &Grid, _combination: &'d Combination) -> Result<Self, Error> {
        Err(no_kernels(device))
    }

    pub fn read<'l>(&'l self, _layer: impl Fn(u32) -> Option<FieldOnDevice<'l>>) -> Result<Field, Error> {
        match self.0 {}
    }
}
