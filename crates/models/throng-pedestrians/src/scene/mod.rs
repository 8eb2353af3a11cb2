//! Worlds and the pedestrians in them.

mod openings;
mod pedestrians;
#[cfg(test)]
mod tests;
mod world;

pub use super::rules::floor::{EMPTY, WALL};
pub use openings::{Door, Entry, ExitChoice, MAX_EXITS, Openings};
pub use pedestrians::{BodyLimits, LEFT, MAX_PEDESTRIANS, MAX_PERIOD, Pedestrians, WAITING};
pub use world::{MAX_SIDE, World};
