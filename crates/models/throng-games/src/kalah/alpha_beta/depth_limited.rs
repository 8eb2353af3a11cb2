//! Depth-limited alpha-beta, with the evaluation of the paper.
//!
//! Values are from the point of view of the player to move and relative to the score. They therefore depend only on the
//! stones in the pits, and positions that differ only in their stores share a table entry. All moves except the first
//! are searched with null windows (principal variation search), and values may lie outside the window (fail-soft).

use super::fault::Fault;
use super::in_progress::PositionsInProgress;
use super::limit::{Stop, Stopped};
use super::move_ordering::{Move, Moves, NO_PIT, moved};
use super::transposition_table::{Entry, TranspositionTable};
use crate::kalah::numbering::{Numbering, stones};
use crate::kalah::rules::Variant;
use crate::kalah::rules::position::is_over;
use crate::kalah::rules::sowing::{captured, gain, sowing};
use crate::kalah::sizes::variant;

/// The weight of a stone in a store.
pub const STORE_WEIGHT: u32 = 5;
const WEIGHT: i32 = STORE_WEIGHT as i32;

/// Above this depth, a thread defers positions that another thread is searching.
const SHARED_DEPTH: u32 = 5;

/// State shared by the threads of a search.
pub struct Shared<'s> {
    /// Values of known positions.
    pub table: &'s TranspositionTable,
    /// Positions that are being searched.
    pub in_progress: &'s PositionsInProgress,
    /// Ends the search.
    pub stop: &'s Stop,
    /// Whether a finished game counts 5 for each stone of the margin, including those left in pits.
    pub terminal_exact: bool,
    /// Whether there is more than one thread.
    pub is_parallel: bool,
    /// A fault, in tests.
    pub fault: Option<Fault>,
}

/// The value of a position, or a bound on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    /// The value relative to the score; a bound if it is outside the window.
    pub relative: i32,
    /// Whether the value also holds at greater depths, because all lines that it depends on end with the game.
    pub is_final: bool,
}

/// The meaning of the value in a table entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    Lower,
    Upper,
}

/// The content of a table entry.
struct Known {
    value: Value,
    bound: Bound,
    /// The best pit, or [`NO_PIT`].
    pit: u32,
}

impl Known {
    fn content(&self) -> u32 {
        // Relative values are at most 6 * 72 in magnitude.
        let value = (self.value.relative + 512) as u32;
        (value << 6) | ((self.bound as u32) << 4) | (self.pit << 1) | u32::from(self.value.is_final)
    }

    fn of(content: u32) -> Self {
        let bound = match (content >> 4) & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        let value = Value { relative: (content >> 6) as i32 - 512, is_final: content & 1 == 1 };
        Self { value, bound, pit: (content >> 1) & 7 }
    }
}

/// The state of one search thread.
pub struct Searcher<'s, const PITS: u32, const EMPTY: bool> {
    shared: &'s Shared<'s>,
    numbering: &'s Numbering<PITS>,
    /// Number of visited positions, including those found in the table and those after the last move.
    pub nodes: u64,
    /// Number of visited positions, excluding those after the last move.
    positions: u64,
}

impl<'s, const PITS: u32, const EMPTY: bool> Searcher<'s, PITS, EMPTY> {
    const VARIANT: Variant = variant::<PITS, EMPTY>(STORE_WEIGHT);

    /// Creates the state of a thread.
    pub fn new(shared: &'s Shared<'s>, numbering: &'s Numbering<PITS>) -> Self {
        Self { shared, numbering, nodes: 0, positions: 0 }
    }

