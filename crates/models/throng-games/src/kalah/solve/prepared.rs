//! Checks before a search: everything that can be rejected is rejected before the endgame base is built, which may take
//! minutes.

use std::path::Path;
use std::sync::atomic::AtomicU64;

use throng_core::{InputError, Progress};
use throng_model::Failure;
use throng_output::{PendingFile, partial_files};

use super::proof::Shared;
use super::request::check_memory;
use super::search::Search;
use super::table_file::{self, Earlier};
use super::watch::Watch;
use super::{Solution, SolveRequest};
use crate::kalah::Endgames;
use crate::kalah::alpha_beta::{PositionsInProgress, Stop, TranspositionTable};
use crate::kalah::numbering::Numbering;
use crate::kalah::sizes::dispatch_on_game;

/// A checked request, with its table in memory.
pub struct Prepared<'r> {
    request: &'r SolveRequest,
    table: TranspositionTable,
    earlier: Earlier,
}

impl<'r> Prepared<'r> {
    /// Checks a request, except for its endgame base, and reads the table file.
    ///
    /// # Errors
    /// If there are no or too many threads or too little memory, or the table file is unusable or for another game.
    pub fn new(request: &'r SolveRequest, progress: &dyn Progress) -> Result<Self, Failure> {
        throng_model::threads::check_threads(request.threads)?;
        check_memory("table_bytes", request.table_bytes)?;
        let mut prepared =
            Self { request, table: TranspositionTable::new(request.table_bytes), earlier: Earlier::default() };
        if let Some(file) = &request.table_file {
            warn_of_leftover(file, progress);
            // The first save comes after `write_every`; an unwritable folder is rejected now.
            drop(PendingFile::create(file)?);
            prepared.earlier = table_file::read(file, request.board.game(), &prepared.table)?;
        }
        Ok(prepared)
    }

    /// Solves the board.
    ///
    /// # Errors
    /// If the endgame base is for another game, or no thread can be started.
    pub fn solve(&self, endgames: Option<&Endgames>, progress: &dyn Progress) -> Result<Solution, Failure> {
        let SolveRequest { board, threads, table_file, write_every, .. } = self.request;
        let game = board.game();
        if endgames.is_some_and(|endgames| !endgames.suits(game)) {
            let remedy = "give a base for the same number of pits and the same rule";
            return Err(InputError::one("endgames", "are for another game", remedy).into());
        }
        let shared = Shared {
            table: &self.table,
            in_progress: &PositionsInProgress::new(),
            endgames,
            stop: &Stop::default(),
            is_parallel: *threads > 1,
            nodes: AtomicU64::new(0),
        };
        let mut watch = Watch::new(progress, game, table_file.as_deref(), *write_every, self.earlier);
        let (value, moves) = dispatch_on_game!(game, PITS, EMPTY => {
            let numbering = Numbering::<PITS>::new();
            Search::<PITS, EMPTY>::new(&shared, &numbering, *threads).values(board, &mut watch)
        })?;
        // A failure is only a warning: the solution is printed even if the disk is full.
        watch.write(&shared);
        let total = watch.total(&shared);
        Ok(Solution { board: *board, value, moves, nodes: total.nodes, time: total.time })
    }
}

/// Warns of partial table files. They are not removed, because another process may be writing one.
fn warn_of_leftover(file: &Path, progress: &dyn Progress) {
    for partial in partial_files(file) {
        progress.warn(&format!(
            "{} is left over from a save that was interrupted; delete it, unless another solver is using this table",
            partial.display()
        ));
    }
}
