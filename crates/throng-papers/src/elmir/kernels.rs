//! The device programs of the thesis, which every cell and every circle goes through.

// The macros of CubeCL make items without documentation.
#![allow(missing_docs)]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

/// Circles in a segment of shared memory, and units of a cube.
pub const SEGMENT: u32 = 256;

/// What a circle adds, from the square of the distance.
#[cube]
fn charge(square: f32, square_of_radius: f32) -> f32 {
    let mut charge = 0.0f32;
    if square < square_of_radius {
        charge = 1.0f32 - (square / square_of_radius).sqrt();
    }
    charge
}

/// Circles of three reals: x, y, square of the radius.
#[cube(launch_unchecked)]
pub fn elmir_naive(circles: &Array<f32>, count: u32, field: &mut Array<f32>, resolution: u32, cell: f32) {
    let i = ABSOLUTE_POS as u32;
    if i < resolution * resolution {
        let x = f32::cast_from(i % resolution) * cell;
        let y = f32::cast_from(i / resolution) * cell;
        let mut sum = 0.0f32;
        for k in 0..count {
            let at = (k * 3u32) as usize;
            let across = x - circles[at];
            let down = y - circles[at + 1];
            sum += charge(across * across + down * down, circles[at + 2]);
        }
        field[i as usize] = sum;
    }
}

/// Circles of four reals, the last of which means nothing, read at once.
#[cube(launch_unchecked)]
pub fn elmir_coalesced(
    circles: &Array<Vector<f32, Const<4>>>,
    count: u32,
    field: &mut Array<f32>,
    resolution: u32,
    cell: f32,
) {
    let i = ABSOLUTE_POS as u32;
    if i < resolution * resolution {
        let x = f32::cast_from(i % resolution) * cell;
        let y = f32::cast_from(i / resolution) * cell;
        let mut sum = 0.0f32;
        for k in 0..count {
            let circle = circles[k as usize];
            let across = x - circle[0];
            let down = y - circle[1];
            sum += charge(across * across + down * down, circle[2]);
        }
        field[i as usize] = sum;
    }
}

/// As before, but the units of a cube read a segment of circles together.
#[cube(launch_unchecked)]
pub fn elmir_shared(
    circles: &Array<Vector<f32, Const<4>>>,
    count: u32,
    field: &mut Array<f32>,
    resolution: u32,
    cell: f32,
) {
    let mut segment = SharedMemory::<Vector<f32, Const<4>>>::new(comptime!(SEGMENT as usize));
    let i = ABSOLUTE_POS as u32;
    let x = f32::cast_from(i % resolution) * cell;
    let y = f32::cast_from(i / resolution) * cell;
    let mut sum = 0.0f32;
    let mut done = 0u32;
    while done < count {
        if done + UNIT_POS < count {
            segment[UNIT_POS as usize] = circles[(done + UNIT_POS) as usize];
        }
        sync_cube();
        let here = u32::min(SEGMENT, count - done);
        for k in 0..here {
            let circle = segment[k as usize];
            let across = x - circle[0];
            let down = y - circle[1];
            sum += charge(across * across + down * down, circle[2]);
        }
        sync_cube();
        done += SEGMENT;
    }
    if i < resolution * resolution {
        field[i as usize] = sum;
    }
}
