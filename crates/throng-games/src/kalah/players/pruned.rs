//! A plain alpha-beta search with iterative deepening.

use std::time::{Duration, Instant};

use super::seat::{Choice, Seen};
use crate::kalah::Board;
use crate::kalah::reference::{evaluation, play};

/// Nodes between two looks at the clock.
const PATIENCE: u64 = 1024;

struct Search {
    nodes: u64,
    until: Option<Instant>,
    is_late: bool,
}

/// The best move to a depth, or of the deepest search that ends in time.
pub(super) fn choice(board: &Board, most: u32, time: Option<Duration>) -> Choice {
    let mut search = Search { nodes: 0, until: time.map(|time| Instant::now() + time), is_late: false };
    let mut best = Seen { value: 0, depth: 0, nodes: 0, line: Vec::new() };
    let first = if time.is_some() { 1 } else { most };
    for depth in first..=most {
        let (value, line) = search.value(board, depth, -i32::MAX, i32::MAX);
        if search.is_late && depth > first {
            break;
        }
        best = Seen { value: value * board.to_move().sign(), depth, nodes: 0, line };
        if search.is_late {
            break;
        }
    }
    best.nodes = search.nodes;
    Choice { pit: best.line[0], seen: Some(best) }
}

impl Search {
    /// Value for the player to move, and the line.
    fn value(&mut self, board: &Board, depth: u32, mut alpha: i32, beta: i32) -> (i32, Vec<u32>) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(PATIENCE) {
            self.is_late |= self.until.is_some_and(|until| Instant::now() > until);
        }
        if depth == 0 || board.is_over() {
            return (evaluation(board) * board.to_move().sign(), Vec::new());
        }
        let mut best = (-i32::MAX, Vec::new());
        for pit in 0..board.game().pits() {
            let Ok(next) = play(board, pit) else { continue };
            let (value, line) = if next.to_move() == board.to_move() {
                self.value(&next, depth - 1, alpha, beta)
            } else {
                let (value, line) = self.value(&next, depth - 1, -beta, -alpha);
                (-value, line)
            };
            if value > best.0 || best.1.is_empty() {
                best = (value, [vec![pit], line].concat());
            }
            alpha = alpha.max(value);
            if alpha >= beta || self.is_late {
                break;
            }
        }
        best
    }
}
