//! `throng run` for the collision check: discs that walk randomly, through gates, or to goals from a file.

mod cpu;
mod discs_file;
mod executors;
mod film;
#[cfg(feature = "gpu")]
mod gpu;
mod model;
mod prepared;
mod replay;
mod rules;
mod scenario;
mod start;
mod table;
#[cfg(test)]
mod tests;
mod trajectories;
mod verification;
mod walkers;

pub use model::Collision;
pub use replay::WalkReplay;
pub use scenario::{Behaviour, Scenario};
pub use walkers::Walkers;
