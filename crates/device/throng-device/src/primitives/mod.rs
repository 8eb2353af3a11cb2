//! Parallel building blocks: scan, compaction, sort, reductions.
//!
//! Every function takes buffers with a logical length `len`, because buffers are never empty and are often longer than
//! the part in use; elements beyond `len` are ignored. Results are new buffers on the device, of `len` elements but at
//! least one; inputs are not changed. Plain Rust gives exactly the same results, as does every device in every run,
//! regardless of the order in which units run. Floats are compared, never added.
//!
//! No function waits for the device: it launches its kernels and returns. The labels of launches begin with the name of
//! the primitive ("scan: write"). Compaction and sort also scan; their scans are counted under "scan".
//!
//! Lengths must be below 2^32. A buffer shorter than `len` is a caller error and panics, like an index out of range.

mod compact;
mod extremes;
pub(crate) mod order;
pub mod pair;
mod radix;
mod reduce;
mod scan;
mod scan_memory;
mod segments;
mod sort;
mod split;
mod tile;

pub use compact::{Compacted, compact_indices, compact_values};
pub use extremes::{NONE, argmax, argmin, max, min, read_index};
pub use order::Ordered;
pub use reduce::sum;
pub use scan::{Scanned, exclusive_scan};
pub(crate) use scan_memory::ScanMemory;
pub use segments::{segmented_max, segmented_min, segmented_sum};
pub use sort::{SortKey, Sorted, sort_by_key};

use crate::{Buffer, Element};

/// Panics if a buffer is shorter than `len`, or `len` exceeds 32 bits.
fn check_len<T: Element>(what: &str, buffer: &Buffer<T>, len: usize) {
    assert!(len <= buffer.len(), "{len} {what} in a buffer of {}", buffer.len());
    assert!(u32::try_from(len).is_ok(), "{len} {what}; the maximum is {}", u32::MAX);
}
