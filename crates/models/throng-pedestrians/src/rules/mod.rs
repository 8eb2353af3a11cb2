//! The rules, shared by the host and kernels. All numbers are 32-bit integers, because some devices support no others.
//!
//! A rule that needs more than a few numbers takes a view, a trait that executors implement over their memory.
//! Executors decide the order in which space units and pedestrians are visited.

pub mod body;
pub mod body_size;
pub mod decision;
pub mod diagonal;
pub mod direction;
pub mod directional;
pub mod draws;
pub mod entry;
pub mod exit_choice;
pub mod fixed;
pub mod floor;
pub mod grid;
pub mod openings;
pub mod ring_side;
pub mod sources;
pub mod sums;
pub mod vote;
