//! The formulas of the ray tracer, one text for CPU and kernels, in single precision.
//!
//! A product that is added to something is rounded first ([`rounded_product`](throng_device::exact::rounded_product)), so
//! that no compiler joins the two, and a picture has the same bits on the CPU and on every device whose quotients and
//! roots are correctly rounded. `zero` is -0 in all functions; kernels take it as an argument.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

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

/// The distance of a hit that there is not.
pub const FAR: f32 = 3.0e38;
