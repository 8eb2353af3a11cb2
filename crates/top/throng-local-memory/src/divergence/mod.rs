//! Divergent barriers, allocations and frees: those that only some work-items of a group may reach.
//!
//! All work-items of a group have to reach the same barriers and the same calls that change the stack. The rule, for each
//! function:
//!
//! * A value varies if it depends on a built-in function such as `get_local_id`, or on the result of a function
//!   of atomics or of sub-groups, of which a group has several.
//!   Values are followed through variables, parts of structs, arrays and vectors, arguments and results, and through pointers
//!   to private memory. What is read from memory that the group shares varies if its address does.
//! * Sizes, numbers of groups and constants are the same for the whole group, and so are the arguments that the host gives to
//!   kernels. A kernel that another one calls is a function like others.
//! * A statement is divergent in an arm of a branch or `switch` and in a loop whose condition varies, and behind a `return`,
//!   `break`, `continue` or `goto` in such a place: behind `return` to the end of the function, behind `break` to the end of the
//!   loop, which may run for other work-items, behind `continue` to the end of its body, behind `goto` to the label. From a
//!   label to which a divergent `goto` leads back, it is to the end of the function.
//! * A variable that gets a value in a divergent statement varies from then on, until it gets another one elsewhere.
//! * Each divergent barrier, allocation and free is reported, and each divergent call of a function that has one. If that depends
//!   on the arguments of a function, calls with arguments that vary are reported.

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
    /// Its keyword.
    pub what: &'static str,
    /// The built-in function that varies.
    pub item: usize,
    pub meeting: Meeting,
}

/// A barrier, an allocation or a free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Meeting {
    pub piece: usize,
    /// The calls that lead to it, the outermost one first. Of a longer chain than [`MAX_CALLS`], only one call more is kept,
    /// so that the memory does not grow with the square of the chain.
    pub calls: Vec<usize>,
}

/// The maximum number of calls that a message names.
pub(crate) const MAX_CALLS: usize = 8;

impl Meeting {
    /// The same for a caller.
    fn through(&self, call: usize) -> Self {
        let calls = std::iter::once(call).chain(self.calls.iter().copied()).take(MAX_CALLS + 1).collect();
        Self { calls, ..*self }
    }
}

/// By the piece of a barrier, an allocation, a free, or a call of a function with one.
pub(crate) type Found = BTreeMap<usize, Divergent>;

/// The effects of a function on its callers.
#[derive(Debug, Clone, Default)]
struct Summary {
    /// The dependencies of its result.
    result: Varying,
    /// The dependencies of all values that it writes through pointers to private memory.
    private: Varying,
    /// Whether it writes anything there.
    writes_private: bool,
    /// A barrier, an allocation or a free in it or in a function that it calls.
    meets: Option<Meeting>,
    /// Those that are divergent if some arguments vary: one for each argument that makes a difference.
    by_arguments: Vec<(Meeting, Condition)>,
}

/// Looks at all functions.
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
