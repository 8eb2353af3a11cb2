//! Memory that is used again without a barrier.
//!
//! When a block has been freed and another one takes its place, a work-item may still read the old one while another
//! work-item writes the new one. A barrier has to lie between. The rule, on every path:
//!
//! * A block is accessed where something is read or written through a pointer that may point to it, and where such a
//!   pointer is passed to a built-in function. Pointers are followed through assignments, casts, arithmetic, structs, and
//!   calls of functions of the file.
//! * Accesses count until a barrier for local memory: `barrier` or `work_group_barrier` with `CLK_LOCAL_MEM_FENCE`, here
//!   or on all paths through a function that is called.
//! * An access to a block is reported if its bytes overlap those of a block that was freed and had accesses that still
//!   count. A block in a loop overlaps itself in the next iteration.
//!
//! The rule does not know which work-item accesses what: it may ask for a barrier that is not needed, for example where
//! each work-item keeps to its own bytes. Pointers that are stored in arrays of structs, or travel through integers in
//! memory, are not followed.

mod state;
mod summary;

use std::collections::{BTreeMap, BTreeSet};

use crate::call_graph::CallGraph;
use crate::flow::{Flow, Meeting, follow};
use crate::program::{Action, Function, Pointer, Program};
use crate::stack::Usage;
use state::{Block, Freed, Range, State};
use summary::{Left, Returned, Summary};

/// What was found in a function, in numbers of pieces.
#[derive(Debug, Clone, Default)]
pub(crate) struct Findings {
    /// By the allocations of the old and of the new block: the last access to the old one, and the first to the new one.
    pub missing_barriers: BTreeMap<(usize, usize), (usize, usize)>,
    /// By allocation: an access after it was freed.
    pub used_after_free: BTreeMap<usize, usize>,
}

/// Looks at all functions; offsets are known from `usages`.
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
            first: BTreeSet::new(),
            first_through: vec![BTreeSet::new(); function.parameter_variables.len()],
        };
        let end = follow(&mut reuse, function, &State::at_begin(function));
        let Reuse { first, first_through, .. } = reuse;
        let summary = end.map(|end| Summary { first, first_through, ..reuse_summary(function, &end) });
        // A function that never returns has no paths behind its calls.
        summaries[*number] = summary.unwrap_or_default();
    }
    findings
}

struct Reuse<'r> {
    function: &'r Function,
    usage: &'r Usage,
    usages: &'r [Usage],
    summaries: &'r [Summary],
    findings: &'r mut Findings,
    first: BTreeSet<Freed>,
    first_through: Vec<BTreeSet<usize>>,
}

/// The blocks that pointers may point to.
fn targets(pointers: &[Pointer], state: &State) -> BTreeSet<Block> {
    let mut blocks = BTreeSet::new();
    for pointer in pointers {
        match pointer {
            Pointer::Variable(variable) => blocks.extend(state.values.get(variable).into_iter().flatten()),
            Pointer::Allocation(number) => {
                blocks.insert(Block::Own(*number));
            }
            Pointer::Call(call) => blocks.extend(state.results.get(call).into_iter().flatten()),
        }
    }
    blocks
}

/// The bytes of a block, and the piece that allocates it.
fn extent(function: &Function, usage: &Usage, usages: &[Usage], block: Block) -> Option<(Range, usize)> {
    let (start, size, piece) = match block {
        Block::Own(number) => {
            let allocation = &function.allocations[number];
            (usage.offsets[number]?, allocation.size?, allocation.pieces.start)
        }
        Block::Left { call, index } => {
            let left = &usages[function.calls[call].callee].left;
            let below: u64 = left[..index].iter().map(|block| block.rounded).sum();
            (usage.at_calls[call]? + below, left[index].size?, left[index].piece)
        }
        Block::Parameter(_) => return None,
    };
    Some((Range { start, end: start + size }, piece))
}

/// What a function does, seen from outside, from the state at its end.
fn reuse_summary(function: &Function, end: &State) -> Summary {
    let left = |blocks: &BTreeSet<Block>| {
        let pending = blocks.iter().flat_map(|block| end.pending.get(block).into_iter().flatten().copied());
        Left { pending: pending.collect(), blocks: blocks.clone() }
    };
    let left: Vec<Left> = end.stack.iter().map(left).collect();
    let mut returned = BTreeSet::new();
    for block in &end.returned {
        if let Block::Parameter(number) = block {
            returned.insert(Returned::Parameter(*number));
        }
        let index = left.iter().position(|left| left.blocks.contains(block));
        returned.extend(index.map(Returned::Left));
    }
    let pending_of = |number| end.pending.get(&Block::Parameter(number)).cloned().unwrap_or_default();
    Summary {
        last_through: (0..function.parameter_variables.len()).map(pending_of).collect(),
        freed: end.freed.clone(),
        has_barrier: end.has_barrier,
        left,
        returned,
        ..Summary::default()
    }
}

