//! The n largest or smallest elements, in order (Kloosterman, section 6.1.1).
//!
//! The paper finds one maximum after the other and removes each from the mask. Here the next element is the first one
//! that comes after the last one found, so the mask is not modified.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

use super::NONE;
use super::extremes::first;
use crate::primitives::Ordered;
use crate::primitives::pair::Pair;

/// Writes the indices of the `n` largest of the first `len` values whose mask is set to `indices`, largest first; ties
/// go to the lower index. Returns their number, which is less than `n` if fewer take part.
///
/// The function scans the values once per result, so `n` should be small.
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

/// Like [`largest()`], for the smallest values.
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
    // Uniform over all units, since all read the same result.
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
