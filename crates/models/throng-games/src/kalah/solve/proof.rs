//! Proves that the player to move gets at least, or less than, a given number of the stones in the pits: alpha-beta to
//! the end of the game, with null windows only.
//!
//! The value v of a position is the number of the n stones in the pits that the player to move gets under best play.
//! Let v' be the value of the position after a move. If the move puts g stones into the store and the same player moves
//! again, it is worth g + v'; otherwise it is worth n - v'. Stores do not matter. The initial bounds of v are those in
//! the table, or else 0 and n. The bounds are equal if the game is over or the endgame base contains the position.

use std::sync::atomic::{AtomicU64, Ordering};

use super::bounds::{Bounds, Known};
use crate::kalah::Endgames;
use crate::kalah::alpha_beta::{MAX_MOVES, Move, Moves, PositionsInProgress, Stop, Stopped, TranspositionTable, moved};
use crate::kalah::numbering::{Numbering, stones};
use crate::kalah::rules::Variant;
use crate::kalah::rules::position::is_over;
use crate::kalah::sizes::variant;

/// State shared by the threads of a search.
pub struct Shared<'s> {
    /// Bounds of known positions.
    pub table: &'s TranspositionTable,
    /// Positions that are being searched.
    pub in_progress: &'s PositionsInProgress,
    /// Values of positions with few stones.
    pub endgames: Option<&'s Endgames>,
    /// Ends the search.
    pub stop: &'s Stop,
    /// Whether there is more than one thread.
    pub is_parallel: bool,
    /// Number of nodes that the threads have reported.
    pub nodes: AtomicU64,
}

/// Number of positions after which a thread reports its nodes.
const POSITIONS_PER_REPORT: u64 = 4096;

/// A thread defers moves that another thread is searching in positions with at least this many stones more than the
/// endgame base.
const SHARED_STONES: u32 = 6;

/// A position of the search.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Pits of the player to move.
    pub own: u64,
    /// Pits of the opponent.
    pub other: u64,
    /// Number of stones in all pits.
    pub stones: u32,
    /// Index of the position.
    pub number: u64,
}

impl Node {
    /// Returns the position after a move.
    fn after(next: &Move) -> Self {
        Self { own: next.own, other: next.other, stones: next.stones, number: next.number }
    }
}

/// The state of one search thread.
pub struct Prover<'s, const PITS: u32, const EMPTY: bool> {
    shared: &'s Shared<'s>,
    numbering: &'s Numbering<PITS>,
    /// Maximum number of stones of the endgame base; `None` without a base.
    endgame_stones: Option<u32>,
    /// Number of successors of all expanded positions.
    nodes: u64,
    /// Number of nodes that were reported.
    reported_nodes: u64,
    /// Number of expanded positions.
    positions: u64,
}

impl<'s, const PITS: u32, const EMPTY: bool> Prover<'s, PITS, EMPTY> {
    const VARIANT: Variant = variant::<PITS, EMPTY>(1);

    /// Creates the state of a thread.
    pub fn new(shared: &'s Shared<'s>, numbering: &'s Numbering<PITS>) -> Self {
        let endgame_stones = shared.endgames.map(Endgames::most_stones);
        Self { shared, numbering, endgame_stones, nodes: 0, reported_nodes: 0, positions: 0 }
    }

    /// Returns the node of a position.
    pub fn node(&self, own: u64, other: u64) -> Node {
        Node { own, other, stones: stones(own + other), number: self.numbering.number(own, other) }
    }

    /// Returns the bounds of a position that are known without a search.
    #[inline(always)]
    pub fn known(&self, node: &Node) -> Known {
        if is_over(node.own, node.other) {
            return Known::exact(stones(node.own));
        }
        if let Some(endgames) = self.shared.endgames
            && self.endgame_stones >= Some(node.stones)
        {
            return Known::exact(endgames.get(node.number, node.stones));
        }
        let entry = self.shared.table.get(node.number);
        entry.map_or_else(|| Known::trivial(node.stones), |entry| Known::of(entry.content))
    }

    /// Proves either that the value of a position is at least `target` and returns a lower bound, or that it is less
    /// and returns an upper bound. `known` are its bounds so far, which must not decide this.
    ///
    /// # Errors
    /// If the search was stopped.
    pub fn bound(&mut self, node: &Node, known: Known, target: u32) -> Result<u32, Stopped> {
        self.positions += 1;
        self.shared.stop.check(self.positions)?;
        if self.positions.is_multiple_of(POSITIONS_PER_REPORT) {
            self.report_nodes();
        }
        let nodes_before = self.nodes;
        let all = node.stones;
        let mut moves = self.moves(node, known.pit);
        self.nodes += moves.as_slice().len() as u64;
        // The bounds of the successors decide most moves, and often the position.
        let (mut most, mut undecided, mut after) = (0, 0u32, [known; MAX_MOVES]);
        for next in moves.as_slice() {
            let known_after = self.known(&Node::after(next));
            let bounds = move_bounds(all, next, known_after.bounds);
            if bounds.least >= target {
                self.store_bound(node, known, bounds.least, next.pit, target, nodes_before);
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
        let (mut deferred, mut is_first) = (0u32, true);
        for round in 0..2 {
            let waiting = if round == 0 { undecided } else { deferred };
            for next in moves.as_slice().iter().filter(|next| waiting & (1 << next.pit) != 0) {
                let target_after = if next.again { target - (all - next.stones) } else { all - target + 1 };
                let key = (next.number << 7) | u64::from(target_after);
                if shares && round == 0 && !is_first && self.shared.in_progress.contains(key) {
                    deferred |= 1 << next.pit;
                    continue;
                }
                is_first = false;
                let node_after = Node::after(next);
                // Another thread may have found the value in the meantime.
                let known_after = if round == 0 { after[next.pit as usize] } else { self.known(&node_after) };
                let found = if let Some(bound) = known_after.bounds.decided(target_after) {
                    bound
                } else {
                    let _searching = shares.then(|| self.shared.in_progress.begin(key));
                    self.bound(&node_after, known_after, target_after)?
                };
                let value = if next.again { all - next.stones + found } else { all - found };
                if value >= target {
                    self.store_bound(node, known, value, next.pit, target, nodes_before);
                    return Ok(value);
                }
                most = most.max(value);
            }
        }
        self.store_bound(node, known, most, known.pit, target, nodes_before);
        Ok(most)
    }

    /// Returns the legal moves of a position, with the indices of the successors. `best` is the pit stored in the
    /// table.
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

    /// Reports the nodes since the previous report.
    pub fn report_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.reported_nodes, Ordering::Relaxed);
        self.reported_nodes = self.nodes;
    }

    /// Writes a bound to the table.
    fn store_bound(&self, node: &Node, known: Known, bound: u32, pit: u32, target: u32, nodes_before: u64) {
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

/// Returns the bounds of a move, given those of its successor.
#[inline(always)]
fn move_bounds(all: u32, next: &Move, after: Bounds) -> Bounds {
    if next.again {
        let stored = all - next.stones;
        Bounds { least: stored + after.least, most: stored + after.most }
    } else {
        Bounds { least: all - after.most, most: all - after.least }
    }
}
