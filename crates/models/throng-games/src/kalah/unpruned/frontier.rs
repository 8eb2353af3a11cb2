//! The first levels of the tree, computed on the host, so that a device starts with enough positions for all its units.

use super::UnprunedResult;
use crate::kalah::rules::make_move::{MoveResult, make_move, value_of_move};
use crate::kalah::rules::position::{is_legal, is_over};
use crate::kalah::rules::word::Word;
use crate::kalah::rules::{Position, Variant};

/// Minimum number of positions with which a device starts, unless fewer than two moves would remain.
const ENOUGH: usize = 1024;

/// A position of a level, the move that led to it, and its successors.
struct Node<W: Word> {
    position: Position<W>,
    /// The pit that was played, and whether the same player moves again.
    pit: u32,
    again: bool,
    /// Index of its first successor in the next level.
    first: usize,
}

/// The levels, starting at the root.
pub(super) struct Frontier<W: Word> {
    levels: Vec<Vec<Node<W>>>,
    remaining: u32,
}

impl<W: Word> Frontier<W> {
    /// Computes the first levels of a search to a depth of at least two, so that at least two moves remain.
    pub fn of(root: Position<W>, depth: u32, variant: Variant) -> Self {
        let root = Node { position: root, pit: 0, again: true, first: 0 };
        let mut frontier = Self { levels: vec![vec![root]], remaining: depth };
        while frontier.remaining > 2 && frontier.last().len() < ENOUGH {
            let mut next = Vec::new();
            for node in frontier.levels.last_mut().expect("there is a root") {
                node.first = next.len();
                if !is_over(node.position.own, node.position.other) {
                    let legal = |pit: &u32| is_legal(node.position.own, W::new(i64::from(*pit)), variant);
                    next.extend((0..variant.pits).filter(legal).map(|pit| {
                        let MoveResult { position, again } = make_move(&node.position, W::new(i64::from(pit)), variant);
                        Node { position, pit, again, first: 0 }
                    }));
                }
            }
            frontier.remaining -= 1;
            frontier.levels.push(next);
        }
        frontier
    }

    /// Returns the number of moves that remain after the last level.
    pub fn remaining(&self) -> u32 {
        self.remaining
    }

    fn last(&self) -> &[Node<W>] {
        self.levels.last().expect("there is a root")
    }

    /// Returns the positions of the last level.
    pub fn positions(&self) -> impl Iterator<Item = Position<W>> {
        self.last().iter().map(|node| node.position)
    }

    /// Returns the result of the whole search, from the values of the last level and the number of boards below it.
    pub fn found(&self, mut values: Vec<i32>, below: u64) -> UnprunedResult {
        let nodes = self.levels.iter().map(|level| level.len() as u64).sum::<u64>() + below;
        let mut pit = None;
        for (level, next) in self.levels.iter().zip(self.levels.iter().skip(1)).rev() {
            let ends = level.iter().skip(1).map(|node| node.first).chain([next.len()]);
            let best = |(node, end): (&Node<W>, usize)| {
                let value = |child: usize| value_of_move(values[child], next[child].again);
                // Ties go to the first move.
                let best = (node.first..end).rev().max_by_key(|&child| value(child));
                pit = best.map(|child| next[child].pit);
                best.map_or(node.position.score, value)
            };
            values = level.iter().zip(ends).map(best).collect();
        }
        UnprunedResult { value: values[0], pit, nodes }
    }
}
