//! Exhaustive minimax to a depth, without pruning: the computation of the paper.
//!
//! The last move of a line is not made; only its change of the score is computed ([`super::rules::sowing::gain()`]).
//! This pays because four out of five nodes are leaves.

mod cpu;
#[cfg(feature = "gpu")]
mod frontier;
#[cfg(feature = "gpu")]
mod gpu;

use throng_device::{Error, Needs, On, with_kernels};

use super::Board;
pub use cpu::search as search_on_cpu;
#[cfg(feature = "gpu")]
pub use gpu::{search as search_on_device, search_in_parts};

/// Searches all moves of a board to a depth, on any executor, with the same result.
///
/// ```
/// use throng_device::DeviceChoice;
/// use throng_games::kalah::{Game, Side, unpruned};
///
/// let board = Game::new(6, 4)?.start(Side::Top);
/// let found = unpruned::search(&board, 6, DeviceChoice::Auto)?;
/// assert_eq!((found.value, found.nodes), (2, 29_092));
/// # Ok::<(), throng_device::Error>(())
/// ```
///
/// # Errors
/// If a named device does not exist, has too little memory, or fails.
pub fn search(board: &Board, depth: u32, on: impl Into<On>) -> Result<UnprunedResult, Error> {
    match on.into().executor(&Needs::default())?.device() {
        None => Ok(search_on_cpu(board, depth)),
        Some(device) => with_kernels!("kalah", device, |device| Ok(search_on_device(device, board, depth)?)),
    }
}

/// The value and the best move of a board, with the number of boards visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnprunedResult {
    /// The value for `Side::Top`.
    pub value: i32,
    /// The best pit of the player to move, ties to the lowest index; `None` if the game is over or the depth is 0.
    pub pit: Option<u32>,
    /// Number of boards, including leaves.
    pub nodes: u64,
}

#[cfg(test)]
mod tests;
