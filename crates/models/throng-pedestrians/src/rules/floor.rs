//! Occupancy of the floor, and the possible moves of a pedestrian of one space unit.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::cubecl::{self, prelude::*};

use super::direction::DIRECTIONS;
use super::grid::Grid;

/// Occupant value of an empty space unit.
pub const EMPTY: u32 = u32::MAX;
/// Occupant value of a wall.
pub const WALL: u32 = u32::MAX - 1;

/// View of the occupants of a floor.
#[cube]
pub trait FloorView {
    /// Occupant of a space unit: the word of a pedestrian, which is below [`WALL`], or [`WALL`] or [`EMPTY`].
    /// [`NOWHERE`](super::grid::NOWHERE) is a wall.
    fn occupant(&self, unit: u32) -> u32;
}

/// View of the space units that pedestrians have left.
#[cube]
pub trait FreeFromView {
    /// The first tick in which an empty space unit can be entered after a pedestrian has left it.
    fn free_from(&self, unit: u32) -> u32;
}

/// Whether a space unit with this occupant can be entered in a tick. `has_long_steps`: whether steps take several
/// ticks, during which the space units that they leave stay closed.
#[cube]
#[inline]
pub fn is_free<F: FreeFromView>(
    floor: &F,
    unit: u32,
    occupant: u32,
    tick: u32,
    #[comptime] has_long_steps: bool,
) -> bool {
    let mut is_free = occupant == EMPTY;
    if has_long_steps {
        if is_free {
            is_free = floor.free_from(unit) <= tick;
        }
    }
    is_free
}

/// The neighbours of a space unit, a bit for each direction.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Around {
    /// Neighbours that can be entered.
    pub free: u32,
    /// Neighbours that are walls.
    pub walls: u32,
}

/// Returns the neighbours of the space unit at `x`, `y` in a tick.
#[cube]
#[inline]
pub fn around<F: FloorView + FreeFromView>(
    floor: &F,
    grid: &Grid,
    x: i32,
    y: i32,
    tick: u32,
    #[comptime] has_long_steps: bool,
) -> Around {
    let mut free = 0u32;
    let mut walls = 0u32;
    #[unroll]
    for direction in 0..DIRECTIONS {
        let unit = grid.neighbour(x, y, direction.runtime());
        let occupant = floor.occupant(unit);
        free |= select(is_free::<F>(floor, unit, occupant, tick, has_long_steps), 1u32, 0u32) << direction;
        walls |= select(occupant == WALL, 1u32, 0u32) << direction;
    }
    Around { free, walls }
}
