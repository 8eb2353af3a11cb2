//! Philox4x32-10 in kernels, the counter-based generator of Salmon et al., "Parallel random numbers: as easy as 1, 2,
//! 3" (SC 2011).
//!
//! The numbers equal those of `throng_core::Philox`, which the CPU uses. That implementation multiplies 64-bit words,
//! which not every device has, and it is in a crate without device code. So there are two implementations; a test
//! compares them.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use cubecl::prelude::*;

use crate::exact::{high_product, low_product, wrapping_sum};

/// The first two of the four words of a block.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    pub first: u32,
    pub second: u32,
}

/// The first two words of `throng_core::Philox::block` with the two halves of its seed.
#[cube]
pub fn words(seed_low: u32, seed_high: u32, entity: u32, step: u32, purpose: u32, index: u32) -> Words {
    let mut c0 = entity;
    let mut c1 = step;
    let mut c2 = purpose;
    let mut c3 = index;
    let mut k0 = seed_low;
    let mut k1 = seed_high;
    #[unroll]
    for round in 0..10u32 {
        if comptime!(round > 0) {
            k0 = wrapping_sum(k0, 0x9E37_79B9u32);
            k1 = wrapping_sum(k1, 0xBB67_AE85u32);
        }
        let high0 = high_product(c0, 0xD251_1F53u32);
        let low0 = low_product(c0, 0xD251_1F53u32);
        let high1 = high_product(c2, 0xCD9E_8D57u32);
        let low1 = low_product(c2, 0xCD9E_8D57u32);
        c0 = high1 ^ c1 ^ k0;
        c1 = low1;
        c2 = high0 ^ c3 ^ k1;
        c3 = low0;
    }
    Words { first: c0, second: c1 }
}

/// A number in `[0, 1)` with 53 random bits, as `throng_core::Philox::unit` with the two halves of its seed.
#[cube]
pub fn unit(seed_low: u32, seed_high: u32, entity: u32, step: u32, purpose: u32, index: u32) -> f64 {
    let drawn = words(seed_low, seed_high, entity, step, purpose, index);
    // 53 bits: (first << 21) ^ (second >> 11). Sum and products are exact.
    let high = (drawn.first >> 11u32) as f64;
    let low = ((drawn.first << 21u32) ^ (drawn.second >> 11u32)) as f64;
    (high * 4_294_967_296.0f64 + low) * 1.110_223_024_625_156_5e-16f64
}

#[cfg(test)]
mod tests {
    use throng_core::Philox;

    #[test]
    fn the_numbers_are_those_of_hosts() {
        for (seed, i) in [(0, 0), (4711, 1), (u64::MAX, 2), (0x0123_4567_89ab_cdef, 3)] {
            for entity in 0..1000 {
                let expected = Philox::new(seed).unit(entity, i, 7, !i);
                assert_eq!(super::unit(seed as u32, (seed >> 32) as u32, entity, i, 7, !i), expected);
            }
        }
    }
}
