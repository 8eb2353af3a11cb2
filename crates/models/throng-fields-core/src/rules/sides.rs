//! Selection of the sides of a polygon that matter to a block of points: rules shared by the CPU and kernels.
//!
//! Along a line, the distance from a side is a convex function: it is never above the chord between two of its points,
//! and never below a tangent. A side is therefore not the nearest one for any point of a block if the tangent plane of
//! its distance at the block's centre is above the distance of another side at every corner. If no side meets the
//! block, its points are all inside or all outside.

// The macros of CubeCL generate items without documentation.
#![allow(missing_docs)]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::rounded_product;

use crate::rules::distance::{Side, square_of, turned};

/// Exceeds the rounding errors of coordinates and distances, relative to the largest length: eight roundings are 2^-20
/// of it.
const ROUNDED: f32 = 1.0 / 65_536.0;
/// Limit of the extent of a side along x per unit along y. Beyond it, the heights that the side crosses are so close
/// together that rounding decides which of two points at a height is to the right.
const FLAT: f32 = 1e20;

/// A block of points in the coordinates of a polygon, around its middle.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Patch {
    pub x: f32,
    pub y: f32,
    /// Half of the upper edge, as a vector.
    pub across_x: f32,
    pub across_y: f32,
    /// Half of the left edge, as a vector.
    pub down_x: f32,
    pub down_y: f32,
    /// Exceeds the rounding error of distances.
    pub margin: f32,
    /// Exceeds the rounding error of products of a vector from a side and half of an edge.
    pub slack: f32,
    /// A distance from the polygon that is beyond reach.
    pub beyond: f32,
}

/// The distances of a side from the corners of a block, each including a margin.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Corners {
    pub a: f32,
    pub b: f32,
    pub c: f32,
    pub d: f32,
}

/// The ends of a block along both axes, relative to the position of an entity.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Ends {
    pub left: f32,
    pub right: f32,
    pub top: f32,
    pub bottom: f32,
}

#[cube]
impl Patch {
    /// Creates the block in the coordinates of a polygon with this heading, with all corners within `radius` of its
    /// position. `reach` is a distance from the polygon.
    #[inline(always)]
    pub fn new(ends: &Ends, sin: f32, cos: f32, radius: f32, reach: f32, zero: f32) -> Patch {
        let half_width = (ends.right - ends.left) * 0.5f32;
        let half_height = (ends.bottom - ends.top) * 0.5f32;
        let middle = turned((ends.left + ends.right) * 0.5f32, (ends.top + ends.bottom) * 0.5f32, sin, cos, zero);
        let across = turned(half_width, 0.0f32, sin, cos, zero);
        let down = turned(0.0f32, half_height, sin, cos, zero);
        let largest = f32::max(f32::abs(ends.left), f32::abs(ends.right))
            + f32::max(f32::abs(ends.top), f32::abs(ends.bottom))
            + radius;
        let margin = largest * ROUNDED;
        Patch {
            x: middle.0,
            y: middle.1,
            across_x: across.0,
            across_y: across.1,
            down_x: down.0,
            down_y: down.1,
            margin,
            slack: margin * (half_width + half_height),
            beyond: reach + margin,
        }
    }

    /// The distances of the corners from a side, including a margin.
    #[inline(always)]
    pub fn corners(&self, side: &Side, zero: f32) -> Corners {
        let right_x = self.x + self.across_x;
        let right_y = self.y + self.across_y;
        let left_x = self.x - self.across_x;
        let left_y = self.y - self.across_y;
        Corners {
            a: side.square_to(left_x - self.down_x, left_y - self.down_y, zero).sqrt() + self.margin,
            b: side.square_to(right_x - self.down_x, right_y - self.down_y, zero).sqrt() + self.margin,
            c: side.square_to(left_x + self.down_x, left_y + self.down_y, zero).sqrt() + self.margin,
            d: side.square_to(right_x + self.down_x, right_y + self.down_y, zero).sqrt() + self.margin,
        }
    }

