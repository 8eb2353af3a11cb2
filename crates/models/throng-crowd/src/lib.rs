//! Crowds: moving discs that never overlap, and pedestrians on a grid.
//!
//! * [`collision`]: every disc wishes to move, and the collision check decides which of them may, so that no two discs
//!   overlap; the same decisions on the CPU with any number of threads, on every GPU, and in any partition.
//! * [`social_field`]: pedestrians who follow their own stream, avoid the oncoming one, and leave through exits; the same
//!   states on the CPU with any number of threads, and on every GPU.

#![deny(clippy::print_stderr, clippy::print_stdout)]

mod border;
pub mod collision;
mod replay;
pub mod social_field;

pub use border::Border;
