//! The sequential program: recursion over boards stored as arrays of cells, on one thread; and the same recursion on
//! all threads.

use rayon::prelude::*;
use throng_games::kalah::{Board, Side};

/// Cells of a board.
const CELLS: usize = 14;
/// Indices of the players' stores.
const STORES: [usize; 2] = [6, 13];

/// The first moves whose boards [`parallel`] distributes over the threads: up to 1,296 boards.
const DISTRIBUTED_LEVELS: u32 = 4;

/// Returns the value for the upper player, and the pit of the best move.
///
/// # Panics
/// If the game does not have 6 pits, or captures with an empty opposite pit.
pub fn sequential(board: &Board, depth: u32) -> (i32, Option<u32>) {
    searched(board, depth, 0)
}

/// The same recursion, whose first levels run on the threads of the current pool. Returns what [`sequential`] returns.
///
/// # Panics
/// As [`sequential`].
pub fn parallel(board: &Board, depth: u32) -> (i32, Option<u32>) {
    searched(board, depth, DISTRIBUTED_LEVELS)
}

fn searched(board: &Board, depth: u32, levels: u32) -> (i32, Option<u32>) {
    assert!(board.game().pits() == 6 && !board.game().empty_capture(), "the program plays with 6 pits");
    let mut cells = [0; CELLS];
    cells.copy_from_slice(board.cells());
    let top = board.to_move() == Side::Top;
    if depth == 0 || is_over(&cells) {
        return (evaluation(&cells), None);
    }
    let (mut best, mut pit) = (0, None);
    for (i, value) in values(&cells, top, depth, levels) {
        if pit.is_none() || (if top { value > best } else { value < best }) {
            (best, pit) = (value, Some(i));
        }
    }
    (best, pit)
}

/// A pit and the value of its move, unless the pit is empty.
fn value(cells: &[u8; CELLS], top: bool, depth: u32, levels: u32, pit: u32) -> Option<(u32, i32)> {
    let cell = pit as usize + if top { 7 } else { 0 };
    (cells[cell] > 0).then(|| {
        let (next, next_top) = play(*cells, cell, top);
        (pit, minimax(&next, next_top, depth - 1, levels.saturating_sub(1)))
    })
}

/// The values of all moves, by pit; on the threads of the current pool if there are levels to distribute.
fn values(cells: &[u8; CELLS], top: bool, depth: u32, levels: u32) -> Vec<(u32, i32)> {
    let of_pit = |pit| value(cells, top, depth, levels, pit);
    if levels > 0 { (0..6).into_par_iter().filter_map(of_pit).collect() } else { (0..6).filter_map(of_pit).collect() }
}

fn minimax(cells: &[u8; CELLS], top: bool, depth: u32, levels: u32) -> i32 {
    if depth == 0 || is_over(cells) {
        return evaluation(cells);
    }
    let best = |values: &mut dyn Iterator<Item = i32>| if top { values.max() } else { values.min() };
    let best = if levels > 0 {
        best(&mut values(cells, top, depth, levels).into_iter().map(|(_, value)| value))
    } else {
        best(&mut (0..6).filter_map(|pit| Some(value(cells, top, depth, 0, pit)?.1)))
    };
    best.expect("a game that is not over has a move")
}

/// Returns the cells after a move, and whether the upper player is next.
fn play(mut cells: [u8; CELLS], from: usize, top: bool) -> ([u8; CELLS], bool) {
    let (own, other) = if top { (STORES[1], STORES[0]) } else { (STORES[0], STORES[1]) };
    let mut stones = std::mem::take(&mut cells[from]);
    let mut cell = from;
    while stones > 0 {
        cell = if cell == CELLS - 1 { 0 } else { cell + 1 };
        if cell != other {
            cells[cell] += 1;
            stones -= 1;
        }
    }
    let own_pits = own - 6..own;
    if own_pits.contains(&cell) && cells[cell] == 1 && cells[12 - cell] > 0 {
        cells[own] += 1 + cells[12 - cell];
        cells[cell] = 0;
        cells[12 - cell] = 0;
    }
    (cells, if cell == own { top } else { !top })
}

fn is_over(cells: &[u8; CELLS]) -> bool {
    let is_empty = |pits: &[u8]| pits.iter().all(|&pit| pit == 0);
    is_empty(&cells[..6]) || is_empty(&cells[7..13])
}

fn evaluation(cells: &[u8; CELLS]) -> i32 {
    let sum = |pits: &[u8]| pits.iter().map(|&pit| i32::from(pit)).sum::<i32>();
    5 * (i32::from(cells[13]) - i32::from(cells[6])) + sum(&cells[7..13]) - sum(&cells[..6])
}

#[cfg(test)]
mod tests {
    use throng_games::kalah::reference::minimax;

    use super::super::verification::random_board;
    use super::*;

    #[test]
    fn the_program_plays_like_the_definition() {
        for board in (0..200).map(random_board) {
            for depth in 0..=4 {
                let expected = minimax(&board, depth);
                for program in [sequential, parallel] {
                    assert_eq!(program(&board, depth), (expected.value, expected.pit), "{board}, depth {depth}");
                }
            }
        }
    }

    /// Values and cells of the best moves from the start, computed by another program.
    #[test]
    fn the_program_finds_known_values() {
        let start = throng_games::kalah::Game::new(6, 4).unwrap().start(Side::Top);
        let known = [(4, 9), (4, 9), (0, 9), (2, 10), (2, 9), (2, 12), (8, 12), (8, 9)];
        for (depth, (value, cell)) in (1..).zip(known) {
            assert_eq!(sequential(&start, depth), (value, Some(cell - 7)), "depth {depth}");
        }
    }
}
