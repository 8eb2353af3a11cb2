//! Building blocks for the units of one cube, called inside a kernel. The `primitives` do the same for whole buffers
//! with separate launches, and a [`team`](crate::team) distributes the items of a rule whose source is shared by
//! kernels and the CPU.
//!
//! They are the idioms of Kloosterman, "Senior Project: GPU Computing" (2013), section 6: each agent of a society has a
//! cube, whose units compare the agent's goods. The results are bit for bit those of plain Rust, on every device and
//! for cubes of any size. No function depends on the plane width or on the execution order of units, except
//! `list_in_any_order`, which is included for comparison.
//!
//! | function | result | barriers | shared memory, bytes |
//! |---|---|---|---|
//! | `max_of_units`, `min_of_units` | extreme of one value per unit | 2 + L | 4 P |
//! | `max`, `min` | extreme of a list | 2 + L | 4 P |
//! | `largest`, `smallest` | the first n indices, in order | (2 + L) n + 1, at most | 4 P |
//! | `prefix_sum` | sum over the units before, and over all | 2 + L | 8 U |
//! | `list` | indices of the set flags, in order | 3 + L | 8 U |
//! | `list_in_any_order` | the same indices, in an order that depends on timing | 3 | 4 |
//! | `choose_unit` | one of the registered units | 3 + L | 8 U + 4 |
//! | `choose` | one of the set flags | 3 + L | 8 U + 4 |
//! | `shuffle` | a permutation | 3 | 8 N |
//!
//! U is the comptime argument `units`, which must be at least the number of units of the cube, P the next power of two,
//! L its logarithm, n the number of results, and N the comptime argument `max_len`. Shared memory is allocated once per
//! call site in a kernel, not per call in a loop.
//!
//! All units of the cube must call a function with the same arguments, except those documented as per unit. A call must
//! therefore not be inside a branch or loop that not all units take. Each function begins with a barrier for shared
//! memory, so it sees all earlier writes of the units to shared memory. When it returns, all units see the results and
//! may change the values. If the list is in global memory and the same kernel has written it, the kernel must call
//! `sync_storage()` first.
//!
//! Lists are slices of an array or of shared memory: `values.to_slice()`. Elements after the first `len` are ignored.
//! Masks and flags are words; any non-zero word is set. The book has a chapter with an example.

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

/// Sentinel index: no element takes part, or no unit has registered.
pub const NONE: u32 = u32::MAX;
