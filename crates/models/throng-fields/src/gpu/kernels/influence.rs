//! A sweep of influence propagation, over cells in lines of four.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, KernelParameter, cubecl};
use throng_fields_core::influence::Weights;

use super::sums::UNITS;

/// Cells that are read and written in one access.
pub const LINE: u32 = 4;
/// Lines per row of a tile.
pub const TILE_LINES: u32 = 32;
/// Rows of cells that each unit computes.
const UNIT_ROWS: u32 = 4;
pub const SWEEP_ROWS: u32 = UNITS / TILE_LINES * UNIT_ROWS;

/// How influence spreads on a grid within a frame.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct Spread {
    /// Lines per row.
    pub lines: u32,
    /// Rows of the grid.
    pub rows: u32,
    /// Tiles per row of tiles.
    pub tile_columns: u32,
    pub tiles: u32,
    pub weights: Weights,
}

/// A line of cells, and the left and right neighbours of each cell.
#[derive(CubeType, Clone, Copy)]
struct LineWithNeighbours<N: Size> {
    left: Vector<f32, N>,
    middle: Vector<f32, N>,
    right: Vector<f32, N>,
}

/// Computes one sweep. Each unit computes several lines, one below the other. Of the cells in `held`, sources keep at
/// least their strength; walls and the frame, whose strengths are 0, keep their values.
///
/// `corners` has four bits per cell, lowest first: for the diagonal steps to the upper left, upper right, lower left
/// and lower right neighbour, whether the step cuts no corner of a wall. It is read only if there are `walls`. The host
/// derives the bits from the open cells around each cell; a device would have to read three rows of flags for this.
#[cube(launch_unchecked)]
pub fn spread_influence<N: Size>(
    values: &Array<Vector<f32, N>>,
    held: &Array<u32>,
    strengths: &Array<Vector<f32, N>>,
    corners: &Array<u32>,
    next: &mut Array<Vector<f32, N>>,
    by: &Spread,
    #[comptime] walls: bool,
) {
    let tile = CUBE_POS as u32;
    let line = (tile % by.tile_columns) * TILE_LINES + UNIT_POS % TILE_LINES;
    // The first row of memory belongs to the frame.
    let first = 1u32 + (tile / by.tile_columns) * SWEEP_ROWS + UNIT_POS / TILE_LINES * UNIT_ROWS;
    if tile < by.tiles && line < by.lines && first <= by.rows {
        let over = read_with_neighbours(values, (first - 1u32) * by.lines + line);
        let top = read_with_neighbours(values, first * by.lines + line);
        let mut above_left = over.left;
        let mut above_middle = over.middle;
        let mut above_right = over.right;
        let mut left = top.left;
        let mut middle = top.middle;
        let mut right = top.right;
        #[unroll]
        for r in 0..UNIT_ROWS {
            let row = first + r;
            // Read even if the row does not exist, so that the read does not wait for the comparison.
            let at = u32::min(row, by.rows) * by.lines + line;
            let below = read_with_neighbours(values, at + by.lines);
            let bits = held[(at / 8u32) as usize] >> (at % 8u32 * LINE);
            let mut free = 0u32;
            if walls {
                free = corners[(at / 2u32) as usize] >> (at % 2u32 * comptime!(4 * LINE));
            }
            let mut value = middle;
            #[unroll]
            for i in 0..comptime!(LINE as usize) {
                let straight = f32::max(f32::max(left[i], right[i]), f32::max(above_middle[i], below.middle[i]));
                let mut over_left = above_left[i];
                let mut over_right = above_right[i];
                let mut under_left = below.left[i];
                let mut under_right = below.right[i];
                if walls {
                    over_left = value_if_bit(over_left, free, comptime!(4 * i as u32));
                    over_right = value_if_bit(over_right, free, comptime!(4 * i as u32 + 1));
                    under_left = value_if_bit(under_left, free, comptime!(4 * i as u32 + 2));
                    under_right = value_if_bit(under_right, free, comptime!(4 * i as u32 + 3));
                }
                let diagonal = f32::max(f32::max(over_left, over_right), f32::max(under_left, under_right));
                value[i] = by.weights.after_sweep(middle[i], straight, diagonal);
            }
            if bits & comptime!((1 << LINE) - 1) != 0u32 {
                let strength = strengths[at as usize];
                #[unroll]
                for i in 0..comptime!(LINE as usize) {
                    let least = select(strength[i] > 0.0f32, f32::max(value[i], strength[i]), middle[i]);
                    value[i] = select((bits >> comptime!(i as u32)) & 1u32 == 1u32, least, value[i]);
                }
            }
            if row <= by.rows {
                next[at as usize] = value;
            }
            above_left = left;
            above_middle = middle;
            above_right = right;
            left = below.left;
            middle = below.middle;
            right = below.right;
        }
    }
}

/// Returns the value, or 0 if the bit is not set.
#[cube]
fn value_if_bit(value: f32, bits: u32, #[comptime] bit: u32) -> f32 {
    select((bits >> bit) & 1u32 == 1u32, value, 0.0f32)
}

/// Reads a line and the neighbours of its cells.
#[cube]
fn read_with_neighbours<N: Size>(values: &Array<Vector<f32, N>>, at: u32) -> LineWithNeighbours<N> {
    let middle = values[at as usize];
    // The very first line belongs to the frame, so it may stand in for the line before it.
    let before = values[(u32::max(at, 1u32) - 1u32) as usize];
    let after = values[(at + 1u32) as usize];
    let mut all_left = middle;
    let mut all_right = middle;
    #[unroll]
    for i in 0..comptime!(LINE as usize) {
        let mut left = before[comptime!(LINE as usize - 1)];
        if comptime!(i > 0) {
            left = middle[comptime!(if i > 0 { i - 1 } else { 0 })];
        }
        let mut right = after[0];
        if comptime!(i + 1 < LINE as usize) {
            right = middle[comptime!(if i + 1 < LINE as usize { i + 1 } else { 0 })];
        }
        all_left[i] = left;
        all_right[i] = right;
    }
    LineWithNeighbours::<N> { left: all_left, middle, right: all_right }
}

/// Strengths of cells, and the influence to which each is raised.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Sources {
    pub cells: Array<u32>,
    pub given: Array<f32>,
    pub raised: Array<f32>,
}

#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Influences {
    pub values: Array<f32>,
    pub strengths: Array<f32>,
    pub held: Array<Atomic<u32>>,
}

/// Sets the strengths of the given cells, each of which occurs once, and raises their influence. A cell with a strength
/// above 0 is held, and one with 0 is released. Cell indices include the frame.
#[cube(launch)]
pub fn set_sources(sources: &Sources, count: u32, map: &mut Influences) {
    let i = ABSOLUTE_POS as u32;
    if i < count {
        let cell = sources.cells[i as usize];
        let strength = sources.given[i as usize];
        let word = (cell / 32u32) as usize;
        let bit = 1u32 << (cell % 32u32);
        map.values[cell as usize] = f32::max(map.values[cell as usize], sources.raised[i as usize]);
        map.strengths[cell as usize] = strength;
        if strength > 0.0f32 {
            map.held[word].fetch_or(bit);
        } else {
            map.held[word].fetch_and(!bit);
        }
    }
}
