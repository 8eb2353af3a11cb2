//! Compares the search of players with the exhaustive one.

use throng_core::Finding;

use super::game;
use crate::kalah::random_boards::boards;
use crate::kalah::{AlphaBeta, Limit, unpruned};

/// Compares value and move on random boards, with one table for all boards.
pub(super) fn is_minimax() -> Finding {
    let games = [game(6, 4), game(6, 6).with_empty_capture(true), game(3, 2), game(4, 5)];
    let mut differ = 0;
    for (game, depth) in games.into_iter().zip([6, 5, 8, 6]) {
        let mut search = AlphaBeta::new(game, 1 << 20, 2).expect("2 threads");
        for board in boards(game, 12) {
            let (expected, found) = (
                unpruned::search_on_cpu(&board, depth),
                search.best_move(&board, Limit::Depth(depth)).expect("a board of the game"),
            );
            differ += usize::from((found.value, found.pit) != (expected.value, expected.pit));
        }
    }
    Finding::no_difference("boards", differ)
}
