//! Builds the base level by level. A level consists of all positions with the same number of stones in the pits.
//!
//! A move either takes stones out of the pits and leads to a lower level, or leaves all its stones in later pits of the
//! same row. The second kind moves stones closer to their store and none farther away. Such moves never return to a
//! position, so the recursion within a level terminates.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;
use throng_core::Progress;

use super::Endgames;
use super::packed;
use crate::kalah::Game;
use crate::kalah::numbering::{Numbering, stones};
use crate::kalah::rules::make_move::{MoveResult, make_move};
use crate::kalah::rules::position::is_over;
use crate::kalah::rules::{Position, Variant};
use crate::kalah::sizes::variant;

/// Marks a value that has not been computed.
const UNKNOWN: u8 = u8::MAX;

/// Number of positions between two progress reports, and per task of a thread.
const POSITIONS_PER_REPORT: u64 = 1 << 22;
const POSITIONS_PER_TASK: u64 = 1 << 12;

/// A level that is being built.
struct Level<'b, const PITS: u32, const EMPTY: bool> {
    /// Endgames with fewer stones, whose values are known.
    below: &'b Endgames,
    numbering: &'b Numbering<PITS>,
    stones: u32,
    /// Index of the first position.
    first: u64,
    values: Vec<AtomicU8>,
}

/// Builds the levels up to `most_stones`, on all threads of the current pool.
pub fn build<const PITS: u32, const EMPTY: bool>(game: Game, most_stones: u32, progress: &dyn Progress) -> Endgames {
    let numbering = Numbering::<PITS>::new();
    let mut endgames = Endgames::empty(game, most_stones);
    progress.begin("endgames", Some(numbering.first(most_stones + 1)), "positions");
    for stones in 0..=most_stones {
        let (first, end) = (numbering.first(stones), numbering.first(stones + 1));
        let values = (first..end).into_par_iter().map(|_| AtomicU8::new(UNKNOWN)).collect();
        let level = Level::<PITS, EMPTY> { below: &endgames, numbering: &numbering, stones, first, values };
        for begin in (first..end).step_by(POSITIONS_PER_REPORT as usize) {
            let end = end.min(begin + POSITIONS_PER_REPORT);
            let parts = (end - begin).div_ceil(POSITIONS_PER_TASK);
            (0..parts).into_par_iter().for_each(|part| {
                let begin = begin + part * POSITIONS_PER_TASK;
                level.search(begin, end.min(begin + POSITIONS_PER_TASK));
            });
            progress.at(end, &format!("{stones} stones"));
        }
        let values = level.values;
        let (bits, packed) = endgames.level_mut(stones);
        packed::pack(&values, bits, packed);
    }
    progress.end();
    endgames
}

impl<const PITS: u32, const EMPTY: bool> Level<'_, PITS, EMPTY> {
    const VARIANT: Variant = variant::<PITS, EMPTY>(1);

    /// Computes the values of the positions with the indices from `begin` to `end`.
    fn search(&self, begin: u64, end: u64) {
        let (mut own, mut other) = self.numbering.position(begin);
        for number in begin..end {
            self.value(own, other, number);
            if let Some(next) = Numbering::<PITS>::next(own, other) {
                (own, other) = next;
            }
        }
    }

    /// Returns the value of a position. Two threads may compute it at the same time, with the same result.
    fn value(&self, own: u64, other: u64, number: u64) -> u32 {
        let noted = &self.values[(number - self.first) as usize];
        let known = noted.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return u32::from(known);
        }
        let value = self.searched(own, other);
        noted.store(value as u8, Ordering::Relaxed);
        value
    }

    fn searched(&self, own: u64, other: u64) -> u32 {
        if is_over(own, other) {
            return stones(own);
        }
        let mut best = 0;
        for pit in (0..PITS).filter(|pit| (own >> (8 * pit)) & 0xff != 0) {
            let MoveResult { position: next, again } =
                make_move(&Position { own, other, score: 0 }, u64::from(pit), Self::VARIANT);
            let left = stones(next.own + next.other);
            let number = self.numbering.number(next.own, next.other);
            let value = if left == self.stones {
                self.value(next.own, next.other, number)
            } else {
                self.below.get(number, left)
            };
            best = best.max(if again { self.stones - left + value } else { self.stones - value });
        }
        best
    }
}
