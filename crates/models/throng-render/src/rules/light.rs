//! Point lights.

use throng_device::prelude::*;

use super::vector::{Vector3, difference, dot, scaled};

/// A light.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct PointLight {
    pub position: Vector3,
    pub intensity: Vector3,
    /// 1 if light weakens with the square of the distance, otherwise 0.
    pub weakens: f32,
}

/// The light that would reach a point if nothing were in between.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Incoming {
    /// To the light.
    pub direction: Vector3,
    /// To the light.
    pub distance: f32,
    /// Per channel, on a surface at right angles.
    pub amount: Vector3,
}

/// The light that reaches a point, seen from just above its surface.
#[cube]
#[inline(always)]
pub fn incoming(light: PointLight, from: Vector3, zero: f32) -> Incoming {
    let to_light = difference(light.position, from);
    let square = dot(to_light, to_light, zero);
    let distance = square.sqrt();
    // A point at the light itself is lit from nowhere.
    let inverse = 1.0f32 / select(distance > 0.0f32, distance, 1.0f32);
    let weakened = inverse * inverse;
    let factor = select(light.weakens > 0.0f32, weakened, 1.0f32);
    Incoming { direction: scaled(inverse, to_light), distance, amount: scaled(factor, light.intensity) }
}