    /// Whether a side may be the nearest one for some point within reach, given the corner distances of another side.
    #[inline(always)]
    pub fn may_be_nearest(&self, side: &Side, other: &Corners, zero: f32) -> bool {
        let (away_x, away_y) = side.away(self.x, self.y, zero);
        // All terms are multiplied by the distance of the centre, to avoid a division.
        let square = square_of(away_x, away_y, zero);
        let far = square.sqrt();
        let square = square - self.slack;
        let across = rounded_product(away_x, self.across_x, zero) + rounded_product(away_y, self.across_y, zero);
        let down = rounded_product(away_x, self.down_x, zero) + rounded_product(away_y, self.down_y, zero);
        // Computed before they are combined, so that compilers need no branches.
        let is_farther_a = square - across - down > other.a * far;
        let is_farther_b = square + across - down > other.b * far;
        let is_farther_c = square - across + down > other.c * far;
        let is_farther_d = square + across + down > other.d * far;
        let is_beyond = square - f32::abs(across) - f32::abs(down) > self.beyond * far;
        let is_farther = is_farther_a && is_farther_b && is_farther_c && is_farther_d;
        !is_farther && !is_beyond
    }

    /// Whether the side may have a point at the height of some point of the block, and to the right of it.
    #[inline(always)]
    pub fn may_be_passed(&self, side: &Side, x_per_y: f32) -> bool {
        let half_width = f32::abs(self.across_x) + f32::abs(self.down_x) + self.margin;
        let reaches_right = f32::max(side.from_x, side.from_x + side.along_x) >= self.x - half_width;
        let is_steep = f32::abs(x_per_y) < FLAT;
        let is_at_height = self.is_at_height(side);
        is_at_height && (reaches_right || !is_steep)
    }

    /// Whether the patch may have points on both sides of this side.
    #[inline(always)]
    pub fn may_be_divided(&self, side: &Side, x_per_y: f32, zero: f32) -> bool {
        let (away_x, away_y) = side.away(self.x, self.y, zero);
        let square = square_of(away_x, away_y, zero);
        let across = rounded_product(away_x, self.across_x, zero) + rounded_product(away_y, self.across_y, zero);
        let down = rounded_product(away_x, self.down_x, zero) + rounded_product(away_y, self.down_y, zero);
        let is_outside = square - self.slack - f32::abs(across) - f32::abs(down) > self.margin * square.sqrt();
        let is_steep = f32::abs(x_per_y) < FLAT;
        let is_at_height = self.is_at_height(side);
        !is_outside || (is_at_height && !is_steep)
    }

    /// Whether the side has a point at the height of some point of the patch.
    #[inline(always)]
    fn is_at_height(&self, side: &Side) -> bool {
        let half = f32::abs(self.across_y) + f32::abs(self.down_y) + self.margin;
        let low = f32::min(side.from_y, side.to_y);
        let high = f32::max(side.from_y, side.to_y);
        let ends_below = high >= self.y - half;
        let begins_above = low <= self.y + half;
        ends_below && begins_above
    }
}

#[cfg(test)]
mod tests {
    use throng_core::Philox;

    use super::*;
    use crate::NEGATIVE_ZERO;

    /// Closed polygons around the position: random, on a lattice, with sides of (nearly) zero length, with long spikes,
    /// and stars.
    fn corners(case: u32, draw: impl Fn(u32) -> f32) -> Vec<[f32; 2]> {
        let count = 3 + (draw(0) * 30.0) as u32;
        let any = |i: u32| [1, 2].map(|axis| (draw(2 * i + axis) - 0.5) * 60.0);
        let corner = |i: u32| match case % 6 {
            0 => any(i),
            1 => any(i).map(|at| (at / 16.0).round() * 16.0),
            2 => any(i / 2).map(|at| at * (1.0 + 1e-7 * (i % 2) as f32)),
            3 if i.is_multiple_of(2) => any(i).map(|at| at * 1e-38),
            3 => [any(i)[0], draw(i) * 1e-38],
            4 if i.is_multiple_of(3) => any(i).map(|at| at * 20.0),
            4 => any(i).map(|at| at * 0.1),
            _ => {
                let (sin, cos) = libm::sincosf(i as f32 * std::f32::consts::TAU / count as f32);
                let radius = if i.is_multiple_of(2) { 60.0 } else { 40.0 };
                [radius * cos, radius * sin]
            }
        };
        (0..count).map(corner).collect()
    }

