//! Philox4x32-10 in rules and kernels, the counter-based generator of Salmon et al., "Parallel random numbers: as easy
//! as 1, 2, 3" (SC 2011).
//!
//! The numbers are the same as in `throng_core::Philox`, which is used by CPU-only code. That implementation multiplies
//! 64-bit words, which not every device has, and its crate contains no device code. Hence the two implementations; a
//! test compares them.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use crate::cubecl::{self, prelude::*};
use crate::exact::{high_product, low_product, wrapping_sum};

/// The first two of the four words of a block.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    pub first: u32,
    pub second: u32,
}

/// The four words of a block.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub first: u32,
    pub second: u32,
    pub third: u32,
    pub fourth: u32,
}

/// The counter of a random number; see `throng_core::Philox`.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter {
    pub entity: u32,
    pub step: u32,
    pub purpose: u32,
    pub index: u32,
}

/// The draws of an entity in a step for a purpose; `index` selects a draw.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draws {
    pub seed_low: u32,
    pub seed_high: u32,
    pub entity: u32,
    pub step: u32,
    pub purpose: u32,
}

#[cube]
impl Draws {
    /// [`words()`] of draw `index`.
    pub fn words(&self, index: u32) -> Words {
        words(self.seed_low, self.seed_high, self.entity, self.step, self.purpose, index)
    }

    /// [`below()`] of draw `index`.
    pub fn below(&self, n: u32, index: u32) -> u32 {
        below(n, self.seed_low, self.seed_high, self.entity, self.step, self.purpose, index)
    }

    /// [`block()`] of draw `index`.
    pub fn block(&self, index: u32) -> Block {
        block(self.seed_low, self.seed_high, self.entity, self.step, self.purpose, index)
    }

    /// [`unit()`] of draw `index`.
    pub fn unit(&self, index: u32) -> f64 {
        unit(self.seed_low, self.seed_high, self.entity, self.step, self.purpose, index)
    }
}

/// Returns the first two words of `throng_core::Philox::block`; the seed is given as two halves.
#[cube]
pub fn words(seed_low: u32, seed_high: u32, entity: u32, step: u32, purpose: u32, index: u32) -> Words {
    let block = block(seed_low, seed_high, entity, step, purpose, index);
    Words { first: block.first, second: block.second }
}

/// Returns the words of `throng_core::Philox::block`; the seed is given as two halves.
#[cube]
pub fn block(seed_low: u32, seed_high: u32, entity: u32, step: u32, purpose: u32, index: u32) -> Block {
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
    Block { first: c0, second: c1, third: c2, fourth: c3 }
}

/// Returns an integer below `n`, like `throng_core::Philox::below`; 0 if `n` is 0. The seed is given as two halves.
#[cube]
pub fn below(n: u32, seed_low: u32, seed_high: u32, entity: u32, step: u32, purpose: u32, index: u32) -> u32 {
    below_from(n, block(seed_low, seed_high, entity, step, purpose, index))
}

/// Derives an integer below `n` from a block: the upper part of the first two words times n. If their lower part is
/// below 2^64 mod n, they are rejected and the other two words are used.
#[cube]
pub fn below_from(n: u32, block: Block) -> u32 {
    let middle = wrapping_sum(high_product(block.second, n), low_product(block.first, n));
    let carry = select(middle < low_product(block.first, n), 1u32, 0u32);
    let mut result = high_product(block.first, n) + carry;
    let low = low_product(block.second, n);
    // At most one draw in 2^32 takes this branch.
    if middle == 0u32 && low < n {
        let of_a_word = wrapping_sum(n ^ 0xFFFF_FFFFu32, 1u32) % n;
        if low < square_modulo(of_a_word, n) {
            let middle = wrapping_sum(high_product(block.fourth, n), low_product(block.third, n));
            let carry = select(middle < low_product(block.third, n), 1u32, 0u32);
            result = high_product(block.third, n) + carry;
        }
    }
    result
}

/// Returns `a * a % n`, for `a` below `n`, by addition and doubling: not every device has 64-bit integers.
#[cube]
fn square_modulo(a: u32, n: u32) -> u32 {
    let mut sum = 0u32;
    let mut bit = 0x8000_0000u32;
    while bit != 0u32 {
        sum = sum_modulo(sum, sum, n);
        if a & bit != 0u32 {
            sum = sum_modulo(sum, a, n);
        }
        bit >>= 1u32;
    }
    sum
}

/// Returns `(a + b) % n`, for `a` and `b` below `n`.
#[cube]
fn sum_modulo(a: u32, b: u32, n: u32) -> u32 {
    let room = n - b;
    let mut sum = wrapping_sum(a, b);
    if a >= room {
        sum = a - room;
    }
    sum
}

/// Returns a number in `[0, 1)` with 53 random bits, like `throng_core::Philox::unit`; the seed is given as two halves.
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

    use super::{Block, Draws, below_from};

    #[test]
    fn integers_match_the_host() {
        for n in [1, 2, 3, 6, 1000, 0x8000_0000, 0xC000_0000, u32::MAX] {
            for entity in 0..1000 {
                let expected = Philox::new(0x0123_4567_89ab_cdef).below(n, entity, 2, 7, 5);
                let draws = Draws { seed_low: 0x89ab_cdef, seed_high: 0x0123_4567, entity, step: 2, purpose: 7 };
                assert_eq!(draws.below(n, 5), expected);
            }
        }
        assert_eq!(below_from(0, Block { first: 1, second: 2, third: 3, fourth: 4 }), 0);
    }

    #[test]
    fn rejected_words_match_the_host() {
        // Few words have a product whose lower half is below n: multiples of 2^64 / n, rounded up.
        for n in [3u32, 5, 7, 1000, 0x8000_0000, 0x8000_0001, u32::MAX] {
            for i in (0..3).chain(n.saturating_sub(3)..n) {
                let word = (u128::from(i) << 64).div_ceil(u128::from(n)) as u64;
                for word in [word.wrapping_sub(1), word, word + 1] {
                    let words = [(word >> 32) as u32, word as u32, 0xDEAD_BEEF, 0xFEED_F00D];
                    let [first, second, third, fourth] = words;
                    let found = below_from(n, Block { first, second, third, fourth });
                    assert_eq!(found, Philox::below_from_block(n, words), "{n} {word:x}");
                }
            }
        }
    }

    #[test]
    fn unit_numbers_match_the_host() {
        for (seed, i) in [(0, 0), (4711, 1), (u64::MAX, 2), (0x0123_4567_89ab_cdef, 3)] {
            for entity in 0..1000 {
                let expected = Philox::new(seed).unit(entity, i, 7, !i);
                assert_eq!(super::unit(seed as u32, (seed >> 32) as u32, entity, i, 7, !i), expected);
            }
        }
    }
}
