//! Common code of the primitives: a cube processes one tile of consecutive elements in shared memory.

use cubecl::prelude::*;

use crate::{CUBE_UNITS, Device, DeviceError};

/// Units per cube.
pub(crate) const UNITS: usize = CUBE_UNITS as usize;
/// Elements per unit.
pub(crate) const ITEMS: usize = 8;
/// Elements per tile.
pub(crate) const TILE: usize = UNITS * ITEMS;
/// Words of shared memory for a tile, including padding, see [`place`].
pub(crate) const TILE_WORDS: usize = TILE + UNITS;
/// Words that [`scan_units`] needs: double-buffered, so that each step needs one barrier instead of two.
pub(crate) const SUM_WORDS: usize = 2 * UNITS;
/// Steps of [`scan_units`]: the logarithm of [`UNITS`]. It must be even, so that the result ends up in the first
/// buffer.
const STEPS: usize = 8;

const _: () = assert!(1 << STEPS == UNITS && STEPS.is_multiple_of(2));

/// Number of tiles.
pub(crate) fn tiles(len: usize) -> usize {
    len.div_ceil(TILE)
}

/// Checks that the device can run the cubes of these kernels.
pub(crate) fn check_cube(device: &Device, shared_words: usize) -> Result<(), DeviceError> {
    let hardware = &device.client.properties().hardware;
    let (units, bytes) = (hardware.max_units_per_cube as usize, hardware.max_shared_memory_size);
    let lacks = if units < UNITS {
        format!("its cubes have at most {units} units, and scans and sorts need {UNITS}")
    } else if bytes < shared_words * size_of::<u32>() {
        let needed = shared_words * size_of::<u32>();
        format!("its cubes have {bytes} bytes of shared memory, and scans and sorts need {needed}")
    } else {
        return Ok(());
    };
    Err(DeviceError::Unsuitable { device: device.label(), lacks })
}

/// Index of element `i` of a tile in shared memory. One padding word follows each [`ITEMS`] elements, so that units
/// that iterate over their own elements do not all access the same memory bank.
#[cube]
pub(crate) fn place(i: usize) -> usize {
    i + i / ITEMS
}

/// Number of existing elements of a tile. Counted from the start of the tile, because indices after the end of the last
/// tile may not fit into 32 bits.
#[cube]
pub(crate) fn tile_len(tile: usize, len: usize) -> usize {
    let left = len - tile * TILE;
    let mut count = left;
    if left > TILE {
        count = TILE;
    }
    count
}

/// Weight of an element in a scan: its value, or for flags one or zero.
#[cube]
pub(crate) fn weight(word: u32, #[comptime] flags: bool) -> u32 {
    if flags {
        let mut one = 0u32;
        if word != 0 {
            one = 1u32;
        }
        one
    } else {
        word
    }
}

/// Loads the weights of a tile's elements `unit`, `unit + UNITS`, ...; zero after the end. This order lets neighbouring
/// units read neighbouring words. There is no branch, so that all reads are in flight at the same time; past the end of
/// a buffer a kernel reads zero.
#[cube]
pub(crate) fn load(values: &Array<u32>, start: usize, count: usize, #[comptime] flags: bool) -> Array<u32> {
    let mut own = Array::<u32>::new(ITEMS);
    #[unroll]
    for i in 0..ITEMS {
        let k = i * UNITS + UNIT_POS as usize;
        own[i] = weight(select(k < count, values[start + k], 0u32), flags);
    }
    own
}

/// Stores the result of [`load`] in shared memory.
#[cube]
pub(crate) fn share(own: &Array<u32>, words: &mut SharedMemory<u32>) {
    #[unroll]
    for i in 0..ITEMS {
        words[place(i * UNITS + UNIT_POS as usize)] = own[i];
    }
}

/// Returns the sum of the values of all units before this one; `sums[UNITS - 1]` is then the total. All units of a cube
/// must call it.
#[cube]
pub(crate) fn scan_units(value: u32, sums: &mut SharedMemory<u32>) -> u32 {
    let unit = UNIT_POS as usize;
    sums[unit] = value;
    sync_cube();
    #[unroll]
    for step in 0..STEPS {
        let from = (step % 2) * UNITS + unit;
        let to = ((step + 1) % 2) * UNITS + unit;
        let distance = 1 << step;
        let mut sum = sums[from];
        if unit >= distance {
            sum += sums[from - distance];
        }
        sums[to] = sum;
        sync_cube();
    }
    sums[unit] - value
}

/// Replaces each of the [`TILE`] words by the sum of the words before it, and returns the total. All units of a cube
/// must call it.
#[cube]
pub(crate) fn scan_tile(words: &mut SharedMemory<u32>, sums: &mut SharedMemory<u32>) -> u32 {
    sync_cube();
    let first = place(UNIT_POS as usize * ITEMS);
    let mut sum = 0u32;
    #[unroll]
    for i in 0..ITEMS {
        sum += words[first + i];
    }
    let mut before = scan_units(sum, sums);
    #[unroll]
    for i in 0..ITEMS {
        let word = words[first + i];
        words[first + i] = before;
        before += word;
    }
    sync_cube();
    sums[UNITS - 1]
}
