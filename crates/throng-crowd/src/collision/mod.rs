//! The collision check: moving discs never overlap.

mod cpu;
#[cfg(feature = "gpu")]
mod gpu;
mod lattice;
pub mod oracle;
pub mod rules;
mod scene;
mod start;
mod walls;
mod world;

pub use cpu::{CollisionCheck, Options};
#[cfg(feature = "gpu")]
pub use gpu::DeviceCollisionCheck;
pub use lattice::{CELL, CELL_BITS, LARGEST_RADIUS, LONGEST_STEP, Lattice, SMALLEST_RADIUS};
pub use rules::contest::Rule;
pub use scene::{Radii, Scene};
pub use walls::Wall;
pub use world::{LONGEST_SIDE, MOST_CELLS, World, WorldAxis};

#[cfg(test)]
mod tests;
