//! Is the player to move sure to get so many of the stones in the pits? Alpha-beta to the end of the game, with null windows
//! only.
//!
//! A position is worth v, from 0 to n, if its player gets v of the n stones in the pits. A move that puts g of them into the
//! own store is worth g + v' if the same player moves again, and n - v' if not, with v' being the value of the position after
//! it: no stores are needed. Bounds of v are 0 and n at first, those of the table if the position is in it, and meet if the
//! game is over or the endgame base knows the position.

use std::sync::atomic::{AtomicU64, Ordering};

use super::bounds::{Bounds, Known};
use crate::kalah::Endgames;
use crate::kalah::alpha_beta::{MOST_MOVES, Move, Moves, SearchedNow, Stop, Stopped, TranspositionTable, moved};
use crate::kalah::numbering::{Numbering, stones};
use crate::kalah::rules::Variant;
use crate::kalah::rules::position::is_over;
use crate::kalah::sizes::variant;

/// What all threads of a search use.
pub struct Shared<'s> {
    /// Bounds of positions.
    pub table: &'s TranspositionTable,
    /// Positions that are being searched.
    pub searched_now: &'s SearchedNow,
    /// Values of positions with few stones.
    pub endgames: Option<&'s Endgames>,
    /// Ends the search.
    pub stop: &'s Stop,
    /// Whether there is more than one thread.
    pub is_parallel: bool,
    /// Nodes of all threads, as far as they have told.
    pub nodes: AtomicU64,
}

/// A thread tells its nodes once in so many positions.
const POSITIONS_PER_TELLING: u64 = 4096;

/// A thread puts off what others are searching if so many more stones are in the pits than in those of the endgame base.
const SHARED_STONES: u32 = 6;

/// A position as the search needs it.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Pits of the player to move.
    pub own: u64,
    /// Pits of the other one.
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
    /// Stones of the endgame base; none if there is no base.
    endgame_stones: Option<u32>,
    /// Positions that were looked at: all positions after a move of a position that was searched.
    nodes: u64,
    /// Those of them that were told.
    told: u64,
    /// Positions that were searched.
    positions: u64,
}

impl<'s, const PITS: u32, const EMPTY: bool> Prover<'s, PITS, EMPTY> {
    const VARIANT: Variant = variant::<PITS, EMPTY>(1);

    /// A thread that has searched nothing yet.
    pub fn new(shared: &'s Shared<'s>, numbering: &'s Numbering<PITS>) -> Self {
        let endgame_stones = shared.endgames.map(Endgames::most_stones);
        Self { shared, numbering, endgame_stones, nodes: 0, told: 0, positions: 0 }
    }

    /// A position for the search.
    pub fn node(&self, own: u64, other: u64) -> Node {
        Node { own, other, stones: stones(own + other), number: self.numbering.number(own, other) }
    }

    /// What is known about a position without a search.
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

    /// Searches until it is known whether the value of a position is at least `target`, which its bounds do not tell, and
    /// returns a bound: a lower one if it is at least `target`, else an upper one.
    ///
    /// # Errors
    /// When the search was stopped.
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
        // What is known decides most moves, and often the position.
        let (mut most, mut undecided, mut after) = (0, 0u32, [known; MOST_MOVES]);
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
                // Another thread may have found it in the meantime.
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

    /// The legal moves of a position, with the numbers of the positions after them; `best` is the pit of the table.
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

    /// Adds the nodes that are new to those of all threads.
    pub fn tell_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.told, Ordering::Relaxed);
        self.told = self.nodes;
    }

    /// Notes a bound in the table.
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

/// The bounds of a move, from those of the position after it.
#[inline(always)]
fn before(all: u32, next: &Move, after: Bounds) -> Bounds {
    if next.again {
        let stored = all - next.stones;
        Bounds { least: stored + after.least, most: stored + after.most }
    } else {
        Bounds { least: all - after.most, most: all - after.least }
    }
}
