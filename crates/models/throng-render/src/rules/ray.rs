//! Rays and their hits.

use throng_device::exact::{ieee_max, ieee_min};
use throng_device::prelude::*;

use super::vector::{Vector3, difference, dot, largest_coordinate, normalized, sum_scaled};

/// A ray: all points `origin + t * direction` with t > 0. The direction has unit length.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    pub origin: Vector3,
    pub direction: Vector3,
}

/// The point at a distance.
#[cube]
#[inline(always)]
pub fn point_at(ray: Ray, t: f32, zero: f32) -> Vector3 {
    sum_scaled(ray.origin, t, ray.direction, zero)
}

/// The normal on the side that a ray comes from.
#[cube]
#[inline(always)]
pub fn facing(normal: Vector3, direction: Vector3, zero: f32) -> Vector3 {
    let sign = select(dot(normal, direction, zero) > 0.0f32, -1.0f32, 1.0f32);
    Vector3 { x: sign * normal.x, y: sign * normal.y, z: sign * normal.z }
}

/// The origin of rays that leave a surface: slightly above it, so that they do not hit it again. The offset is 1/10,000
/// of the largest coordinate, at least 1e-4 and at most 0.1; with coordinates beyond 25,000 it is what rounding
/// requires.
#[cube]
#[inline(always)]
pub fn leaving(point: Vector3, normal: Vector3, zero: f32) -> Vector3 {
    let size = largest_coordinate(point);
    let near = 1.0e-4f32 * ieee_min(ieee_max(size, 1.0f32), 1000.0f32);
    sum_scaled(point, ieee_max(near, 4.0e-6f32 * size), normal, zero)
}

/// The direction of a mirrored ray, renormalised.
#[cube]
#[inline(always)]
pub fn mirrored(direction: Vector3, normal: Vector3, zero: f32) -> Vector3 {
    normalized(sum_scaled(direction, -2.0f32 * dot(normal, direction, zero), normal, zero), zero)
}

/// `1 / x`, or a large number instead of infinity, so that no product with 0 is NaN.
#[cube]
#[inline(always)]
pub fn inverse(x: f32) -> f32 {
    let is_small = x.abs() < 1.0e-20f32;
    let bounded = select(is_small, 1.0f32, x);
    let quotient = 1.0f32 / bounded;
    select(is_small, 1.0e20f32, quotient)
}

/// The distance by which boxes of the tree are widened for a ray, on each side. It covers the rounding errors of every
/// hit formula in a scene within `radius` of `center`, so that the hit of a ray does not depend on the tree.
#[cube]
#[inline(always)]
pub fn slack(origin: Vector3, center: Vector3, radius: f32) -> f32 {
    4.0e-6f32 * (largest_coordinate(difference(origin, center)) + radius)
}

/// The minimum of three numbers.
#[cube]
#[inline(always)]
pub fn least(a: f32, b: f32, c: f32) -> f32 {
    ieee_min(ieee_min(a, b), c)
}

/// The maximum of three numbers.
#[cube]
#[inline(always)]
pub fn greatest(a: f32, b: f32, c: f32) -> f32 {
    ieee_max(ieee_max(a, b), c)
}
