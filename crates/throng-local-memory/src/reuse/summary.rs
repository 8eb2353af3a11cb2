//! What a call of a function does to accesses and blocks of its caller.

use std::collections::BTreeSet;

use super::state::{Block, Freed};

/// What callers have to know of a function. Bytes count from what is allocated when it is called.
#[derive(Debug, Default)]
pub(super) struct Summary {
    /// Accesses to its own blocks, and those of what it calls, that no barrier of its own comes before.
    pub first: BTreeSet<Freed>,
    /// The same through each parameter.
    pub first_through: Vec<BTreeSet<usize>>,
    /// The last accesses through each parameter, which no barrier follows.
    pub last_through: Vec<BTreeSet<usize>>,
    /// The last accesses to blocks that it has freed, which no barrier follows.
    pub freed: BTreeSet<Freed>,
    /// Whether all paths through it have a barrier.
    pub has_barrier: bool,
    /// The blocks that it leaves allocated.
    pub left: Vec<Left>,
    /// Where what it returns may point to.
    pub returned: BTreeSet<Returned>,
}

/// A block that a function leaves allocated.
#[derive(Debug)]
pub(super) struct Left {
    /// Its last accesses, which no barrier follows.
    pub pending: BTreeSet<usize>,
    /// What the function itself calls it.
    pub blocks: BTreeSet<Block>,
}

/// Where the result of a function may point to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Returned {
    Left(usize),
    Parameter(usize),
}
