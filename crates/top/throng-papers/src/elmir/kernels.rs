//! The device programs of the thesis, which visit all pairs of a cell and a circle.

// CubeCL's macros generate items without documentation.
#![allow(missing_docs)]

use std::marker::PhantomData;

use throng_device::cubecl::prelude::*;
use throng_device::{Gpu, cubecl};

use super::device::DeviceCircles;

/// Number of circles in a segment of shared memory, and of units in a cube.
pub const SEGMENT: u32 = 256;

/// Circles of three floats each: x, y, and the squared radius.
#[derive(CubeLaunch, CubeType)]
pub struct NarrowCircles {
    pub reals: Array<f32>,
    pub count: u32,
}

/// Circles of four floats each, the last of which is unused.
#[derive(CubeLaunch, CubeType)]
pub struct WideCircles {
    pub reals: Array<Vector<f32, Const<4>>>,
    pub count: u32,
}

/// A field of `resolution` x `resolution` cells, `cell` world units wide.
#[derive(CubeLaunch, CubeType)]
pub struct SquareField {
    pub values: Array<f32>,
    pub resolution: u32,
    pub cell: f32,
}

impl DeviceCircles<'_> {
    pub(super) fn narrow(&self) -> NarrowCirclesLaunch<Gpu> {
        NarrowCirclesLaunch { reals: self.narrow.arg(), count: self.count(), _phantom_runtime: PhantomData }
    }

    pub(super) fn wide(&self) -> WideCirclesLaunch<Gpu> {
        WideCirclesLaunch { reals: self.wide.arg(), count: self.count(), _phantom_runtime: PhantomData }
    }

    pub(super) fn values(&self) -> SquareFieldLaunch<Gpu> {
        let grid = self.circles.grid();
        let (values, resolution, cell) = (self.values.arg(), grid.columns(), grid.cell());
        SquareFieldLaunch { values, resolution, cell, _phantom_runtime: PhantomData }
    }
}

/// The charge of a circle, from the squared distance and the squared radius.
#[cube]
fn charge(square: f32, square_of_radius: f32) -> f32 {
    let mut charge = 0.0f32;
    if square < square_of_radius {
        charge = 1.0f32 - (square / square_of_radius).sqrt();
    }
    charge
}

/// Algorithm 3: one unit per cell, which iterates over all circles.
#[cube(launch_unchecked)]
pub fn elmir_naive(circles: &NarrowCircles, field: &mut SquareField) {
    let i = ABSOLUTE_POS as u32;
    if i < field.resolution * field.resolution {
        let x = f32::cast_from(i % field.resolution) * field.cell;
        let y = f32::cast_from(i / field.resolution) * field.cell;
        let mut sum = 0.0f32;
        for k in 0..circles.count {
            let at = (k * 3u32) as usize;
            let across = x - circles.reals[at];
            let down = y - circles.reals[at + 1];
            sum += charge(across * across + down * down, circles.reals[at + 2]);
        }
        field.values[i as usize] = sum;
    }
}

/// Like `elmir_naive`, but reads a circle in one access.
#[cube(launch_unchecked)]
pub fn elmir_coalesced(circles: &WideCircles, field: &mut SquareField) {
    let i = ABSOLUTE_POS as u32;
    if i < field.resolution * field.resolution {
        let x = f32::cast_from(i % field.resolution) * field.cell;
        let y = f32::cast_from(i / field.resolution) * field.cell;
        let mut sum = 0.0f32;
        for k in 0..circles.count {
            let circle = circles.reals[k as usize];
            let across = x - circle[0];
            let down = y - circle[1];
            sum += charge(across * across + down * down, circle[2]);
        }
        field.values[i as usize] = sum;
    }
}

/// Like `elmir_coalesced`, but the units of a cube load a segment of circles together.
#[cube(launch_unchecked)]
pub fn elmir_shared(circles: &WideCircles, field: &mut SquareField) {
    let mut segment = SharedMemory::<Vector<f32, Const<4>>>::new(comptime!(SEGMENT as usize));
    let i = ABSOLUTE_POS as u32;
    let x = f32::cast_from(i % field.resolution) * field.cell;
    let y = f32::cast_from(i / field.resolution) * field.cell;
    let mut sum = 0.0f32;
    let mut done = 0u32;
    while done < circles.count {
        if done + UNIT_POS < circles.count {
            segment[UNIT_POS as usize] = circles.reals[(done + UNIT_POS) as usize];
        }
        sync_cube();
        let loaded = u32::min(SEGMENT, circles.count - done);
        for k in 0..loaded {
            let circle = segment[k as usize];
            let across = x - circle[0];
            let down = y - circle[1];
            sum += charge(across * across + down * down, circle[2]);
        }
        sync_cube();
        done += SEGMENT;
    }
    if i < field.resolution * field.resolution {
        field.values[i as usize] = sum;
    }
}
