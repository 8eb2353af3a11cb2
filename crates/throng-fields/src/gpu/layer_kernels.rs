//! Layers of a simulation where they are: their hash, and steps of a combination.

// The macros of CubeCL make items without documentation.
#![allow(missing_docs)]
// Kernels take structs by reference, and know no other conversion of truth values.
#![allow(clippy::trivially_copy_pass_by_ref, clippy::cast_lossless)]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::{high_product, rounded_product};

use super::kernels::{ADD, MASKED, MAX, MIN, THRESHOLD, TIMES};

/// Counters of a hash, of 16 bits each, the lowest first.
pub const HASH_COUNTERS: u32 = 4;
/// Units that may add to a hash: with more, a counter might overflow.
pub const MOST_HASH_UNITS: u32 = 1 << 16;

/// A word of 64 bits.
#[derive(CubeType, Clone, Copy)]
struct Wide {
    low: u32,
    high: u32,
}

#[cube]
fn sum(a: Wide, b: Wide) -> Wide {
    let low = a.low + b.low;
    Wide { low, high: a.high + b.high + (low < b.low) as u32 }
}

#[cube]
fn product(a: Wide, b: Wide) -> Wide {
    Wide { low: a.low * b.low, high: high_product(a.low, b.low) + a.low * b.high + a.high * b.low }
}

/// `z ^ (z >> by)`, for `by` from 1 to 31.
#[cube]
fn folded(z: Wide, #[comptime] by: u32) -> Wide {
    let low = (z.low >> by) | (z.high << comptime!(32 - by));
    Wide { low: z.low ^ low, high: z.high ^ (z.high >> by) }
}

/// The finaliser of `splitmix64`, as in [`throng_core::StateHash`].
#[cube]
fn mixed(z: Wide) -> Wide {
    let z = sum(z, Wide { low: 0x7F4A_7C15u32.runtime(), high: 0x9E37_79B9u32.runtime() });
    let z = product(folded(z, 30u32), Wide { low: 0x1CE4_E5B9u32.runtime(), high: 0xBF58_476Du32.runtime() });
    let z = product(folded(z, 27u32), Wide { low: 0x1331_11EBu32.runtime(), high: 0x94D0_49BBu32.runtime() });
    folded(z, 31u32)
}

/// Adds up the hash of all cells, whose numbers begin with `first_high << 32`.
#[cube(launch)]
pub fn hash_cells(values: &Array<u32>, counters: &mut Array<Atomic<u32>>, first_high: u32, cells: u32, units: u32) {
    let unit = ABSOLUTE_POS as u32;
    if unit < units {
        let mut low = 0u32.runtime();
        let mut high = 0u32.runtime();
        let rounds = (cells - unit - 1u32) / units + 1u32;
        for round in 0..rounds {
            let cell = round * units + unit;
            let entity = Wide { low: cell ^ 0x7F4A_7C15u32, high: first_high ^ 0x9E37_79B9u32 };
            let of_entity = mixed(entity);
            let with_value = Wide { low: of_entity.low ^ values[cell as usize], high: of_entity.high };
            let all = sum(Wide { low, high }, mixed(with_value));
            low = all.low;
            high = all.high;
        }
        counters[0].fetch_add(low & 0xFFFFu32);
        counters[1].fetch_add(low >> 16u32);
        counters[2].fetch_add(high & 0xFFFFu32);
        counters[3].fetch_add(high >> 16u32);
    }
}

/// The numbers of a step; see [`Step`](crate::layers::Step).
#[derive(CubeLaunch, CubeType, Clone, Copy)]
pub struct StepNumbers {
    /// Weight, threshold or value outside.
    pub first: f32,
    /// Value below.
    pub second: f32,
    /// Value from there on.
    pub third: f32,
    pub columns: u32,
    /// Words of a row of the mask.
    pub mask_words: u32,
    pub cells: u32,
    /// 0, as a value that is unknown at compile time.
    pub zero: f32,
}

/// Sets all cells to a value.
#[cube(launch)]
pub fn set_cells(field: &mut Array<f32>, value: f32, cells: u32) {
    let cell = ABSOLUTE_POS as u32;
    if cell < cells {
        field[cell as usize] = value;
    }
}

/// Makes a step of a combination in each cell.
#[cube(launch)]
pub fn combine_cells(
    layer: &Array<f32>,
    mask: &Array<u32>,
    field: &mut Array<f32>,
    step: &StepNumbers,
    #[comptime] what: u32,
) {
    let cell = ABSOLUTE_POS as u32;
    if cell < step.cells {
        let result = field[cell as usize];
        let mut after = result;
        if comptime!(what == THRESHOLD) {
            after = select(result < step.first, step.second, step.third);
        } else if comptime!(what == MASKED) {
            let (row, column) = (cell / step.columns, cell % step.columns);
            let word = mask[(row * step.mask_words + column / 32u32) as usize];
            after = select((word >> (column % 32u32)) & 1u32 == 1u32, result, step.first);
        } else {
            // Plus 0, so that no zero has a sign.
            let value = rounded_product::<f32>(step.first, layer[cell as usize], step.zero);
            if comptime!(what == ADD) {
                after = result + value;
            } else if comptime!(what == MAX) {
                after = select(value > result, value, result);
            } else if comptime!(what == MIN) {
                after = select(value < result, value, result);
            } else if comptime!(what == TIMES) {
                after = rounded_product::<f32>(result, value, step.zero);
            }
        }
        field[cell as usize] = after;
    }
}
