//! Maximum and minimum by a tree of comparisons (Kloosterman, section 6.1.1).
//!
//! Half of the units write their candidates to shared memory, and each unit of the other half compares one of them with
//! its own; then a quarter, and so on. The values are not modified. The paper's tree needs as many threads as elements;
//! here a unit first reduces its own elements, and the cube may have any size.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

use super::NONE;
use crate::primitives::Ordered;
use crate::primitives::order::{Kind, from_rank, to_rank};
use crate::primitives::pair::{Pair, ieee_min};

/// A value and its index. If no element takes part, the index is [`NONE`] and the value 0.
#[derive(CubeType, Clone, Copy, Debug)]
pub struct Found<T: Ordered + Scalar> {
    pub value: T,
    pub index: u32,
}

/// Returns the maximum over the units that take part, and its unit; ties go to the lower index. `value` and
/// `takes_part` are per unit. For floats see [`Ordered`].
#[cube]
pub fn max_of_units<T: Ordered + Scalar + Reinterpret>(
    value: T,
    takes_part: bool,
    #[comptime] units: usize,
) -> Found<T> {
    let own = candidate_of_unit::<T>(value, takes_part, true);
    sync_cube();
    found::<T>(first_of_units(own, units), true)
}

/// Returns the minimum; otherwise like [`max_of_units()`].
#[cube]
pub fn min_of_units<T: Ordered + Scalar + Reinterpret>(
    value: T,
    takes_part: bool,
    #[comptime] units: usize,
) -> Found<T> {
    let own = candidate_of_unit::<T>(value, takes_part, false);
    sync_cube();
    found::<T>(first_of_units(own, units), false)
}

/// Returns the maximum of the first `len` values whose mask is set, and its index; ties go to the lower index. For
/// floats see [`Ordered`]. Each unit handles the elements whose index equals its own modulo the size of the cube.
#[cube]
pub fn max<T: Ordered + Scalar + Reinterpret>(
    values: Slice<T>,
    mask: Slice<u32>,
    len: u32,
    #[comptime] units: usize,
) -> Found<T> {
    let start = Pair { high: 0u32.runtime(), low: 0u32.runtime() };
    found::<T>(first::<T>(values, mask, len, start, units, true), true)
}

/// Returns the minimum; otherwise like [`max()`].
#[cube]
pub fn min<T: Ordered + Scalar + Reinterpret>(
    values: Slice<T>,
    mask: Slice<u32>,
    len: u32,
    #[comptime] units: usize,
) -> Found<T> {
    let start = Pair { high: 0u32.runtime(), low: 0u32.runtime() };
    found::<T>(first::<T>(values, mask, len, start, units, false), false)
}

/// Returns the first candidate, by rank and then by index, that is not before `start`.
#[cube]
pub(super) fn first<T: Ordered + Scalar + Reinterpret>(
    values: Slice<T>,
    mask: Slice<u32>,
    len: u32,
    start: Pair,
    #[comptime] units: usize,
    #[comptime] greatest_first: bool,
) -> Pair {
    // Makes values in shared memory visible.
    sync_cube();
    let mut high = NONE.runtime();
    let mut low = NONE.runtime();
    let mut i = UNIT_POS;
    while i < len {
        if mask[i as usize] != 0u32 {
            let rank = rank::<T>(values[i as usize], greatest_first);
            let is_late = rank > start.high || (rank == start.high && i >= start.low);
            // Later elements have higher indices, so an equal rank is no improvement.
            if is_late && (low == NONE || rank < high) {
                high = rank;
                low = i;
            }
        }
        i += CUBE_DIM;
    }
    first_of_units(Pair { high, low }, units)
}

#[cube]
fn candidate_of_unit<T: Ordered + Scalar + Reinterpret>(
    value: T,
    takes_part: bool,
    #[comptime] greatest_first: bool,
) -> Pair {
    Pair {
        high: select(takes_part, rank::<T>(value, greatest_first), NONE.runtime()),
        low: select(takes_part, UNIT_POS, NONE.runtime()),
    }
}

/// Returns a word whose unsigned order is the search order of the values.
#[cube]
fn rank<T: Ordered + Scalar + Reinterpret>(value: T, #[comptime] greatest_first: bool) -> u32 {
    let rank = to_rank(u32::reinterpret::<T>(value), comptime!(kind_of::<T>()));
    if comptime!(greatest_first) { rank ^ 0xFFFF_FFFFu32 } else { rank }
}

#[cube]
fn found<T: Ordered + Scalar + Reinterpret>(first: Pair, #[comptime] greatest_first: bool) -> Found<T> {
    let rank = if comptime!(greatest_first) { first.high ^ 0xFFFF_FFFFu32 } else { first.high };
    let bits = from_rank(rank, comptime!(kind_of::<T>()));
    let value = T::reinterpret::<u32>(select(first.low == NONE, 0u32, bits));
    Found::<T> { value, index: first.low }
}

fn kind_of<T: Ordered>() -> Kind {
    T::KIND
}

/// Returns the first of the pairs of all units. A barrier must separate this call from an earlier one, because both use
/// the same shared memory for the result.
#[cube]
fn first_of_units(own: Pair, #[comptime] units: usize) -> Pair {
    let half = comptime!(units.next_power_of_two() / 2);
    let steps = comptime!(units.next_power_of_two().ilog2());
    let mut highs = SharedMemory::<u32>::new(comptime!(half.max(1)));
    let mut lows = SharedMemory::<u32>::new(comptime!(half.max(1)));
    let unit = UNIT_POS as usize;
    let mut high = own.high;
    let mut low = own.low;
    if unit >= half {
        highs[unit - half] = high;
        lows[unit - half] = low;
    }
    sync_cube();
    #[unroll]
    for step in 0..steps {
        let distance = comptime!(half >> step);
        // In the first step, the values of the other half are at the index of their partner.
        let from = if comptime!(step == 0) { unit } else { unit + distance };
        if unit < distance {
            if unit + distance < CUBE_DIM as usize {
                let both = ieee_min(Pair { high, low }, Pair { high: highs[from], low: lows[from] });
                high = both.high;
                low = both.low;
            }
            highs[unit] = high;
            lows[unit] = low;
        }
        sync_cube();
    }
    Pair { high: highs[0], low: lows[0] }
}
