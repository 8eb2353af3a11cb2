//! The state of blocks and accesses at a point of a function.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::{Function, Pointer};

/// A range of bytes of the stack, relative to the stack height at the function's call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Range {
    pub start: u64,
    pub end: u64,
}

impl Range {
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    pub fn shifted(self, by: u64) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }
}

/// A possible target of a pointer, from a function's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Block {
    /// The block of an allocation in the function.
    Own(usize),
    /// A block that a call has left allocated.
    Left { call: usize, index: usize },
    /// The memory that the caller passes as this parameter.
    Parameter(usize),
    /// All memory reachable through pointers stored in the memory of a parameter.
    Reached(usize),
    /// A variable of the function.
    Variable(usize),
}

impl Block {
    /// Whether it is memory that the caller has passed.
    pub fn is_outside(self) -> bool {
        matches!(self, Self::Parameter(_) | Self::Reached(_))
    }
}

/// An access to a block. Accesses later in the source compare greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Access {
    /// The piece that accesses the block.
    pub piece: usize,
    /// The piece that allocates it.
    pub allocated: usize,
}

/// Accesses to bytes that another block may reuse or has reused. One access per block is kept, because one suffices to
/// require a barrier and to be reported.
pub(super) type Accesses = BTreeMap<Range, Access>;

/// Maximum number of distinct byte ranges. Since calls shift them, their number could double with each level of calls.
const MAX_RANGES: usize = 1000;

/// Limits the number of ranges: if there are too many, those with the same access and allocation are merged into one
/// that covers them all.
pub(super) fn bounded(accesses: Accesses) -> Accesses {
    if accesses.len() <= MAX_RANGES {
        return accesses;
    }
    let mut hulls: BTreeMap<Access, Range> = BTreeMap::new();
    for (range, access) in accesses {
        let hull = hulls.entry(access).or_insert(range);
        *hull = Range { start: hull.start.min(range.start), end: hull.end.max(range.end) };
    }
    hulls.into_iter().map(|(access, range)| (range, access)).collect()
}

/// The facts that hold on some path to a point, or for `has_barrier`, on all paths.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    /// The possible blocks at each level of the stack.
    pub stack: Vec<BTreeSet<Block>>,
    /// The pointers that variables and blocks may hold.
    pub contents: BTreeMap<Block, BTreeSet<Block>>,
    /// The possible targets of call results.
    pub results: BTreeMap<usize, BTreeSet<Block>>,
    /// The possible targets of returned pointers.
    pub returned: BTreeSet<Block>,
    /// Last accesses to allocated blocks since a barrier; if several paths have one, the last in source order.
    pub pending: BTreeMap<Block, usize>,
    /// Last accesses to freed blocks since a barrier.
    pub freed: Accesses,
    /// Whether there was a barrier since the start of the function.
    pub has_barrier: bool,
}

impl State {
    /// The state at the start of a function, whose parameters point to the caller's memory.
    pub fn at_begin(function: &Function) -> Self {
        let mut state = Self::default();
        for (number, variable) in function.parameter_variables.iter().enumerate() {
            if let Some(variable) = variable {
                state.contents.insert(Block::Variable(*variable), BTreeSet::from([Block::Parameter(number)]));
            }
        }
        state
    }

    /// The possible targets of pointers.
    pub fn targets(&self, pointers: &[Pointer]) -> BTreeSet<Block> {
        let mut blocks = BTreeSet::new();
        for pointer in pointers {
            match pointer {
                Pointer::Variable(variable) => {
                    blocks.extend(self.contents.get(&Block::Variable(*variable)).into_iter().flatten());
                }
                Pointer::Address(variable) => {
                    blocks.insert(Block::Variable(*variable));
                }
                Pointer::Allocation(number) => {
                    blocks.insert(Block::Own(*number));
                }
                Pointer::Call(call) => blocks.extend(self.results.get(call).into_iter().flatten()),
                Pointer::Content(inner) => blocks.extend(self.contents_of(&self.targets(inner))),
                Pointer::Reachable(inner) => {
                    let inner = self.targets(inner);
                    blocks.extend(self.reached(&inner));
                    blocks.extend(inner);
                }
            }
        }
        blocks
    }

    /// The possible targets of pointers stored in some blocks.
    fn contents_of(&self, blocks: &BTreeSet<Block>) -> BTreeSet<Block> {
        let mut found = BTreeSet::new();
        for block in blocks {
            found.extend(self.contents.get(block).into_iter().flatten());
            if let Block::Parameter(number) | Block::Reached(number) = block {
                found.insert(Block::Reached(*number));
                // Parameters may alias each other.
                let outside = self.contents.iter().filter(|(other, _)| other.is_outside());
                found.extend(outside.flat_map(|(_, stored)| stored));
            }
        }
        found
    }

    /// All memory reachable through pointers stored in some blocks, in any number of steps.
    pub fn reached(&self, blocks: &BTreeSet<Block>) -> BTreeSet<Block> {
        let mut reached = self.contents_of(blocks);
        let mut new = reached.clone();
        while !new.is_empty() {
            new = self.contents_of(&new).difference(&reached).copied().collect();
            reached.extend(&new);
        }
        reached
    }

    /// Stores pointers in blocks, in addition to those already stored.
    pub fn store(&mut self, into: impl IntoIterator<Item = Block>, pointers: &BTreeSet<Block>) {
        for block in into.into_iter().filter(|_| !pointers.is_empty()) {
            self.contents.entry(block).or_default().extend(pointers);
        }
    }

    /// Whether a block is allocated at this point, or is not a block of this function.
    pub fn is_live(&self, block: Block) -> bool {
        match block {
            Block::Own(_) | Block::Left { .. } => self.stack.iter().any(|blocks| blocks.contains(&block)),
            Block::Parameter(_) | Block::Reached(_) | Block::Variable(_) => true,
        }
    }

    /// Orders all accesses so far before later ones.
    pub fn barrier(&mut self) {
        self.pending.clear();
        self.freed.clear();
        self.has_barrier = true;
    }

    /// Merges the state of another path; returns whether that changed it.
    pub fn join(&mut self, other: &Self) -> bool {
        let Self { stack, contents, results, returned, pending, freed, has_barrier } = self;
        let mut is_new = false;
        for (into, from) in stack.iter_mut().zip(&other.stack) {
            is_new |= join(into, from);
        }
        is_new |= join_maps(contents, &other.contents);
        is_new |= join_maps(results, &other.results);
        is_new |= join(returned, &other.returned);
        is_new |= join_last(pending, &other.pending);
        is_new |= join_last(freed, &other.freed);
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

fn join_last<K: Ord + Copy, T: Ord + Copy>(into: &mut BTreeMap<K, T>, from: &BTreeMap<K, T>) -> bool {
    let mut is_new = false;
    for (key, last) in from {
        let is_later = into.get(key).is_none_or(|known| known < last);
        if is_later {
            into.insert(*key, *last);
        }
        is_new |= is_later;
    }
    is_new
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
