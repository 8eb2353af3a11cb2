//! Minimax of all moves to a depth, without pruning: what the paper computes, as fast as it goes.
//!
//! The last move of a line is not made: what it adds to the score is counted ([`super::rules::sowing::gain()`]), and four of
//! five nodes are such leaves.

mod cpu;
#[cfg(feature = "gpu")]
mod frontier;
#[cfg(feature = "gpu")]
mod gpu;

pub use cpu::search;
#[cfg(feature = "gpu")]
pub use gpu::{search as search_on, search_in_parts};

/// What an unpruned search finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The value for `Side::Top`.
    pub value: i32,
    /// The best pit of the player to move, the first of several; none if the game is over or the depth is 0.
    pub pit: Option<u32>,
    /// All boards, leaves included.
    pub nodes: u64,
}
