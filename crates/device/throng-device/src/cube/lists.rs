//! A variable-length list in a fixed order (Kloosterman, section 6.1.2).

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

use super::prefix_sums::{count, elements_of_unit, sums_of_units};

/// Writes the indices of the set flags among the first `len` to `indices`, in ascending order, and returns their
/// number.
///
/// The paper takes the next position of the list from an atomic counter, like
/// [`list_in_any_order`](super::list_in_any_order()). Here each unit counts the flags of its consecutive elements, and
/// a prefix sum gives the position of its first entry. For one entry per unit, [`prefix_sum`](super::prefix_sum())
/// alone is enough.
#[cube]
pub fn list(flags: Slice<u32>, len: u32, indices: &mut SharedMemory<u32>, #[comptime] units: usize) -> u32 {
    // Makes flags in shared memory visible.
    sync_cube();
    let own = elements_of_unit(len);
    let sums = sums_of_units(count(flags, own), units);
    let mut place = sums.before;
    for i in own.start..own.end {
        if flags[i as usize] != 0u32 {
            indices[place as usize] = i;
            place += 1u32;
        }
    }
    sync_cube();
    sums.total
}
