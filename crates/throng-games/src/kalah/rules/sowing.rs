//! A move: the stones of a pit are sown one by one into the following pits and the own store, but not into the opponent's.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_device::cubecl::{self, prelude::*};

use super::position::Position;
use super::variant::Variant;
use super::word::{Word, emptied, field, one_each, ones, signed};

/// Where the stones of a pit go. Cells are numbered along the way: own pits from 0 on, then the own store, then the pits of
/// the other player.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sowing<W: Word> {
    /// The pit whose stones are sown.
    pub pit: W,
    /// Their number.
    pub stones: W,
    /// Full laps, in which every cell gets a stone.
    pub laps: W,
    /// Stones after these laps, fewer than a lap.
    pub rest: W,
    /// The cell that gets the last one.
    pub last: W,
}

/// Where the stones of a pit that is not empty go.
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

/// Whether the last stone goes to the store, so that the same player moves again.
#[cube]
#[inline(always)]
pub fn moves_again<W: Word>(sowing: &Sowing<W>, #[comptime] variant: Variant) -> bool {
    sowing.last == W::new(comptime!(i64::from(variant.pits)))
}

/// Stones of the other player that are captured, or -1 if the move captures nothing.
#[cube]
#[inline(always)]
pub fn captured<W: Word>(own: W, other: W, sowing: &Sowing<W>, #[comptime] variant: Variant) -> i32 {
    let lap = W::new(comptime!(i64::from(variant.lap())));
    let pits = W::new(comptime!(i64::from(variant.pits)));
    let is_own = sowing.last < pits;
    // Any cell will do if it is not an own pit; a shift must not exceed the word.
    let last = select(is_own, sowing.last, W::new(0));
    // The pit held nothing, or it is the one that was emptied, and each cell got one stone.
    let holds_one = (sowing.stones < lap && field::<W>(own, last, variant) == W::new(0)) || sowing.stones == lap;
    // Stones that came into an own pit after a lap have passed all pits of the other player.
    let passed = select(sowing.stones + sowing.pit >= lap, 1i32, 0i32);
    let opposite = signed::<W>(field::<W>(other, pits - W::new(1) - last, variant)) + passed;
    let mut takes = is_own && holds_one;
    if comptime!(!variant.empty_capture) {
        takes = takes && opposite > 0i32;
    }
    select(takes, opposite, -1i32)
}

/// What the move adds to the score of the player who makes it. `captured` is as above.
#[cube]
#[inline(always)]
pub fn gain<W: Word>(sowing: &Sowing<W>, captured: i32, #[comptime] variant: Variant) -> i32 {
    let (weight, pits) = comptime!((variant.store_weight as i32, variant.pits as i32));
    let (pit, rest) = (signed::<W>(sowing.pit), signed::<W>(sowing.rest));
    // Beyond the own pits: a stone in the store, and each that goes to the other player is lost, until the stones
    // come round to the own pits.
    let beyond = max(weight + 2i32 * pits - 1i32 - 2i32 * pit - 2i32 * rest, weight - 1i32 - 2i32 * pits);
    let sown = select(pit + rest < pits, 0i32, beyond);
    let of_laps = signed::<W>(sowing.laps) * comptime!(weight - 2 * pits - 1);
    let taken = select(captured < 0i32, 0i32, (weight + 1i32) * captured + weight - 1i32);
    sown + of_laps + taken
}

/// The position after a move, as the player who made it sees it: who moves next is a matter of [`moves_again()`].
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
    // Of the stones after the laps: those in own pits behind the one that was emptied, in the pits of the other player, and
    // in own pits before it.
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
