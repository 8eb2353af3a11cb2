//! The variable-length list with an atomic counter, as in the paper: a baseline.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

/// Writes the indices of the set flags among the first `len` to `indices`, **in an order that may differ from run to
/// run**, and returns their number.
///
/// Implements the method of Kloosterman, section 6.1.2, for comparison: each entry takes its position from an atomic
/// counter, so the order depends on timing. A result that depends on this order is not reproducible; models use
/// [`list`](super::list()).
#[cube]
pub fn list_in_any_order(flags: Slice<u32>, len: u32, indices: &mut SharedMemory<u32>) -> u32 {
    let count = SharedMemory::<Atomic<u32>>::new(1usize);
    // Waits until all units have read the count of an earlier call.
    sync_cube();
    if UNIT_POS == 0 {
        count[0].store(0u32);
    }
    sync_cube();
    let mut i = UNIT_POS;
    while i < len {
        if flags[i as usize] != 0u32 {
            let place = count[0].fetch_add(1u32);
            indices[place as usize] = i;
        }
        i += CUBE_DIM;
    }
    sync_cube();
    count[0].load()
}
