//! The goal from which the path of a cell comes in a straight line, stored as an offset in cells.
//!
//! Encoding: the offset along x plus 64 is in the lower eight bits, and that along y plus 64 in the next eight.

// The macros of CubeCL generate items without documentation.
#![allow(missing_docs)]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::distance_corrections::{FAR, correction_index, distance_at, is_straight};

/// The offset of a goal from itself.
pub const GOAL: u32 = NO_OFFSET | NO_OFFSET << 8;
const NO_OFFSET: u32 = 64;
/// No goal in a straight line, or a goal that is too far away.
pub const NO_SOURCE: u32 = 0;

/// The absolute offset along one axis, in cells.
#[cube]
#[inline(always)]
fn cells_of(offset: u32) -> u32 {
    u32::max(offset, NO_OFFSET) - u32::min(offset, NO_OFFSET)
}

/// The index of the distance from a source in `DISTANCE_CORRECTIONS`.
#[cube]
#[inline(always)]
pub fn distance_from(source: u32) -> u32 {
    distance_at(cells_of(source & 255u32), cells_of(source >> 8u32))
}

/// The source of a cell whose upwind neighbour has a `source` at a `distance`, and a second-order `time`. The neighbour
/// is at a higher coordinate if `up`, else at a lower one, along y if `along_y`, else along x.
#[cube]
#[inline(always)]
pub fn source_beyond(source: u32, distance: u32, time: u32, step: u32, along_y: bool, up: bool) -> u32 {
    let mut next = NO_SOURCE.runtime();
    if is_straight(time, step, distance) {
        let one = select(along_y, 256u32, 1u32);
        let moved = select(up, source + one, source - one);
        if cells_of(moved & 255u32) <= FAR && cells_of(moved >> 8u32) <= FAR {
            next = moved;
        }
    }
    next
}

/// The index of the correction of the difference along an axis in `DISTANCE_CORRECTIONS`. Only differences towards the
/// source are corrected.
#[cube]
#[inline(always)]
pub fn correction_from(source: u32, along_y: bool, up: bool, second: bool) -> u32 {
    let along = select(along_y, source >> 8u32, source & 255u32);
    let across = select(along_y, source & 255u32, source >> 8u32);
    let towards = source != NO_SOURCE && along != NO_OFFSET && up == (along > NO_OFFSET);
    // Corrections at offset 0 along the axis are neutral.
    correction_index(select(towards, cells_of(along), 0u32), select(towards, cells_of(across), 0u32), second)
}

#[cfg(test)]
mod tests {
    use super::super::distance_corrections::{DISTANCE_CORRECTIONS, STRAIGHT};
    use super::*;

    #[test]
    fn source_offsets_grow_by_cells_up_to_a_maximum() {
        let beyond = |source: u32, along_y: bool, up: bool| {
            let distance = DISTANCE_CORRECTIONS[distance_from(source) as usize];
            source_beyond(source, distance, (100 * distance) >> 8, 100, along_y, up)
        };
        // The goal is three cells to the right and two above.
        let right = (0..3).fold(GOAL, |source, _| beyond(source, false, true));
        let source = (0..2).fold(right, |source, _| beyond(source, true, true));
        assert_eq!(source, GOAL + 3 + 2 * 256);
        assert_eq!(beyond(beyond(source, false, false), false, true), source);
        let farthest = (0..FAR).fold(GOAL, |source, _| beyond(source, true, false));
        assert_eq!((farthest, beyond(farthest, true, false)), (GOAL - FAR * 256, NO_SOURCE));
        // Twice the time of the straight line.
        assert_eq!(
            source_beyond(source, DISTANCE_CORRECTIONS[distance_from(source) as usize], 721, 100, false, true),
            NO_SOURCE
        );
    }

    #[test]
    fn only_differences_towards_the_source_are_corrected() {
        let source = GOAL + 3;
        let bend = |along_y, up| DISTANCE_CORRECTIONS[correction_from(source, along_y, up, false) as usize];
        assert_eq!(bend(false, true), DISTANCE_CORRECTIONS[correction_index(3, 0, false) as usize]);
        assert_eq!([bend(false, false), bend(true, true), bend(true, false)], [STRAIGHT; 3]);
        assert_eq!(DISTANCE_CORRECTIONS[correction_from(NO_SOURCE, false, true, true) as usize], STRAIGHT);
    }
}
