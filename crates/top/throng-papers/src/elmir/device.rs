//! The device programs of the thesis, and Throng's program for the same circles.

use throng_device::{Buffer, Device, DeviceError, Error};

use super::circles::Circles;
use super::kernels::{SEGMENT, elmir_coalesced, elmir_naive, elmir_shared};
use super::program::Program;
use throng_fields::Entity;
use throng_fields::Field;
use throng_fields::InputError;
use throng_fields::gpu::{DeviceEntities, DeviceField};

use crate::experiment::steps_on;

/// Circles on a device, and a buffer for their field.
#[derive(Debug)]
pub struct DeviceCircles<'d> {
    device: &'d Device,
    pub(super) circles: &'d Circles,
    entities: Vec<Entity>,
    /// Three floats per circle.
    pub(super) narrow: Buffer<f32>,
    /// Four floats per circle.
    pub(super) wide: Buffer<f32>,
    pub(super) values: Buffer<f32>,
    ours: DeviceEntities,
    field: DeviceField,
}

/// Minimum duration of launches that are timed together, so that it exceeds the noise of the clock.
const LONG_ENOUGH_S: f64 = 0.002;
const MAX_LAUNCHES: u32 = 256;

impl<'d> DeviceCircles<'d> {
    /// Copies circles to a device.
    ///
    /// # Errors
    /// When they or their field do not fit.
    pub fn new(device: &'d Device, circles: &'d Circles) -> Result<Self, Error> {
        let square = circles.radius() * circles.radius();
        let narrow: Vec<f32> = circles.centres().iter().flat_map(|&[x, y]| [x, y, square]).collect();
        let wide: Vec<f32> = circles.centres().iter().flat_map(|&[x, y]| [x, y, square, 0.0]).collect();
        let entities = circles.entities()?;
        Ok(Self {
            device,
            circles,
            narrow: device.upload("circles", &narrow)?,
            wide: device.upload("circles", &wide)?,
            values: device.empty("field", circles.grid().cells())?,
            ours: DeviceEntities::new(device, circles.grid(), &entities, None)?,
            field: DeviceField::new(device, circles.grid())?,
            entities,
        })
    }

    /// Creates the field with a device program.
    ///
    /// # Errors
    /// For CPU programs, and if the device fails.
    pub fn create(&self, program: Program) -> Result<Field, Error> {
        self.launch(program)?;
        match program {
            Program::OursOnDevice | Program::OursWithTransfers => self.field.read(self.device),
            _ => Ok(Field::new(*self.circles.grid(), self.device.read(&self.values)?)),
        }
    }

    /// Returns the seconds that a device program takes, averaged over back-to-back runs.
    ///
    /// # Errors
    /// For CPU programs, and if the device fails.
    pub fn time(&self, program: Program) -> Result<f64, Error> {
        let mut launches = 1;
        loop {
            let seconds = steps_on(self.device, launches, u32::MAX, |_| self.launch(program))?;
            if seconds >= LONG_ENOUGH_S || launches >= MAX_LAUNCHES {
                return Ok(seconds / f64::from(launches));
            }
            launches *= 4;
        }
    }

    #[allow(unsafe_code)]
    fn launch(&self, program: Program) -> Result<(), Error> {
        let Self { device, circles, .. } = self;
        let cubes = (circles.grid().cells() as u32).div_ceil(SEGMENT);
        let done: Result<(), DeviceError> = match program {
            Program::GpuNaive => device.launch_cubes("elmir: naive", cubes, SEGMENT, |client, cubes, dim| {
                // SAFETY: the kernel reads only existing circles, of three floats each, and writes only existing cells.
                unsafe { elmir_naive::launch_unchecked(client, cubes, dim, self.narrow(), self.values()) };
            }),
            Program::GpuCoalesced => device.launch_cubes("elmir: coalesced", cubes, SEGMENT, |client, cubes, dim| {
                // SAFETY: as above, with four floats per circle.
                unsafe { elmir_coalesced::launch_unchecked(client, cubes, dim, self.wide(), self.values()) };
            }),
            Program::GpuShared => device.launch_cubes("elmir: shared", cubes, SEGMENT, |client, cubes, dim| {
                // SAFETY: as above; a segment has as many circles as the cube has units.
                unsafe { elmir_shared::launch_unchecked(client, cubes, dim, self.wide(), self.values()) };
            }),
            Program::OursOnDevice => return self.field.create(device, &self.ours),
            Program::OursWithTransfers => {
                let device_entities = DeviceEntities::new(device, circles.grid(), &self.entities, None)?;
                self.field.create(device, &device_entities)?;
                self.field.read(device)?;
                return Ok(());
            }
            Program::CpuNaive
            | Program::CpuCopy
            | Program::CpuCopyByRows
            | Program::CpuCopyByRowsAllThreads
            | Program::OursOneThread
            | Program::OursAllThreads => {
                return Err(InputError::one("program", program.name(), "expected a device program").into());
            }
        };
        Ok(done?)
    }

    pub(super) fn count(&self) -> u32 {
        self.circles.centres().len() as u32
    }
}
