//! A request to the solver.

use std::path::PathBuf;
use std::time::Duration;

use throng_core::InputError;

use crate::kalah::{Board, Endgames};

/// The board to solve, and the resources of the search.
pub struct SolveRequest {
    /// The board to solve.
    pub board: Board,
    /// Size of the transposition table in bytes.
    pub table_bytes: u64,
    /// Number of search threads.
    pub threads: usize,
    /// The endgame base of this game; `None` for a search without one.
    pub endgames: Option<Endgames>,
    /// The table file, from which an interrupted search resumes. It is created if it does not exist.
    pub table_file: Option<PathBuf>,
    /// The interval between saves of the table file.
    pub write_every: Duration,
}

/// Rejects a table that is larger than the memory.
pub(super) fn check_memory(place: &str, table_bytes: u64) -> Result<(), InputError> {
    throng_core::check_memory(table_bytes, place, format_args!("the entries of the table"), "give less")
}

impl SolveRequest {
    /// Creates a request that solves a board with one thread and a table of 64 MiB.
    pub fn new(board: Board) -> Self {
        Self {
            board,
            table_bytes: 64 << 20,
            threads: 1,
            endgames: None,
            table_file: None,
            write_every: Duration::from_mins(1),
        }
    }
}
