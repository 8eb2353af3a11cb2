//! Sums of field strengths by transforms: see `../transforms.rs`.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::convolution::{DeviceConvolution, Pass};
use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::{Buffer, Device, DeviceError, KernelParameter};

use super::super::fields::FieldTables;
use super::super::planes::Layout;
use super::super::rules::direction::DIRECTIONS;
use super::super::rules::grid::{NOWHERE, shown};
use super::super::rules::sums::Sums;
use super::super::scene::WALL;
use super::super::transforms::{CROWD, ONCOMING, SAME, passes, weights};
use super::state::{NUMBER_BITS, Parameters, Planes, Spot};

/// The transforms of a world, and their inputs.
#[derive(Debug)]
pub(super) struct DeviceTransforms {
    convolution: DeviceConvolution,
    passes: Vec<Pass>,
    /// Mark of each position of a plane.
    marks: Buffer<u32>,
}

impl DeviceTransforms {
    /// Creates the transforms for pedestrians whose headings are among the marks `headings`.
    ///
    /// # Errors
    /// When the device has too little memory, or its cubes are too small.
    pub fn new(device: &Device, layout: Layout, tables: &FieldTables, headings: u32) -> Result<Self, DeviceError> {
        let ([columns, rows], grid) = (layout.sides(), layout.grid);
        let world = [grid.width, grid.height];
        Ok(Self {
            convolution: DeviceConvolution::new(device, world, layout.radius, &weights(tables))?,
            passes: passes(tables.reading, headings),
            marks: device.empty("marks", columns as usize * rows as usize)?,
        })
    }

    /// Sums up the fields of a state into planes of `sums`.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn refresh(
        &self,
        device: &Device,
        parameters: Parameters,
        occupants: &Buffer<u32>,
        sums: &Buffer<u32>,
    ) -> Result<(), DeviceError> {
        device.launch("social field: mark", self.marks.len(), |client, cubes, dim| {
            mark::launch(client, cubes, dim, parameters.arg(), occupants.arg(), self.marks.arg());
        })?;
        self.convolution.compute_sums(device, &self.marks, &self.passes, sums)
    }

    /// Returns the size in device memory, bytes.
    pub fn bytes(&self) -> usize {
        4 * self.marks.len() + self.convolution.bytes()
    }
}

/// Marks the pedestrians by their headings: one unit per position of a plane.
#[cube(launch)]
fn mark(params: &Parameters, occupants: &Array<u32>, marks: &mut Array<u32>) {
    let i = ABSOLUTE_POS as u32;
    if i < params.columns * params.rows {
        let (width, height) = (params.grid.width, params.grid.height);
        let column = shown(i % params.columns, params.radius, width, comptime!(params.grid.boundary));
        let row = shown(i / params.columns, params.radius, height, comptime!(params.grid.boundary));
        let mut mark = 0u32;
        if column != NOWHERE && row != NOWHERE {
            let occupant = occupants[(row * width + column) as usize];
            if occupant < WALL {
                mark = 1u32 << (occupant >> NUMBER_BITS);
            }
        }
        marks[i as usize] = mark;
    }
}

/// Reads the sums of the pedestrian at a space unit.
#[cube]
pub(super) fn transform_sums(params: &Parameters, planes: &Planes, spot: Spot, sums: &mut Sums) {
    let (units, unit) = (params.units(), spot.y * params.grid.width + spot.x);
    #[unroll]
    for direction in 0..DIRECTIONS {
        let (crowd, same) = (comptime!(CROWD as u32 + direction), comptime!(SAME as u32 + direction));
        let oncoming = comptime!(ONCOMING as u32 + direction);
        sums.crowd.set(direction, planes.sums[(crowd * units + unit) as usize] as i32);
        sums.same.set(direction, planes.sums[(same * units + unit) as usize] as i32);
        sums.oncoming.set(direction, planes.sums[(oncoming * units + unit) as usize] as i32);
    }
}
