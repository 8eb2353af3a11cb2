//! A list of variable length in a fixed order (Kloosterman, section 6.1.2).

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

use super::prefix_sums::{count, elements_of_unit, sums_of_units};

/// Writes the indices of the set flags among the first `len` to `indices`, ascending, and returns their number.
///
/// The paper takes the next place of the list from an atomic counter, as [`list_in_any_order`](super::list_in_any_order())
/// does. Here a unit counts the flags of its consecutive elements, and a prefix sum gives the place of its first.
/// For one entry per unit, [`prefix_sum`](super::prefix_sum()) alone is enough.
#[cube]
pub fn list(flags: Slice<u32>, len: u32, indices: &mut SharedMemory<u32>, #[comptime] units: usize) -> u32 {
    // Flags in shared memory are there from here on.
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
