//! Vectors.

use throng_device::exact::{ieee_max, rounded_product};
use throng_device::prelude::*;

/// A point, a direction, or a colour: linear red, green and blue.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Default)]
pub struct Vector3 {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

/// The dot product.
#[cube]
#[inline(always)]
pub fn dot(a: Vector3, b: Vector3, zero: f32) -> f32 {
    rounded_product(a.x, b.x, zero) + rounded_product(a.y, b.y, zero) + rounded_product(a.z, b.z, zero)
}

/// `a - b`.
#[cube]
#[inline(always)]
pub fn difference(a: Vector3, b: Vector3) -> Vector3 {
    Vector3 { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z }
}

/// `a + factor * b`.
#[cube]
#[inline(always)]
pub fn sum_scaled(a: Vector3, factor: f32, b: Vector3, zero: f32) -> Vector3 {
    Vector3 {
        x: a.x + rounded_product(factor, b.x, zero),
        y: a.y + rounded_product(factor, b.y, zero),
        z: a.z + rounded_product(factor, b.z, zero),
    }
}

/// `factor * a`.
#[cube]
#[inline(always)]
pub fn scaled(factor: f32, a: Vector3) -> Vector3 {
    Vector3 { x: factor * a.x, y: factor * a.y, z: factor * a.z }
}

/// The cross product.
#[cube]
#[inline(always)]
pub fn cross(a: Vector3, b: Vector3, zero: f32) -> Vector3 {
    Vector3 {
        x: rounded_product(a.y, b.z, zero) - rounded_product(a.z, b.y, zero),
        y: rounded_product(a.z, b.x, zero) - rounded_product(a.x, b.z, zero),
        z: rounded_product(a.x, b.y, zero) - rounded_product(a.y, b.x, zero),
    }
}

/// The unit vector in the direction of `a`, which must not be 0.
#[cube]
#[inline(always)]
pub fn normalized(a: Vector3, zero: f32) -> Vector3 {
    scaled(1.0f32 / dot(a, a, zero).sqrt(), a)
}

/// The maximum absolute value of the coordinates.
#[cube]
#[inline(always)]
pub fn largest_coordinate(a: Vector3) -> f32 {
    ieee_max(ieee_max(a.x.abs(), a.y.abs()), a.z.abs())
}
