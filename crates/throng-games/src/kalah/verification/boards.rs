//! Random boards, and the packed rules on them.

use throng_core::{Finding, Philox};

use super::game;
use crate::kalah::players::legal_pits;
use crate::kalah::reference::play;
use crate::kalah::rules::Position;
use crate::kalah::rules::sowing::{captured, moves_again, sowing, sown};
use crate::kalah::{Board, Game, Side};

/// Boards that occur in random play, and, every fourth one, others with the same stones, many of them in one pit.
pub(super) fn boards(game: Game, count: u64) -> impl Iterator<Item = Board> {
    (0..count).map(move |seed| {
        let draws = Philox::new(seed);
        let side = if draws.below(2, 0, 0, 0, 0) == 0 { Side::Bottom } else { Side::Top };
        if seed % 4 == 0 { heaped(game, draws, side) } else { played(game, draws, side) }
    })
}

fn heaped(game: Game, draws: Philox, side: Side) -> Board {
    let cells = 2 * game.pits() + 2;
    let mut stones = vec![0; cells as usize];
    // A few cells get most of the stones, so that some go round.
    let spread = 1 + draws.below(cells, 1, 0, 0, 0);
    for stone in 0..game.all_stones() {
        stones[(draws.below(spread, 2, stone, 0, 0) * 5 % cells) as usize] += 1;
    }
    Board::new(game, &stones, side).expect("all stones of the game")
}

fn played(game: Game, draws: Philox, side: Side) -> Board {
    let mut board = game.start(side);
    for ply in 0..draws.below(40, 3, 0, 0, 0) {
        let legal = legal_pits(&board);
        let Some(last) = legal.len().checked_sub(1) else { break };
        let pit = legal[draws.below(last as u32 + 1, 4, ply, 0, 0) as usize];
        board = play(&board, pit).expect("legal");
    }
    board
}

/// Games of all sizes and both rules.
fn games() -> impl Iterator<Item = Game> {
    let of_pits = |pits| (1..=6).map(move |stones| game(pits, stones));
    (1..=6).flat_map(of_pits).flat_map(|game| [game, game.with_empty_capture(true)])
}

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

/// Whether the packed rules make of a legal move what the definition does.
fn is_the_definition(board: &Board, pit: u32) -> bool {
    let variant = board.game().wide(5);
    let position = board.packed::<u64>(variant);
    let sowing = sowing(position.own, u64::from(pit), variant);
    let captured = captured(position.own, position.other, &sowing, variant);
    let mut found = sown(&position, &sowing, captured, variant);
    let again = moves_again(&sowing, variant);
    if !again {
        found = Position { own: found.other, other: found.own, score: -found.score };
    }
    let expected = play(board, pit).expect("legal");
    again == (expected.to_move() == board.to_move()) && found == expected.packed(variant)
}
