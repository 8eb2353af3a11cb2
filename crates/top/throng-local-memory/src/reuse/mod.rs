//! Memory that is reused without a barrier.
//!
//! When a block has been freed and another one reuses its memory, a work-item may still read the old block while
//! another work-item writes the new one. A barrier is needed in between. The rules, on every path:
//!
//! * A block is accessed by each read or write through a pointer that may point to it, and by passing such a pointer to
//!   a built-in function. Pointers are tracked through variables, structs, arrays and blocks that hold them, casts,
//!   arithmetic, and calls of functions of the file.
//! * Accesses count until a barrier for local memory: `barrier` or `work_group_barrier` with `CLK_LOCAL_MEM_FENCE`, in
//!   the function itself or on all paths through a callee.
//! * An access to a block is reported if its bytes overlap a freed block with accesses that still count. A
//!   block in a loop overlaps itself in the next iteration. Reports are limited to one per allocation, and one per call
//!   of a function that allocates, because a single barrier after the allocation or before the call separates all of
//!   these accesses.
//! * A pointer to several possible blocks is assumed to point to an allocated one. If none is allocated, this is a use
//!   after free.
//! * Parts of an expression with an unspecified order are followed in all orders that make a difference.
//!
//! The analysis does not know which work-item accesses which bytes. It may report a barrier that is not needed, for
//! example if each work-item only uses its own bytes. A struct or array is treated as a unit: each pointer stored in
//! one part of it may be read from any other part. Pointers in global memory, and in integers of less than 64 bits in
//! memory, are not tracked.

mod state;
mod summary;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::call_graph::CallGraph;
use crate::flow::{Flow, Meeting, follow};
use crate::program::{Action, Function, Program};
use crate::stack::Usage;
use state::{Access, Accesses, Block, Range, State, bounded};
use summary::{Outer, Summary};

/// The findings for a function, as indices of pieces.
#[derive(Debug, Clone, Default)]
pub(crate) struct Findings {
    /// Indexed by the piece that allocates the new block, or calls a function that does: the last access to an old
    /// block, and the first to the new one.
    pub missing_barriers: BTreeMap<usize, (Access, Access)>,
    /// Indexed by allocation: an access after it was freed.
    pub used_after_free: BTreeMap<usize, usize>,
    /// Indexed by allocation: a return of a pointer to it after it was freed.
    pub returned_after_free: BTreeMap<usize, usize>,
    /// Expressions with more orders than are followed.
    pub too_many_orders: BTreeSet<usize>,
}

impl Findings {
    pub fn has_uses_after_free(&self) -> bool {
        !self.used_after_free.is_empty() || !self.returned_after_free.is_empty()
    }
}

/// Analyses all functions, with the offsets from `usages`.
pub(crate) fn findings(program: &Program, graph: &CallGraph, usages: &[Usage]) -> Vec<Findings> {
    let mut findings = vec![Findings::default(); program.functions.len()];
    let mut summaries: Vec<Summary> = program.functions.iter().map(|_| Summary::default()).collect();
    for number in &graph.order {
        let function = &program.functions[*number];
        let mut reuse = Reuse {
            function,
            usage: &usages[*number],
            usages,
            summaries: &summaries,
            findings: &mut findings[*number],
            first: Accesses::new(),
            first_through: BTreeMap::new(),
        };
        let end = follow(&mut reuse, function, &State::at_begin(function));
        let Reuse { first, first_through, .. } = reuse;
        // Functions whose end is unreachable have been rejected.
        let at_end = end.map(|end| Summary::of_end(&end)).unwrap_or_default();
        summaries[*number] = Summary { first: bounded(first), first_through, ..at_end };
    }
    findings
}

struct Reuse<'r> {
    function: &'r Function,
    usage: &'r Usage,
    usages: &'r [Usage],
    summaries: &'r [Summary],
    findings: &'r mut Findings,
    first: Accesses,
    first_through: BTreeMap<Outer, usize>,
}

