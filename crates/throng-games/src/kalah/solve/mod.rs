//! Solving a game: the final margin if both sides play as well as possible, of a board and of each of its moves.
//!
//! * `proof` is the search: is a position worth at least so much?
//! * `search` asks that until the value of the board and those of its moves are known.
//! * `table_file` keeps what was proved for another session.
//!
//! Values do not depend on the number of threads and the sizes of the table and the endgame base; the number of nodes does.

mod bounds;
mod proof;
mod request;
mod search;
mod solution;
mod table_file;
mod tool;
mod watch;

use std::sync::atomic::AtomicU64;

use throng_core::{InputError, Progress};
use throng_model::Failure;
use throng_output::PendingFile;

use super::alpha_beta::{SearchedNow, Stop, TranspositionTable};
use super::numbering::Numbering;
use super::sizes::of_game;
use proof::Shared;
pub use request::SolveRequest;
use request::check_memory;
use search::Search;
pub use solution::Solution;
pub use tool::SolveKalah;
use watch::Watch;

/// Solves a board.
///
/// A node is a position that the search looks at: each position after a move of one that is searched.
///
/// ```
/// use throng_games::kalah::{Game, Side, SolveRequest, solve};
///
/// let board = Game::new(4, 3)?.start(Side::Top);
/// let solution = solve(&SolveRequest::new(board), &throng_core::NoProgress).unwrap();
/// assert_eq!(solution.value, 6);
/// # Ok::<(), throng_core::InputError>(())
/// ```
///
/// # Errors
/// Endgames or a table file of another game, a table file that cannot be read or written, no memory, or no thread.
pub fn solve(request: &SolveRequest, progress: &dyn Progress) -> Result<Solution, Failure> {
    let SolveRequest { board, table_bytes, threads, endgames, table_file, write_every } = request;
    let game = board.game();
    throng_model::check_threads(*threads)?;
    if endgames.as_ref().is_some_and(|endgames| !endgames.suits(game)) {
        let remedy = "give those for as many pits and the same rule";
        return Err(InputError::one("endgames", "are for another game", remedy).into());
    }
    check_memory("table_bytes", *table_bytes)?;
    let table = TranspositionTable::new(*table_bytes);
    let file = table_file.as_deref();
    // A place that cannot be written is refused now, and not after the search.
    file.map_or(Ok(()), |file| PendingFile::create(file).map(drop))?;
    let earlier = file.map_or(Ok(table_file::Earlier::default()), |file| table_file::read(file, game, &table))?;
    let shared = Shared {
        table: &table,
        searched_now: &SearchedNow::new(),
        endgames: endgames.as_ref(),
        stop: &Stop::default(),
        is_parallel: *threads > 1,
        nodes: AtomicU64::new(0),
    };
    let mut watch = Watch::new(progress, game, file, *write_every, earlier);
    let (value, moves) = of_game!(game, PITS, EMPTY => {
        let numbering = Numbering::<PITS>::new();
        Search::<PITS, EMPTY>::new(&shared, &numbering, *threads).values(board, &mut watch)
    })?;
    // What was found counts, even if the disk is full now.
    watch.write(&shared);
    let total = watch.total(&shared);
    Ok(Solution { board: *board, value, moves, nodes: total.nodes, time: total.time })
}
