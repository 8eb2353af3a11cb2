//! Preparation of a wish, before other discs matter.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact::{abs, copied};
use throng_device::neighbours::Boundary;

use super::super::lattice::MAX_STEP;
use super::super::world::World;
use super::overlap::is_within;
use super::wall::Displacement;

/// Whether the wish is granted depends on other discs and walls.
pub const POSSIBLE: u32 = 0;
/// The border refuses the wish.
pub const OUTSIDE: u32 = 1;
/// The step is longer than allowed, or leads beyond a periodic border by more than the size of the world.
pub const TOO_LONG: u32 = 2;

/// A validated wish.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    pub kind: u32,
    /// Target position, within the world.
    pub x: i32,
    pub y: i32,
    /// Displacement to the target.
    pub step: Displacement,
}

/// Validates the wish of a disc at `from_x`, `from_y` for the target `x`, `y`, by a step of at most `longest` units, or
/// of any length if `longest` is above [`MAX_STEP`].
#[cube]
pub fn wish(world: &World, from_x: i32, from_y: i32, x: i32, y: i32, radius: i32, longest: i32) -> Wish {
    let mut kind = POSSIBLE.runtime();
    let mut to_x = copied(from_x);
    let mut to_y = copied(from_y);
    let mut step = Displacement { x: 0i32.runtime(), y: 0i32.runtime() };
    let mut is_near = true;
    match comptime!(world.x.boundary) {
        Boundary::Closed => {}
        Boundary::Periodic => {
            // As differences, because twice the size may exceed 32 bits.
            is_near = x >= -world.x.size
                && y >= -world.y.size
                && x - world.x.size < world.x.size
                && y - world.y.size < world.y.size;
        }
    }
    if !is_near {
        kind = TOO_LONG.runtime();
    } else if !world.contains(x, y, radius) {
        kind = OUTSIDE.runtime();
    } else {
        to_x = world.x.inside(x);
        to_y = world.y.inside(y);
        step.x = world.x.offset(from_x, to_x);
        step.y = world.y.offset(from_y, to_y);
        // Kernels always evaluate both operands; for larger bounds the second one is not used.
        if longest <= MAX_STEP && !is_within(step.x, step.y, min(longest, MAX_STEP)) {
            kind = TOO_LONG.runtime();
        }
    }
    Wish { kind, x: to_x, y: to_y, step }
}

/// Returns the wish of a disc at `from_x`, `from_y` after the wall test: a wish to stay if it was not [`POSSIBLE`], or
/// if walls refuse it.
#[cube]
#[inline]
pub fn after_walls(requested: Wish, is_refused: bool, from_x: i32, from_y: i32) -> Wish {
    let is_possible = requested.kind == POSSIBLE && !is_refused;
    Wish {
        kind: requested.kind,
        x: select(is_possible, requested.x, from_x),
        y: select(is_possible, requested.y, from_y),
        step: requested.step,
    }
}

/// Whether a disc at `x`, `y` is at the position that it originally requested, so that its wish was granted.
#[cube]
#[inline]
pub fn is_at_wish(world: &World, x: i32, y: i32, to_x: i32, to_y: i32) -> bool {
    x == world.x.inside(to_x) && y == world.y.inside(to_y)
}

/// Returns the displacement if it is short enough to be tested for walls; otherwise zero: the disc jumps.
#[cube]
pub fn tested_displacement(step: Displacement) -> Displacement {
    let mut tested = step;
    if max(abs(step.x), abs(step.y)) > MAX_STEP {
        tested.x = 0i32;
        tested.y = 0i32;
    }
    tested
}
