//! The effects of a function call on accesses and blocks of the caller.

use std::collections::{BTreeMap, BTreeSet};

use super::state::{Accesses, Block, State, bounded};

/// The summary of a function for its callers. Bytes are relative to the stack height at its call.
#[derive(Debug, Default)]
pub(super) struct Summary {
    /// Accesses to blocks of the function and its callees that no barrier inside the function precedes.
    pub first: Accesses,
    /// First accesses to memory that callers pass, by the same rule.
    pub first_through: BTreeMap<Outer, usize>,
    /// Last accesses to memory that callers pass that no barrier follows.
    pub last_through: BTreeMap<Outer, usize>,
    /// Last accesses to blocks that it has freed that no barrier follows.
    pub freed: Accesses,
    /// Whether all paths through it have a barrier.
    pub has_barrier: bool,
    /// The blocks that it leaves allocated.
    pub left: Vec<Left>,
    /// Possible targets of its result.
    pub returned: BTreeSet<Outer>,
    /// Memory in which it stores pointers, and their possible targets.
    pub stored: BTreeMap<Outer, BTreeSet<Outer>>,
}

/// A block that a function leaves allocated.
#[derive(Debug)]
pub(super) struct Left {
    /// Its last access, if no barrier follows.
    pub pending: Option<usize>,
    /// The block's names within the function.
    pub blocks: BTreeSet<Block>,
}

/// Memory that both a function and its callers can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outer {
    /// A block that the function leaves allocated.
    Left(usize),
    /// The target of a parameter.
    Parameter(usize),
    /// Memory reachable through pointers stored in the target of a parameter.
    Reached(usize),
}

impl Summary {
    /// The summary of a function with this final state, except for its first accesses.
    pub fn of_end(end: &State) -> Self {
        let left = end.stack.iter().map(|blocks| Left {
            pending: blocks.iter().filter_map(|block| end.pending.get(block)).max().copied(),
            blocks: blocks.clone(),
        });
        let left: Vec<Left> = left.collect();
        let outer = |block: &Block| match block {
            Block::Parameter(number) => Some(Outer::Parameter(*number)),
            Block::Reached(number) => Some(Outer::Reached(*number)),
            Block::Own(_) | Block::Left { .. } => {
                left.iter().position(|left| left.blocks.contains(block)).map(Outer::Left)
            }
            Block::Variable(_) => None,
        };
        let all = |blocks: &BTreeSet<Block>| -> BTreeSet<Outer> { blocks.iter().filter_map(outer).collect() };
        let mut stored: BTreeMap<Outer, BTreeSet<Outer>> = BTreeMap::new();
        for (block, pointers) in &end.contents {
            if let Some(into) = outer(block) {
                stored.entry(into).or_default().extend(all(pointers));
            }
        }
        let outside = end.pending.iter().filter(|(block, _)| block.is_outside());
        Self {
            last_through: outside.filter_map(|(block, piece)| Some((outer(block)?, *piece))).collect(),
            freed: bounded(end.freed.clone()),
            has_barrier: end.has_barrier,
            returned: all(&end.returned),
            stored,
            left,
            ..Self::default()
        }
    }
}
