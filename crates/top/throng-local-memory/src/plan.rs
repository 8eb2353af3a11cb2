//! The result of the analysis.

use throng_core::Problem;

use crate::analysis::Analysed;
use crate::place::Place;

/// The local memory that the kernels of a file need.
#[derive(Debug)]
pub struct MemoryPlan {
    /// The kernels, in source order.
    pub kernels: Vec<KernelPlan>,
    /// The other functions with a body, in source order.
    pub functions: Vec<FunctionPlan>,
    /// Unusual but valid code, uses after a free, and divergent calls.
    pub warnings: Vec<Problem>,
    /// Whether a block may be accessed or returned after it was freed. The warnings give the places.
    pub has_uses_after_free: bool,
    /// Whether only some work-items of a group may reach a barrier, an allocation or a free. The warnings give the
    /// places.
    pub has_divergent_calls: bool,
    pub(crate) align: u64,
    pub(crate) analysed: Analysed,
}

/// The local memory of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelPlan {
    /// The kernel's name.
    pub name: String,
    /// The place of its definition.
    pub place: Place,
    /// Maximum number of bytes allocated at once: the size of the buffer that holds all blocks.
    pub peak: u64,
    /// Path to the peak: the calls, followed by the allocation. Empty if nothing is allocated.
    pub peak_path: Vec<PathStep>,
    /// Number of bytes still allocated at the end.
    pub net: u64,
    /// Number of bytes if nothing were ever freed: the sum of all allocations of the kernel and of each call of a
    /// function.
    pub without_frees: u64,
    /// The paper's figure: the sum of allocations, frees and peaks of calls, in source order. It counts each call and
    /// each branch as if everything else stayed allocated. Sizes are rounded up as in `peak`.
    pub text_order_peak: u64,
    /// Size in bytes of the variables that the kernel and its callees declare in local memory, in addition to `peak`.
    pub declared: u64,
    /// Reuses of memory without a barrier, in the kernel and in the functions that it calls: at most one per allocation
    /// and call.
    pub missing_barriers: Vec<MissingBarrier>,
}

/// The local memory of a function that is not a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionPlan {
    /// The function's name.
    pub name: String,
    /// The place of its definition.
    pub place: Place,
    /// Maximum number of bytes that it and its callees have allocated at once.
    pub peak: u64,
    /// Number of bytes that it leaves allocated.
    pub net: u64,
    /// Reuses of memory without a barrier in this function: at most one per allocation and call.
    pub missing_barriers: Vec<MissingBarrier>,
}

/// A step on the path to a peak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathStep {
    /// The function that calls or allocates.
    pub function: String,
    /// The place of the call or allocation.
    pub place: Place,
    /// The called function; `None` for the allocation.
    pub calls: Option<String>,
}

/// Memory that is reused, on some path without a barrier in between.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingBarrier {
    /// The last access to the old block, which was freed after it.
    pub last_access: Place,
    /// The allocation of the old block.
    pub old_block: Place,
    /// The first access to the block that reuses the memory.
    pub first_access: Place,
    /// The allocation of the new block.
    pub new_block: Place,
}