    #[test]
    fn selected_sides_of_a_block_match_all_sides() {
        let (draws, zero) = (Philox::new(6), NEGATIVE_ZERO);
        // Omitted sides, blocks that no side divides, and compared cells.
        let (mut left_out, mut undivided, mut compared) = (0, 0, 0);
        for case in 0..4000u32 {
            let draw = |i: u32| draws.unit(case, i, 0, 0) as f32;
            let corners = corners(case, |i| draw(i + 20));
            let before = corners.iter().cycle().skip(corners.len() - 1);
            let sides: Vec<Side> = before.zip(&corners).map(|(&from, &to)| Side::between(from, to)).collect();
            let radius = corners.iter().map(|[x, y]| (x * x + y * y).sqrt()).fold(0.0, f32::max);
            let [sin, cos] = if draw(0) < 0.3 { [0.0, 1.0] } else { libm::sincosf(draw(0) * 7.0).into() };
            let [left, top] = [1, 2].map(|i| (draw(i) - 0.5) * 250.0);
            let [columns, rows] = [[32, 8], [32, 16], [32, 1], [1, 1]][(case / 6 % 4) as usize];
            let point = |column: u32, row: u32| [left + column as f32, top + row as f32];
            let ([right, bottom], reach) = (point(columns - 1, rows - 1), 5.0 + 100.0 * draw(3));
            let patch = Patch::new(&Ends { left, right, top, bottom }, sin, cos, radius, reach, zero);
            let middle = |side: &&Side| side.square_to(patch.x, patch.y, zero);
            let Some(nearest) = sides.iter().min_by(|a, b| middle(a).total_cmp(&middle(b))) else { continue };
            let ends = patch.corners(nearest, zero);
            let near: Vec<_> = sides.iter().filter(|side| patch.may_be_nearest(side, &ends, zero)).collect();
            let passed: Vec<_> = sides.iter().filter(|side| patch.may_be_passed(side, side.x_per_y())).collect();
            let is_divided = sides.iter().any(|side| patch.may_be_divided(side, side.x_per_y(), zero));
            left_out += sides.len() - near.len();
            undivided += u32::from(!is_divided);
            let is_passed = |side: &Side, [x, y]: [f32; 2]| {
                side.is_at_height(y) && side.is_to_the_right(x, y, side.x_per_y(), zero)
            };
            let in_the_middle = sides.iter().filter(|side| is_passed(side, [patch.x, patch.y])).count() % 2;
            for row in 0..rows {
                for column in 0..columns {
                    let [across, down] = point(column, row);
                    let own: [f32; 2] = turned(across, down, sin, cos, zero).into();
                    let square = |side: &Side| side.square_to(own[0], own[1], zero);
                    let of_all = sides.iter().map(square).fold(f32::INFINITY, f32::min);
                    if of_all.sqrt() < reach {
                        let of_near = near.iter().map(|side| square(side)).fold(f32::INFINITY, f32::min);
                        assert_eq!(of_near.to_bits(), of_all.to_bits(), "case {case}, {own:?} {corners:?}");
                        compared += 1;
                    }
                    let of_all = sides.iter().filter(|side| is_passed(side, own)).count() % 2;
                    let of_passed = passed.iter().filter(|side| is_passed(side, own)).count() % 2;
                    assert_eq!(of_passed, of_all, "case {case}, {own:?} {corners:?}");
                    assert!(is_divided || of_all == in_the_middle, "case {case}, {own:?} {corners:?}");
                }
            }
        }
        assert!(left_out > 20_000 && undivided > 1000 && compared > 100_000, "{left_out} {undivided} {compared}");
    }
}
