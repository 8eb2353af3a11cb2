//! The rules, each as one text for the host and for kernels. All numbers are whole, of 32 bits, because some devices
//! have no others.

pub mod body;
pub mod decision;
pub mod diagonal;
pub mod direction;
pub mod directional;
pub mod entry;
pub mod exit_choice;
pub mod fixed;
pub mod grid;
pub mod ring_side;
pub mod vote;
