//! The eight directions, counter-clockwise: 0 is east, 1 north-east, 2 north, and so on to 7, south-east (Yu et al.).
//! Rows are counted upwards, so north is the next row.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};

/// Number of directions.
pub const DIRECTIONS: u32 = 8;

/// No direction.
pub const NONE: u32 = DIRECTIONS;

/// Heading of a pedestrian that does not want to move; none of the eight directions.
pub const STANDS: u8 = DIRECTIONS as u8;

/// Steps along x and y plus 1, two bits per direction.
const STEPS_X: u32 = packed([2, 2, 1, 0, 0, 0, 1, 2], 2);
const STEPS_Y: u32 = packed([1, 2, 2, 2, 1, 0, 0, 0], 2);

/// Packs values for the eight directions into one word.
pub(super) const fn packed(values: [u32; DIRECTIONS as usize], bits: u32) -> u32 {
    let mut packed = 0;
    let mut direction = 0;
    while direction < DIRECTIONS {
        packed |= values[direction as usize] << (bits * direction);
        direction += 1;
    }
    packed
}

/// Returns the step along x: -1, 0 or 1.
#[cube]
#[inline]
pub fn step_x(direction: u32) -> i32 {
    ((STEPS_X >> (2u32 * direction)) & 3u32) as i32 - 1
}

/// Returns the step along y: -1, 0 or 1.
#[cube]
#[inline]
pub fn step_y(direction: u32) -> i32 {
    ((STEPS_Y >> (2u32 * direction)) & 3u32) as i32 - 1
}

/// Returns the direction after `eighths` left turns by 45°.
#[cube]
#[inline]
pub fn turned(direction: u32, eighths: u32) -> u32 {
    (direction + eighths) & 7u32
}

/// Returns the number of left turns by 45°, 0 to 7, from one direction to another.
#[cube]
#[inline]
pub fn turns(from: u32, to: u32) -> u32 {
    (to + 8u32 - from) & 7u32
}

/// Returns the angle between two directions in units of 45°: 0 to 4.
#[cube]
#[inline]
pub fn angle(a: u32, b: u32) -> u32 {
    let left = turns(a, b);
    min(left, 8u32 - left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_numbered_counter_clockwise() {
        let steps: Vec<_> = (0..8).map(|direction| (step_x(direction), step_y(direction))).collect();
        assert_eq!(steps, [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);
        for a in 0..8 {
            assert_eq!((step_x(turned(a, 4)), step_y(turned(a, 4))), (-step_x(a), -step_y(a)));
            for b in 0..8 {
                assert_eq!(turned(a, turns(a, b)), b);
                let cosine = step_x(a) * step_x(b) + step_y(a) * step_y(b);
                assert_eq!(cosine.signum(), [1, 1, 0, -1, -1][angle(a, b) as usize], "{a} {b}");
            }
        }
    }
}
