//! The paper's device programs. Positions are pairs of x and y.

// CubeCL's macros generate items without documentation.
#![allow(missing_docs)]
#![allow(clippy::collapsible_if, clippy::collapsible_else_if, reason = "kernels evaluate both sides of `&&`")]
#![allow(clippy::cast_lossless, reason = "kernels have no `u32::from`")]
#![allow(clippy::identity_op, reason = "makes a copy in kernels")]

pub mod crowd;
pub mod four_steps;
pub mod sorted;

use throng_collision::MIN_RADIUS;
use throng_collision::rules::overlap::is_nearer;
use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

/// Marks the absence of a disc, or of an index in the sorted order.
pub const NONE: u32 = u32::MAX;
/// Flag of a disc that may move.
pub const FREE: u32 = 0;

/// Side length of a tile in cells, and of a cube in units.
pub const TILE: u32 = 16;
pub const TILE_CELLS: u32 = TILE * TILE;

const DIAMETER: i32 = 2 * MIN_RADIUS;

/// Whether a disc overlaps with one at position (`x`, `y`).
#[cube]
fn is_near(positions: &Array<i32>, disc: u32, x: i32, y: i32) -> bool {
    is_nearer(positions[(2u32 * disc) as usize] - x, positions[(2u32 * disc + 1u32) as usize] - y, DIAMETER)
}
