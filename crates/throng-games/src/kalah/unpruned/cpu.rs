//! The search on the CPU: a recursion that counts its leaves instead of making them, on all threads.

use rayon::prelude::*;

use super::Found;
use super::made::made;
use crate::kalah::Board;
use crate::kalah::rules::position::{is_legal, is_over};
use crate::kalah::rules::sowing::{captured, gain, sowing};
use crate::kalah::rules::word::Word;
use crate::kalah::rules::{Position, Variant};

/// Moves from the root whose positions are spread over threads: some hundred, of unequal size.
const SPREAD: u32 = 4;

/// Minimax of all moves to a depth, on all threads of the present pool.
///
/// Cost: some 5 nanoseconds for each node and thread.
pub fn search(board: &Board, depth: u32) -> Found {
    let variant = board.game().wide(5);
    let found = root::<u64>(board.packed(variant), depth, variant);
    Found { value: found.value * board.to_move().sign(), ..found }
}

/// The same as the player to move sees it.
fn root<W: Word>(position: Position<W>, depth: u32, variant: Variant) -> Found {
    if depth == 0 || is_over(position.own, position.other) {
        return Found { value: position.score, pit: None, nodes: 1 };
    }
    let of_pit = |pit: u32| {
        is_legal(position.own, W::new(i64::from(pit)), variant).then(|| {
            let (next, again) = made(&position, pit, variant);
            let (value, nodes) = spread(&next, depth - 1, SPREAD, variant);
            (if again { value } else { -value }, nodes)
        })
    };
    let of_pits: Vec<_> = (0..variant.pits).into_par_iter().map(of_pit).collect();
    let mut found = Found { value: i32::MIN, pit: None, nodes: 1 };
    for (pit, (value, nodes)) in (0..variant.pits).zip(of_pits).filter_map(|(pit, of_pit)| Some((pit, of_pit?))) {
        found.nodes += nodes;
        if value > found.value {
            found.value = value;
            found.pit = Some(pit);
        }
    }
    found
}

/// Value and nodes of a position; its first `spread` moves are spread over threads.
fn spread<W: Word>(position: &Position<W>, depth: u32, spread_moves: u32, variant: Variant) -> (i32, u64) {
    if spread_moves == 0 || depth <= 2 || is_over(position.own, position.other) {
        return value(position, depth, variant);
    }
    let of_pit = |pit: u32| {
        is_legal(position.own, W::new(i64::from(pit)), variant).then(|| {
            let (next, again) = made(position, pit, variant);
            let (value, nodes) = spread(&next, depth - 1, spread_moves - 1, variant);
            (if again { value } else { -value }, nodes)
        })
    };
    let best = (0..variant.pits).into_par_iter().filter_map(of_pit);
    let (value, nodes) = best.reduce(|| (i32::MIN, 0), |a, b| (a.0.max(b.0), a.1 + b.1));
    (value, nodes + 1)
}

/// Value and nodes of a position.
fn value<W: Word>(position: &Position<W>, depth: u32, variant: Variant) -> (i32, u64) {
    if depth == 0 || is_over(position.own, position.other) {
        return (position.score, 1);
    }
    if depth == 1 {
        return last_move(position, variant);
    }
    let (mut best, mut nodes) = (i32::MIN, 1);
    for pit in 0..variant.pits {
        if is_legal(position.own, W::new(i64::from(pit)), variant) {
            let (next, again) = made(position, pit, variant);
            let (value, below) = value(&next, depth - 1, variant);
            best = best.max(if again { value } else { -value });
            nodes += below;
        }
    }
    (best, nodes)
}

/// Value and nodes of a position that is not over and has one move to go.
#[inline(always)]
fn last_move<W: Word>(position: &Position<W>, variant: Variant) -> (i32, u64) {
    let (mut best, mut nodes) = (i32::MIN, 1);
    for pit in 0..variant.pits {
        let pit = W::new(i64::from(pit));
        let sowing = sowing(position.own, pit, variant);
        let captured = captured(position.own, position.other, &sowing, variant);
        let gain = gain(&sowing, captured, variant);
        let legal = is_legal(position.own, pit, variant);
        best = best.max(if legal { gain } else { i32::MIN });
        nodes += u64::from(legal);
    }
    (position.score + best, nodes)
}
