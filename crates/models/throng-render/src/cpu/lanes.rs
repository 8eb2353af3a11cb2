//! Values of the rays of a packet.

use crate::rules::ray::Ray;
use crate::rules::vector::Vector3;

/// Rays per packet: with AVX2, two registers per value. Packets of eight rays are slower because fewer rays share each
/// step through the tree; with the wider registers of AVX-512, both sizes are slower.
pub(super) const LANES: usize = 16;

/// A value for each ray.
pub(super) type Lanes = [f32; LANES];

/// A vector for each ray.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vectors {
    pub x: Lanes,
    pub y: Lanes,
    pub z: Lanes,
}

impl Vectors {
    pub const ZERO: Self = Self { x: [0.0; LANES], y: [0.0; LANES], z: [0.0; LANES] };

    #[inline(always)]
    pub fn at(&self, lane: usize) -> Vector3 {
        Vector3 { x: self.x[lane], y: self.y[lane], z: self.z[lane] }
    }

    #[inline(always)]
    pub fn set(&mut self, lane: usize, vector: Vector3) {
        self.x[lane] = vector.x;
        self.y[lane] = vector.y;
        self.z[lane] = vector.z;
    }
}

/// The rays of a packet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rays {
    pub origins: Vectors,
    pub directions: Vectors,
}

impl Rays {
    #[inline(always)]
    pub fn at(&self, lane: usize) -> Ray {
        Ray { origin: self.origins.at(lane), direction: self.directions.at(lane) }
    }

    #[inline(always)]
    pub fn set(&mut self, lane: usize, ray: Ray) {
        self.origins.set(lane, ray.origin);
        self.directions.set(lane, ray.direction);
    }
}
