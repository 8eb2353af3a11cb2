//! Random choice of one unit (Kloosterman, section 6.1.2: units register, and one of them is chosen at random).

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

use super::NONE;
use super::prefix_sums::{count, elements_of_unit, prefix_sum, sums_of_units};
use crate::philox::Draws;

/// Chooses one of the registered units with equal probability, or [`NONE`] if there are none. `registers` is per unit.
///
/// Draw `index` of `draws` selects among the registered units in order of their index. In the paper that order depended
/// on timing; here, the same draw selects the same unit in every run, on every device and on the host
/// ([`host::choose`](super::host::choose)).
#[cube]
pub fn choose_unit(registers: bool, draws: &Draws, index: u32, #[comptime] units: usize) -> u32 {
    let mut chosen = SharedMemory::<u32>::new(1usize);
    let sums = prefix_sum(select(registers, 1u32, 0u32), units);
    // All units make the same draw, which is cheaper than sharing one.
    if registers && sums.before == draws.below(sums.total, index) {
        chosen[0] = UNIT_POS;
    }
    sync_cube();
    select(sums.total == 0u32, NONE.runtime(), chosen[0])
}

/// Chooses the index of one of the set flags among the first `len`, with equal probability, or [`NONE`] if none is set.
/// See also [`choose_unit()`].
#[cube]
pub fn choose(flags: Slice<u32>, len: u32, draws: &Draws, index: u32, #[comptime] units: usize) -> u32 {
    let mut chosen = SharedMemory::<u32>::new(1usize);
    // Makes flags in shared memory visible.
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
