//! Checks the packed rules on random boards.

use throng_core::Finding;

use super::Checked;
use super::executor::CaseExecutor;
use crate::kalah::Board;
use crate::kalah::players::legal_pits;
use crate::kalah::random_boards::{boards, games};
use crate::kalah::reference::{evaluation, play};

/// Minimum number of moves of all games together, per board of a game.
const MOVES: u64 = 80;

#[expect(clippy::unnecessary_wraps, reason = "the type of all cases")]
pub(super) fn packed_rules(on: &dyn CaseExecutor) -> Checked {
    let count = on.extent().move_boards;
    let (mut moves, mut differ) = (0, 0);
    for game in games() {
        for board in boards(game, count) {
            for pit in legal_pits(&board) {
                moves += 1;
                differ += usize::from(!is_the_definition(on, &board, pit));
            }
        }
    }
    Ok(Finding {
        expected: format!("0 of over {} moves differ", MOVES * count),
        found: format!("{differ} of {moves}"),
        holds: differ == 0 && moves > MOVES * count,
    })
}

/// Whether the packed rules give the same board, player to move and score as the definition.
fn is_the_definition(on: &dyn CaseExecutor, board: &Board, pit: u32) -> bool {
    let variant = board.game().wide(5);
    let found = on.make_move(board, pit);
    let expected = play(board, pit).expect("legal");
    found.position.score * expected.to_move().sign() == evaluation(&expected)
        && found.again == (expected.to_move() == board.to_move())
        && found.position == expected.packed(variant)
}
