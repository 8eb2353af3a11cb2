//! Prefix sums over the units of a cube of any size.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

use crate::exact::wrapping_sum;

/// A prefix sum and the total.
#[derive(CubeType, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// Sum of the values of the units before this one.
    pub before: u32,
    /// Sum of the values of all units.
    pub total: u32,
}

/// Returns the sum of the values of the units before this one, and the total. Sums wrap at 2^32. `value` is per unit.
///
/// If `value` is 1 for units with an entry and 0 for others, `before` is the position of a unit's entry in a dense list
/// in the order of the units, and `total` is its length; a unit may also have several entries. This is the
/// variable-length array of Kloosterman, section 6.1.2, in a fixed order.
#[cube]
pub fn prefix_sum(value: u32, #[comptime] units: usize) -> Prefix {
    sync_cube();
    sums_of_units(value, units)
}

/// [`prefix_sum()`] without its first barrier. A barrier must separate this call from an earlier one, because both use
/// the same shared memory for the result.
#[cube]
pub(super) fn sums_of_units(value: u32, #[comptime] units: usize) -> Prefix {
    let steps = comptime!(units.next_power_of_two().ilog2());
    // Double-buffered, so that a step needs one barrier instead of two.
    let mut sums = SharedMemory::<u32>::new(comptime!(2 * units));
    let unit = UNIT_POS as usize;
    sums[unit] = value;
    sync_cube();
    #[unroll]
    for step in 0..steps {
        let from = comptime!((step % 2) as usize * units);
        let to = comptime!(units - (step % 2) as usize * units);
        let distance = comptime!(1usize << step);
        let mut sum = sums[from + unit];
        if unit >= distance {
            sum = wrapping_sum(sum, sums[from + unit - distance]);
        }
        sums[to + unit] = sum;
        sync_cube();
    }
    let last = comptime!((steps % 2) as usize * units);
    Prefix { before: sums[last + unit] - value, total: sums[last + CUBE_DIM as usize - 1] }
}

/// The consecutive elements of a list that one unit handles: units with higher indices have later elements.
#[derive(CubeType, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub start: u32,
    pub end: u32,
}

/// Returns this unit's elements of a list of `len`.
#[cube]
pub(super) fn elements_of_unit(len: u32) -> Range {
    let each = len / CUBE_DIM;
    let more = len % CUBE_DIM;
    // The first `more` units take one extra element.
    let start = UNIT_POS * each + min(UNIT_POS, more);
    let end = start + each + select(UNIT_POS < more, 1u32, 0u32);
    Range { start, end }
}

/// Returns the number of set flags in the range `of`.
#[cube]
pub(super) fn count(flags: Slice<u32>, of: Range) -> u32 {
    let mut count = 0u32;
    for i in of.start..of.end {
        if flags[i as usize] != 0u32 {
            count += 1u32;
        }
    }
    count
}
