//! Converts pixels to rays.

use throng_device::exact::rounded_product;
use throng_device::prelude::*;

use super::ray::Ray;
use super::vector::{Vector3, normalized, sum_scaled};

/// A camera: its position, and the direction of each pixel.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq, Default)]
pub struct Lens {
    pub eye_x: f32,
    pub eye_y: f32,
    pub eye_z: f32,
    pub forward_x: f32,
    pub forward_y: f32,
    pub forward_z: f32,
    /// The vector from the middle to the right edge, at distance 1.
    pub right_x: f32,
    pub right_y: f32,
    pub right_z: f32,
    /// The vector from the middle to the upper edge.
    pub up_x: f32,
    pub up_y: f32,
    pub up_z: f32,
    /// The width of a pixel if the image has a width of 2.
    pub pixel_width: f32,
    /// The height of a pixel if the image has a height of 2.
    pub pixel_height: f32,
}

#[cube]
impl Lens {
    /// The ray through a point of the image, given in pixels from its upper left corner.
    #[inline(always)]
    pub fn ray(&self, column: f32, row: f32, zero: f32) -> Ray {
        let across = rounded_product(column, self.pixel_width, zero) - 1.0f32;
        let upwards = 1.0f32 - rounded_product(row, self.pixel_height, zero);
        let forward = Vector3 { x: self.forward_x, y: self.forward_y, z: self.forward_z };
        let right = Vector3 { x: self.right_x, y: self.right_y, z: self.right_z };
        let up = Vector3 { x: self.up_x, y: self.up_y, z: self.up_z };
        let direction = sum_scaled(sum_scaled(forward, across, right, zero), upwards, up, zero);
        Ray { origin: Vector3 { x: self.eye_x, y: self.eye_y, z: self.eye_z }, direction: normalized(direction, zero) }
    }
}
