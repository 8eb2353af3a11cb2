//! Stack usage of functions: the blocks that they leave allocated, and their peaks.

use std::collections::BTreeSet;

use throng_core::Problems;

use crate::call_graph::CallGraph;
use crate::flow::{Flow, Meeting, follow};
use crate::pieces::Pieces;
use crate::program::{Action, Effect, FREE, Function, Program};

/// The stack usage of a function. Offsets are relative to the stack height at its call.
#[derive(Debug, Clone, Default)]
pub(crate) struct Usage {
    /// The blocks that it leaves allocated, from the bottom up.
    pub left_allocated: Vec<Block>,
    /// Maximum number of bytes that it and its callees have allocated at once.
    pub peak: u64,
    /// The first point at which it reaches the peak.
    pub at: Option<PeakAt>,
    /// Sum of all allocations in the function and in each of its calls, as if nothing were freed.
    pub without_frees: u64,
    /// Offset of each allocation; `None` if unreachable.
    pub offsets: Vec<Option<u64>>,
    /// Stack height at each call; `None` if unreachable.
    pub at_calls: Vec<Option<u64>>,
}

/// The point of a peak: an allocation or a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PeakAt {
    Allocation(usize),
    Call(usize),
}

/// An allocated block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    /// `None` if the size is invalid.
    pub size: Option<u64>,
    /// Size rounded up to the alignment.
    pub rounded: u64,
    /// The allocation, or the call that leaves the block.
    pub piece: usize,
}

impl Usage {
    /// Number of bytes that the function leaves allocated.
    pub fn net(&self) -> u64 {
        total(&self.left_allocated)
    }
}

/// Maximum number of blocks that are allocated at once.
const MAX_BLOCKS: usize = 1000;

fn total(blocks: &[Block]) -> u64 {
    blocks.iter().fold(0, |sum, block| sum.saturating_add(block.rounded))
}

/// Computes the usage of all functions.
pub(crate) fn usages(
    program: &Program,
    graph: &CallGraph,
    align: u64,
    pieces: &Pieces,
    problems: &mut Problems,
) -> Vec<Usage> {
    let mut usages = vec![Usage::default(); program.functions.len()];
    for number in &graph.order {
        let function = &program.functions[*number];
        let usage = Usage {
            offsets: vec![None; function.allocations.len()],
            at_calls: vec![None; function.calls.len()],
            ..Usage::default()
        };
        let mut stack = Stack { function, usages: &usages, align, pieces, problems, reported: BTreeSet::new(), usage };
        let end = follow(&mut stack, function, &Vec::new());
        stack.order_of_evaluation();
        if end.is_none() {
            let message =
                format!("`{}` never ends: no path leads to a `return` or to the end of its body", function.name);
            let remedy = "leave its loops by a condition, `break` or `return`";
            stack.problem(function.name_piece, message, remedy);
        }
        stack.bounded_peak();
        let mut usage = stack.usage;
        usage.left_allocated = end.unwrap_or_default();
        let own = function.allocations.iter().map(|allocation| round(allocation.size, align));
        let called = function.calls.iter().map(|call| usages[call.callee].without_frees);
        usage.without_frees = own.chain(called).fold(0, u64::saturating_add);
        usages[*number] = usage;
    }
    usages
}

fn round(size: Option<u64>, align: u64) -> u64 {
    size.unwrap_or(0).next_multiple_of(align)
}

struct Stack<'s> {
    function: &'s Function,
    usages: &'s [Usage],
    align: u64,
    pieces: &'s Pieces,
    problems: &'s mut Problems,
    /// Problems already reported; paths are followed several times.
    reported: BTreeSet<(usize, String)>,
    usage: Usage,
}

impl Stack<'_> {
    fn problem(&mut self, piece: usize, message: String, remedy: &str) {
        if self.reported.insert((piece, message.clone())) {
            self.problems.push(self.pieces.place(piece).to_string(), message, remedy);
        }
    }

    /// Rejects peaks above 32 bits: offsets have 32 bits in the rewritten program, as do local memory sizes on all
    /// devices.
    fn bounded_peak(&mut self) {
        let (peak, max) = (self.usage.peak, u64::from(u32::MAX));
        let piece = match self.usage.at {
            Some(PeakAt::Allocation(number)) => self.function.allocations[number].pieces.start,
            Some(PeakAt::Call(number)) if self.usages[self.function.calls[number].callee].peak <= max => {
                self.function.calls[number].piece
            }
            // No peak, or already reported for the callee.
            _ => return,
        };
        if peak > max {
            let message = format!("`{}` has up to {peak} bytes allocated here, more than {max}", self.function.name);
            self.problem(piece, message, "allocate smaller blocks, or free some earlier");
        }
    }

    /// Limits the number of blocks, which could double with each function that calls another one twice.
    fn bounded_count(&mut self, piece: usize, state: &mut Vec<Block>) {
        if state.len() > MAX_BLOCKS {
            let message = format!("more than {MAX_BLOCKS} blocks are allocated at once in `{}`", self.function.name);
            self.problem(piece, message, "allocate one block for several of them, or free some earlier");
            state.truncate(MAX_BLOCKS);
        }
    }

    fn reach(&mut self, height: u64, at: PeakAt) {
        if height > self.usage.peak {
            self.usage.peak = height;
            self.usage.at = Some(at);
        }
    }

    fn free(&mut self, number: usize, state: &mut Vec<Block>) {
        let free = &self.function.frees[number];
        let piece = free.pieces.start;
        let Some(top) = state.pop() else {
            let message = match free.size {
                Some(size) => format!("`{FREE}({size})` without an allocation in `{}`", self.function.name),
                None => format!("`{FREE}` without an allocation in `{}`", self.function.name),
            };
            self.problem(piece, message, "free each block once, in the function that allocates it or in a caller");
            return;
        };
        if let (Some(size), Some(allocated)) = (free.size, top.size)
            && size != allocated
        {
            let place = self.pieces.place(top.piece);
            let message = format!("`{FREE}({size})` does not match the last allocation, {allocated} bytes at {place}");
            self.problem(piece, message, "free blocks with their sizes, in the reverse order of their allocation");
        }
    }

    /// Reports expressions in which the evaluation order determines the positions of blocks.
    fn order_of_evaluation(&mut self) {
        let function = self.function;
        for group in &function.groups {
            let changes = |effect: &Effect| match effect {
                Effect::Stack => true,
                Effect::Barrier => false,
                Effect::Call(callee) => !self.usages[*callee].left_allocated.is_empty(),
            };
            let uses = |effect: &Effect| match effect {
                Effect::Call(callee) => self.usages[*callee].peak > 0,
                other => changes(other),
            };
            let users = group.parts.iter().filter(|part| part.iter().any(uses)).count();
            if users > 1 && group.parts.iter().any(|part| part.iter().any(changes)) {
                let message = "a compiler may evaluate the parts of this expression in any order, and several allocate";
                self.problem(
                    group.piece,
                    message.to_owned(),
                    "allocate in a separate statement, before the expression",
                );
            }
        }
    }
}

