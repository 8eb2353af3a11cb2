//! Random boards, for checks and tests.

use throng_core::Philox;

use super::players::legal_pits;
use super::reference::play;
use super::{Board, Game, Side};

/// Returns boards from random play. Every fourth one has its stones in some cells only, so that some sowings take a
/// full lap.
pub fn boards(game: Game, count: u64) -> impl Iterator<Item = Board> {
    (0..count).map(move |seed| {
        let draws = Philox::new(seed);
        let side = if draws.below(2, 0, 0, 0, 0) == 0 { Side::Bottom } else { Side::Top };
        if seed % 4 == 0 { heaped(game, draws, side) } else { played(game, draws, side) }
    })
}

fn heaped(game: Game, draws: Philox, side: Side) -> Board {
    let cells = 2 * game.pits() + 2;
    let mut stones = vec![0; cells as usize];
    // A random number of cells gets all stones. If the cells are few, some sowings take a full lap.
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

/// Iterates over the games of all sizes and with both rules.
pub fn games() -> impl Iterator<Item = Game> {
    let of_pits = |pits| (1..=6).map(move |stones| Game::new(pits, stones).expect("1 to 6 pits and stones"));
    (1..=6).flat_map(of_pits).flat_map(|game| [game, game.with_empty_capture(true)])
}
