//! A sweep of influence propagation: `crate::influence::InfluenceMap` on the device, operation by operation.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::sums::{TILE_COLUMNS, UNIT_ROWS};
use crate::influence::LEAST_INFLUENCE;

/// How influence spreads on a grid.
#[derive(CubeLaunch, CubeType, Clone, Copy)]
pub struct Spread {
    pub columns: u32,
    pub rows: u32,
    pub tile_columns: u32,
    pub tiles: u32,
    /// Words of a row of held cells.
    pub held_words: u32,
    /// What is left of influence after a step to a straight neighbour, and to a diagonal one.
    pub straight: f32,
    pub diagonal: f32,
    /// The share that a cell keeps, and what is taken anew.
    pub momentum: f32,
    pub rest: f32,
    /// 0, which no compiler knows: a product to which it is added by `fma` is rounded before anything else is added.
    pub zero: f32,
}

/// A cell, and the stronger of its left and right neighbours.
#[derive(CubeType, Clone, Copy)]
struct Three {
    middle: f32,
    beside: f32,
}

/// Makes `rows` cells of a column per unit. Held cells, walls and sources, keep what they have. `slim`: the grid has one
/// column or one row.
#[cube(launch_unchecked)]
pub fn spread_influence(
    values: &Array<f32>,
    held: &Array<u32>,
    next: &mut Array<f32>,
    by: &Spread,
    #[comptime] rows: u32,
    #[comptime] slim: bool,
) {
    let tile = CUBE_POS as u32;
    let column = (tile % by.tile_columns) * TILE_COLUMNS + UNIT_POS % TILE_COLUMNS;
    let first = (tile / by.tile_columns * UNIT_ROWS + UNIT_POS / TILE_COLUMNS) * rows;
    if tile < by.tiles && column < by.columns && first < by.rows {
        // At a border the neighbour on the other side stands for the one that is not there: it counts already.
        let left = mirrored(column, by.columns);
        let right = by.columns - 1u32 - mirrored(by.columns - 1u32 - column, by.columns);
        let row_behind_last = by.rows - u32::min(2u32, by.rows);
        let over = three(values, by, mirrored(first, by.rows), left, column, right, slim);
        let top = three(values, by, first, left, column, right, slim);
        let mut above_middle = over.middle;
        let mut above_beside = over.beside;
        let mut middle = top.middle;
        let mut beside = top.beside;
        #[unroll]
        for r in 0..rows {
            let row = first + r;
            // Read whether the row is there or not, so that no read waits for that.
            let below = select(row + 1u32 < by.rows, row + 1u32, row_behind_last);
            let below = three(values, by, below, left, column, right, slim);
            let word = held[(u32::min(row, by.rows - 1u32) * by.held_words + column / 32u32) as usize];
            let mut straight = f32::max(beside, f32::max(above_middle, below.middle));
            let mut diagonal = f32::max(above_beside, below.beside);
            if comptime!(slim) {
                straight = beside;
                if by.rows > 1u32 {
                    straight = f32::max(above_middle, below.middle);
                }
                diagonal = 0.0f32;
            }
            let taken = fma(by.rest, f32::max(straight * by.straight, diagonal * by.diagonal), by.zero);
            let mut value = fma(by.momentum, middle, by.zero) + taken;
            value = select(value < LEAST_INFLUENCE, 0.0f32, value);
            value = select((word >> (column % 32u32)) & 1u32 == 1u32, middle, value);
            if row < by.rows {
                next[(row * by.columns + column) as usize] = value;
            }
            above_middle = middle;
            above_beside = beside;
            middle = below.middle;
            beside = below.beside;
        }
    }
}

/// The row before this one, or the one after the first one.
#[cube]
fn mirrored(at: u32, count: u32) -> u32 {
    let mut before = at - 1u32;
    if at == 0u32 {
        before = u32::min(1u32, count - 1u32);
    }
    before
}

/// A row at a column and beside it.
#[cube]
fn three(
    values: &Array<f32>,
    by: &Spread,
    row: u32,
    left: u32,
    column: u32,
    right: u32,
    #[comptime] slim: bool,
) -> Three {
    let at = row * by.columns;
    let mut beside = f32::max(values[(at + left) as usize], values[(at + right) as usize]);
    if comptime!(slim) {
        // The cell itself is no neighbour of its own.
        beside = select(by.columns > 1u32, beside, 0.0f32);
    }
    Three { middle: values[(at + column) as usize], beside }
}

/// Gives each cell, which comes once, a strength. Above 0 it is held; below 0 it has the strength without its sign, and is
/// let go; at 0 it is let go as it is.
#[cube(launch)]
pub fn set_sources(
    cells: &Array<u32>,
    strengths: &Array<f32>,
    count: u32,
    columns: u32,
    held_words: u32,
    values: &mut Array<f32>,
    held: &mut Array<Atomic<u32>>,
) {
    let i = ABSOLUTE_POS as u32;
    if i < count {
        let cell = cells[i as usize];
        let strength = strengths[i as usize];
        let column = cell % columns;
        let word = (cell / columns * held_words + column / 32u32) as usize;
        let bit = 1u32 << (column % 32u32);
        if strength != 0.0f32 {
            values[cell as usize] = f32::abs(strength);
        }
        if strength > 0.0f32 {
            held[word].fetch_or(bit);
        } else {
            held[word].fetch_and(!bit);
        }
    }
}
