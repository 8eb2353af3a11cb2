//! Games that are small enough for all lines to their ends.

use std::collections::HashMap;

use throng_core::Finding;

use super::{game, list};
use crate::kalah::reference::play;
use crate::kalah::{Board, Side};

/// What the first player wins by, for pits and stones. The two rules do not differ in games of this size.
const VALUES: [(u32, u32, i32); 12] = [
    (1, 1, 0),
    (1, 2, -2),
    (1, 3, 6),
    (1, 4, -2),
    (1, 5, 2),
    (1, 6, 0),
    (2, 1, 2),
    (2, 2, -2),
    (2, 3, -2),
    (3, 1, 0),
    (3, 2, 4),
    (3, 3, 2),
];

pub(super) fn exact_values() -> Finding {
    let mut found = Vec::new();
    let mut differ = 0;
    for (pits, stones, value) in VALUES {
        for empty_capture in [false, true] {
            let start = game(pits, stones).with_empty_capture(empty_capture).start(Side::Bottom);
            let margin = -margin(&start, &mut HashMap::new());
            differ += usize::from(margin != value);
            if !empty_capture {
                found.push(margin);
            }
        }
    }
    let expected = list(VALUES.map(|(.., value)| value));
    Finding { expected, found: list(found), holds: differ == 0 }
}

/// What `Top` wins by if both play best. The boards that were seen are never listed.
fn margin(board: &Board, seen: &mut HashMap<(Vec<u8>, Side), i32>) -> i32 {
    if board.is_over() {
        return board.total(Side::Top) - board.total(Side::Bottom);
    }
    let key = (board.cells().to_vec(), board.to_move());
    if let Some(&known) = seen.get(&key) {
        return known;
    }
    let sign = board.to_move().sign();
    let next = (0..board.game().pits()).filter_map(|pit| play(board, pit).ok());
    let best = next.map(|next| sign * margin(&next, seen)).max().unwrap_or_default();
    seen.insert(key, sign * best);
    sign * best
}
