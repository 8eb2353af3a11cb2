//! The proof that the player to move gets at least, or less than, a given number of the stones in the pits: alpha-beta to the
//! end of the game, with null windows only.
//!
//! The value v of a position is the number of the n stones in the pits that the player to move gets under best play. Let v' be
//! the value of the position after a move. If the move puts g stones into the store and the same player moves again, it is
//! worth g + v'; otherwise it is worth n - v'. Stores do not matter. The bounds of v are 0 and n at first, those of the table if
//! it has the position, and equal if the game is over or the endgame base has the position.

use std::sync::atomic::{AtomicU64, Ordering};

use super::bounds::{Bounds, Known};
use crate::kalah::Endgames;
use crate::kalah::alpha_beta::{MAX_MOVES, Move, Moves, SearchedNow, Stop, Stopped, TranspositionTable, moved};
use crate::kalah::numbering::{Numbering, stones};
use crate::kalah::rules::Variant;
use crate::kalah::rules::position::is_over;
use crate::kalah::sizes::variant;

/// The state that the threads of a search share.
pub struct Shared<'s> {
    /// Bounds of positions.
    pub table: &'s TranspositionTable,
    /// The positions that threads are searching.
    pub searched_now: &'s SearchedNow,
    /// Values of positions with few stones.
    pub endgames: Option<&'s Endgames>,
    /// Ends the search.
    pub stop: &'s Stop,
    /// Whether there is more than one thread.
    pub is_parallel: bool,
    /// The nodes that the threads have reported.
    pub nodes: AtomicU64,
}

/// A thread reports its nodes after this number of positions.
const POSITIONS_PER_TELLING: u64 = 4096;

/// A thread defers positions that another thread is searching if they have this many stones more than the endgame base.
const SHARED_STONES: u32 = 6;

/// A position of the search.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Pits of the player to move.
    pub own: u64,
    /// Pits of the opponent.
    pub other: u64,
    /// Stones in all pits.
    pub stones: u32,
    /// The number of the position.
    pub number: u64,
}

impl Node {
    /// The position after a move.
    fn after(next: &Move) -> Self {
        Self { own: next.own, other: next.other, stones: next.stones, number: next.number }
    }
}

/// A thread of the search.
pub struct Prover<'s, const PITS: u32, const EMPTY: bool> {
    shared: &'s Shared<'s>,
    numbering: &'s Numbering<PITS>,
    /// The largest number of stones of the endgame base, if there is one.
    endgame_stones: Option<u32>,
    /// The successors of all expanded positions.
    nodes: u64,
    /// The nodes that were reported.
    told: u64,
    /// The expanded positions.
    positions: u64,
}

impl<'s, const PITS: u32, const EMPTY: bool> Prover<'s, PITS, EMPTY> {
    const VARIANT: Variant = variant::<PITS, EMPTY>(1);

    /// The state of a thread at its start.
    pub fn new(shared: &'s Shared<'s>, numbering: &'s Numbering<PITS>) -> Self {
        let endgame_stones = shared.endgames.map(Endgames::most_stones);
        Self { shared, numbering, endgame_stones, nodes: 0, told: 0, positions: 0 }
    }

    /// The node of a position.
    pub fn node(&self, own: u64, other: u64) -> Node {
        Node { own, other, stones: stones(own + other), number: self.numbering.number(own, other) }
    }

    /// The bounds of a position without a search.
    #[inline(always)]
    pub fn known(&self, node: &Node) -> Known {
        if is_over(node.own, node.other) {
            return Known::exactly(stones(node.own));
        }
        if let Some(endgames) = self.shared.endgames
            && self.endgame_stones >= Some(node.stones)
        {
            return Known::exactly(endgames.get(node.number, node.stones));
        }
        let entry = self.shared.table.get(node.number);
        entry.map_or_else(|| Known::nothing(node.stones), |entry| Known::of(entry.content))
    }

