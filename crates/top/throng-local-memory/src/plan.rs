//! What the analysis finds.

use throng_core::Problem;

use crate::analysis::Analysed;
use crate::place::Place;

/// The local memory that the kernels of a file need.
#[derive(Debug)]
pub struct MemoryPlan {
    /// The kernels, in the order of the text.
    pub kernels: Vec<KernelPlan>,
    /// The other functions that have a body, in the order of the text.
    pub functions: Vec<FunctionPlan>,
    /// What is unusual but can be run, and uses after a free.
    pub warnings: Vec<Problem>,
    /// Whether a block may be accessed, or returned, after it was freed. The places are among the warnings.
    pub has_uses_after_free: bool,
    /// Whether only some work-items of a group may reach a barrier, an allocation or a free. The places are among the
    /// warnings.
    pub has_divergent_calls: bool,
    pub(crate) align: u64,
    pub(crate) analysed: Analysed,
}

/// The local memory of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelPlan {
    /// The name.
    pub name: String,
    /// Where it is defined.
    pub place: Place,
    /// The most bytes that are allocated at once: the size of the buffer that holds all blocks.
    pub peak: u64,
    /// The way to the peak: each call, and last the allocation. Empty if nothing is allocated.
    pub peak_path: Vec<PathStep>,
    /// Bytes that are still allocated at the end.
    pub net: u64,
    /// Bytes if nothing were ever freed: all allocations of the kernel and of each call of a function, added up.
    pub without_frees: u64,
    /// The paper's figure: allocations, frees and peaks of calls, added up in the order of the text. It counts each call
    /// and each branch as if everything else stayed allocated. Sizes are rounded up as in `peak`.
    pub text_order_peak: u64,
    /// Bytes of the variables that the kernel declares in local memory, in addition to `peak`.
    pub declared: u64,
    /// Places where memory is used again without a barrier, in the kernel and in the functions that it calls: at most one for
    /// each allocation and call.
    pub missing_barriers: Vec<MissingBarrier>,
}

/// The local memory of a function that is no kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionPlan {
    /// The name.
    pub name: String,
    /// Where it is defined.
    pub place: Place,
    /// The most bytes that it, with what it calls, has allocated at once.
    pub peak: u64,
    /// The bytes that it leaves allocated.
    pub net: u64,
    /// Places in it where memory is used again without a barrier: at most one for each allocation and call.
    pub missing_barriers: Vec<MissingBarrier>,
}

/// A step on the way to a peak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathStep {
    /// The function that calls or allocates.
    pub function: String,
    /// Where it does.
    pub place: Place,
    /// The function that is called; none for the allocation.
    pub calls: Option<String>,
}

/// Memory that is used again, on some path without a barrier between.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingBarrier {
    /// The last access to the old block, which has been freed since.
    pub last_access: Place,
    /// Where the old block was allocated.
    pub old_block: Place,
    /// The first access to the block that has taken its place.
    pub first_access: Place,
    /// Where the new block was allocated.
    pub new_block: Place,
}
