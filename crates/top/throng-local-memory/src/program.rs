//! What is left of a file for the analysis: functions whose bodies are actions and the branches between them.

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
    /// Declarations of functions without a body, of which a rewritten program has to change the parameters.
    pub prototypes: Vec<Prototype>,
    pub names: BTreeMap<String, usize>,
    /// Calls of functions that are not known and have names like those that allocate and free: the piece, and the name
    /// that may have been meant.
    pub misspelt: Vec<(usize, &'static str)>,
    /// The flags of barriers whose value is not known.
    pub unknown_flags: Vec<usize>,
}

/// A function with a body. Numbers of pieces are those of [`crate::pieces::Pieces`].
#[derive(Debug, Default)]
pub(crate) struct Function {
    pub name: String,
    pub is_kernel: bool,
    pub name_piece: usize,
    /// The bracket that begins the body.
    pub body_piece: usize,
    /// The bracket that ends the body.
    pub end_piece: usize,
    pub parameters: Parameters,
    /// The variable of each parameter; unnamed ones have none.
    pub parameter_variables: Vec<Option<usize>>,
    /// Variables to which pointers in memory may lead: each is a part of what [`PRIVATE`] stands for.
    pub pointed: BTreeSet<usize>,
    pub body: Vec<Statement>,
    pub allocations: Vec<Allocation>,
    pub frees: Vec<Free>,
    pub calls: Vec<Call>,
    pub groups: Vec<Group>,
    /// Variables in local memory, each with its layout or why it is not known.
    pub local_variables: Vec<(usize, Result<Layout, String>)>,
}

/// Where a function's parameters are written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parameters {
    /// The bracket that ends them.
    pub close: usize,
    /// How many there are.
    pub count: usize,
    /// `void` in place of parameters.
    pub void: Option<usize>,
}

/// A declaration without a body.
#[derive(Debug)]
pub(crate) struct Prototype {
    pub name: String,
    pub parameters: Parameters,
    /// The whole declaration.
    pub pieces: Range<usize>,
    /// Whether it declares something else, too.
    pub has_others: bool,
}

/// `local_malloc(size)`.
#[derive(Debug)]
pub(crate) struct Allocation {
    /// Nothing where the size is wrong, which has been reported.
    pub size: Option<u64>,
    pub pieces: Range<usize>,
    /// The largest alignment of the types for which variables hold it.
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
    /// The bracket that ends the arguments.
    pub close: usize,
    pub argument_count: usize,
    /// What each argument may point to.
    pub arguments: Vec<Vec<Pointer>>,
    /// The dependencies of each argument.
    pub dependencies: Vec<Dependencies>,
    /// The variables to whose private memory the arguments lead.
    pub reaches: BTreeSet<usize>,
}

/// The dependencies of a value. Without any, all work-items of a group compute the same value.
pub(crate) type Dependencies = BTreeSet<Dependency>;

/// Something from which a value may differ between the work-items of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dependency {
    /// A built-in function at a piece, such as `get_local_id`, that returns another value to each work-item.
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

/// What a part of an expression may do to the stack and to the order of accesses.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Effect {
    Stack,
    Barrier,
    Call(usize),
}

/// Where a pointer comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pointer {
    /// The value of a variable.
    Variable(usize),
    /// The address of a variable.
    Address(usize),
    Allocation(usize),
    /// The result of a call.
    Call(usize),
    /// What is stored where these point to.
    Content(Vec<Pointer>),
    /// These, or what is stored where they point to, or where that points to, and so on.
    Reachable(Vec<Pointer>),
}

/// One step of a function.
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
    /// A variable gets pointers, in place of those it has (`replaces`) or in addition.
    Assign {
        variable: usize,
        pointers: Vec<Pointer>,
        replaces: bool,
    },
    /// A variable gets a value, in place of the one that it has (`replaces`) or as a part of it.
    Define {
        variable: usize,
        dependencies: Dependencies,
        replaces: bool,
    },
    /// The scope of a variable ends.
    End(usize),
    /// A call of a built-in function, at a piece, that all work-items of a group have to reach.
    Meet(usize),
    /// Pointers are stored in memory, in addition to those that are there.
    Store {
        into: Vec<Pointer>,
        pointers: Vec<Pointer>,
    },
    /// The function returns pointers, or numbers that may hold some.
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
    /// One of the arms is executed. One that does nothing stands for a missing `else`.
    Branch {
        condition: Dependencies,
        arms: Vec<Vec<Statement>>,
        piece: usize,
        what: &'static str,
    },
    /// The parts of an expression, of which all are executed in an order that C leaves open.
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

/// `while`, `for` or `do`.
#[derive(Debug, Clone)]
pub(crate) struct Loop {
    pub piece: usize,
    pub what: &'static str,
    pub condition: Vec<Statement>,
    /// The dependencies of the condition.
    pub dependencies: Dependencies,
    pub body: Vec<Statement>,
    pub step: Vec<Statement>,
    /// Whether the body comes before the condition.
    pub tests_last: bool,
    /// Whether only `break` leaves it.
    pub is_endless: bool,
}
