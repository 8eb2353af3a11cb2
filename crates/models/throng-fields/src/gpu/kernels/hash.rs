//! The state hash of a field, computed on its device.

use throng_device::cubecl::prelude::*;
use throng_device::primitives::pair::{Pair, add};
use throng_device::state_hash::word_of;
use throng_device::{KernelParameter, cubecl};

/// Counters of a hash, of 16 bits each, lowest first.
pub const HASH_COUNTERS: u32 = 4;
/// Maximum number of units that add to a hash: with more, a counter might overflow.
pub const MAX_HASH_UNITS: u32 = 1 << 16;

/// The number of cells, the number of units, and the upper half of each cell's id.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct HashNumbers {
    pub cells: u32,
    pub units: u32,
    pub first_high: u32,
}

/// Computes the hash of all cells, whose ids start at `first_high << 32`.
#[cube(launch)]
pub fn hash_cells(values: &Array<u32>, counters: &mut Array<Atomic<u32>>, numbers: &HashNumbers) {
    let unit = ABSOLUTE_POS as u32;
    if unit < numbers.units {
        let mut low = 0u32.runtime();
        let mut high = 0u32.runtime();
        let rounds = (numbers.cells - unit - 1u32) / numbers.units + 1u32;
        for round in 0..rounds {
            let cell = round * numbers.units + unit;
            let value = Pair { low: values[cell as usize], high: 0u32.runtime() };
            let all = add(Pair { low, high }, word_of(Pair { low: cell, high: numbers.first_high }, value));
            low = all.low;
            high = all.high;
        }
        counters[0].fetch_add(low & 0xFFFFu32);
        counters[1].fetch_add(low >> 16u32);
        counters[2].fetch_add(high & 0xFFFFu32);
        counters[3].fetch_add(high >> 16u32);
    }
}
