//! Exhaustive minimax to a depth, without pruning: the computation of the paper.
//!
//! The last move of a line is not made; only its change of the score is computed ([`super::rules::sowing::gain()`]).
//! This pays because four of five nodes are leaves.

mod cpu;
#[cfg(feature = "gpu")]
mod frontier;
#[cfg(feature = "gpu")]
mod gpu;

pub use cpu::search;
#[cfg(feature = "gpu")]
pub use gpu::{search as search_on, search_in_parts};

/// The result of an unpruned search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The value for `Side::Top`.
    pub value: i32,
    /// The best pit of the player to move, ties to the lowest index; `None` if the game is over or the depth is 0.
    pub pit: Option<u32>,
    /// Number of boards, including leaves.
    pub nodes: u64,
}

#[cfg(test)]
mod tests;
