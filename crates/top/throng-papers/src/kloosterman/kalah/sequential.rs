//! The sequential program: recursion over boards stored as arrays of cells, on one thread.

use throng_games::kalah::{Board, Side};

/// Cells of a board.
const CELLS: usize = 14;
/// Indices of the players' stores.
const STORES: [usize; 2] = [6, 13];

/// Returns the value for the upper player, and the pit of the best move.
///
/// # Panics
/// If the game does not have 6 pits, or captures with an empty opposite pit.
pub fn sequential(board: &Board, depth: u32) -> (i32, Option<u32>) {
    assert!(board.game().pits() == 6 && !board.game().empty_capture(), "the program plays with 6 pits");
    let mut cells = [0; CELLS];
    cells.copy_from_slice(board.cells());
    let top = board.to_move() == Side::Top;
    if depth == 0 || is_over(&cells) {
        return (evaluation(&cells), None);
    }
    let (mut best, mut pit) = (0, None);
    for (i, value) in values(&cells, top, depth) {
        if pit.is_none() || (if top { value > best } else { value < best }) {
            (best, pit) = (value, Some(i));
        }
    }
    (best, pit)
}

/// The value of each move.
fn values(cells: &[u8; CELLS], top: bool, depth: u32) -> impl Iterator<Item = (u32, i32)> + '_ {
    (0..6u32).filter_map(move |pit| {
        let cell = pit as usize + if top { 7 } else { 0 };
        (cells[cell] > 0).then(|| {
            let (next, next_top) = play(*cells, cell, top);
            (pit, minimax(&next, next_top, depth - 1))
        })
    })
}

fn minimax(cells: &[u8; CELLS], top: bool, depth: u32) -> i32 {
    if depth == 0 || is_over(cells) {
        return evaluation(cells);
    }
    let values = values(cells, top, depth).map(|(_, value)| value);
    let best = if top { values.max() } else { values.min() };
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
                assert_eq!(sequential(&board, depth), (expected.value, expected.pit), "{board}, depth {depth}");
            }
        }
    }
}
