//! The formulas of the ray tracer in single precision, shared by CPU and kernels.
//!
//! A product is rounded before it is added to something ([`rounded_product`](throng_device::exact::rounded_product)),
//! so that no compiler fuses the two operations. An image then has the same bits on the CPU and on every device that
//! rounds quotients and square roots correctly. `zero` is -0 in all functions; kernels take it as an argument.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

pub mod bounds;
pub mod camera;
pub mod capsule;
pub mod height_tile;
pub mod light;
pub mod oriented_box;
pub mod path;
pub mod plane;
pub mod ray;
pub mod sampling;
pub mod screen;
pub mod shape;
pub mod sphere;
pub mod vector;

/// The distance of a ray without a hit.
pub const FAR: f32 = 3.0e38;
