//! The exact solver and the endgame base: published values, minimax to the end, and each other.

use throng_core::NoProgress;
use throng_games::kalah::{Endgames, Game, Side, Solution, SolveRequest, solve};

fn kalah(pits: u32, stones: u32, empty_capture: bool) -> Game {
    Game::new(pits, stones).unwrap().with_empty_capture(empty_capture)
}

fn solved(game: Game, endgame_stones: u32) -> Solution {
    let endgames = Endgames::build(game, endgame_stones, &NoProgress).unwrap();
    solve(&SolveRequest { endgames: Some(endgames), ..SolveRequest::new(game.start(Side::Top)) }, &NoProgress).unwrap()
}

/// Values for the first player with 1, 2, ... stones in a pit, for a number of pits: computed for the specification by
/// another program.
const STANDARD: [(u32, &[i32]); 6] = [
    (1, &[0, -2, 6, -2, 2, 0]),
    (2, &[2, -2, -2, -10, 6, 8]),
    (3, &[0, 4, 2, 2, 6, -8]),
    (4, &[2, 6, 6, 2]),
    (5, &[0, 2, 6]),
    (6, &[2, 6]),
];
const EMPTY_CAPTURE: [(u32, &[i32]); 6] = [
    (1, &[0, -2, 6, -2, 2, 0]),
    (2, &[2, -2, -2, -12, 6, 8]),
    (3, &[0, 4, 2, 2, 6, -10]),
    (4, &[2, 6, 8, 2]),
    (5, &[0, 0, 8]),
    (6, &[2, 10]),
];

#[test]
fn values_of_small_games() {
    for (values, empty_capture) in [(STANDARD, false), (EMPTY_CAPTURE, true)] {
        for (pits, values) in values {
            for (stones, value) in (1..).zip(values) {
                let game = kalah(pits, stones, empty_capture);
                assert_eq!(solved(game, 8).value, *value, "{pits} pits, {stones} stones, {empty_capture}");
            }
        }
    }
}
