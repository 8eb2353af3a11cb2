//! The programs of J. Kloosterman, *Senior Project: GPU Computing* (2013), and their experiments.
//!
//! * [`kalah`]: the minimax player of the project, a tree in an array that is searched in layers.
//! * [`ray_tracer`]: its ray tracer, which tests every ray against every shape.

pub mod kalah;
mod paper;
pub mod ray_tracer;

pub use paper::KLOOSTERMAN;
