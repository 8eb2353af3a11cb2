//! Walls: straight pieces that discs may touch, but neither overlap nor pass through.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact::{abs, high_product, low_product};

use super::overlap::is_nearer;

/// Maximum length of a piece of wall along one axis, units. Its products with distances at which the piece matters fit
/// in 32 bits.
pub const MAX_PIECE: i32 = 1 << 13;

/// A displacement in the plane, units.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Displacement {
    pub x: i32,
    pub y: i32,
}

#[cube]
#[inline]
fn cross(a: Displacement, b: Displacement) -> i32 {
    a.x * b.y - a.y * b.x
}

/// Whether a centre is closer than `radius` to a piece of wall. `piece` is the vector from the first to the second end
/// of the piece, and `at` the vector from its first end to the centre.
#[cube]
#[inline]
pub fn touches_wall(piece: Displacement, at: Displacement, radius: i32) -> bool {
    let along = at.x * piece.x + at.y * piece.y;
    let length = piece.x * piece.x + piece.y * piece.y;
    let mut touches = is_nearer(at.x, at.y, radius);
    if along >= length {
        touches = is_nearer(at.x - piece.x, at.y - piece.y, radius);
    } else if along > 0 {
        // The distance from the line is |cross| / sqrt(length): compare the squares in 64 bits.
        let across = cross(piece, at);
        let across = abs(across) as u32;
        let (square, length) = ((radius * radius) as u32, length as u32);
        let (high, limit) = (high_product(across, across), high_product(square, length));
        touches = high < limit || (high == limit && low_product(across, across) < low_product(square, length));
    }
    touches
}

/// Whether the straight route of a centre, by `step` to `to`, leads through a piece of wall. `piece` and `to` are
/// relative to the first end, as in [`touches_wall()`]. Neither end of the route may be on the piece.
///
/// A route across the line of the piece ends on the other side of it. A route along that line, or past a piece of
/// length 0, passes the piece if it passes its first end.
#[cube]
#[inline]
pub fn crosses_wall(piece: Displacement, to: Displacement, step: Displacement) -> bool {
    let from = Displacement { x: to.x - step.x, y: to.y - step.y };
    let other_end = Displacement { x: from.x - piece.x, y: from.y - piece.y };
    let (before, after) = (cross(piece, from), cross(piece, to));
    let (first_end, second_end) = (cross(step, from), cross(step, other_end));
    let changes_side = (before < 0 && after > 0) || (before > 0 && after < 0);
    let misses = (first_end < 0 && second_end < 0) || (first_end > 0 && second_end > 0);
    let passes_x = (from.x < 0 && to.x > 0) || (from.x > 0 && to.x < 0);
    let passes_y = (from.y < 0 && to.y > 0) || (from.y > 0 && to.y < 0);
    let along = before == 0 && after == 0 && first_end == 0 && (passes_x || passes_y);
    (changes_side && !misses) || along
}

/// Whether a disc that moved by `step` to `at` overlaps with a piece of wall, or its centre has passed through it.
#[cube]
#[inline]
pub fn hits_wall(piece: Displacement, at: Displacement, step: Displacement, radius: i32) -> bool {
    touches_wall(piece, at, radius) || crosses_wall(piece, at, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(x: i32, y: i32) -> Displacement {
        Displacement { x, y }
    }

    #[test]
    fn distances_are_measured_to_the_nearest_point_of_a_piece() {
        let piece = vector(30, 40);
        // Next to its middle: (15, 20) + 10 * (-4, 3) / 5.
        assert!(touches_wall(piece, vector(7, 26), 11) && !touches_wall(piece, vector(7, 26), 10));
        // Beyond its ends.
        assert!(touches_wall(piece, vector(-3, -4), 6) && !touches_wall(piece, vector(-3, -4), 5));
        assert!(touches_wall(piece, vector(33, 44), 6) && !touches_wall(piece, vector(33, 44), 5));
        // The largest values that occur.
        let piece = vector(MAX_PIECE, MAX_PIECE);
        assert!(
            touches_wall(piece, vector(8192 - 8191, 8191), 11_584)
                && !touches_wall(piece, vector(-8192, 16_384), 11_584)
        );
    }

    #[test]
    fn routes_cross_a_piece_but_not_the_line_beyond_its_ends() {
        let piece = vector(0, 100);
        assert!(
            crosses_wall(piece, vector(50, 50), vector(100, 0))
                && crosses_wall(piece, vector(-50, 10), vector(-100, 20))
        );
        assert!(
            !crosses_wall(piece, vector(50, 150), vector(100, 0))
                && !crosses_wall(piece, vector(50, 50), vector(40, 0))
        );
        assert!(crosses_wall(piece, vector(50, 100), vector(100, 0)), "over the end");
        let (piece, step) = (vector(8192, -8192), vector(16_384, 16_384));
        assert!(crosses_wall(piece, vector(9000, 5000), step) && !crosses_wall(piece, vector(49_152, 49_152), step));
    }

    #[test]
    fn routes_along_a_piece_cross_it_if_they_pass_an_end() {
        for (x, y) in [(100, 0), (0, 100), (30, -40), (-8192, 8192)] {
            let piece = vector(x, y);
            // From one length before the first end to one length beyond the second, and back.
            assert!(crosses_wall(piece, vector(2 * x, 2 * y), vector(3 * x, 3 * y)), "{x} {y}");
            assert!(crosses_wall(piece, vector(-x, -y), vector(-3 * x, -3 * y)), "{x} {y}");
            // Before the first end, beyond the second one, and alongside the piece.
            assert!(!crosses_wall(piece, vector(-x / 2, -y / 2), vector(x, y)), "{x} {y}");
            assert!(!crosses_wall(piece, vector(3 * x, 3 * y), vector(x, y)), "{x} {y}");
            assert!(!crosses_wall(piece, vector(2 * x - y / 10, 2 * y + x / 10), vector(3 * x, 3 * y)), "{x} {y}");
            assert!(!crosses_wall(piece, vector(2 * x, 2 * y), vector(0, 0)), "a disc that stays");
        }
    }

    #[test]
    fn routes_cross_a_post_only_if_they_contain_it() {
        let post = vector(0, 0);
        for (x, y) in [(6000, 0), (0, -6000), (4000, 3000), (-1, 1)] {
            assert!(crosses_wall(post, vector(x, y), vector(2 * x, 2 * y)), "{x} {y}");
            assert!(!crosses_wall(post, vector(3 * x, 3 * y), vector(2 * x, 2 * y)), "{x} {y}: behind it");
            assert!(!crosses_wall(post, vector(x + 1, y + 2), vector(2 * x, 2 * y)), "{x} {y}: beside it");
        }
    }
}
