//! The search of players: alpha-beta with iterative deepening and a transposition table, on several threads.
//!
//! Value, move and line equal the results of minimax to the same depth, for any number of threads and any table size;
//! only the number of nodes and the time depend on the threads and the table.

mod depth_limited;
mod fault;
mod in_progress;
mod iterative_deepening;
mod limit;
mod move_ordering;
mod principal_variation;
mod transposition_table;

use std::time::Instant;

use throng_core::{InputError, check_memory};
use throng_model::threads::check_threads;

use super::sizes::dispatch_on_game;
use super::{Board, Game};
use depth_limited::Shared;
pub(super) use fault::Fault;
pub(super) use in_progress::PositionsInProgress;
use iterative_deepening::Deepening;
pub use limit::{Limit, MAX_DEPTH};
pub(super) use limit::{Stop, Stopped};
pub(super) use move_ordering::{MAX_MOVES, Move, Moves, NO_PIT, moved};
pub(super) use transposition_table::{CONTENT_BITS, ENTRIES, Entry, TranspositionTable};

/// A player's search.
///
/// ```
/// use throng_games::kalah::{AlphaBeta, Game, Limit, Side};
///
/// let game = Game::new(6, 4)?;
/// let mut search = AlphaBeta::new(game, 1 << 20, 2)?;
/// let choice = search.best_move(&game.start(Side::Top), Limit::Depth(8))?;
/// // The third pit: its last stone falls into the store.
/// assert_eq!((choice.value, choice.pit), (8, Some(2)));
/// assert_eq!(choice.line.len(), 8);
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct AlphaBeta {
    game: Game,
    table: TranspositionTable,
    threads: usize,
    terminal_exact: bool,
    /// Only tests set it.
    fault: Option<Fault>,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult {
    /// The best pit of the player to move, counted from the one farthest from the player's store; ties go to the lowest
    /// index. `None` if the game is over.
    pub pit: Option<u32>,
    /// The value for [`Side::Top`](super::Side::Top).
    pub value: i32,
    /// The final margin of [`Side::Top`](super::Side::Top) under best play, if all lines that the value depends on end
    /// with the game. Only a search with [exact](AlphaBeta::with_terminal_exact) values of finished games finds it.
    pub proved: Option<i32>,
    /// The depth of the last completed search; the limit's depth if all lines end earlier.
    pub depth: u32,
    /// Number of positions searched by all threads.
    pub nodes: u64,
    /// Best play from the board: `pit` and the following pits, each of the player to move at that point.
    pub line: Vec<u32>,
}

impl AlphaBeta {
    /// Creates a search for a game. Its table takes `table_bytes`, at least 32 KiB, and is kept between moves.
    ///
    /// # Errors
    /// If the number of threads is 0 or too large, or there is too little memory for the table.
    pub fn new(game: Game, table_bytes: u64, threads: usize) -> Result<Self, InputError> {
        check_threads(threads).map_err(|error| error.with_places(|_| "threads".to_owned()))?;
        check_memory(table_bytes, "table", format_args!("the entries of the table"), "give less")?;
        Ok(Self { game, table: TranspositionTable::new(table_bytes), threads, terminal_exact: false, fault: None })
    }

    /// Sets whether a finished game counts 5 per stone of the final margin. By default, stones left in pits count 1, as
    /// in the paper.
    pub fn with_terminal_exact(self, terminal_exact: bool) -> Self {
        // The values in the table belong to the other evaluation.
        let table = if terminal_exact == self.terminal_exact { self.table } else { self.table.emptied() };
        Self { table, terminal_exact, ..self }
    }

    /// The same search with a fault.
    #[cfg(test)]
    pub(super) fn with_fault(self, fault: Fault) -> Self {
        Self { fault: Some(fault), ..self }
    }

    /// Returns the game that is searched.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Finds the best move on a board.
    ///
    /// # Errors
    /// If the board is of another game, or [`Limit::check`] rejects the limit.
    pub fn best_move(&mut self, board: &Board, limit: Limit) -> Result<SearchResult, InputError> {
        if board.game() != self.game {
            return Err(InputError::one(
                "board",
                "is for another game than the search",
                "create a search for its game",
            ));
        }
        limit.check()?;
        self.table.begin_search();
        // A time beyond the range of the clock means no limit.
        let stop = Stop::at(limit.time().and_then(|time| Instant::now().checked_add(time)));
        let shared = Shared {
            table: &self.table,
            in_progress: &PositionsInProgress::new(),
            stop: &stop,
            terminal_exact: self.terminal_exact,
            is_parallel: self.threads > 1,
            fault: self.fault,
        };
        let (threads, depth) = (self.threads, limit.depth());
        let choice = dispatch_on_game!(self.game, PITS, EMPTY => Deepening::<PITS, EMPTY>::new(shared, threads).search(board, depth));
        Ok(choice)
    }
}
