//! Values and slopes of a field at points; each unit computes one point.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, KernelParameter, cubecl};
use throng_fields_core::rules::interpolation::{Corners, bilinear, slope_across, slope_down};

/// Offsets from a sample to its neighbours in the field, and the number of points.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct Around {
    /// Offset to the next column: 0 in a grid of one column.
    pub right: u32,
    /// Offset to the next row: 0 in a grid of one row.
    pub down: u32,
    pub count: u32,
    /// The `zero` of `throng_device::exact::rounded_product`.
    pub zero: f32,
}

/// The field, and for each point the cell of the first of its four samples, and its fractions along x and y.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Points {
    pub field: Array<f32>,
    pub cells: Array<u32>,
    pub shares: Array<f32>,
}

/// Interpolates the value at each point between the four samples that start at `cells`, at the given fractions.
#[cube(launch)]
pub fn sample_points(points: &Points, samples: &mut Array<f32>, around: &Around) {
    let i = ABSOLUTE_POS as u32;
    if i < around.count {
        let corners = corners(&points.field, points.cells[i as usize], around);
        let (across, down) = (points.shares[2 * i as usize], points.shares[2 * i as usize + 1]);
        samples[i as usize] = bilinear(&corners, across, down, around.zero);
    }
}

/// Computes the slopes at each point, per cell along x and y.
#[cube(launch)]
pub fn slopes_at_points(points: &Points, slopes: &mut Array<f32>, around: &Around) {
    let i = ABSOLUTE_POS as u32;
    if i < around.count {
        let corners = corners(&points.field, points.cells[i as usize], around);
        let (across, down) = (points.shares[2 * i as usize], points.shares[2 * i as usize + 1]);
        slopes[2 * i as usize] = slope_across(&corners, down, around.zero);
        slopes[2 * i as usize + 1] = slope_down(&corners, across, around.zero);
    }
}

/// The four samples that start at a cell.
#[cube]
fn corners(field: &Array<f32>, cell: u32, around: &Around) -> Corners {
    let at = cell as usize;
    let below = at + around.down as usize;
    Corners {
        a: field[at],
        b: field[at + around.right as usize],
        c: field[below],
        d: field[below + around.right as usize],
    }
}
