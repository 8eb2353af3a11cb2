//! The kernels of one pass of the radix sort.

use cubecl::prelude::*;

use super::split::{SPLIT_BITS, split_tile};
use super::tile::{ITEMS, SUM_WORDS, TILE, TILE_WORDS, UNITS, place, tile_len};
use crate::{KernelArrays, KernelParameter};

/// Bits of one pass.
pub(super) const PASS_BITS: u32 = 8;
/// In the entries of a tile, the lower bits hold the index within the tile and the upper bits the digit.
const DIGIT_SHIFT: u32 = 16;

const _: () = assert!(TILE <= 1 << DIGIT_SHIFT && UNITS >= 1 << PASS_BITS);

/// The digit of keys by which a pass sorts, and the number of keys.
#[derive(CubeType, CubeLaunch, KernelParameter, Clone, Copy)]
pub(super) struct DigitPass {
    pub len: u32,
    pub tiles: u32,
    /// Index of the key word that contains the digit.
    pub word: u32,
    /// The lowest bit of the digit in the word.
    pub low: u32,
    /// Mask of the digit's bits, after shifting.
    pub mask: u32,
}

/// Keys and their payloads.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub(super) struct Pairs {
    pub keys: Array<u32>,
    pub payload: Array<u32>,
}

/// Computes `counts[digit * tiles + tile]`, so that a scan gives the first output index of each digit of each tile.
#[cube(launch)]
pub(super) fn count_digits(
    keys: &Array<u32>,
    counts: &mut Array<u32>,
    pass: &DigitPass,
    #[comptime] width: usize,
    #[comptime] digits: usize,
) {
    // The order of the additions does not matter, because they are integer additions.
    let histogram = SharedMemory::<Atomic<u32>>::new(digits);
    let tile = CUBE_POS;
    let unit = UNIT_POS as usize;
    if tile < pass.tiles as usize {
        let start = tile * TILE;
        let count = tile_len(tile, pass.len as usize);
        if unit < digits {
            histogram[unit].store(0u32);
        }
        sync_cube();
        let own = digits_of(keys, start, count, pass, width);
        #[unroll]
        for i in 0..ITEMS {
            if i * UNITS + unit < count {
                histogram[own[i] as usize].fetch_add(1u32);
            }
        }
        sync_cube();
        if unit < digits {
            counts[unit * pass.tiles as usize + tile] = histogram[unit].load();
        }
    }
}

/// Sorts the tile by the digit in shared memory, and then writes it in runs of equal digits.
#[cube(launch)]
pub(super) fn scatter(
    from: &Pairs,
    before: &Array<u32>,
    sorted: &mut Pairs,
    pass: &DigitPass,
    #[comptime] width: usize,
    #[comptime] splits: usize,
) {
    let mut entries = SharedMemory::<u32>::new(TILE_WORDS);
    let mut counters = SharedMemory::<u32>::new(TILE_WORDS);
    let mut sums = SharedMemory::<u32>::new(SUM_WORDS);
    let mut starts = SharedMemory::<u32>::new(UNITS);
    let tile = CUBE_POS;
    let unit = UNIT_POS as usize;
    if tile < pass.tiles as usize {
        let start = tile * TILE;
        let count = tile_len(tile, pass.len as usize);
        let own = digits_of(&from.keys, start, count, pass, width);
        #[unroll]
        for i in 0..ITEMS {
            let k = i * UNITS + unit;
            entries[place(k)] = (own[i] << DIGIT_SHIFT) | k as u32;
        }
        sync_cube();
        #[unroll]
        for split in 0..splits {
            split_tile(&mut entries, &mut counters, &mut sums, DIGIT_SHIFT + (split * SPLIT_BITS) as u32);
        }
        #[unroll]
        for i in 0..ITEMS {
            let k = i * UNITS + unit;
            let digit = entries[place(k)] >> DIGIT_SHIFT;
            let mut first = k == 0;
            if k > 0 {
                first = entries[place(k - 1)] >> DIGIT_SHIFT != digit;
            }
            if first {
                starts[digit as usize] = k as u32;
            }
        }
        sync_cube();
        // All reads come first, so that they are in flight at the same time.
        let mut moved = Array::<u32>::new(ITEMS * (width + 1));
        let mut to = Array::<u32>::new(ITEMS);
        #[unroll]
        for i in 0..ITEMS {
            let k = i * UNITS + unit;
            let entry = entries[place(k)];
            let digit = (entry >> DIGIT_SHIFT) as usize;
            let read = start + (entry & 0xffff) as usize;
            to[i] = before[digit * pass.tiles as usize + tile] + k as u32 - starts[digit];
            moved[i * (width + 1)] = from.payload[read];
            #[unroll]
            for w in 0..width {
                moved[i * (width + 1) + 1 + w] = from.keys[read * width + w];
            }
        }
        #[unroll]
        for i in 0..ITEMS {
            if i * UNITS + unit < count {
                let to = to[i] as usize;
                sorted.payload[to] = moved[i * (width + 1)];
                #[unroll]
                for w in 0..width {
                    sorted.keys[to * width + w] = moved[i * (width + 1) + 1 + w];
                }
            }
        }
    }
}

/// Returns the digits of the keys `unit`, `unit + UNITS`, ... of a tile. Missing keys get the highest digit and sort
/// last.
#[cube]
fn digits_of(keys: &Array<u32>, start: usize, count: usize, pass: &DigitPass, #[comptime] width: usize) -> Array<u32> {
    let mut own = Array::<u32>::new(ITEMS);
    #[unroll]
    for i in 0..ITEMS {
        let k = i * UNITS + UNIT_POS as usize;
        let digit = (keys[(start + k) * width + pass.word as usize] >> pass.low) & pass.mask;
        own[i] = select(k < count, digit, 255u32);
    }
    own
}
