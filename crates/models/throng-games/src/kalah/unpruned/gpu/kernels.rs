//! Kernels over the positions of a level.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};

use super::level::{Level, made_by_same, mark, position};
use crate::kalah::rules::make_move::{make_move, value_of_move};
use crate::kalah::rules::position::{is_legal, is_over};
use crate::kalah::rules::sowing::{captured, gain, sowing};
use crate::kalah::rules::variant::Variant;
use crate::kalah::rules::word::Word;

/// The value of an empty pit, less than all others.
const NO_VALUE: i32 = i32::MIN;

/// Returns the number of legal moves; 0 if the game is over.
#[cube]
#[inline(always)]
fn moves<W: Word>(own: W, other: W, #[comptime] variant: Variant) -> u32 {
    let mut legal = 0u32;
    #[unroll]
    for pit in 0..variant.pits {
        legal += select(is_legal::<W>(own, W::new(comptime!(i64::from(pit))), variant), 1u32, 0u32);
    }
    select(is_over::<W>(own, other), 0u32, legal)
}

/// Returns the largest gain of a move, for a position one move before the full depth.
#[cube]
#[inline(always)]
fn best_gain<W: Word>(own: W, other: W, #[comptime] variant: Variant) -> i32 {
    let mut best = NO_VALUE.runtime();
    #[unroll]
    for pit in 0..variant.pits {
        let sowing = sowing::<W>(own, W::new(comptime!(i64::from(pit))), variant);
        let captured = captured::<W>(own, other, &sowing, variant);
        let gain = gain::<W>(&sowing, captured, variant);
        best = max(best, select(sowing.stones != W::new(0), gain, NO_VALUE));
    }
    best
}

/// Counts the moves of each of `len` positions, starting with `first`.
#[cube(launch)]
pub fn count_moves<W: Word>(
    level: &Level<W>,
    first: u32,
    len: u32,
    counts: &mut Array<u32>,
    #[comptime] variant: Variant,
) {
    let i = ABSOLUTE_POS;
    if (i as u32) < len {
        let node = position::<W>(level, i + first as usize, variant);
        counts[i] = moves::<W>(node.own, node.other, variant);
    }
}

/// Writes the successors of all positions to the next level; those of each position start at its offset.
#[cube(launch)]
pub fn make_moves<W: Word>(
    level: &Level<W>,
    first: u32,
    len: u32,
    offsets: &Array<u32>,
    next: &mut Level<W>,
    #[comptime] variant: Variant,
) {
    let i = ABSOLUTE_POS;
    if (i as u32) < len {
        let node = position::<W>(level, i + first as usize, variant);
        if !is_over::<W>(node.own, node.other) {
            let mut at = offsets[i] as usize;
            let mut pit = W::new(0);
            while pit < W::new(comptime!(i64::from(variant.pits))) {
                if is_legal::<W>(node.own, pit, variant) {
                    let after = make_move::<W>(&node, pit, variant);
                    let own = after.position.own;
                    next.own[at] = select(after.again, own | mark::<W>(variant), own);
                    next.other[at] = after.position.other;
                    next.score[at] = after.position.score;
                    at += 1;
                }
                pit += W::new(1);
            }
        }
    }
}

/// Replaces the scores of positions two moves before the full depth by their values. `nodes` receives the number of
/// boards below, summed per unit.
#[cube(launch)]
pub fn last_two_moves<W: Word>(
    level: &mut Level<W>,
    first: u32,
    len: u32,
    nodes: &mut Array<u32>,
    units: u32,
    #[comptime] variant: Variant,
) {
    let unit = ABSOLUTE_POS;
    if (unit as u32) < units {
        let mut below = 0u32;
        let mut i = unit as u32;
        while i < len {
            let at = (i + first) as usize;
            let node = position::<W>(level, at, variant);
            if !is_over::<W>(node.own, node.other) {
                let mut best = NO_VALUE.runtime();
                let mut pit = W::new(0);
                while pit < W::new(comptime!(i64::from(variant.pits))) {
                    if is_legal::<W>(node.own, pit, variant) {
                        let after = make_move::<W>(&node, pit, variant);
                        let (own, other) = (after.position.own, after.position.other);
                        let legal = moves::<W>(own, other, variant);
                        let gained = best_gain::<W>(own, other, variant);
                        let value = after.position.score + select(legal == 0u32, 0i32, gained);
                        best = max(best, value_of_move(value, after.again));
                        below += legal + 1u32;
                    }
                    pit += W::new(1);
                }
                level.score[at] = best;
            }
            i += units;
        }
        nodes[unit] = below;
    }
}

/// Replaces the scores of positions by their values, computed from those of the next level.
#[cube(launch)]
pub fn best_values<W: Word>(
    level: &mut Level<W>,
    first: u32,
    len: u32,
    offsets: &Array<u32>,
    next: &Level<W>,
    #[comptime] variant: Variant,
) {
    let i = ABSOLUTE_POS;
    if (i as u32) < len {
        let at = i + first as usize;
        let node = position::<W>(level, at, variant);
        let count = moves::<W>(node.own, node.other, variant);
        if count > 0u32 {
            let mut best = NO_VALUE.runtime();
            let begin = offsets[i];
            for child in begin..begin + count {
                let again = made_by_same::<W>(next, child as usize, variant);
                best = max(best, value_of_move(next.score[child as usize], again));
            }
            level.score[at] = best;
        }
    }
}
