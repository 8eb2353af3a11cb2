//! Rules for entities, points and samples of fields, shared by the CPU (as plain functions) and kernels.

pub mod distance;
pub mod exponential;
pub mod fall;
pub mod fixed_point;
pub mod interpolation;
pub mod pieces;
pub mod ring;
pub mod sides;
pub mod triangle;
