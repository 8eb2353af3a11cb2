//! Exhaustive minimax to a depth, without pruning: the computation of the paper.
//!
//! The last move of a line is not made. Its change of the score is computed instead
//! ([`super::rules::sowing::gain()`]), which pays because four of five nodes are leaves.

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
    /// The first of the best pits of the player to move; `None` if the game is over or the depth is 0.
    pub pit: Option<u32>,
    /// All boards, leaves included.
    pub nodes: u64,
}

#[cfg(test)]
mod tests;
