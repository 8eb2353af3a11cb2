//! Radix sort of one bit per pass: Blelloch's split by prefix sums.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, cubecl};

use super::sorted::Keys;

/// Marks the keys whose bit `bit` is zero.
#[cube(launch)]
pub fn mark_zeros(keys: &Array<u32>, zeros: &mut Array<u32>, len: u32, bit: u32) {
    let i = ABSOLUTE_POS;
    if i < len as usize {
        zeros[i] = 1u32 - ((keys[i] >> bit) & 1u32);
    }
}

/// For each key the number of zeros before it, and their total number.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub struct Zeros {
    pub before: Array<u32>,
    pub total: Array<u32>,
}

/// Moves the keys whose bit is zero to the front, and the others behind them, both in their order.
#[cube(launch)]
pub fn split(from: &Keys, zeros: &Zeros, to: &mut Keys, len: u32, bit: u32) {
    let i = ABSOLUTE_POS;
    if i < len as usize {
        let key = from.keys[i];
        let before = zeros.before[i];
        let mut index = before as usize;
        if (key >> bit) & 1u32 == 1u32 {
            index = (zeros.total[0] + i as u32 - before) as usize;
        }
        to.keys[index] = key;
        to.ids[index] = from.ids[i];
    }
}
