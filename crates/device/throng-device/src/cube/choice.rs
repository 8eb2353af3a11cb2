//! The choice of one of many (Kloosterman, section 6.1.2: units register, and one of them is chosen at random).

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

use super::NONE;
use super::prefix_sums::{count, elements_of_unit, prefix_sum, sums_of_units};
use crate::philox::Draws;

/// One of the units that register, all with the same probability, or [`NONE`] if there are none. `registers` belongs to a
/// unit.
///
/// Draw `index` of `draws` chooses among the registered units in their order. In the paper that order was one of chance;
/// here, the same draw chooses the same unit in every run and on every device, and on the host
/// ([`host::choose`](super::host::choose)).
#[cube]
pub fn choose_unit(registers: bool, draws: &Draws, index: u32, #[comptime] units: usize) -> u32 {
    let mut chosen = SharedMemory::<u32>::new(1usize);
    let sums = prefix_sum(select(registers, 1u32, 0u32), units);
    // All units make the same draw, which costs less than to pass it on.
    if registers && sums.before == draws.below(sums.total, index) {
        chosen[0] = UNIT_POS;
    }
    sync_cube();
    select(sums.total == 0u32, NONE.runtime(), chosen[0])
}

/// The index of one of the set flags among the first `len`, all with the same probability, or [`NONE`] if none is set;
/// otherwise as [`choose_unit()`].
#[cube]
pub fn choose(flags: Slice<u32>, len: u32, draws: &Draws, index: u32, #[comptime] units: usize) -> u32 {
    let mut chosen = SharedMemory::<u32>::new(1usize);
    // Flags in shared memory are there from here on.
    sync_cube();
    let own = elements_of_unit(len);
    let sums = sums_of_units(count(flags, own), units);
    let number = draws.below(sums.total, index);
    let mut place = sums.before;
    for i in own.start..own.end {
        if flags[i as usize] != 0u32 {
            if place == number {
                chosen[0] = i;
            }
            place += 1u32;
        }
    }
    sync_cube();
    select(sums.total == 0u32, NONE.runtime(), chosen[0])
}
