//! Fields on a device in a build without kernels, which has none.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::sync::Arc;

use throng_core::ValueError;
use throng_device::{Device, DeviceError};
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_fields_core::query::Best;
use throng_pictures::Grid;

use super::entity_table::EntityTable;
use super::executor::Executor;
use super::later::Later;
use super::places::Places;
use super::window::Window;

/// A field in the memory of a device. Without the feature `gpu` there are no such fields.
#[derive(Debug, Clone, Copy)]
pub struct FieldOnDevice<'f>(Infallible, PhantomData<&'f Device>);

/// A field on a device.
#[derive(Debug)]
pub(super) struct OnDevice(Infallible);

impl OnDevice {
    pub fn new(
        device: &Arc<Device>,
        _grid: &Grid,
        _entities: &[&Entity],
        _fixed_point: FixedPoint,
    ) -> Result<Self, ValueError> {
        Err(no_kernels(device))
    }
}

pub(super) fn by_tiles_on(device: &Device, _: &Grid, _: &[Entity], _: FixedPoint) -> Result<Field, ValueError> {
    Err(no_kernels(device))
}

fn no_kernels(device: &Device) -> ValueError {
    let error = device.no_kernels("throng-fields");
    ValueError::new("device", &error, error.remedy()).of_machine()
}

/// Refuses every device.
#[allow(clippy::needless_pass_by_value, reason = "the other builds return the device")]
pub(super) fn suitable(device: Device) -> Result<Device, DeviceError> {
    Err(device.no_kernels("throng-fields"))
}

impl Executor for OnDevice {
    fn update(&mut self, _: &EntityTable) -> Result<(), ValueError> {
        match self.0 {}
    }

    fn best_in(&self, _: &[Window], _: usize) -> Result<Later<Vec<Vec<Best>>>, ValueError> {
        match self.0 {}
    }

    fn sample(&self, _: &Places) -> Result<Later<Vec<f32>>, ValueError> {
        match self.0 {}
    }

    fn gradients(&self, _: &Places) -> Result<Later<Vec<[f32; 2]>>, ValueError> {
        match self.0 {}
    }

    fn read(&self) -> Result<Later<Field>, ValueError> {
        match self.0 {}
    }

    fn on_device(&self) -> Option<FieldOnDevice<'_>> {
        match self.0 {}
    }
}
