//! Solves a game: computes the final margin of a board, and of each of its moves, under best play by both sides.
//!
//! * `prepared` checks a request and reads its table file.
//! * `proof` is the search: it decides whether a position is worth at least a given number of stones.
//! * `search` repeats the proof until the values of the board and of all its moves are known.
//! * `table_file` saves the proved bounds for a later session.
//!
//! The values do not depend on the number of threads, the table size or the endgame base. The number of nodes does.

mod bounds;
mod prepared;
mod proof;
mod request;
mod search;
mod solution;
mod table_file;
mod tool;
mod watch;

use throng_core::Progress;
use throng_model::Failure;

use prepared::Prepared;
pub use request::SolveRequest;
pub use solution::Solution;
pub use tool::SolveKalah;

/// Solves a board.
///
/// A node is a position that the search visits: every successor of an expanded position counts as one.
///
/// ```
/// use throng_core::NoProgress;
/// use throng_games::kalah::{Board, SolveRequest, solve};
///
/// let board = Board::of_any_game("3 3 3 3 0 | 3 3 3 3 0 top", false)?;
/// let solution = solve(&SolveRequest::new(board), &NoProgress)?;
/// assert_eq!(solution.value, 6, "the player to move wins by 6 stones");
/// assert!(solution.best().len() < solution.moves.len());
/// # Ok::<(), throng_model::Failure>(())
/// ```
///
/// # Errors
/// If the endgames or the table file are for another game, the table file cannot be read or written, there is too
/// little memory, there are no or too many threads, or a thread cannot be started.
pub fn solve(request: &SolveRequest, progress: &dyn Progress) -> Result<Solution, Failure> {
    Prepared::new(request, progress)?.solve(request.endgames.as_ref(), progress)
}
