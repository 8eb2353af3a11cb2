//! Boxes in any orientation.

use throng_device::exact::{ieee_max, ieee_min};
use throng_device::prelude::*;

use super::FAR;
use super::ray::{Ray, greatest, inverse, least};
use super::vector::{Vector3, cross, difference, dot};

/// A box: its center, half the lengths of its edges, and the directions of its first two axes, which are perpendicular
/// and have unit length.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct OrientedBox {
    pub center: Vector3,
    pub half: Vector3,
    pub first: Vector3,
    pub second: Vector3,
}

/// A vector in the coordinates of a box.
#[cube]
#[inline(always)]
fn in_axes(vector: Vector3, shape: OrientedBox, zero: f32) -> Vector3 {
    Vector3 {
        x: dot(vector, shape.first, zero),
        y: dot(vector, shape.second, zero),
        z: dot(vector, cross(shape.first, shape.second, zero), zero),
    }
}

/// The distance to a box or, from inside, to its far side; [`FAR`] if there is no hit.
#[cube]
#[inline(always)]
pub fn distance(ray: Ray, shape: OrientedBox, zero: f32) -> f32 {
    let origin = in_axes(difference(ray.origin, shape.center), shape, zero);
    let direction = in_axes(ray.direction, shape, zero);
    let (ix, iy, iz) = (inverse(direction.x), inverse(direction.y), inverse(direction.z));
    let (x0, x1) = ((-shape.half.x - origin.x) * ix, (shape.half.x - origin.x) * ix);
    let (y0, y1) = ((-shape.half.y - origin.y) * iy, (shape.half.y - origin.y) * iy);
    let (z0, z1) = ((-shape.half.z - origin.z) * iz, (shape.half.z - origin.z) * iz);
    let enter = greatest(ieee_min(x0, x1), ieee_min(y0, y1), ieee_min(z0, z1));
    let leave = least(ieee_max(x0, x1), ieee_max(y0, y1), ieee_max(z0, z1));
    let t = select(enter > 0.0f32, enter, leave);
    select(enter <= leave && t > 0.0f32, t, FAR)
}

/// The outward normal of the face nearest to a point.
#[cube]
#[inline(always)]
pub fn normal(point: Vector3, shape: OrientedBox, zero: f32) -> Vector3 {
    let inside = in_axes(difference(point, shape.center), shape, zero);
    let x = inside.x.abs() - shape.half.x;
    let y = inside.y.abs() - shape.half.y;
    let z = inside.z.abs() - shape.half.z;
    let third = cross(shape.first, shape.second, zero);
    let is_first = x >= y && x >= z;
    let is_second = !is_first && y >= z;
    let along = select(is_first, inside.x, select(is_second, inside.y, inside.z));
    let sign = select(along < 0.0f32, -1.0f32, 1.0f32);
    Vector3 {
        x: sign * select(is_first, shape.first.x, select(is_second, shape.second.x, third.x)),
        y: sign * select(is_first, shape.first.y, select(is_second, shape.second.y, third.y)),
        z: sign * select(is_first, shape.first.z, select(is_second, shape.second.z, third.z)),
    }
}
