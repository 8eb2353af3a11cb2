//! Capsules.

use throng_device::exact::{ieee_max, ieee_min, rounded_product};
use throng_device::prelude::*;

use super::FAR;
use super::ray::Ray;
use super::vector::{Vector3, difference, dot, scaled, sum_scaled};

/// A capsule: its line starts at `from` and runs along `axis`, which has unit length.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    pub from: Vector3,
    pub axis: Vector3,
    pub length: f32,
    pub radius: f32,
}

/// If the squared component of a direction across the axis is smaller than this, the ray counts as parallel to the
/// axis.
const ALONG: f32 = 1.0e-9;

/// The distance to a capsule or, from inside, to its far side; [`FAR`] if there is no hit.
///
/// The surface has three parts: a cylinder between the ends of the line, and a hemisphere at each end. A ray from
/// outside enters the capsule where it enters the whole cylinder or one of the whole spheres; a ray from inside leaves
/// it where it leaves one of these.
#[cube]
#[inline(always)]
pub fn distance(ray: Ray, capsule: Capsule, zero: f32) -> f32 {
    let from_start = difference(ray.origin, capsule.from);
    let height = dot(from_start, capsule.axis, zero);
    let rise = dot(ray.direction, capsule.axis, zero);
    let to_line = sum_scaled(from_start, -ieee_min(ieee_max(height, 0.0f32), capsule.length), capsule.axis, zero);
    let square = rounded_product(capsule.radius, capsule.radius, zero);
    let is_inside = dot(to_line, to_line, zero) <= square;
    let sign = select(is_inside, 1.0f32, -1.0f32);

    let start = end_distance(ray, from_start, square, sign, zero);
    let start_is_beyond = height + rounded_product(start, rise, zero) <= 0.0f32;
    let from_end = sum_scaled(from_start, -capsule.length, capsule.axis, zero);
    let end = end_distance(ray, from_end, square, sign, zero);
    let end_is_beyond = height + rounded_product(end, rise, zero) >= capsule.length;

    // The component across the axis.
    let direction = sum_scaled(ray.direction, -rise, capsule.axis, zero);
    let origin = sum_scaled(from_start, -height, capsule.axis, zero);
    let speed = dot(direction, direction, zero);
    let is_along = speed < ALONG;
    let divisor = select(is_along, 1.0f32, speed);
    let along = dot(origin, direction, zero) / divisor;
    let nearest = sum_scaled(origin, -along, direction, zero);
    let rest = square - dot(nearest, nearest, zero);
    let half_chord = (ieee_max(rest, 0.0f32) / divisor).sqrt();
    let side = rounded_product(sign, half_chord, zero) - along;
    let side_height = height + rounded_product(side, rise, zero);
    let is_side =
        !is_along && rest >= 0.0f32 && side > 0.0f32 && side_height >= 0.0f32 && side_height <= capsule.length;

    let nearest_end = ieee_min(select(start_is_beyond, start, FAR), select(end_is_beyond, end, FAR));
    ieee_min(nearest_end, select(is_side, side, FAR))
}

/// The distance to the whole sphere at an end; `from_center` is the ray's origin relative to the sphere's center. A
/// `sign` of -1 gives the distance where the ray enters, and 1 where it leaves.
#[cube]
#[inline(always)]
fn end_distance(ray: Ray, from_center: Vector3, square: f32, sign: f32, zero: f32) -> f32 {
    let along = dot(from_center, ray.direction, zero);
    let nearest = sum_scaled(from_center, -along, ray.direction, zero);
    let rest = square - dot(nearest, nearest, zero);
    let t = rounded_product(sign, ieee_max(rest, 0.0f32).sqrt(), zero) - along;
    select(rest >= 0.0f32 && t > 0.0f32, t, FAR)
}

/// The outward normal at a point of a capsule.
#[cube]
#[inline(always)]
pub fn normal(point: Vector3, capsule: Capsule, zero: f32) -> Vector3 {
    let from_start = difference(point, capsule.from);
    let height = ieee_min(ieee_max(dot(from_start, capsule.axis, zero), 0.0f32), capsule.length);
    scaled(1.0f32 / capsule.radius, sum_scaled(from_start, -height, capsule.axis, zero))
}