    /// Proves that the value of a position is at least `target` and returns a lower bound, or that it is less and returns an
    /// upper bound. `known` are its bounds so far, which do not decide it.
    ///
    /// # Errors
    /// The search was stopped.
    pub fn bound(&mut self, node: &Node, known: Known, target: u32) -> Result<u32, Stopped> {
        self.positions += 1;
        self.shared.stop.check(self.positions)?;
        if self.positions.is_multiple_of(POSITIONS_PER_TELLING) {
            self.tell_nodes();
        }
        let nodes_before = self.nodes;
        let all = node.stones;
        let mut moves = self.moves(node, known.pit);
        self.nodes += moves.as_slice().len() as u64;
        // The bounds of the successors decide most moves, and often the position.
        let (mut most, mut undecided, mut after) = (0, 0u32, [known; MAX_MOVES]);
        for next in moves.as_slice() {
            let known_after = self.known(&Node::after(next));
            let bounds = before(all, next, known_after.bounds);
            if bounds.least >= target {
                self.note(node, known, bounds.least, next.pit, target, nodes_before);
                return Ok(bounds.least);
            }
            if bounds.most < target {
                most = most.max(bounds.most);
            } else {
                after[next.pit as usize] = known_after;
                undecided |= 1 << next.pit;
            }
        }
        moves.sort();
        let shares = self.shared.is_parallel && all >= SHARED_STONES + self.endgame_stones.unwrap_or(0);
        let (mut put_off, mut is_first) = (0u32, true);
        for round in 0..2 {
            let waiting = if round == 0 { undecided } else { put_off };
            for next in moves.as_slice().iter().filter(|next| waiting & (1 << next.pit) != 0) {
                let target_after = if next.again { target - (all - next.stones) } else { all - target + 1 };
                let key = (next.number << 7) | u64::from(target_after);
                if shares && round == 0 && !is_first && self.shared.searched_now.contains(key) {
                    put_off |= 1 << next.pit;
                    continue;
                }
                is_first = false;
                let node_after = Node::after(next);
                // Another thread may have found the value in the meantime.
                let known_after = if round == 0 { after[next.pit as usize] } else { self.known(&node_after) };
                let found = if let Some(bound) = known_after.bounds.decided(target_after) {
                    bound
                } else {
                    let _searching = shares.then(|| self.shared.searched_now.begin(key));
                    self.bound(&node_after, known_after, target_after)?
                };
                let value = if next.again { all - next.stones + found } else { all - found };
                if value >= target {
                    self.note(node, known, value, next.pit, target, nodes_before);
                    return Ok(value);
                }
                most = most.max(value);
            }
        }
        self.note(node, known, most, known.pit, target, nodes_before);
        Ok(most)
    }

    /// The legal moves of a position with the numbers of its successors. `best` is the pit of the table.
    #[inline(always)]
    fn moves(&self, node: &Node, best: u32) -> Moves {
        let mut moves = Moves::default();
        for pit in (0..PITS).filter(|pit| (node.own >> (8 * pit)) & 0xff != 0) {
            let mut next = moved(node.own, node.other, pit, Self::VARIANT);
            next.number = self.numbering.number(next.own, next.other);
            if pit == best {
                next.rank = i32::MAX;
            }
            moves.push(next);
        }
        moves
    }

    /// Reports the nodes since the last report.
    pub fn tell_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.told, Ordering::Relaxed);
        self.told = self.nodes;
    }

    /// Writes a bound to the table.
    fn note(&self, node: &Node, known: Known, bound: u32, pit: u32, target: u32, nodes_before: u64) {
        let Bounds { least, most } = known.bounds;
        let bounds = if bound >= target {
            Bounds { least: least.max(bound), most }
        } else {
            Bounds { least, most: most.min(bound) }
        };
        let work = (self.nodes - nodes_before).ilog2();
        self.shared.table.put(node.number, Known { bounds, pit }.entry(work));
    }
}

/// The bounds of a move, from those of its successor.
#[inline(always)]
fn before(all: u32, next: &Move, after: Bounds) -> Bounds {
    if next.again {
        let stored = all - next.stones;
        Bounds { least: stored + after.least, most: stored + after.most }
    } else {
        Bounds { least: all - after.most, most: all - after.least }
    }
}
