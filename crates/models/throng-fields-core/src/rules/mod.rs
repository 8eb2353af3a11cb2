//! The rules for one entity and one point, which are written once: plain functions for the CPU, and the same for kernels.

pub mod distance;
pub mod exponential;
pub mod fall;
pub mod fixed_point;
pub mod interpolation;
pub mod pieces;
pub mod ring;
pub mod sides;
pub mod triangle;
