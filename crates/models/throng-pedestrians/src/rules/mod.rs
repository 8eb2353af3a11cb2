//! The rules, each as one text for the host and for kernels. All numbers are whole, of 32 bits, because some devices
//! have no others.
//!
//! Where a rule looks at more than numbers, it has a view of it, a trait: executors implement these for their memory, and
//! decide in which order space units and pedestrians are visited.

pub mod body;
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
