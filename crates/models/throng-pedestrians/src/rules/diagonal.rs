//! Diagonal steps, which must not lead between two walls.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `u32::from`")]

use throng_device::cubecl::{self, prelude::*};

use super::direction::turned;

/// The diagonal directions, a bit for each.
const DIAGONALS: u32 = 0b1010_1010;

/// Returns the directions that lead diagonally between two walls, a bit for each: no pedestrian takes them. `walls`:
/// the directions of walls, closed doors and the border.
#[cube]
#[inline]
pub fn blocked_diagonals(walls: u32) -> u32 {
    // The walls to the left and to the right of each direction. Bits shifted beyond the lower eight are masked out.
    let left = (walls >> 1u32) | (walls << 7u32);
    let right = (walls << 1u32) | (walls >> 7u32);
    left & right & DIAGONALS
}

/// Whether a direction is one of the [`blocked_diagonals()`].
#[cube]
#[inline]
pub fn is_shut(direction: u32, walls: u32) -> bool {
    (blocked_diagonals(walls) >> direction) & 1u32 == 1u32
}

/// Returns the walls next to a direction as bits: whether there is a wall 45° to its left, and to its right.
#[cube]
#[inline]
pub fn walls_beside(direction: u32, left: bool, right: bool) -> u32 {
    ((left as u32) << turned(direction, 1u32)) | ((right as u32) << turned(direction, 7u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_on_both_sides_block_a_diagonal() {
        for walls in 0..256u32 {
            let is_wall = |direction: u32| walls >> (direction % 8) & 1 == 1;
            for direction in 0..8 {
                let expected = direction % 2 == 1 && is_wall(direction + 1) && is_wall(direction + 7);
                assert_eq!(is_shut(direction, walls), expected, "{walls:08b} {direction}");
                let around = walls_beside(direction, is_wall(direction + 1), is_wall(direction + 7));
                assert_eq!(is_shut(direction, around), expected, "{walls:08b} {direction}");
            }
            assert!(blocked_diagonals(walls) < 256);
        }
    }
}
