//! What the units of one cube do together, called inside a kernel. The `primitives` do such things for whole buffers, with
//! launches of their own, and a [`team`](crate::team) shares out the items of a rule that is one text for a cube and the CPU.
//!
//! It follows Kloosterman, "Senior Project: GPU Computing" (2013), section 6: an agent of a society has a cube, and its
//! units compare the agent's goods. The results are those of plain Rust, to the bit, on every device and for cubes of any
//! size: nothing depends on the width of a plane or on the order in which units run.
//!
//! All units of the cube must call a function, with the same arguments. So no call may stand in a branch, or in a loop, that
//! not all units take. When it returns, all units see the results.

pub mod host;
#[cfg(feature = "gpu")]
mod permutation;

#[cfg(feature = "gpu")]
pub use permutation::shuffle;

/// The index of nothing: no element takes part.
pub const NONE: u32 = u32::MAX;
