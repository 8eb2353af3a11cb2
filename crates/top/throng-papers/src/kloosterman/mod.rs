//! The programs of J. Kloosterman, *Senior Project: GPU Computing* (2013), and their experiments.
//!
//! * [`kalah`] is the minimax player of the project: a tree in an array, searched in layers.
//! * [`ray_tracer`] is its ray tracer: every ray is tested against every shape.

pub mod kalah;
mod paper;
pub mod ray_tracer;

pub use paper::KLOOSTERMAN;
