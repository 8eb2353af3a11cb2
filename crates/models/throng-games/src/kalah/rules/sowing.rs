//! Sowing: a move distributes the stones of a pit over the following cells, and skips the opponent's store.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};

use super::position::Position;
use super::variant::Variant;
use super::word::{Word, emptied, field, one_each, ones, signed};

/// The destinations of the stones of a pit. Cells are numbered in sowing order: the mover's pits from 0, the mover's
/// store, the opponent's pits.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sowing<W: Word> {
    /// The pit that is sown.
    pub pit: W,
    /// Number of stones in the pit.
    pub stones: W,
    /// Number of full laps; each puts a stone into every cell.
    pub laps: W,
    /// Number of stones that remain after the full laps.
    pub rest: W,
    /// The cell that gets the last stone.
    pub last: W,
}

/// Returns the sowing of a pit, which must not be empty.
#[cube]
#[inline(always)]
pub fn sowing<W: Word>(own: W, pit: W, #[comptime] variant: Variant) -> Sowing<W> {
    let lap = W::new(comptime!(i64::from(variant.lap())));
    let stones = field::<W>(own, pit, variant);
    let laps = stones / lap;
    let rest = stones - laps * lap;
    let reached = pit + rest;
    let last = reached - select(reached < lap, W::new(0), lap);
    Sowing::<W> { pit, stones, laps, rest, last }
}

/// Whether the last stone falls into the store, so that the same player moves again.
#[cube]
#[inline(always)]
pub fn moves_again<W: Word>(sowing: &Sowing<W>, #[comptime] variant: Variant) -> bool {
    sowing.last == W::new(comptime!(i64::from(variant.pits)))
}

/// Returns the number of the opponent's stones that are captured, or -1 if the move captures nothing.
#[cube]
#[inline(always)]
pub fn captured<W: Word>(own: W, other: W, sowing: &Sowing<W>, #[comptime] variant: Variant) -> i32 {
    let lap = W::new(comptime!(i64::from(variant.lap())));
    let pits = W::new(comptime!(i64::from(variant.pits)));
    let is_own = sowing.last < pits;
    // If the last cell is not a pit of the mover, use any pit: the shift must stay within the word.
    let last = select(is_own, sowing.last, W::new(0));
    // The pit was empty, or it is the sown pit and every cell got one stone.
    let holds_one = (sowing.stones < lap && field::<W>(own, last, variant) == W::new(0)) || sowing.stones == lap;
    // Before its last stone reaches the mover's pits again, a sowing puts a stone into every pit of the opponent.
    let passed = select(sowing.stones + sowing.pit >= lap, 1i32, 0i32);
    let opposite = signed::<W>(field::<W>(other, pits - W::new(1) - last, variant)) + passed;
    let mut takes = is_own && holds_one;
    if comptime!(!variant.empty_capture) {
        takes = takes && opposite > 0i32;
    }
    select(takes, opposite, -1i32)
}

/// Returns the change of the mover's score. `captured` is the result of [`captured()`].
#[cube]
#[inline(always)]
pub fn gain<W: Word>(sowing: &Sowing<W>, captured: i32, #[comptime] variant: Variant) -> i32 {
    let (weight, pits) = comptime!((variant.store_weight as i32, variant.pits as i32));
    let (pit, rest) = (signed::<W>(sowing.pit), signed::<W>(sowing.rest));
    // Beyond the mover's pits, one stone goes to the store and each further one to the opponent, until the sowing
    // reaches the mover's pits again.
    let beyond = max(weight + 2i32 * pits - 1i32 - 2i32 * pit - 2i32 * rest, weight - 1i32 - 2i32 * pits);
    let sown = select(pit + rest < pits, 0i32, beyond);
    let of_laps = signed::<W>(sowing.laps) * comptime!(weight - 2 * pits - 1);
    let taken = select(captured < 0i32, 0i32, (weight + 1i32) * captured + weight - 1i32);
    sown + of_laps + taken
}

/// Returns the position after a move, still from the point of view of the player who made it. [`moves_again()`]
/// determines who moves next.
#[cube]
#[inline(always)]
pub fn sown<W: Word>(
    position: &Position<W>,
    sowing: &Sowing<W>,
    captured: i32,
    #[comptime] variant: Variant,
) -> Position<W> {
    let pits = W::new(comptime!(i64::from(variant.pits)));
    let lap_of_all = sowing.laps * W::new(comptime!(ones(variant)));
    // The remaining stones go to the mover's pits after the sown one, the store, the opponent's pits, and the mover's
    // pits, starting with the first.
    let behind = pits - W::new(1) - sowing.pit;
    let to_own = min(sowing.rest, behind);
    let after_store = sowing.rest - min(sowing.rest, behind + W::new(1));
    let to_other = min(after_store, pits);
    let to_first = after_store - to_other;
    let shift = (sowing.pit + W::new(1)) * W::new(comptime!(i64::from(variant.bits)));
    let mut own = emptied::<W>(position.own, sowing.pit, variant)
        + lap_of_all
        + (one_each::<W>(to_own, variant) << shift)
        + one_each::<W>(to_first, variant);
    let mut other = position.other + lap_of_all + one_each::<W>(to_other, variant);
    if captured >= 0i32 {
        own = emptied::<W>(own, sowing.last, variant);
        other = emptied::<W>(other, pits - W::new(1) - sowing.last, variant);
    }
    Position::<W> { own, other, score: position.score + gain::<W>(sowing, captured, variant) }
}