/// The bytes of a block, and the piece that allocates it.
fn extent(function: &Function, usage: &Usage, usages: &[Usage], block: Block) -> Option<(Range, usize)> {
    let (start, size, piece) = match block {
        Block::Own(number) => {
            let allocation = &function.allocations[number];
            (usage.offsets[number]?, allocation.size?, allocation.pieces.start)
        }
        Block::Left { call, index } => {
            let left = &usages[function.calls[call].callee].left_allocated;
            let below: u64 = left[..index].iter().map(|block| block.rounded).sum();
            (usage.at_calls[call]? + below, left[index].size?, left[index].piece)
        }
        Block::Parameter(_) | Block::Reached(_) | Block::Variable(_) => return None,
    };
    Some((Range { start, end: start + size }, piece))
}

impl Reuse<'_> {
    fn extent(&self, block: Block) -> Option<(Range, usize)> {
        extent(self.function, self.usage, self.usages, block)
    }

    /// The pieces that allocate blocks.
    fn allocations(&self, blocks: &BTreeSet<Block>) -> Vec<usize> {
        blocks.iter().filter_map(|block| self.extent(*block)).map(|(_, allocated)| allocated).collect()
    }

    /// Records an access by `piece` to one of several possible blocks.
    fn access(&mut self, blocks: &BTreeSet<Block>, piece: usize, state: &mut State) {
        let live: Vec<Block> = blocks.iter().copied().filter(|block| state.is_live(*block)).collect();
        if live.is_empty() {
            for allocated in self.allocations(blocks) {
                self.findings.used_after_free.entry(allocated).or_insert(piece);
            }
        }
        for block in live {
            self.access_to_live(block, piece, state);
        }
    }

    fn access_to_live(&mut self, block: Block, piece: usize, state: &mut State) {
        let outer = match block {
            Block::Variable(_) => return,
            Block::Parameter(number) => Some(Outer::Parameter(number)),
            Block::Reached(number) => Some(Outer::Reached(number)),
            Block::Own(_) | Block::Left { .. } => None,
        };
        if let Some(outer) = outer {
            if !state.has_barrier {
                self.first_through.entry(outer).or_insert(piece);
            }
        } else {
            let Some((range, allocated)) = self.extent(block) else { return };
            let since = match block {
                Block::Left { call, .. } => self.function.calls[call].piece,
                _ => allocated,
            };
            self.access_to_bytes(range, Access { piece, allocated }, since, state);
        }
        state.pending.insert(block, piece);
    }

    /// Reports an access to a block allocated at piece `since`, if it overlaps freed blocks whose accesses still count.
    fn access_to_bytes(&mut self, range: Range, access: Access, since: usize, state: &State) {
        if let Entry::Vacant(free) = self.findings.missing_barriers.entry(since) {
            let overlapping = state.freed.iter().filter(|(freed, _)| freed.overlaps(range));
            if let Some(last) = overlapping.map(|(_, last)| *last).max() {
                free.insert((last, access));
            }
        }
        if !state.has_barrier {
            self.first.entry(range).or_insert(access);
        }
    }

    fn call(&mut self, number: usize, state: &mut State) {
        let call = &self.function.calls[number];
        let summaries = self.summaries;
        let summary = &summaries[call.callee];
        let base = self.usage.at_calls[number].unwrap_or(0);
        let targets = |pointers: &Vec<_>| state.targets(pointers);
        let arguments: Vec<BTreeSet<Block>> = call.arguments.iter().map(targets).collect();
        let reached: Vec<BTreeSet<Block>> = arguments.iter().map(|blocks| state.reached(blocks)).collect();
        let of_caller = |outer: &Outer| match outer {
            Outer::Left(index) => BTreeSet::from([Block::Left { call: number, index: *index }]),
            Outer::Parameter(parameter) => arguments.get(*parameter).cloned().unwrap_or_default(),
            Outer::Reached(parameter) => reached.get(*parameter).cloned().unwrap_or_default(),
        };
        for (outer, piece) in &summary.first_through {
            self.access(&of_caller(outer), *piece, state);
        }
        for (range, first) in &summary.first {
            self.access_to_bytes(range.shifted(base), *first, call.piece, state);
        }
        if summary.has_barrier {
            state.barrier();
        }
        for (outer, piece) in &summary.last_through {
            let live: Vec<Block> = of_caller(outer).into_iter().filter(|block| state.is_live(*block)).collect();
            state.pending.extend(live.into_iter().map(|block| (block, *piece)));
        }
        state.freed.extend(summary.freed.iter().map(|(range, last)| (range.shifted(base), *last)));
        state.freed = bounded(std::mem::take(&mut state.freed));
        for (index, left) in summary.left.iter().enumerate() {
            let block = Block::Left { call: number, index };
            state.stack.push(BTreeSet::from([block]));
            state.pending.remove(&block);
            state.pending.extend(left.pending.map(|piece| (block, piece)));
            state.contents.remove(&block);
        }
        state.results.insert(number, summary.returned.iter().flat_map(of_caller).collect());
        for (into, pointers) in &summary.stored {
            let pointers = pointers.iter().flat_map(of_caller).collect();
            state.store(of_caller(into), &pointers);
        }
    }
}

