//! Spheres.

use throng_device::exact::{ieee_max, rounded_product};
use throng_device::prelude::*;

use super::FAR;
use super::ray::Ray;
use super::vector::{Vector3, difference, dot, scaled, sum_scaled};

/// The distance to a sphere or, from inside, to its far side; [`FAR`] if there is no hit.
///
/// The distance of the ray from the center is computed from a difference of vectors. A difference of squares would lose
/// half of the digits for a sphere far away.
#[cube]
#[inline(always)]
pub fn distance(ray: Ray, center: Vector3, radius: f32, zero: f32) -> f32 {
    let from_center = difference(ray.origin, center);
    let along = dot(from_center, ray.direction, zero);
    let nearest = sum_scaled(from_center, -along, ray.direction, zero);
    let square = rounded_product(radius, radius, zero);
    let rest = square - dot(nearest, nearest, zero);
    let half_chord = ieee_max(rest, 0.0f32).sqrt();
    let is_outside = dot(from_center, from_center, zero) > square;
    let t = select(is_outside, -along - half_chord, half_chord - along);
    select(rest >= 0.0f32 && t > 0.0f32, t, FAR)
}

/// The outward normal at a point of a sphere.
#[cube]
#[inline(always)]
pub fn normal(point: Vector3, center: Vector3, radius: f32) -> Vector3 {
    scaled(1.0f32 / radius, difference(point, center))
}
