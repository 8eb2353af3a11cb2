//! The searches that the cases verify.

use throng_core::NoProgress;
use throng_device::Executor;
use throng_model::Failure;

use crate::kalah::rules::make_move::{MoveResult, make_move};
use crate::kalah::unpruned::{self, UnprunedResult};
use crate::kalah::{AlphaBeta, Board, Game, Limit, SolveRequest, solve};

/// The extent of the cases.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// Depth of the deepest search without pruning from the start.
    pub depth: u32,
    /// Depth of the deepest search with pruning from the start.
    pub pruned_depth: u32,
    /// Number of random boards of a game that are searched.
    pub boards: u64,
    /// Number of random boards of a game on which all moves are made.
    pub move_boards: u64,
    /// Number of pits of the largest game that is solved.
    pub pits: u32,
}

/// Computes the results that the cases check. Tests replace the methods by faulty ones.
pub trait CaseExecutor {
    /// The extent of the cases; less for tests, whose faulty executors are slow. Less of a case never fails if more of
    /// it holds.
    fn extent(&self) -> Extent {
        Extent { depth: 9, pruned_depth: 12, boards: 12, move_boards: 250, pits: 4 }
    }

    /// Runs exhaustive minimax to a depth.
    fn search(&self, board: &Board, depth: u32) -> Result<UnprunedResult, Failure>;

    // These are computed only on the CPU.

    /// Makes a move by the packed rules.
    fn make_move(&self, board: &Board, pit: u32) -> MoveResult<u64> {
        let variant = board.game().wide(5);
        make_move(&board.packed(variant), u64::from(pit), variant)
    }

    /// Runs the search of players to a depth, with one table for all boards of a game. Returns values and moves.
    fn best_moves(&self, game: Game, boards: &[Board], depth: u32) -> Result<Vec<(i32, Option<u32>)>, Failure> {
        best_moves(players_search(game)?, boards, depth)
    }

    /// Finds the margin of the player to move under best play.
    fn margin(&self, board: &Board) -> Result<i32, Failure> {
        let request = SolveRequest { table_bytes: 1 << 22, ..SolveRequest::new(*board) };
        Ok(solve(&request, &NoProgress)?.value)
    }
}

/// The CPU, or a device.
pub struct OnExecutor<'d>(pub &'d Executor);

impl CaseExecutor for OnExecutor<'_> {
    fn search(&self, board: &Board, depth: u32) -> Result<UnprunedResult, Failure> {
        Ok(unpruned::search(board, depth, self.0)?)
    }
}

/// The search of players, on two threads.
pub(super) fn players_search(game: Game) -> Result<AlphaBeta, Failure> {
    Ok(AlphaBeta::new(game, 1 << 20, 2)?)
}

/// Values and moves of boards.
pub(super) fn best_moves(
    mut search: AlphaBeta,
    boards: &[Board],
    depth: u32,
) -> Result<Vec<(i32, Option<u32>)>, Failure> {
    let of_board = |board| {
        let found = search.best_move(board, Limit::Depth(depth))?;
        Ok((found.value, found.pit))
    };
    boards.iter().map(of_board).collect()
}
