//! Boxes of the tree.

use throng_device::exact::{ieee_max, ieee_min};
use throng_device::prelude::*;

use super::FAR;
use super::ray::{greatest, inverse, least};
use super::vector::Vector3;

/// The parts of box tests that are common to all boxes.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct BoxRay {
    /// The origin, shifted by the slack towards positive coordinates.
    pub above: Vector3,
    /// The origin, shifted by the slack towards negative coordinates.
    pub below: Vector3,
    /// The componentwise inverse of the direction.
    pub inverse: Vector3,
}

/// Prepares a ray for boxes that are widened by `slack`.
#[cube]
#[inline(always)]
pub fn box_ray(origin: Vector3, direction: Vector3, slack: f32) -> BoxRay {
    BoxRay {
        above: Vector3 { x: origin.x + slack, y: origin.y + slack, z: origin.z + slack },
        below: Vector3 { x: origin.x - slack, y: origin.y - slack, z: origin.z - slack },
        inverse: Vector3 { x: inverse(direction.x), y: inverse(direction.y), z: inverse(direction.z) },
    }
}

/// The distance at which a ray enters a box, 0 if it starts inside; [`FAR`] if it misses the box or enters it beyond
/// `farthest`.
#[cube]
#[inline(always)]
pub fn entry(ray: BoxRay, low: Vector3, high: Vector3, farthest: f32) -> f32 {
    let x0 = (low.x - ray.above.x) * ray.inverse.x;
    let x1 = (high.x - ray.below.x) * ray.inverse.x;
    let y0 = (low.y - ray.above.y) * ray.inverse.y;
    let y1 = (high.y - ray.below.y) * ray.inverse.y;
    let z0 = (low.z - ray.above.z) * ray.inverse.z;
    let z1 = (high.z - ray.below.z) * ray.inverse.z;
    let enter = ieee_max(greatest(ieee_min(x0, x1), ieee_min(y0, y1), ieee_min(z0, z1)), 0.0f32);
    let leave = least(ieee_max(x0, x1), ieee_max(y0, y1), ieee_max(z0, z1));
    select(enter <= ieee_min(leave, farthest), enter, FAR)
}
