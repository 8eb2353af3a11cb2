//! The programs of J. Kloosterman, *Senior Project: GPU Computing* (2013), and their experiments.
//!
//! [`kalah`] is the minimax player of the project: a tree in an array, searched in layers.

pub mod kalah;
mod paper;

pub use paper::Kloosterman;