impl Flow for Stack<'_> {
    type State = Vec<Block>;

    fn act(&mut self, action: &Action, state: &mut Vec<Block>) {
        match action {
            Action::Allocate(number) => {
                let allocation = &self.function.allocations[*number];
                self.usage.offsets[*number] = Some(total(state));
                let rounded = round(allocation.size, self.align);
                state.push(Block { size: allocation.size, rounded, piece: allocation.pieces.start });
                self.reach(total(state), PeakAt::Allocation(*number));
                self.bounded_count(allocation.pieces.start, state);
            }
            Action::Free(number) => self.free(*number, state),
            Action::Call(number) => {
                let call = &self.function.calls[*number];
                let height = total(state);
                self.usage.at_calls[*number] = Some(height);
                let callee = &self.usages[call.callee];
                self.reach(height.saturating_add(callee.peak), PeakAt::Call(*number));
                state.extend(callee.left_allocated.iter().map(|block| Block { piece: call.piece, ..*block }));
                self.bounded_count(call.piece, state);
            }
            Action::Barrier
            | Action::Meet(_)
            | Action::End(_)
            | Action::Define { .. }
            | Action::Use { .. }
            | Action::Assign { .. }
            | Action::Store { .. }
            | Action::Result { .. } => {}
        }
    }

    /// Requires equal states on all paths; otherwise, the program is rejected.
    fn meet(&mut self, into: &mut Vec<Block>, from: &Vec<Block>, meeting: Meeting) -> bool {
        let is_same = |(a, b): (&Block, &Block)| a.size.is_none() || b.size.is_none() || a.size == b.size;
        if into.len() == from.len() && into.iter().zip(from).all(is_same) {
            return false;
        }
        let (known, other) = (described(into), described(from));
        let (piece, message, remedy) = match meeting {
            // Expressions in which the order matters have already been reported.
            Meeting::Orders => return false,
            Meeting::Arms(piece, what) => (
                piece,
                format!("the two ways through this `{what}` leave different blocks allocated: {known}, and {other}"),
                "free in each branch what it allocates, or allocate before the branches",
            ),
            Meeting::LoopEnd(piece, what) => (
                piece,
                format!("the body of this `{what}` begins with {known} allocated, and ends with {other}"),
                "free in the body what it allocates, and nothing else",
            ),
            Meeting::Break(piece) => (
                piece,
                format!("`break` leaves with {other} allocated, and other paths with {known}"),
                "free before `break` what was allocated since the loop or `switch` began",
            ),
            Meeting::Continue(piece) => (
                piece,
                format!("`continue` is reached with {other} allocated, and the end of the body with {known}"),
                "free before `continue` what the body has allocated",
            ),
            Meeting::Switch(piece) => (
                piece,
                format!("the arms of this `switch` meet with different blocks allocated: {known}, and {other}"),
                "free in each arm what it allocates, or allocate before the `switch`",
            ),
            Meeting::Label(piece) => (
                piece,
                format!("the label is reached with {other} allocated from here, and with {known} from elsewhere"),
                "free before `goto` what was allocated since the label",
            ),
            Meeting::Return { piece, first } => (
                piece,
                format!(
                    "`{}` ends here with {other} allocated, and at {} with {known}",
                    self.function.name,
                    self.pieces.place(first)
                ),
                "free before each `return` what the function has allocated",
            ),
        };
        self.problem(piece, message, remedy);
        false
    }
}

/// Describes blocks as `no block`, `40 bytes`, or `40 + 60 bytes`.
pub(crate) fn described(blocks: &[Block]) -> String {
    if blocks.is_empty() {
        return "no block".to_owned();
    }
    let sizes = blocks.iter().map(|block| block.size.map_or("?".to_owned(), |size| size.to_string()));
    format!("{} bytes", sizes.collect::<Vec<_>>().join(" + "))
}
