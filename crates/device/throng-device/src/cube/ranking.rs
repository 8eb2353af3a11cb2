//! The n largest or smallest elements, in order (Kloosterman, section 6.1.1).
//!
//! The paper finds one maximum after the other, and takes each out of the mask. Here the next is the first that comes
//! after the last one found, so that the mask stays as it is, too.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

use super::NONE;
use super::extremes::first;
use crate::primitives::Ordered;
use crate::primitives::pair::Pair;

/// Writes the indices of the `n` largest of the first `len` values whose mask is set to `indices`, the largest first, of
/// equal values the first one first. The result is their number, which is less than `n` if fewer take part.
///
/// It goes through the values once for each result, so it is for few of them.
#[cube]
pub fn largest<T: Ordered + Scalar + Reinterpret>(
    values: Slice<T>,
    mask: Slice<u32>,
    len: u32,
    n: u32,
    indices: &mut SharedMemory<u32>,
    #[comptime] units: usize,
) -> u32 {
    in_order::<T>(values, mask, len, n, indices, units, true)
}

/// The smallest; otherwise as [`largest()`].
#[cube]
pub fn smallest<T: Ordered + Scalar + Reinterpret>(
    values: Slice<T>,
    mask: Slice<u32>,
    len: u32,
    n: u32,
    indices: &mut SharedMemory<u32>,
    #[comptime] units: usize,
) -> u32 {
    in_order::<T>(values, mask, len, n, indices, units, false)
}

#[cube]
fn in_order<T: Ordered + Scalar + Reinterpret>(
    values: Slice<T>,
    mask: Slice<u32>,
    len: u32,
    n: u32,
    indices: &mut SharedMemory<u32>,
    #[comptime] units: usize,
    #[comptime] greatest_first: bool,
) -> u32 {
    let mut count = 0u32;
    let mut high = 0u32;
    let mut low = 0u32;
    let mut goes_on = n > 0u32;
    // The same for all units, since all read the same result.
    while goes_on {
        let next = first::<T>(values, mask, len, Pair { high, low }, units, greatest_first);
        goes_on = next.low != NONE;
        if goes_on {
            if UNIT_POS == 0 {
                indices[count as usize] = next.low;
            }
            count += 1u32;
            high = next.high;
            low = next.low + 1u32;
            goes_on = count < n;
        }
    }
    sync_cube();
    count
}
