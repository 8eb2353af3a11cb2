//! Compares narrow words with wide ones; `throng check games` compares wide ones with the definition.

use throng_core::Philox;

use super::Position;
use super::make_move::{MoveResult, make_move};
use super::position::is_legal;
use crate::kalah::Game;
use crate::kalah::random_boards::{boards, games};

/// Packs the same pits into fields of five bits.
fn narrowed(position: &Position<u64>, game: Game) -> Position<u32> {
    let word = |wide: u64| {
        (0..game.pits()).fold(0, |word, pit| {
            let stones = (wide >> (8 * pit)) & 0xff;
            assert!(stones < 32, "{stones} stones do not fit");
            word | ((stones as u32) << (5 * pit))
        })
    };
    Position { own: word(position.own), other: word(position.other), score: position.score }
}

/// Also tests that `Board::fits` allows no more moves than the fields can hold.
#[test]
fn narrow_and_wide_words_have_equal_moves() {
    const MOVES: u32 = 8;
    let (mut compared, mut laps) = (0, 0);
    for game in games() {
        let (narrow, wide) = (game.narrow(5), game.wide(5));
        for (number, board) in boards(game, 250).enumerate() {
            let draws = Philox::new(number as u64);
            let moves = (0..=MOVES).rev().find(|&moves| board.fits(narrow, moves));
            let Some(moves) = moves else { continue };
            let (mut expected, mut found) = (board.packed::<u64>(wide), board.packed::<u32>(narrow));
            assert_eq!(found, narrowed(&expected, game), "{board}");
            for ply in 0..moves {
                let legal: Vec<u32> = (0..game.pits()).filter(|&pit| is_legal(found.own, pit, narrow)).collect();
                let Some(last) = legal.len().checked_sub(1) else { break };
                // Compares all moves, and makes a random one.
                for &pit in &legal {
                    let of_wide = make_move(&expected, u64::from(pit), wide);
                    let position = narrowed(&of_wide.position, game);
                    let made = make_move(&found, pit, narrow);
                    assert_eq!(made, MoveResult { position, again: of_wide.again }, "{board}, ply {ply}, pit {pit}");
                    compared += 1;
                    laps += u32::from((found.own >> (5 * pit)) & 31 >= narrow.lap());
                }
                let pit = legal[draws.below(last as u32 + 1, 9, ply, 0, 0) as usize];
                expected = make_move(&expected, u64::from(pit), wide).position;
                found = make_move(&found, pit, narrow).position;
            }
        }
    }
    assert!(compared > 100_000 && laps > 1_000, "{compared} moves, {laps} of them a lap or longer");
}
