//! What a call of a function does to accesses and blocks of its caller.

use std::collections::{BTreeMap, BTreeSet};

use super::state::{Accesses, Block, State, bounded};

/// What callers have to know of a function. Bytes count from what is allocated when it is called.
#[derive(Debug, Default)]
pub(super) struct Summary {
    /// Accesses to its own blocks, and those of what it calls, that no barrier of its own comes before.
    pub first: Accesses,
    /// The same to memory that callers pass.
    pub first_through: BTreeMap<Outer, usize>,
    /// The last accesses to memory that callers pass, which no barrier follows.
    pub last_through: BTreeMap<Outer, usize>,
    /// The last accesses to blocks that it has freed, which no barrier follows.
    pub freed: Accesses,
    /// Whether all paths through it have a barrier.
    pub has_barrier: bool,
    /// The blocks that it leaves allocated.
    pub left: Vec<Left>,
    /// Where what it returns may point to.
    pub returned: BTreeSet<Outer>,
    /// Where it stores pointers, and where these may point to.
    pub stored: BTreeMap<Outer, BTreeSet<Outer>>,
}

/// A block that a function leaves allocated.
#[derive(Debug)]
pub(super) struct Left {
    /// Its last access, if no barrier follows.
    pub pending: Option<usize>,
    /// What the function itself calls it.
    pub blocks: BTreeSet<Block>,
}

/// Memory that a function and its callers can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outer {
    /// A block that the function leaves allocated.
    Left(usize),
    /// What a parameter points to.
    Parameter(usize),
    /// What can be reached through pointers that are stored there.
    Reached(usize),
}

impl Summary {
    /// The summary of a function with this state at its end, except for its first accesses.
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
