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

/// Makes `rows` cells of a column per unit. Held cells, walls and sources, keep what they have.
#[cube(launch_unchecked)]
pub fn spread_influence(
    values: &Array<f32>,
    held: &Array<u32>,
    next: &mut Array<f32>,
    by: &Spread,
    #[comptime] rows: u32,
) {
    let tile = CUBE_POS as u32;
    let column = (tile % by.tile_columns) * TILE_COLUMNS + UNIT_POS % TILE_COLUMNS;
    let first = (tile / by.tile_columns * UNIT_ROWS + UNIT_POS / TILE_COLUMNS) * rows;
    if tile < by.tiles && column < by.columns && first < by.rows {
        let over = three(values, by, column, first - 1u32);
        let top = three(values, by, column, first);
        let mut above_middle = over.middle;
        let mut above_beside = over.beside;
        let mut middle = top.middle;
        let mut beside = top.beside;
        #[unroll]
        for r in 0..rows {
            let row = first + r;
            let below = three(values, by, column, row + 1u32);
            if row < by.rows {
                let straight = f32::max(beside, f32::max(above_middle, below.middle)) * by.straight;
                let diagonal = f32::max(above_beside, below.beside) * by.diagonal;
                let taken = fma(by.rest, f32::max(straight, diagonal), by.zero);
                let mut value = fma(by.momentum, middle, by.zero) + taken;
                if value < LEAST_INFLUENCE {
                    value = 0.0f32;
                }
                let word = held[(row * by.held_words + column / 32u32) as usize];
                if (word >> (column % 32u32)) & 1u32 == 1u32 {
                    value = middle;
                }
                next[(row * by.columns + column) as usize] = value;
            }
            above_middle = middle;
            above_beside = beside;
            middle = below.middle;
            beside = below.beside;
        }
    }
}

/// A row at a column and beside it; outside there is no influence. Row -1 is a large number.
#[cube]
fn three(values: &Array<f32>, by: &Spread, column: u32, row: u32) -> Three {
    let inside = row < by.rows;
    let at = u32::min(row, by.rows - 1u32) * by.columns + column;
    let left = values[(at - u32::min(column, 1u32)) as usize];
    let middle = values[at as usize];
    let right = values[(at + u32::min(by.columns - 1u32 - column, 1u32)) as usize];
    // At the border the cell itself stands for its neighbour, and must not count as one.
    let left = select(column > 0u32, left, 0.0f32);
    let right = select(column + 1u32 < by.columns, right, 0.0f32);
    Three { middle: select(inside, middle, 0.0f32), beside: select(inside, f32::max(left, right), 0.0f32) }
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
