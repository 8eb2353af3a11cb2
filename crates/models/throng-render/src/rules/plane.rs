//! Planes.

use throng_device::prelude::*;

use super::FAR;
use super::ray::Ray;
use super::vector::{Vector3, dot};

/// The distance to a plane; [`FAR`] if there is no hit.
#[cube]
#[inline(always)]
pub fn distance(ray: Ray, normal: Vector3, offset: f32, zero: f32) -> f32 {
    let towards = dot(ray.direction, normal, zero);
    let is_parallel = towards == 0.0f32;
    let t = (offset - dot(ray.origin, normal, zero)) / select(is_parallel, 1.0f32, towards);
    select(!is_parallel && t > 0.0f32 && t < FAR, t, FAR)
}
