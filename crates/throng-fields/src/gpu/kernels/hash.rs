//! The state hash of a field, where the field is.

use throng_device::cubecl::prelude::*;
use throng_device::exact::high_product;
use throng_device::primitives::pair::{Pair, add};
use throng_device::{KernelParameter, cubecl};

/// Counters of a hash, of 16 bits each, the lowest first.
pub const HASH_COUNTERS: u32 = 4;
/// Units that may add to a hash: with more, a counter might overflow.
pub const MOST_HASH_UNITS: u32 = 1 << 16;

#[cube]
fn product(a: Pair, b: Pair) -> Pair {
    Pair { low: a.low * b.low, high: high_product(a.low, b.low) + a.low * b.high + a.high * b.low }
}

/// `z ^ (z >> by)`, for `by` from 1 to 31.
#[cube]
fn folded(z: Pair, #[comptime] by: u32) -> Pair {
    let low = (z.low >> by) | (z.high << comptime!(32 - by));
    Pair { low: z.low ^ low, high: z.high ^ (z.high >> by) }
}

/// The finaliser of `splitmix64`, as in [`throng_core::StateHash`].
#[cube]
fn mixed(z: Pair) -> Pair {
    let z = add(z, Pair { low: 0x7F4A_7C15u32.runtime(), high: 0x9E37_79B9u32.runtime() });
    let z = product(folded(z, 30u32), Pair { low: 0x1CE4_E5B9u32.runtime(), high: 0xBF58_476Du32.runtime() });
    let z = product(folded(z, 27u32), Pair { low: 0x1331_11EBu32.runtime(), high: 0x94D0_49BBu32.runtime() });
    folded(z, 31u32)
}

/// The numbers of cells and units, and the upper half of the number of each cell.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct HashNumbers {
    pub cells: u32,
    pub units: u32,
    pub first_high: u32,
}

/// Adds up the hash of all cells, whose numbers begin with `first_high << 32`.
#[cube(launch)]
pub fn hash_cells(values: &Array<u32>, counters: &mut Array<Atomic<u32>>, numbers: &HashNumbers) {
    let unit = ABSOLUTE_POS as u32;
    if unit < numbers.units {
        let mut low = 0u32.runtime();
        let mut high = 0u32.runtime();
        let rounds = (numbers.cells - unit - 1u32) / numbers.units + 1u32;
        for round in 0..rounds {
            let cell = round * numbers.units + unit;
            let entity = Pair { low: cell ^ 0x7F4A_7C15u32, high: numbers.first_high ^ 0x9E37_79B9u32 };
            let of_entity = mixed(entity);
            let with_value = Pair { low: of_entity.low ^ values[cell as usize], high: of_entity.high };
            let all = add(Pair { low, high }, mixed(with_value));
            low = all.low;
            high = all.high;
        }
        counters[0].fetch_add(low & 0xFFFFu32);
        counters[1].fetch_add(low >> 16u32);
        counters[2].fetch_add(high & 0xFFFFu32);
        counters[3].fetch_add(high >> 16u32);
    }
}
