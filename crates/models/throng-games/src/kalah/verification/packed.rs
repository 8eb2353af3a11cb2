//! Checks the packed rules on random boards.

use throng_core::Finding;

use crate::kalah::Board;
use crate::kalah::players::legal_pits;
use crate::kalah::random_boards::{boards, games};
use crate::kalah::reference::{evaluation, play};
use crate::kalah::rules::make_move::{MoveResult, make_move};

pub(super) fn packed_rules() -> Finding {
    let (mut moves, mut differ) = (0, 0);
    for game in games() {
        for board in boards(game, 250) {
            for pit in legal_pits(&board) {
                moves += 1;
                differ += usize::from(!is_the_definition(&board, pit));
            }
        }
    }
    Finding {
        expected: "0 of over 20000 moves differ".to_owned(),
        found: format!("{differ} of {moves}"),
        holds: differ == 0 && moves > 20_000,
    }
}

/// Whether the packed rules give the same board, player to move and score as the definition.
fn is_the_definition(board: &Board, pit: u32) -> bool {
    let variant = board.game().wide(5);
    let position = board.packed::<u64>(variant);
    let MoveResult { position: found, again } = make_move(&position, u64::from(pit), variant);
    let expected = play(board, pit).expect("legal");
    position.score * board.to_move().sign() == evaluation(board)
        && again == (expected.to_move() == board.to_move())
        && found == expected.packed(variant)
}
