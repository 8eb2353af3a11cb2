//! Stable sort of the elements of one tile by four bits, in shared memory.

use cubecl::prelude::*;

use super::tile::{ITEMS, UNITS, place, scan_tile};

/// Bits per split.
pub(super) const SPLIT_BITS: usize = 4;
/// Rows of counters: two digits, `d` and `d + 8`, share a word, since a tile has fewer than 2^16 elements.
const ROWS: u32 = 8;

/// Sorts `entries` (stored at their [`place`]) by the four bits at `shift`. Each unit counts the digits of its own
/// consecutive entries; a scan over the counters of all units, digit by digit, gives the destination of each entry. All
/// units of a cube must call it.
#[cube]
pub(super) fn split_tile(
    entries: &mut SharedMemory<u32>,
    counters: &mut SharedMemory<u32>,
    sums: &mut SharedMemory<u32>,
    shift: u32,
) {
    let unit = UNIT_POS as usize;
    let first = place(unit * ITEMS);
    let mut own = Array::<u32>::new(ITEMS);
    let mut rank = Array::<u32>::new(ITEMS);
    #[unroll]
    for row in 0..ITEMS {
        counters[place(row * UNITS + unit)] = 0u32;
    }
    // No other unit accesses the counters of a unit before the scan.
    #[unroll]
    for i in 0..ITEMS {
        let entry = entries[first + i];
        let digit = (entry >> shift) & 15;
        let at = counter(digit, unit);
        let half = half(digit);
        let count = counters[at];
        own[i] = entry;
        rank[i] = (count >> half) & 0xffff;
        counters[at] = count + (1 << half);
    }
    let totals = scan_tile(counters, sums);
    #[unroll]
    for i in 0..ITEMS {
        let digit = (own[i] >> shift) & 15;
        let half = half(digit);
        let mut to = ((counters[counter(digit, unit)] >> half) & 0xffff) + rank[i];
        if half != 0 {
            to += totals & 0xffff;
        }
        entries[place(to as usize)] = own[i];
    }
    sync_cube();
}

/// Index of the word with the counter of a digit: ordered by digit and then by unit.
#[cube]
fn counter(digit: u32, unit: usize) -> usize {
    place((digit % ROWS) as usize * UNITS + unit)
}

/// Bit offset of the counter in that word: the lower or the upper 16 bits.
#[cube]
fn half(digit: u32) -> u32 {
    digit / ROWS * 16
}

const _: () = assert!(ROWS as usize == ITEMS && ROWS << 1 == 1 << SPLIT_BITS);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_digit_of_each_unit_has_a_separate_counter() {
        let mut all: Vec<(usize, u32)> =
            (0..UNITS).flat_map(|u| (0..16).map(move |d| (counter(d, u), half(d)))).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 16 * UNITS);
        // In the order of the scan: low halves before high halves, then by digit, then by unit.
        assert!(half(7) < half(8) && counter(0, UNITS - 1) < counter(1, 0) && counter(8, 0) == counter(0, 0));
    }
}
