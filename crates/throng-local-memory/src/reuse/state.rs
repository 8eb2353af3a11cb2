//! What is known of blocks and their accesses at a place of a function.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::Function;

/// Bytes of the stack, counted from what is allocated when the function is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Range {
    pub start: u64,
    pub end: u64,
}

impl Range {
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

/// A block, as a function names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Block {
    /// Of an allocation in the function.
    Own(usize),
    /// One of those that a call has left allocated.
    Left { call: usize, index: usize },
    /// Whatever the caller passes as this parameter.
    Parameter(usize),
}

/// An access that no barrier follows, to bytes that another block may take or has taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Freed {
    pub range: Range,
    /// The piece that accesses the block.
    pub accessed: usize,
    /// The piece that allocates it.
    pub allocated: usize,
}

impl Freed {
    pub fn shifted(self, by: u64) -> Self {
        let Range { start, end } = self.range;
        Self { range: Range { start: start + by, end: end + by }, ..self }
    }
}

/// What holds on some path to a place, and for `has_barrier` on all of them.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    /// The blocks that may be at each level of the stack.
    pub stack: Vec<BTreeSet<Block>>,
    /// What variables may point to.
    pub values: BTreeMap<usize, BTreeSet<Block>>,
    /// What the results of calls may point to.
    pub results: BTreeMap<usize, BTreeSet<Block>>,
    /// What the function may have returned.
    pub returned: BTreeSet<Block>,
    /// The last accesses to allocated blocks since a barrier.
    pub pending: BTreeMap<Block, BTreeSet<usize>>,
    /// The last accesses to freed blocks since a barrier.
    pub freed: BTreeSet<Freed>,
    /// Whether there was a barrier since the function began.
    pub has_barrier: bool,
}

impl State {
    /// At the beginning of a function, whose parameters point to what the caller passes.
    pub fn at_begin(function: &Function) -> Self {
        let mut state = Self::default();
        for (number, variable) in function.parameter_variables.iter().enumerate() {
            if let Some(variable) = variable {
                state.values.insert(*variable, BTreeSet::from([Block::Parameter(number)]));
            }
        }
        state
    }

    /// All accesses so far come before what follows.
    pub fn barrier(&mut self) {
        self.pending.clear();
        self.freed.clear();
        self.has_barrier = true;
    }

    /// Adds what holds on another path; says whether that is new.
    pub fn join(&mut self, other: &Self) -> bool {
        let Self { stack, values, results, returned, pending, freed, has_barrier } = self;
        let mut is_new = false;
        for (into, from) in stack.iter_mut().zip(&other.stack) {
            is_new |= join(into, from);
        }
        is_new |= join_maps(values, &other.values);
        is_new |= join_maps(results, &other.results);
        is_new |= join(returned, &other.returned);
        is_new |= join_maps(pending, &other.pending);
        is_new |= join(freed, &other.freed);
        is_new |= *has_barrier && !other.has_barrier;
        *has_barrier &= other.has_barrier;
        is_new
    }
}

fn join<T: Ord + Copy>(into: &mut BTreeSet<T>, from: &BTreeSet<T>) -> bool {
    let before = into.len();
    into.extend(from);
    into.len() > before
}

fn join_maps<K: Ord + Copy, T: Ord + Copy>(
    into: &mut BTreeMap<K, BTreeSet<T>>,
    from: &BTreeMap<K, BTreeSet<T>>,
) -> bool {
    let mut is_new = false;
    for (key, values) in from.iter().filter(|(_, values)| !values.is_empty()) {
        is_new |= join(into.entry(*key).or_default(), values);
    }
    is_new
}
