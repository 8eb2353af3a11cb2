//! Distance between a point and a shape, in the shape's coordinates: rules shared by the CPU and kernels.
//!
//! The arguments are the numbers of one shape and one point; each executor dispatches on the kind of shape in its own
//! way.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::rounded_product;

/// The sides of a cone belong to it, and so do points that are closer to a side than this fraction of their distance,
/// so that rounding does not decide about points on a side. A power of two, so that products with it are exact.
const CONE_EDGE: f32 = 1.0 / (1 << 20) as f32;

/// Transforms a point into the coordinates of a shape with this heading: along the heading, and across.
#[cube]
#[inline(always)]
pub fn turned(x: f32, y: f32, sin: f32, cos: f32, zero: f32) -> (f32, f32) {
    let along = rounded_product(cos, x, zero) + rounded_product(sin, y, zero);
    let aside = rounded_product(cos, y, zero) - rounded_product(sin, x, zero);
    (along, aside)
}

/// The square of a distance with these components.
#[cube]
#[inline(always)]
pub fn square_of(x: f32, y: f32, zero: f32) -> f32 {
    rounded_product(x, x, zero) + rounded_product(y, y, zero)
}

/// Signed distance of a point from a wall of this length, along the heading.
#[cube]
#[inline(always)]
pub fn capsule_axis_distance(x: f32, length: f32) -> f32 {
    x - within(x, 0.0f32, length)
}

/// Distance of a point from a box along one axis; the box has the length `2 * half` along it.
#[cube]
#[inline(always)]
pub fn box_axis_distance(x: f32, half: f32) -> f32 {
    f32::max(f32::abs(x) - half, 0.0f32)
}

/// Distance of a point from the circumference of a circle, given the square of its distance from the centre.
#[cube]
#[inline(always)]
pub fn circle_line_distance(square: f32, radius: f32) -> f32 {
    f32::abs(square.sqrt() - radius)
}

/// Square of the distance of a point from a diamond, or from a square if `is_square`: the points at the distance
/// `radius` from the position in the Manhattan or Chebyshev metric, in which the distance from them is measured, too.
#[cube]
#[inline(always)]
pub fn contour_square(x: f32, y: f32, radius: f32, is_square: bool, zero: f32) -> f32 {
    let across = f32::abs(x);
    let down = f32::abs(y);
    let from_position = select(is_square, f32::max(across, down), across + down);
    let distance = from_position - radius;
    rounded_product(distance, distance, zero)
}

/// Whether a point is in a cone, given the sine and cosine of half its opening.
#[cube]
#[inline(always)]
pub fn is_in_cone(x: f32, y: f32, sin: f32, cos: f32, zero: f32) -> bool {
    // The sine of the angle between the point and the side, which needs no arctangent.
    let edge = (f32::abs(x) + f32::abs(y)) * CONE_EDGE;
    rounded_product(sin, x, zero) + edge >= rounded_product(cos, f32::abs(y), zero)
}

/// A side of a polygon.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Side {
    pub from_x: f32,
    pub from_y: f32,
    pub along_x: f32,
    pub along_y: f32,
    /// The reciprocal of the square of its length; 0 if the length is 0.
    pub inverse: f32,
    pub to_y: f32,
}

impl Side {
    /// The side from one corner to the next.
    #[inline(always)]
    pub fn between(from: [f32; 2], to: [f32; 2]) -> Self {
        let [along_x, along_y] = [to[0] - from[0], to[1] - from[1]];
        let square = along_x * along_x + along_y * along_y;
        let inverse = if square > 0.0 { 1.0 / square } else { 0.0 };
        Self { from_x: from[0], from_y: from[1], along_x, along_y, inverse, to_y: to[1] }
    }

    /// How far the side extends along x per unit along y; 0 if it does not extend along y.
    #[inline(always)]
    pub fn x_per_y(&self) -> f32 {
        if self.along_y == 0.0 { 0.0 } else { self.along_x / self.along_y }
    }
}

#[cube]
impl Side {
    /// Square of the distance between a point and the side.
    #[inline(always)]
    pub fn square_to(&self, x: f32, y: f32, zero: f32) -> f32 {
        let (away_x, away_y) = self.away(x, y, zero);
        square_of(away_x, away_y, zero)
    }

