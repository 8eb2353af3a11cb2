//! What is to be solved, and how.

use std::path::PathBuf;
use std::time::Duration;

use throng_core::InputError;

use crate::kalah::{Board, Endgames};

/// A board to be solved, and what may be used for it.
pub struct SolveRequest {
    /// The board, from which both sides play as well as possible.
    pub board: Board,
    /// Bytes of the table of positions.
    pub table_bytes: u64,
    /// Threads.
    pub threads: usize,
    /// The values of positions with few stones, for this game.
    pub endgames: Option<Endgames>,
    /// A file for the table, so that a search that was interrupted goes on where it was. It is made if it does not exist.
    pub table_file: Option<PathBuf>,
    /// How often the file is written.
    pub write_every: Duration,
}

/// Refuses a table that is larger than the memory.
pub(super) fn check_memory(place: &str, table_bytes: u64) -> Result<(), InputError> {
    let Some(available) = throng_core::available_memory().filter(|&available| available < table_bytes) else {
        return Ok(());
    };
    let remedy = format!("{} MiB are available; give less", available >> 20);
    Err(InputError::shortage(place, format!("a table of {} MiB", table_bytes >> 20), remedy))
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
