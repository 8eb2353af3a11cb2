//! Crowds: moving discs that never overlap.
//!
//! * [`collision`]: every disc wishes to move, and the collision check decides which of them may, so that no two discs
//!   overlap; the same decisions on the CPU with any number of threads, on every GPU, and in any partition.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod collision;
pub mod social_field;
