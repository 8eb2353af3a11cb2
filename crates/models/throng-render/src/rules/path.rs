//! The path of light from a pixel: a loop with a running weight.

use throng_device::exact::{ieee_max, rounded_product};
use throng_device::prelude::*;

use super::light::Incoming;
use super::vector::{Vector3, dot};

/// The weight below which a path ends.
pub const MIN_WEIGHT: f32 = 1.0 / 1024.0;

/// The colour of a surface, and the fraction of light that it reflects as a mirror.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Material {
    pub albedo: Vector3,
    pub reflectance: f32,
}

/// The ambient light that a surface scatters.
#[cube]
#[inline(always)]
pub fn ambient(ambient: Vector3, material: Material) -> Vector3 {
    Vector3 { x: ambient.x * material.albedo.x, y: ambient.y * material.albedo.y, z: ambient.z * material.albedo.z }
}

/// The fraction of a light's rays that meet a surface (Lambert's cosine law); 0 if the light is behind it.
#[cube]
#[inline(always)]
pub fn cosine(normal: Vector3, to_light: Vector3, zero: f32) -> f32 {
    ieee_max(dot(normal, to_light, zero), 0.0f32)
}

/// Adds to `sum` the light of a lamp that a surface scatters, if `visible` is 1.
#[cube]
#[inline(always)]
pub fn with_light(sum: Vector3, cosine: f32, material: Material, light: Incoming, visible: f32, zero: f32) -> Vector3 {
    let share = visible * cosine;
    Vector3 {
        x: sum.x + rounded_product(share * material.albedo.x, light.amount.x, zero),
        y: sum.y + rounded_product(share * material.albedo.y, light.amount.y, zero),
        z: sum.z + rounded_product(share * material.albedo.z, light.amount.z, zero),
    }
}

/// Whether a path continues after a surface.
#[cube]
#[inline(always)]
pub fn goes_on(weight: f32, reflectance: f32, bounce: u32, most: u32) -> bool {
    reflectance > 0.0f32 && bounce < most && weight * reflectance >= MIN_WEIGHT
}
