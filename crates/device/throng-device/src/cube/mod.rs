//! Building blocks for the units of one cube, called inside a kernel. The `primitives` do the same for
//! whole buffers, with launches of their own, and a [`team`](crate::team) shares out the items of a rule that is one text for a
//! cube and the CPU.
//!
//! They are the idioms of Kloosterman, "Senior Project: GPU Computing" (2013), section 6: an agent of a society has a cube,
//! and its units compare the agent's goods. The results are those of plain Rust, to the bit, on every device and for
//! cubes of any size: no function depends on the width of a plane or on the order in which units run, except
//! `list_in_any_order`, which is here for comparison.
//!
//! | function | result | barriers | shared memory, bytes |
//! |---|---|---|---|
//! | `max_of_units`, `min_of_units` | extreme of one value per unit | 2 + L | 4 P |
//! | `max`, `min` | extreme of a list | 2 + L | 4 P |
//! | `largest`, `smallest` | the n first indices, in order | (2 + L) n + 1, at most | 4 P |
//! | `prefix_sum` | sum over the units before, and over all | 2 + L | 8 U |
//! | `list` | indices of the flags that are set, in order | 3 + L | 8 U |
//! | `list_in_any_order` | the same indices, in an order of chance | 3 | 4 |
//! | `choose_unit` | one of the units that register | 3 + L | 8 U + 4 |
//! | `choose` | one of the flags that are set | 3 + L | 8 U + 4 |
//! | `shuffle` | a permutation | 3 | 8 N |
//!
//! U is the comptime argument `units`, which must be at least the number of units of the cube, P the next power of two, L
//! its logarithm, n the number of results, and N the comptime argument `most`. Shared memory is allocated for each place
//! in a kernel that calls a function, not for each call in a loop.
//!
//! All units of the cube must call a function, with the same arguments, other than what is said to belong to a unit.
//! So no call may stand in a branch, or in a loop, that not all units take. A function begins with a barrier for shared
//! memory: it sees what the units wrote to shared memory before they called it. When it returns, all units see the
//! results, and may change the values. Before it reads a list in global memory that the same kernel has written,
//! the kernel needs `sync_storage()`.
//!
//! Lists are slices, of an array or of shared memory: `values.to_slice()`. Their elements beyond `len` are ignored. Masks
//! and flags are words, of which any but zero is set. The book has a chapter with an example.

#[cfg(feature = "gpu")]
mod choice;
#[cfg(feature = "gpu")]
mod counter_list;
#[cfg(feature = "gpu")]
mod extremes;
pub mod host;
#[cfg(feature = "gpu")]
mod lists;
#[cfg(feature = "gpu")]
mod permutation;
#[cfg(feature = "gpu")]
mod prefix_sums;
#[cfg(feature = "gpu")]
mod ranking;

#[cfg(feature = "gpu")]
mod with_devices {
    pub use super::choice::{choose, choose_unit};
    pub use super::counter_list::list_in_any_order;
    pub use super::extremes::{Found, max, max_of_units, min, min_of_units};
    pub use super::lists::list;
    pub use super::permutation::shuffle;
    pub use super::prefix_sums::{Prefix, prefix_sum};
    pub use super::ranking::{largest, smallest};
}
#[cfg(feature = "gpu")]
pub use with_devices::*;

/// The index of nothing: no element takes part, or no unit has registered.
pub const NONE: u32 = u32::MAX;
