//! Worlds and the pedestrians in them.

mod bodies;
mod openings;
mod pedestrians;
#[cfg(test)]
mod tests;
mod world;

pub use super::rules::floor::{EMPTY, WALL};
pub use bodies::BodyLimits;
pub use openings::{Door, Entry, ExitChoice, MAX_EXITS, Openings};
pub use pedestrians::{LEFT, MAX_PEDESTRIANS, MAX_PERIOD, Pedestrians, WAITING};
pub use world::{MAX_SIDE, World};
