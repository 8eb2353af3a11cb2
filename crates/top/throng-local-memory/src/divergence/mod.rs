//! Divergent barriers, allocations and frees: those that only some work-items of a group may reach.
//!
//! All work-items of a group must reach the same barriers and the same calls that change the stack. The rules, per
//! function:
//!
//! * A value varies if it depends on a built-in function such as `get_local_id`, or on the result of an atomic or
//!   sub-group function, since a group has several sub-groups. Values are tracked through variables, parts of structs,
//!   arrays and vectors, arguments and results, and through pointers to private memory. A value read from memory that
//!   the group shares varies if its address does.
//! * Sizes, numbers of groups and constants are the same for the whole group, and so are the arguments that the host
//!   passes to kernels. A kernel called by another kernel is treated like any other function.
//! * A statement is divergent in an arm of a branch or `switch` and in a loop whose condition varies. After a `return`,
//!   `break`, `continue` or `goto` in such a statement, divergence extends further: after `return` to the end of the
//!   function, after `break` to the end of the loop, which may continue for other work-items, after `continue` to the
//!   end of the loop body, and after `goto` to the label. From a label that a divergent `goto` jumps back to, it
//!   extends to the end of the function.
//! * A variable that is assigned in a divergent statement varies until it is assigned elsewhere.
//! * Each divergent barrier, allocation and free is reported, and each divergent call of a function that has one. If
//!   divergence depends on the arguments of a function, calls with varying arguments are reported.

mod varying;
mod walk;

use std::collections::BTreeMap;

use crate::call_graph::CallGraph;
use crate::program::Program;
use varying::{Condition, Varying};
use walk::Walk;

/// A call that only some work-items of a group may reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Divergent {
    /// The branch, loop or jump whose condition varies.
    pub cause: usize,
    /// Keyword of the cause, such as `if`.
    pub what: &'static str,
    /// The built-in function that varies.
    pub item: usize,
    pub meeting: Meeting,
}

/// A barrier, an allocation or a free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Meeting {
    pub piece: usize,
    /// The calls that lead to it, outermost first. Chains longer than [`MAX_CALLS`] end after one more call, so
    /// that memory does not grow with the square of the length.
    pub calls: Vec<usize>,
}

/// Maximum number of calls named in a message.
pub(crate) const MAX_CALLS: usize = 8;

impl Meeting {
    /// The same barrier, allocation or free, seen from a caller.
    fn through(&self, call: usize) -> Self {
        let calls = std::iter::once(call).chain(self.calls.iter().copied()).take(MAX_CALLS + 1).collect();
        Self { calls, ..*self }
    }
}

/// Indexed by the piece of a barrier, an allocation, a free, or a call of a function with one.
pub(crate) type Found = BTreeMap<usize, Divergent>;

/// The effects of a function on its callers.
#[derive(Debug, Clone, Default)]
struct Summary {
    /// The dependencies of its result.
    result: Varying,
    /// The dependencies of all values that it writes through pointers to private memory.
    private: Varying,
    /// Whether it writes through pointers to private memory.
    writes_private: bool,
    /// A barrier, an allocation or a free in it or in one of its callees.
    meets: Option<Meeting>,
    /// Barriers, allocations and frees that are divergent if some arguments vary: one per relevant argument.
    by_arguments: Vec<(Meeting, Condition)>,
}

/// Finds the divergent calls of all functions.
pub(crate) fn divergent(program: &Program, graph: &CallGraph) -> Vec<Found> {
    let mut found = vec![Found::new(); program.functions.len()];
    let mut summaries = vec![Summary::default(); program.functions.len()];
    for number in &graph.order {
        let function = &program.functions[*number];
        let (summary, of_function) = Walk::new(function, &summaries).follow();
        summaries[*number] = summary;
        found[*number] = of_function;
    }
    found
}
