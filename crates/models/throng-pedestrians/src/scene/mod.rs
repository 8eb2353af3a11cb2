//! Worlds and the pedestrians in them.

mod pedestrians;
#[cfg(test)]
mod tests;
mod world;

pub use pedestrians::{LEFT, LONGEST_PERIOD, MOST_PEDESTRIANS, Pedestrians, WAITING};
pub use world::{LONGEST_SIDE, World};

/// No pedestrian is in this space unit.
pub const EMPTY: u32 = u32::MAX;
/// The space unit is a wall.
pub const WALL: u32 = u32::MAX - 1;