impl Flow for Reuse<'_> {
    type State = State;

    fn act(&mut self, action: &Action, state: &mut State) {
        match action {
            Action::Allocate(number) => {
                let block = Block::Own(*number);
                state.pending.remove(&block);
                state.contents.remove(&block);
                state.stack.push(BTreeSet::from([block]));
            }
            Action::Free(_) => {
                for block in state.stack.pop().unwrap_or_default() {
                    let last = state.pending.remove(&block);
                    let Some((range, allocated)) = self.extent(block) else { continue };
                    state.freed.extend(last.map(|piece| (range, Access { piece, allocated })));
                }
            }
            Action::Call(number) => self.call(*number, state),
            Action::Barrier => state.barrier(),
            Action::Meet(_) | Action::Define { .. } => {}
            Action::End(variable) => drop(state.contents.remove(&Block::Variable(*variable))),
            Action::Use { pointers, piece } => self.access(&state.targets(pointers), *piece, state),
            Action::Assign { variable, pointers, replaces } => {
                let (block, targets) = (Block::Variable(*variable), state.targets(pointers));
                if *replaces {
                    state.contents.remove(&block);
                }
                state.store([block], &targets);
            }
            Action::Store { into, pointers } => {
                let pointers = state.targets(pointers);
                state.store(state.targets(into), &pointers);
            }
            Action::Result { pointers, is_pointer, piece } => {
                let targets = state.targets(pointers);
                if *is_pointer && !targets.iter().any(|block| state.is_live(*block)) {
                    for allocated in self.allocations(&targets) {
                        self.findings.returned_after_free.entry(allocated).or_insert(*piece);
                    }
                }
                state.returned.extend(targets);
            }
        }
    }

    fn depends_on_order(&self, action: &Action) -> bool {
        match action {
            Action::Barrier | Action::Allocate(_) | Action::Free(_) => true,
            Action::Call(number) => {
                let summary = &self.summaries[self.function.calls[*number].callee];
                summary.has_barrier
                    || !summary.first.is_empty()
                    || !summary.freed.is_empty()
                    || !summary.left.is_empty()
            }
            // The order of accesses and assignments only matters where C leaves the result undefined.
            _ => false,
        }
    }

    fn too_many_orders(&mut self, piece: usize) {
        self.findings.too_many_orders.insert(piece);
    }

    fn meet(&mut self, into: &mut State, from: &State, _: Meeting) -> bool {
        into.join(from)
    }
}
