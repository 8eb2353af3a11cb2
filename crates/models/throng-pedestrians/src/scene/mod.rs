//! Worlds and the pedestrians in them.

mod openings;
mod pedestrians;
#[cfg(test)]
mod tests;
mod world;

pub use super::rules::floor::{EMPTY, WALL};
pub use openings::{Door, Entry, ExitChoice, MOST_EXITS, Openings};
pub use pedestrians::{LEFT, LONGEST_PERIOD, MOST_PEDESTRIANS, Pedestrians, WAITING};
pub use world::{LONGEST_SIDE, World};
