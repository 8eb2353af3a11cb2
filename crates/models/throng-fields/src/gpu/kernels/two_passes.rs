//! Creation in two passes: impulses are spread along rows, and these along columns.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelParameter, cubecl};

use super::sums::UNITS;

/// Rows that a unit computes from each value that it reads.
pub const PASS_ROWS: u32 = 8;
/// Columns that a unit computes, [`ABREAST`] apart.
const PASS_COLUMNS: u32 = 4;
/// Units that read cells beside each other.
const ABREAST: u32 = 32;
/// Columns and rows of the cells of a cube.
pub const PASS_WIDTH: u32 = ABREAST * PASS_COLUMNS;
pub const PASS_HEIGHT: u32 = UNITS / ABREAST * PASS_ROWS;

/// The size of a grid, and the number of points beyond it on each side.
#[derive(Debug, CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct Passes {
    pub columns: u32,
    pub rows: u32,
    pub pad: u32,
    /// Rows with impulses.
    pub listed: u32,
    /// Cubes from left to right.
    pub cube_columns: u32,
}

/// Spreads rows of impulses across the grid: a unit for each cell of a row that has any. `starts` has the beginning of
/// each of these rows in `columns`, which are sorted, and the end of the last. `taps` are the bell with [`PASS_ROWS`]
/// zeros, less one, at both ends.
#[cube(launch_unchecked)]
pub fn spread_across(
    starts: &Array<u32>,
    columns: &Array<u32>,
    charges: &Array<f32>,
    taps: &Array<f32>,
    spread: &mut Array<f32>,
    by: &Passes,
) {
    let cell = ABSOLUTE_POS as u32;
    if cell < by.listed * by.columns {
        let row = cell / by.columns;
        // Points within reach are from as many columns on, and up to twice the padding more.
        let x = cell % by.columns;
        let end = starts[(row + 1u32) as usize];
        let mut low = starts[row as usize];
        let mut high = end;
        while low < high {
            let middle = low + (high - low) / 2u32;
            if columns[middle as usize] < x {
                low = middle + 1u32;
            } else {
                high = middle;
            }
        }
        let mut sum = 0.0f32;
        let last = x + 2u32 * by.pad;
        let mut more = low < end;
        while more {
            let column = columns[low as usize];
            more = false;
            if column <= last {
                sum += charges[low as usize] * taps[(column - x + comptime!(PASS_ROWS - 1)) as usize];
                low += 1u32;
                more = low < end;
            }
        }
        spread[cell as usize] = sum;
    }
}

/// Spreads rows along columns: each unit computes several columns of some rows. `rows` are the numbers of the spread
/// rows, those beyond the grid included, and `before` says how many of them come before each row of all.
#[cube(launch_unchecked)]
pub fn spread_down(
    rows: &Array<u32>,
    before: &Array<u32>,
    taps: &Array<f32>,
    spread: &Array<f32>,
    field: &mut Array<f32>,
    by: &Passes,
) {
    let cube = CUBE_POS as u32;
    let left = cube % by.cube_columns * PASS_WIDTH + UNIT_POS % ABREAST;
    let top = cube / by.cube_columns * PASS_HEIGHT + UNIT_POS / ABREAST * PASS_ROWS;
    if left < by.columns && top < by.rows {
        let mut sums = Array::<f32>::new(comptime!((PASS_ROWS * PASS_COLUMNS) as usize));
        #[unroll]
        for i in 0..comptime!((PASS_ROWS * PASS_COLUMNS) as usize) {
            sums[i] = 0.0f32;
        }
        let mut i = before[top as usize];
        let end = before[u32::min(top + PASS_ROWS + 2u32 * by.pad, by.rows + 2u32 * by.pad) as usize];
        while i < end {
            let after = rows[i as usize] - top;
            let first = i as usize * by.columns as usize;
            #[unroll]
            for c in 0..PASS_COLUMNS {
                let value = spread[first + u32::min(left + c * ABREAST, by.columns - 1u32) as usize];
                #[unroll]
                for r in 0..PASS_ROWS {
                    sums[comptime!((r * PASS_COLUMNS + c) as usize)] +=
                        taps[(after + comptime!(PASS_ROWS - 1 - r)) as usize] * value;
                }
            }
            i += 1u32;
        }
        #[unroll]
        for r in 0..PASS_ROWS {
            #[unroll]
            for c in 0..PASS_COLUMNS {
                let column = left + c * ABREAST;
                if top + r < by.rows && column < by.columns {
                    field[(top + r) as usize * by.columns as usize + column as usize] =
                        sums[comptime!((r * PASS_COLUMNS + c) as usize)];
                }
            }
        }
    }
}
