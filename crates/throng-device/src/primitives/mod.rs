//! Parallel building blocks: scan, compaction, sort, reductions.
//!
//! Every function takes buffers with a logical length `len`, because buffers are never empty and are often longer than
//! what is in use; what lies behind `len` has no part in the result. Results are new buffers on the
//! device, as long as `len` says but at least one element; inputs are left as they are. A result is exactly that of
//! plain Rust, on every device and in every run: nothing depends on the order in which units run. Floats are compared,
//! never added.
//!
//! Nothing waits for the device: a function launches its kernels and returns. Their labels begin with the primitive's
//! name ("scan: write"); compaction and sort scan too, and those launches count as scans.
//!
//! Lengths are below 2^32. A buffer shorter than `len` is the caller's mistake, and panics as an index out of range
//! does.

mod compact;
mod extremes;
mod order;
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

/// Panics where a buffer is shorter than the caller says, or longer than 32 bits count.
fn check_len<T: Element>(what: &str, buffer: &Buffer<T>, len: usize) {
    assert!(len <= buffer.len(), "{len} {what} in a buffer of {}", buffer.len());
    assert!(u32::try_from(len).is_ok(), "{len} {what}, of at most {}", u32::MAX);
}
