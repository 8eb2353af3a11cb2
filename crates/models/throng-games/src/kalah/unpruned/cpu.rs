//! The search on the CPU: a parallel recursion that counts leaves without making their moves.
//!
//! It is compiled once per number of pits and capture rule, because shifts and divisions by constants are many times
//! faster. It is also compiled for AVX2, whose vector instructions shift each lane by a different amount, which makes
//! it nearly three times faster again.

use multiversion::{inherit_target, multiversion};
use rayon::prelude::*;

use super::UnprunedResult;
use crate::kalah::Board;
use crate::kalah::rules::make_move::{make_move, value_of_move};
use crate::kalah::rules::position::{is_legal, is_over};
use crate::kalah::rules::sowing::{captured, gain, sowing};
use crate::kalah::rules::word::Word;
use crate::kalah::rules::{Position, Variant};
use crate::kalah::sizes::dispatch_on_game;

/// Number of moves after the first that are distributed to threads: several thousand positions, of unequal size.
const SPREAD: u32 = 4;

/// Computes exhaustive minimax to a depth, on all threads of the current pool.
///
/// Cost: about 3 ns per board and thread, 9 ns without AVX2.
pub fn search(board: &Board, depth: u32) -> UnprunedResult {
    let game = board.game();
    let found = dispatch_on_game!(game, PITS, EMPTY => search_of::<PITS, EMPTY>(board, depth));
    UnprunedResult { value: found.value * board.to_move().sign(), ..found }
}

/// Searches for a number of pits and a capture rule, from the point of view of the player to move.
fn search_of<const PITS: u32, const EMPTY: bool>(board: &Board, depth: u32) -> UnprunedResult {
    let narrow = const { variant::<PITS, EMPTY>(5) };
    if board.fits(narrow, depth) {
        Search::<u32, PITS, EMPTY, 5>::root(board.packed(narrow), depth)
    } else {
        Search::<u64, PITS, EMPTY, 8>::root(board.packed(const { variant::<PITS, EMPTY>(8) }), depth)
    }
}

const fn variant<const PITS: u32, const EMPTY: bool>(bits: u32) -> Variant {
    Variant { pits: PITS, bits, empty_capture: EMPTY, store_weight: 5 }
}

/// Groups the functions whose rules are constants.
struct Search<W, const PITS: u32, const EMPTY: bool, const BITS: u32>(W);

impl<W: Word, const PITS: u32, const EMPTY: bool, const BITS: u32> Search<W, PITS, EMPTY, BITS> {
    const VARIANT: Variant = variant::<PITS, EMPTY>(BITS);

    fn root(position: Position<W>, depth: u32) -> UnprunedResult {
        if depth == 0 || is_over(position.own, position.other) {
            return UnprunedResult { value: position.score, pit: None, nodes: 1 };
        }
        let of_pit = |pit: u32| Self::of_pit(&position, pit, |next| Self::spread(next, depth - 1, SPREAD));
        let of_pits: Vec<_> = (0..PITS).into_par_iter().map(of_pit).collect();
        let mut found = UnprunedResult { value: i32::MIN, pit: None, nodes: 1 };
        for (pit, (value, nodes)) in (0..PITS).zip(of_pits).filter_map(|(pit, of_pit)| Some((pit, of_pit?))) {
            found.nodes += nodes;
            if value > found.value {
                found.value = value;
                found.pit = Some(pit);
            }
        }
        found
    }

    /// Returns the value and the node count of a position. Its first `moves` moves are distributed to threads.
    fn spread(position: &Position<W>, depth: u32, moves: u32) -> (i32, u64) {
        if moves == 0 || depth <= 2 || is_over(position.own, position.other) {
            return value::<W, PITS, EMPTY, BITS>(position, depth);
        }
        let of_pit = |pit: u32| Self::of_pit(position, pit, |next| Self::spread(next, depth - 1, moves - 1));
        let best = (0..PITS).into_par_iter().filter_map(of_pit);
        let (value, nodes) = best.reduce(|| (i32::MIN, 0), |a, b| (a.0.max(b.0), a.1 + b.1));
        (value, nodes + 1)
    }

    /// Returns the value of a pit for the player to move, and the node count below it; `None` if the pit is empty.
    #[inline(always)]
    fn of_pit(position: &Position<W>, pit: u32, value: impl FnOnce(&Position<W>) -> (i32, u64)) -> Option<(i32, u64)> {
        is_legal(position.own, W::new(i64::from(pit)), Self::VARIANT).then(|| {
            let next = make_move(position, W::new(i64::from(pit)), Self::VARIANT);
            let (value, nodes) = value(&next.position);
            (value_of_move(value, next.again), nodes)
        })
    }

    /// Returns the value and the node count of an unfinished position, one move before the full depth.
    #[inline(always)]
    fn last_move(position: &Position<W>) -> (i32, u64) {
        let (mut best, mut nodes) = (i32::MIN, 1);
        for pit in 0..PITS {
            let pit = W::new(i64::from(pit));
            let sowing = sowing(position.own, pit, Self::VARIANT);
            let captured = captured(position.own, position.other, &sowing, Self::VARIANT);
            let gain = gain(&sowing, captured, Self::VARIANT);
            let legal = is_legal(position.own, pit, Self::VARIANT);
            best = best.max(if legal { gain } else { i32::MIN });
            nodes += u64::from(legal);
        }
        (position.score + best, nodes)
    }
}

/// Returns the value and the node count of a position, computed on one thread.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn value<W: Word, const PITS: u32, const EMPTY: bool, const BITS: u32>(
    position: &Position<W>,
    depth: u32,
) -> (i32, u64) {
    #[inherit_target]
    fn below<W: Word, const PITS: u32, const EMPTY: bool, const BITS: u32>(
        position: &Position<W>,
        depth: u32,
    ) -> (i32, u64) {
        if depth == 0 || is_over(position.own, position.other) {
            return (position.score, 1);
        }
        if depth == 1 {
            return Search::<W, PITS, EMPTY, BITS>::last_move(position);
        }
        let (mut best, mut nodes) = (i32::MIN, 1);
        for pit in 0..PITS {
            let of_next = |next: &Position<W>| below::<W, PITS, EMPTY, BITS>(next, depth - 1);
            if let Some((value, below)) = Search::<W, PITS, EMPTY, BITS>::of_pit(position, pit, of_next) {
                best = best.max(value);
                nodes += below;
            }
        }
        (best, nodes)
    }
    below::<W, PITS, EMPTY, BITS>(position, depth)
}
