//! The analysis's view of a file: functions whose bodies consist of actions and branches.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::builtin_types::Layout;

/// The name of the function that allocates.
pub(crate) const MALLOC: &str = "local_malloc";
/// The name of the function that frees.
pub(crate) const FREE: &str = "local_free";

/// All functions of a file that have a body.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub functions: Vec<Function>,
    /// Declarations of functions without a body. The rewriter has to change their parameters.
    pub prototypes: Vec<Prototype>,
    pub names: BTreeMap<String, usize>,
    /// Calls of unknown functions with names similar to those that allocate and free: the piece, and the name that may
    /// have been meant.
    pub misspelt: Vec<(usize, &'static str)>,
    /// Pieces of barrier flags with an unknown value.
    pub unknown_flags: Vec<usize>,
}

/// A function with a body. Indices of pieces refer to [`crate::pieces::Pieces`].
#[derive(Debug, Default)]
pub(crate) struct Function {
    pub name: String,
    pub is_kernel: bool,
    pub name_piece: usize,
    /// The brace that opens the body.
    pub body_piece: usize,
    /// The brace that closes the body.
    pub end_piece: usize,
    pub parameters: Parameters,
    /// The variable of each parameter; `None` for unnamed parameters.
    pub parameter_variables: Vec<Option<usize>>,
    /// Variables that pointers in memory may refer to: each is part of [`PRIVATE`].
    pub pointed: BTreeSet<usize>,
    pub body: Vec<Statement>,
    pub allocations: Vec<Allocation>,
    pub frees: Vec<Free>,
    pub calls: Vec<Call>,
    pub groups: Vec<Group>,
    /// Variables in local memory, each with its layout or the reason why it is unknown.
    pub local_variables: Vec<(usize, Result<Layout, String>)>,
}

/// The position of a function's parameters in the source.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parameters {
    /// The piece of the closing parenthesis.
    pub close: usize,
    /// Number of parameters.
    pub count: usize,
    /// The piece of a `void` that stands for an empty list.
    pub void: Option<usize>,
}

/// A declaration without a body.
#[derive(Debug)]
pub(crate) struct Prototype {
    pub name: String,
    pub parameters: Parameters,
    /// The pieces of the whole declaration.
    pub pieces: Range<usize>,
    /// Whether it also declares other names.
    pub has_others: bool,
}

/// `local_malloc(size)`.
#[derive(Debug)]
pub(crate) struct Allocation {
    /// `None` if the size is invalid, which has been reported.
    pub size: Option<u64>,
    pub pieces: Range<usize>,
    /// Maximum alignment of the types through which variables point to the block.
    pub needed_align: u64,
}

/// `local_free(size)`.
#[derive(Debug)]
pub(crate) struct Free {
    pub size: Option<u64>,
    pub pieces: Range<usize>,
}

/// A call of a function of the file.
#[derive(Debug)]
pub(crate) struct Call {
    pub callee: usize,
    pub piece: usize,
    /// The closing parenthesis of the arguments.
    pub close: usize,
    pub argument_count: usize,
    /// The possible targets of each argument.
    pub arguments: Vec<Vec<Pointer>>,
    /// The dependencies of each argument.
    pub dependencies: Vec<Dependencies>,
    /// The variables whose private memory the arguments can reach.
    pub reaches: BTreeSet<usize>,
}

/// The dependencies of a value. An empty set means that all work-items of a group compute the same value.
pub(crate) type Dependencies = BTreeSet<Dependency>;

/// A cause for a value to differ between the work-items of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dependency {
    /// A call, at this piece, of a built-in function such as `get_local_id` that returns a different value to each
    /// work-item.
    Item(usize),
    Variable(usize),
    /// The result of a call.
    Call(usize),
}

/// The variable that stands for everything that a function reaches through pointers to private memory.
pub(crate) const PRIVATE: usize = 0;
/// The variable that stands for the result of a function.
pub(crate) const RESULT: usize = 1;

/// Parts of an expression that a compiler may evaluate in any order.
#[derive(Debug)]
pub(crate) struct Group {
    pub piece: usize,
    pub parts: Vec<Vec<Effect>>,
}

/// The effect of a part of an expression on the stack and on the order of accesses.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Effect {
    Stack,
    Barrier,
    Call(usize),
}

/// The origin of a pointer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pointer {
    /// The value of a variable.
    Variable(usize),
    /// The address of a variable.
    Address(usize),
    Allocation(usize),
    /// The result of a call.
    Call(usize),
    /// Pointers stored in the targets of these.
    Content(Vec<Pointer>),
    /// These pointers, and everything reachable from them through stored pointers.
    Reachable(Vec<Pointer>),
}

/// A single step of a function.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    Allocate(usize),
    Free(usize),
    Call(usize),
    /// A barrier that orders accesses to local memory.
    Barrier,
    /// An access through pointers.
    Use {
        pointers: Vec<Pointer>,
        piece: usize,
    },
    /// An assignment of pointers to a variable, which replaces its old pointers (`replaces`) or adds to them.
    Assign {
        variable: usize,
        pointers: Vec<Pointer>,
        replaces: bool,
    },
    /// An assignment of a value to a variable, which replaces the old one (`replaces`) or changes a part of it.
    Define {
        variable: usize,
        dependencies: Dependencies,
        replaces: bool,
    },
    /// The end of a variable's scope.
    End(usize),
    /// A call, at this piece, of a built-in function that all work-items of a group must reach.
    Meet(usize),
    /// Stores pointers in memory, in addition to those already stored.
    Store {
        into: Vec<Pointer>,
        pointers: Vec<Pointer>,
    },
    /// The function returns pointers, or numbers that may contain some.
    Result {
        pointers: Vec<Pointer>,
        is_pointer: bool,
        piece: usize,
    },
}

/// A part of a body.
#[derive(Debug, Clone)]
pub(crate) enum Statement {
    Do(Action),
    /// Executes one of the arms. An empty arm represents a missing `else`.
    Branch {
        condition: Dependencies,
        arms: Vec<Vec<Statement>>,
        piece: usize,
        what: &'static str,
    },
    /// The parts of an expression, all of which are executed, in an unspecified order.
    AnyOrder {
        parts: Vec<Vec<Statement>>,
        piece: usize,
    },
    Loop(Box<Loop>),
    Switch {
        condition: Dependencies,
        arms: Vec<Vec<Statement>>,
        has_default: bool,
        piece: usize,
    },
    Return(usize),
    Break(usize),
    Continue(usize),
    Goto {
        label: String,
        piece: usize,
    },
    Label {
        name: String,
        piece: usize,
    },
}

/// A `while`, `for` or `do` loop.
#[derive(Debug, Clone)]
pub(crate) struct Loop {
    pub piece: usize,
    pub what: &'static str,
    pub condition: Vec<Statement>,
    /// Dependencies of the condition.
    pub dependencies: Dependencies,
    pub body: Vec<Statement>,
    pub step: Vec<Statement>,
    /// Whether the body comes before the condition.
    pub tests_last: bool,
    /// Whether only `break` leaves the loop.
    pub is_endless: bool,
}
