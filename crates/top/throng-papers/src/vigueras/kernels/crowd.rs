//! Kernels for wishes and moves, which all programs share.

use throng_device::cubecl::prelude::*;
use throng_device::philox::words;
use throng_device::{KernelArrays, KernelParameter, cubecl};

use super::FREE;
use crate::vigueras::crowd::{MOVE, Moves};

/// The random draws of a step.
#[derive(CubeType, CubeLaunch, KernelParameter, Clone, Copy)]
pub struct Draws {
    pub discs: u32,
    pub seed_low: u32,
    pub seed_high: u32,
    pub step: u32,
}

/// Positions with x and y in two arrays.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Points {
    pub xs: Array<i32>,
    pub ys: Array<i32>,
}

/// Draws the wishes of discs.
#[cube(launch)]
pub fn wish(at: &Array<i32>, to: &mut Array<i32>, moves: &Moves, draws: &Draws) {
    let i = ABSOLUTE_POS as u32;
    if i < draws.discs {
        let drawn = words(draws.seed_low, draws.seed_high, i, draws.step, MOVE.runtime(), 0u32.runtime()).first;
        let x = (2u32 * i) as usize;
        to[x] = moves.wish_x(at[x], drawn);
        to[x + 1] = moves.wish_y(at[x + 1], drawn);
    }
}

/// Like `wish`, for positions with x and y in two arrays.
#[cube(launch)]
pub fn wish_columns(at: &Points, to: &mut Points, moves: &Moves, draws: &Draws) {
    let i = ABSOLUTE_POS as u32;
    if i < draws.discs {
        let drawn = words(draws.seed_low, draws.seed_high, i, draws.step, MOVE.runtime(), 0u32.runtime()).first;
        to.xs[i as usize] = moves.wish_x(at.xs[i as usize], drawn);
        to.ys[i as usize] = moves.wish_y(at.ys[i as usize], drawn);
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

/// The flags and the wishes of discs.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Allowed {
    pub response: Array<u32>,
    pub to: Array<i32>,
}

/// The positions of discs, and the numbers of their moves.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Moved {
    pub at: Array<i32>,
    pub moved: Array<u32>,
}

/// Moves the accepted discs, and counts their moves.
#[cube(launch)]
pub fn move_discs(allowed: &Allowed, moves: &mut Moved, discs: u32) {
    let i = ABSOLUTE_POS as u32;
    if i < discs {
        if allowed.response[i as usize] == FREE {
            let x = (2u32 * i) as usize;
            moves.at[x] = allowed.to[x];
            moves.at[x + 1] = allowed.to[x + 1];
            moves.moved[i as usize] += 1u32;
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
