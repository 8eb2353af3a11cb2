//! The paper's device programs. Positions are pairs of x and y.

// CubeCL's macros generate items without documentation.
#![allow(missing_docs)]
#![allow(clippy::collapsible_if, clippy::collapsible_else_if, reason = "kernels evaluate both sides of `&&`")]
#![allow(clippy::cast_lossless, reason = "kernels have no `u32::from`")]
#![allow(clippy::identity_op, reason = "makes a copy in kernels")]

pub mod bitwise_sort;
pub mod cell_lists;
pub mod crowd;
pub mod four_steps;
pub mod sorted;
pub mod tiles;

use throng_collision::MIN_RADIUS;
use throng_collision::rules::overlap::is_nearer;
use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, cubecl};

/// Marks the absence of a disc, or of an index in the sorted order.
pub const NONE: u32 = u32::MAX;
/// Flag of a disc that may move.
pub const FREE: u32 = 0;

/// Side length of a tile of the four steps in cells, and of a cube in units.
pub const TILE: u32 = 16;
pub const TILE_CELLS: u32 = TILE * TILE;

const DIAMETER: i32 = 2 * MIN_RADIUS;

/// Results of a check: the flag of each disc, and the number of other discs with which it has been compared in all
/// steps that count them.
#[derive(CubeLaunch, CubeType, KernelArrays)]
#[buffers(owned)]
pub struct Answers {
    pub response: Array<u32>,
    pub tests: Array<u32>,
}

/// Result of the comparisons of a disc with others.
#[derive(CubeType, Clone, Copy)]
pub struct Compared {
    pub meets: bool,
    /// Number of others. Kernels that do not store it are compiled without it.
    pub tests: u32,
}

/// Sets the flag of a disc; with `count`, adds its tests.
#[cube]
fn answer(answers: &mut Answers, disc: u32, flag: u32, tests: u32, #[comptime] count: bool) {
    answers.response[disc as usize] = flag;
    if comptime!(count) {
        answers.tests[disc as usize] += tests;
    }
}

/// Whether a disc overlaps with one at position (`x`, `y`).
#[cube]
fn is_near(positions: &Array<i32>, disc: u32, x: i32, y: i32) -> bool {
    is_nearer(positions[(2u32 * disc) as usize] - x, positions[(2u32 * disc + 1u32) as usize] - y, DIAMETER)
}
