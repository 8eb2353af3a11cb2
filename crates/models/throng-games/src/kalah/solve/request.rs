//! A request to the solver.

use std::path::PathBuf;
use std::time::Duration;

use throng_core::InputError;

use crate::kalah::{Board, Endgames};

/// The board to solve, and the resources of the search.
pub struct SolveRequest {
    /// The board.
    pub board: Board,
    /// The size of the transposition table in bytes.
    pub table_bytes: u64,
    /// The number of threads.
    pub threads: usize,
    /// The endgame base of this game.
    pub endgames: Option<Endgames>,
    /// The file of the table, from which an interrupted search resumes. It is created if it does not exist.
    pub table_file: Option<PathBuf>,
    /// The time between two saves of the file.
    pub write_every: Duration,
}

/// Refuses a table that is larger than the memory.
pub(super) fn check_memory(place: &str, table_bytes: u64) -> Result<(), InputError> {
    throng_core::check_memory(table_bytes, place, format_args!("the entries of the table"), "give less")
}

impl SolveRequest {
    /// A board, solved by one thread with a table of 64 MiB.
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
