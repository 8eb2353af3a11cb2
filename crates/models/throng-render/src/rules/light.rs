//! Point lights.

use throng_device::prelude::*;

use super::vector::{Vector3, difference, dot, scaled};

/// A light at a point, without an area.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct PointLight {
    pub position: Vector3,
    pub intensity: Vector3,
    /// 1 if light weakens with the square of the distance, else 0.
    pub weakens: f32,
}

/// The light that would reach a point if nothing were in between.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Incoming {
    /// Direction to the light.
    pub direction: Vector3,
    /// Distance to the light.
    pub distance: f32,
    /// Amount of light per channel on a surface perpendicular to its direction.
    pub amount: Vector3,
}

/// The light that reaches a point just above a surface.
#[cube]
#[inline(always)]
pub fn incoming(light: PointLight, from: Vector3, zero: f32) -> Incoming {
    let to_light = difference(light.position, from);
    let square = dot(to_light, to_light, zero);
    let distance = square.sqrt();
    // Avoids a division by 0 for a point at the light's position, which is not lit.
    let inverse = 1.0f32 / select(distance > 0.0f32, distance, 1.0f32);
    let weakened = inverse * inverse;
    let factor = select(light.weakens > 0.0f32, weakened, 1.0f32);
    Incoming { direction: scaled(inverse, to_light), distance, amount: scaled(factor, light.intensity) }
}
