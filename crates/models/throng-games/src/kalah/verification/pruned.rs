//! Compares the search of players with the values of another program, and with the definition of minimax.

use throng_core::Finding;

use super::executor::CaseExecutor;
use super::searches::{CELLS, VALUES};
use super::{Checked, game};
use crate::kalah::random_boards::boards;
use crate::kalah::reference::minimax;
use crate::kalah::{Board, Side};

pub(super) fn from_the_start(on: &dyn CaseExecutor) -> Checked {
    let game = game(6, 4);
    let starts = [Side::Top, Side::Bottom].map(|side| game.start(side));
    let (mut differ, mut last) = (0, (0, 0));
    for (depth, expected) in (1..=on.extent().pruned_depth).zip(VALUES.into_iter().zip(CELLS)) {
        let of_side = |((value, pit), start): ((i32, Option<u32>), &Board)| {
            (value * start.to_move().sign(), pit.map_or(0, |pit| pit + 7))
        };
        let found: Vec<_> = on.best_moves(game, &starts, depth)?.into_iter().zip(&starts).map(of_side).collect();
        differ += usize::from(found != [expected; 2]);
        last = found[0];
    }
    let text = |differ: usize, (value, cell): (i32, u32)| format!("{value}, cell {cell}; {differ} of 12 differ");
    let expected = (VALUES[VALUES.len() - 1], CELLS[CELLS.len() - 1]);
    Ok(Finding { expected: text(0, expected), found: text(differ, last), holds: differ == 0 })
}

/// Compares value and move on random boards, with one table for all boards. Each board is searched for either player to
/// move, so that the table holds positions that differ only in the players' rows.
pub(super) fn is_minimax(on: &dyn CaseExecutor) -> Checked {
    let games = [game(6, 4), game(6, 6).with_empty_capture(true), game(3, 2), game(4, 5)];
    let mut differ = 0;
    for (game, depth) in games.into_iter().zip([6, 5, 8, 6]) {
        let of_side = |board: Board, side| Board::new(game, board.cells(), side).expect("a board of the game");
        let of_sides = |board| [Side::Top, Side::Bottom].map(|side| of_side(board, side));
        let boards: Vec<Board> = boards(game, on.extent().boards).flat_map(of_sides).collect();
        for (board, found) in boards.iter().zip(on.best_moves(game, &boards, depth)?) {
            let expected = minimax(board, depth);
            differ += usize::from(found != (expected.value, expected.pit));
        }
    }
    Ok(Finding::no_difference("boards", differ))
}
