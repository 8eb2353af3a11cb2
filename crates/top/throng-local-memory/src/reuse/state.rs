//! What is known of blocks and their accesses at a place of a function.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::{Function, Pointer};

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

    pub fn shifted(self, by: u64) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }
}

/// What a pointer may point to, as a function names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Block {
    /// The block of an allocation in the function.
    Own(usize),
    /// One of those that a call has left allocated.
    Left { call: usize, index: usize },
    /// Whatever the caller passes as this parameter.
    Parameter(usize),
    /// Whatever can be reached through pointers that are stored in that.
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

/// An access to a block. A later one in the text is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Access {
    /// The piece that accesses the block.
    pub piece: usize,
    /// The piece that allocates it.
    pub allocated: usize,
}

/// Accesses to bytes that another block may take or has taken: one for the bytes of each block, however many there are,
/// because one is enough to need a barrier, and to name it.
pub(super) type Accesses = BTreeMap<Range, Access>;

/// The most ranges of bytes that are told apart. Where calls shift them, their number could double with each level of calls.
const MAX_RANGES: usize = 1000;

/// Accesses with fewer ranges where they are too many: those of one place to one allocation become a single one, with all
/// bytes between.
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

/// What holds on some path to a place, and for `has_barrier` on all of them.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    /// The blocks that may be at each level of the stack.
    pub stack: Vec<BTreeSet<Block>>,
    /// The pointers that variables and blocks may hold.
    pub contents: BTreeMap<Block, BTreeSet<Block>>,
    /// What the results of calls may point to.
    pub results: BTreeMap<usize, BTreeSet<Block>>,
    /// What the function may have returned.
    pub returned: BTreeSet<Block>,
    /// The last accesses to allocated blocks since a barrier, of several paths that which is last in the text.
    pub pending: BTreeMap<Block, usize>,
    /// The same to freed blocks.
    pub freed: Accesses,
    /// Whether there was a barrier since the function began.
    pub has_barrier: bool,
}

impl State {
    /// At the beginning of a function, whose parameters point to what the caller passes.
    pub fn at_begin(function: &Function) -> Self {
        let mut state = Self::default();
        for (number, variable) in function.parameter_variables.iter().enumerate() {
            if let Some(variable) = variable {
                state.contents.insert(Block::Variable(*variable), BTreeSet::from([Block::Parameter(number)]));
            }
        }
        state
    }

    /// The blocks that pointers may point to.
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

    /// What the pointers that are stored in some blocks may point to.
    fn contents_of(&self, blocks: &BTreeSet<Block>) -> BTreeSet<Block> {
        let mut found = BTreeSet::new();
        for block in blocks {
            found.extend(self.contents.get(block).into_iter().flatten());
            if let Block::Parameter(number) | Block::Reached(number) = block {
                found.insert(Block::Reached(*number));
                // Parameters may point to the same memory.
                let outside = self.contents.iter().filter(|(other, _)| other.is_outside());
                found.extend(outside.flat_map(|(_, stored)| stored));
            }
        }
        found
    }

    /// What can be reached through pointers that are stored in some blocks, in any number of steps.
    pub fn reached(&self, blocks: &BTreeSet<Block>) -> BTreeSet<Block> {
        let mut reached = self.contents_of(blocks);
        let mut new = reached.clone();
        while !new.is_empty() {
            new = self.contents_of(&new).difference(&reached).copied().collect();
            reached.extend(&new);
        }
        reached
    }

    /// Pointers are stored in blocks, in addition to those that are there.
    pub fn store(&mut self, into: impl IntoIterator<Item = Block>, pointers: &BTreeSet<Block>) {
        for block in into.into_iter().filter(|_| !pointers.is_empty()) {
            self.contents.entry(block).or_default().extend(pointers);
        }
    }

    /// Whether a block is allocated here, or is no block of this function.
    pub fn is_live(&self, block: Block) -> bool {
        match block {
            Block::Own(_) | Block::Left { .. } => self.stack.iter().any(|blocks| blocks.contains(&block)),
            Block::Parameter(_) | Block::Reached(_) | Block::Variable(_) => true,
        }
    }

    /// All accesses so far come before what follows.
    pub fn barrier(&mut self) {
        self.pending.clear();
        self.freed.clear();
        self.has_barrier = true;
    }

    /// Adds what holds on another path; says whether that is new.
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