    /// Vector from the nearest point of the side to a point.
    #[inline(always)]
    pub fn away(&self, x: f32, y: f32, zero: f32) -> (f32, f32) {
        let dx = x - self.from_x;
        let dy = y - self.from_y;
        let across = rounded_product(dx, self.along_x, zero) + rounded_product(dy, self.along_y, zero);
        let share = within(rounded_product(across, self.inverse, zero), 0.0f32, 1.0f32);
        let away_x = dx - rounded_product(share, self.along_x, zero);
        let away_y = dy - rounded_product(share, self.along_y, zero);
        (away_x, away_y)
    }

    /// Whether the side has a point at height `y`. A point is inside a polygon if an odd number of sides have such a
    /// point to the right of it.
    #[inline(always)]
    pub fn is_at_height(&self, y: f32) -> bool {
        (self.from_y > y) != (self.to_y > y)
    }

    /// Whether the point of the side at height `y` is to the right of `x`.
    #[inline(always)]
    pub fn is_to_the_right(&self, x: f32, y: f32, x_per_y: f32, zero: f32) -> bool {
        x - self.from_x < rounded_product(y - self.from_y, x_per_y, zero)
    }
}

/// Clamps a number to a range.
#[cube]
#[inline(always)]
fn within(x: f32, low: f32, high: f32) -> f32 {
    select(x < low, low, select(x > high, high, x))
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::NEGATIVE_ZERO;
    use crate::rule_tables::finite_numbers;

    same_on_devices! {
        fn turns(x: f32, y: f32, sin: f32, cos: f32, zero: f32) {
            let (along, aside) = turned(x, y, sin, cos, zero);
        } -> { along: f32 = along, aside: f32 = aside }
        for finite_numbers().map(|[x, y, sin, cos]| (x, y, sin, cos, NEGATIVE_ZERO))
    }

    // Square roots, and therefore circles, may differ by rounding; fixed point has separate rules for them.
    same_on_devices! {
        fn straight_figures(x: f32, y: f32, length: f32, zero: f32) {
            let wall = capsule_axis_distance(x, length);
            let beside = box_axis_distance(x, length);
        } -> { square: f32 = square_of(x, y, zero), wall: f32 = wall, beside: f32 = beside }
        for finite_numbers().map(|[x, y, length]| (x, y, f32::abs(length), NEGATIVE_ZERO))
    }

    same_on_devices! {
        fn contours(x: f32, y: f32, radius: f32, zero: f32) {
            let diamond = contour_square(x, y, radius, false, zero);
            let square = contour_square(x, y, radius, true, zero);
        } -> { diamond: f32 = diamond, square: f32 = square }
        for finite_numbers().map(|[x, y, radius]| (x, y, f32::abs(radius), NEGATIVE_ZERO))
    }

    /// Cones with random half-angles, with random points and points near a side.
    fn points_of_cones() -> impl Iterator<Item = (f32, f32, f32, f32, f32)> {
        finite_numbers().flat_map(|[x, y, angle]| {
            let (sin, cos) = libm::sincosf(angle);
            [(x, y, sin, cos, NEGATIVE_ZERO), (x * cos, x * sin, sin, cos, NEGATIVE_ZERO)]
        })
    }

    same_on_devices! {
        fn cones(x: f32, y: f32, sin: f32, cos: f32, zero: f32) -> u32 { is_in_cone(x, y, sin, cos, zero) as u32 }
        for points_of_cones()
    }

    /// Sides, with random points and points on the same line.
    fn points_of_sides() -> impl Iterator<Item = (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)> {
        finite_numbers().flat_map(|[x, y, from_x, from_y, to_x, to_y]| {
            let side = Side::between([from_x, from_y], [to_x, to_y]);
            let per_y = side.x_per_y();
            [[x, y], [from_x, from_y], [from_x + x * side.along_x, from_y + x * side.along_y]].map(|[x, y]| {
                let Side { along_x, along_y, inverse, .. } = side;
                (x, y, from_x, from_y, along_x, along_y, inverse, to_y, per_y, NEGATIVE_ZERO)
            })
        })
    }

    same_on_devices! {
        fn sides(
            x: f32, y: f32, from_x: f32, from_y: f32, along_x: f32, along_y: f32, inverse: f32, to_y: f32, per_y: f32, zero: f32
        ) {
            let side = Side { from_x, from_y, along_x, along_y, inverse, to_y };
            let square = side.square_to(x, y, zero);
            let at_height = side.is_at_height(y);
            let right = side.is_to_the_right(x, y, per_y, zero);
        } -> { square: f32 = square, at_height: u32 = at_height as u32, right: u32 = right as u32 }
        for points_of_sides()
    }
}