    /// Returns the value of a position relative to its score, searched with the window from `alpha` to `beta`.
    ///
    /// # Errors
    /// If the search was stopped.
    pub fn value(&mut self, own: u64, other: u64, depth: u32, mut alpha: i32, beta: i32) -> Result<Value, Stopped> {
        self.nodes += 1;
        self.positions += 1;
        self.shared.stop.check(self.positions)?;
        if is_over(own, other) {
            return Ok(Value { relative: self.final_value(own, other), is_final: true });
        }
        if depth == 0 {
            return Ok(Value { relative: 0, is_final: false });
        }
        let (in_own, in_other) = (stones(own) as i32, stones(other) as i32);
        // Values if all stones went to one store. If the window is outside this range, no search is needed.
        let most = (WEIGHT - 1) * in_own + (WEIGHT + 1) * in_other;
        let least = -(WEIGHT + 1) * in_own - (WEIGHT - 1) * in_other;
        if most <= alpha || least >= beta {
            return Ok(Value { relative: if most <= alpha { most } else { least }, is_final: true });
        }
        if depth == 1 && !self.shared.terminal_exact {
            return Ok(self.last_move(own, other));
        }
        let fault = self.shared.fault;
        let exchanges = Fault::TableIgnoresSide.is(fault) && own > other;
        let number = if exchanges { self.numbering.number(other, own) } else { self.numbering.number(own, other) };
        let mut table_pit = NO_PIT;
        if let Some(entry) = self.shared.table.get(number) {
            let known = Known::of(entry.content);
            table_pit = known.pit;
            let is_final = entry.work < depth && known.value.is_final;
            if entry.work == depth || is_final || Fault::TableIgnoresDepth.is(fault) {
                let relative = known.value.relative;
                let decides = match known.bound {
                    Bound::Exact => true,
                    Bound::Lower => relative >= beta,
                    Bound::Upper => relative <= alpha,
                };
                if decides || Fault::TableIgnoresBounds.is(fault) {
                    return Ok(known.value);
                }
            }
        }
        let moves = self.moves(own, other, table_pit, depth);
        let window_begin = alpha;
        let mut best = Value { relative: i32::MIN, is_final: true };
        let mut best_pit = NO_PIT;
        let mut deferred = 0;
        // The second round searches the deferred moves.
        for i in 0..2 * moves.as_slice().len() {
            let len = moves.as_slice().len();
            let next = &moves.as_slice()[i % len];
            let is_second = i >= len;
            if is_second && deferred & (1 << next.pit) == 0 {
                continue;
            }
            let shares = self.shared.is_parallel && depth > SHARED_DEPTH;
            let key = (next.number << 6) | u64::from(depth);
            if shares && i > 0 && !is_second && self.shared.in_progress.contains(key) {
                deferred |= 1 << next.pit;
                continue;
            }
            let searching = shares.then(|| self.shared.in_progress.begin(key));
            let is_first = best_pit == NO_PIT;
            let mut value = if is_first {
                self.value_of_move(next, depth, alpha, beta)?
            } else {
                self.value_of_move(next, depth, alpha, alpha + 1)?
            };
            if !is_first && value.relative > alpha && value.relative < beta {
                value = self.value_of_move(next, depth, alpha, beta)?;
            }
            drop(searching);
            let is_final = best.is_final && value.is_final;
            if best_pit == NO_PIT || value.relative > best.relative {
                best.relative = value.relative;
                best_pit = next.pit;
            }
            best.is_final = is_final;
            alpha = alpha.max(value.relative);
            if alpha >= beta - i32::from(Fault::CutsOneTooEarly.is(fault)) {
                // The cutoff depends only on this move.
                best.is_final = value.is_final;
                break;
            }
        }
        let bound = if best.relative >= beta {
            Bound::Lower
        } else if best.relative > window_begin {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // If all moves fail low, the best move is unknown.
        let pit = if bound == Bound::Upper { table_pit } else { best_pit };
        let known = Known { value: best, bound, pit };
        self.shared.table.put(number, Entry { content: known.content(), work: depth });
        Ok(best)
    }

    /// Returns the value of a move, relative to the score before it.
    ///
    /// # Errors
    /// If the search was stopped.
    pub fn value_of_move(&mut self, next: &Move, depth: u32, alpha: i32, beta: i32) -> Result<Value, Stopped> {
        let (gain, own, other) = (next.gain, next.own, next.other);
        if next.again {
            let value = self.value(own, other, depth - 1, alpha - gain, beta - gain)?;
            return Ok(Value { relative: gain + value.relative, ..value });
        }
        let value = self.value(own, other, depth - 1, gain - beta, gain - alpha)?;
        Ok(Value { relative: gain - value.relative, ..value })
    }

    /// Returns the move of a pit, if it is legal.
    pub fn moved(own: u64, other: u64, pit: u32) -> Option<Move> {
        ((own >> (8 * pit)) & 0xff != 0).then(|| moved(own, other, pit, Self::VARIANT))
    }

    /// Returns the legal moves of a position by descending rank.
    fn moves(&self, own: u64, other: u64, table_pit: u32, depth: u32) -> Moves {
        let mut moves = Moves::default();
        for mut next in (0..PITS).filter_map(|pit| Self::moved(own, other, pit)) {
            if next.pit == table_pit {
                next.rank = i32::MAX;
            }
            if depth > SHARED_DEPTH && self.shared.is_parallel {
                next.number = self.numbering.number(next.own, next.other);
            }
            moves.push(next);
        }
        moves.sort();
        moves
    }

    /// Returns the value of a position one move before the full depth: the largest gain, computed without making a
    /// move.
    fn last_move(&mut self, own: u64, other: u64) -> Value {
        let mut best = i32::MIN;
        for pit in (0..PITS).filter(|pit| (own >> (8 * pit)) & 0xff != 0) {
            let sowing = sowing(own, u64::from(pit), Self::VARIANT);
            let captured = captured(own, other, &sowing, Self::VARIANT);
            best = best.max(gain(&sowing, captured, Self::VARIANT));
            self.nodes += 1;
        }
        Value { relative: best, is_final: false }
    }

    /// Returns the value of a finished game, relative to its score.
    fn final_value(&self, own: u64, other: u64) -> i32 {
        if !self.shared.terminal_exact {
            return 0;
        }
        // The score already counts stones in pits once.
        (WEIGHT - 1) * (stones(own) as i32 - stones(other) as i32)
    }
}