impl Reuse<'_> {
    fn extent(&self, block: Block) -> Option<(Range, usize)> {
        extent(self.function, self.usage, self.usages, block)
    }

    /// An access to a block, which `piece` makes.
    fn access(&mut self, block: Block, piece: usize, state: &mut State) {
        if let Block::Parameter(number) = block {
            if !state.has_barrier {
                self.first_through[number].insert(piece);
            }
            state.pending.insert(block, BTreeSet::from([piece]));
            return;
        }
        let Some((range, allocated)) = self.extent(block) else { return };
        let access = Freed { range, accessed: piece, allocated };
        self.compare(access, state);
        if !state.has_barrier {
            self.first.insert(access);
        }
        if state.stack.iter().any(|blocks| blocks.contains(&block)) {
            state.pending.insert(block, BTreeSet::from([piece]));
        } else {
            self.findings.used_after_free.entry(allocated).or_insert(piece);
            state.freed.insert(access);
        }
    }

    /// Reports an access if it meets bytes of a freed block whose accesses still count.
    fn compare(&mut self, access: Freed, state: &State) {
        for freed in &state.freed {
            // After its end a block is no new one; that is reported as such.
            if freed.range.overlaps(access.range) {
                let key = (freed.allocated, access.allocated);
                self.findings.missing_barriers.entry(key).or_insert((freed.accessed, access.accessed));
            }
        }
    }

    fn call(&mut self, number: usize, state: &mut State) {
        let call = &self.function.calls[number];
        let summaries = self.summaries;
        let summary = &summaries[call.callee];
        let base = self.usage.at_calls[number].unwrap_or(0);
        let arguments: Vec<BTreeSet<Block>> = call.arguments.iter().map(|pointers| targets(pointers, state)).collect();
        for (blocks, pieces) in arguments.iter().zip(&summary.first_through) {
            for (block, piece) in blocks.iter().flat_map(|block| pieces.iter().map(move |piece| (*block, *piece))) {
                self.access(block, piece, state);
            }
        }
        for first in summary.first.iter().map(|first| first.shifted(base)) {
            self.compare(first, state);
            if !state.has_barrier {
                self.first.insert(first);
            }
        }
        if summary.has_barrier {
            state.barrier();
        }
        for (blocks, pieces) in arguments.iter().zip(&summary.last_through) {
            for block in blocks.iter().filter(|_| !pieces.is_empty()) {
                state.pending.entry(*block).or_default().extend(pieces);
            }
        }
        state.freed.extend(summary.freed.iter().map(|freed| freed.shifted(base)));
        let mut new = BTreeSet::new();
        for (index, left) in summary.left.iter().enumerate() {
            let block = Block::Left { call: number, index };
            state.stack.push(BTreeSet::from([block]));
            state.pending.insert(block, left.pending.clone());
            new.insert(block);
        }
        let results = summary.returned.iter().flat_map(|returned| match returned {
            Returned::Left(index) => BTreeSet::from([Block::Left { call: number, index: *index }]),
            Returned::Parameter(parameter) => arguments.get(*parameter).cloned().unwrap_or_default(),
        });
        state.results.insert(number, results.collect());
        // Whoever has the address of a variable may store there what it allocates or gets.
        new.extend(arguments.iter().flatten());
        for variable in &call.addresses {
            state.values.entry(*variable).or_default().extend(&new);
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
                state.stack.push(BTreeSet::from([block]));
            }
            Action::Free(_) => {
                for block in state.stack.pop().unwrap_or_default() {
                    let pieces = state.pending.remove(&block).unwrap_or_default();
                    let Some((range, allocated)) = self.extent(block) else { continue };
                    state.freed.extend(pieces.into_iter().map(|accessed| Freed { range, accessed, allocated }));
                }
            }
            Action::Call(number) => self.call(*number, state),
            Action::Barrier => state.barrier(),
            Action::Use { pointers, piece } => {
                for block in targets(pointers, state) {
                    self.access(block, *piece, state);
                }
            }
            Action::Assign { variable, pointers, replaces } => {
                let targets = targets(pointers, state);
                let known = state.values.entry(*variable).or_default();
                if *replaces {
                    known.clear();
                }
                known.extend(targets);
            }
            Action::Result(pointers) => {
                let targets = targets(pointers, state);
                state.returned.extend(targets);
            }
        }
    }

    fn meet(&mut self, into: &mut State, from: &State, _: Meeting) -> bool {
        into.join(from)
    }
}
