//! Kernels for wishes and moves, which all programs share.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::philox::words;

use super::FREE;
use crate::vigueras::crowd::{MOVE, Moves};

/// Draws the wishes of discs.
#[cube(launch)]
pub fn wish(at: &Array<i32>, to: &mut Array<i32>, moves: &Moves, discs: u32, seed_low: u32, seed_high: u32, step: u32) {
    let i = ABSOLUTE_POS as u32;
    if i < discs {
        let drawn = words(seed_low, seed_high, i, step, MOVE.runtime(), 0u32.runtime()).first;
        let x = (2u32 * i) as usize;
        to[x] = moves.wish_x(at[x], drawn);
        to[x + 1] = moves.wish_y(at[x + 1], drawn);
    }
}

/// Like `wish`, for positions with x and y in two arrays.
#[cube(launch)]
pub fn wish_columns(
    xs: &Array<i32>,
    ys: &Array<i32>,
    to_xs: &mut Array<i32>,
    to_ys: &mut Array<i32>,
    moves: &Moves,
    discs: u32,
    seed_low: u32,
    seed_high: u32,
    step: u32,
) {
    let i = ABSOLUTE_POS as u32;
    if i < discs {
        let drawn = words(seed_low, seed_high, i, step, MOVE.runtime(), 0u32.runtime()).first;
        to_xs[i as usize] = moves.wish_x(xs[i as usize], drawn);
        to_ys[i as usize] = moves.wish_y(ys[i as usize], drawn);
    }
}

/// Counts moves.
#[cube(launch)]
pub fn count_moves(accepted: &Array<u32>, moved: &mut Array<u32>, discs: u32) {
    let i = ABSOLUTE_POS as u32;
    if i < discs {
        moved[i as usize] += accepted[i as usize];
    }
}

/// Moves the accepted discs, and counts their moves.
#[cube(launch)]
pub fn move_discs(response: &Array<u32>, to: &Array<i32>, at: &mut Array<i32>, moved: &mut Array<u32>, discs: u32) {
    let i = ABSOLUTE_POS as u32;
    if i < discs {
        if response[i as usize] == FREE {
            let x = (2u32 * i) as usize;
            at[x] = to[x];
            at[x + 1] = to[x + 1];
            moved[i as usize] += 1u32;
        }
    }
}

/// Sets all elements to the same value.
#[cube(launch)]
pub fn fill(values: &mut Array<u32>, value: u32) {
    if ABSOLUTE_POS < values.len() {
        values[ABSOLUTE_POS] = value;
    }
}
