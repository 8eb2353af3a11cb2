//! MWC64X, the multiply-with-carry generator of David B. Thomas, with skip-ahead and streams.
//!
//! Kloosterman, "Senior Project: GPU Computing" (2013), section 6.1.3, uses it, as do many `OpenCL` programs; this
//! implementation reproduces their numbers. New models should use `philox`, the default. There, a draw is a function of
//! seed, entity, step, purpose and index. It does not depend on thread order, on the batch size or on the step at which
//! a run was resumed. No state is stored, and an additional draw of one agent does not change those of another. A
//! stream of MWC64X has a state of two words, which one thread must own and keep, and a draw depends on the number of
//! draws before it. In return, a draw takes only six instructions.
//!
//! All functions are rules in 32-bit operations: the CPU calls the source that kernels inline.
//!
//! ```
//! use throng_device::mwc64x::{Mwc64x, stream};
//!
//! let mut draws = Mwc64x { x: 1, c: 0 };
//! assert_eq!([draws.word(), draws.word(), draws.word()], [1, 0xFFFE_B81B, 0x5C07_A2EE]);
//!
//! // The third worker of several, starting at draw 1000 of its stream.
//! let mut draws = stream(0, 0, 2);
//! draws.skip(1000, 0);
//! assert!(draws.below(6) < 6);
//! ```

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use crate::cubecl::{self, prelude::*};
use crate::exact::{copied, high_product, low_product, wrapping_sum};

/// The multiplier A of the generator.
const MULTIPLIER: u32 = 0xFFFE_B81B;
/// The upper word of the modulus M = A 2^32 - 1. All bits of the lower word are set.
const HIGH_OF_MODULUS: u32 = 0xFFFE_B81A;
/// The upper word of 2^64 - M. The lower word is 1.
const HIGH_BELOW_MODULUS: u32 = 0x0001_47E5;

/// The state of a stream. `c` is below 4294883355, and the state is neither (0, 0) nor the largest possible state.
///
/// Each draw multiplies the state, as the number c 2^32 + x, by A modulo M, because 2^32 is the reciprocal of A.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mwc64x {
    pub x: u32,
    pub c: u32,
}

/// Returns the state of stream `number`, below 2^23. Streams are 2^40 draws apart and begin at `base`, a number below
/// 2^40 given as two words: the state is base + number 2^40 draws after the seed of Thomas' library.
#[cube]
pub fn stream(base_low: u32, base_high: u32, number: u32) -> Mwc64x {
    let mut state = Mwc64x { x: 0x3895_F85Cu32.runtime(), c: 0x1837_AE51u32.runtime() };
    state.skip(base_low, wrapping_sum(base_high, number << 8u32));
    state
}

#[cube]
impl Mwc64x {
    /// Returns the next word of the stream.
    pub fn word(&mut self) -> u32 {
        let word = copied(self.x ^ self.c);
        let after = stepped(self.x, self.c);
        self.x = after.x;
        self.c = after.c;
        word
    }

    /// Returns a uniformly distributed integer below `n`, or 0 if `n` is 0: the upper word of the product of a word and
    /// n, after Lemire, "Fast random integer generation in an interval" (2019). It draws again with a probability below
    /// n / 2^32.
    pub fn below(&mut self, n: u32) -> u32 {
        let mut word = self.word();
        // Rejects words whose lower product is below 2^32 mod n. Comparing with n first usually saves the division.
        if low_product(word, n) < n {
            let surplus = wrapping_sum(n ^ 0xFFFF_FFFFu32, 1u32) % n;
            while low_product(word, n) < surplus {
                word = self.word();
            }
        }
        high_product(word, n)
    }

    /// Advances the state by a number of draws, given as two words, in at most 128 multiplications modulo M.
    pub fn skip(&mut self, draws_low: u32, draws_high: u32) {
        let mut low = copied(draws_low);
        let mut high = copied(draws_high);
        // A^(2^k) / A^2 in round k, initially 1 / A, which is 2^32: `product` multiplies by A^2.
        let mut power = Mwc64x { x: 0u32.runtime(), c: 1u32.runtime() };
        while (low | high) != 0u32 {
            if low & 1u32 == 1u32 {
                let after = product(self.x, self.c, power.x, power.c);
                self.x = after.x;
                self.c = after.c;
            }
            let square = product(power.x, power.c, power.x, power.c);
            power.x = square.x;
            power.c = square.c;
            low = (low >> 1u32) | (high << 31u32);
            high >>= 1u32;
        }
    }
}

/// Returns the number times A, modulo M.
#[cube]
fn stepped(x: u32, c: u32) -> Mwc64x {
    let low = wrapping_sum(low_product(x, MULTIPLIER), c);
    Mwc64x { x: low, c: high_product(x, MULTIPLIER) + select(low < c, 1u32, 0u32) }
}

/// Returns the product of two numbers below M, times A^2, modulo M: a Montgomery product for 32-bit words. Reducing by
/// a word is a step of the generator, because A is the reciprocal of 2^32.
#[cube]
fn product(x: u32, c: u32, by_x: u32, by_c: u32) -> Mwc64x {
    let lower = times_word(x, c, by_x);
    let upper = times_word(x, c, by_c);
    let shifted = stepped(lower.x, lower.c);
    sum(shifted, upper)
}

/// Returns a number below M times a word, times A, modulo M.
#[cube]
fn times_word(x: u32, c: u32, word: u32) -> Mwc64x {
    let first = low_product(x, word);
    let second = wrapping_sum(high_product(x, word), low_product(c, word));
    let third = high_product(c, word) + select(second < low_product(c, word), 1u32, 0u32);
    let reduced = Mwc64x { x: low_product(first, MULTIPLIER), c: high_product(first, MULTIPLIER) };
    sum(reduced, Mwc64x { x: second, c: third })
}

/// Returns the sum of two numbers below M, modulo M.
#[cube]
fn sum(a: Mwc64x, b: Mwc64x) -> Mwc64x {
    let mut low = wrapping_sum(a.x, b.x);
    let without_carry = wrapping_sum(a.c, b.c);
    let mut high = wrapping_sum(without_carry, select(low < a.x, 1u32, 0u32));
    let overflows = without_carry < a.c || high < without_carry;
    if overflows || high > HIGH_OF_MODULUS || (high == HIGH_OF_MODULUS && low == 0xFFFF_FFFFu32) {
        low = wrapping_sum(low, 1u32);
        high = wrapping_sum(high, HIGH_BELOW_MODULUS + select(low == 0u32, 1u32, 0u32));
    }
    Mwc64x { x: low, c: high }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULUS: u128 = ((MULTIPLIER as u128) << 32) - 1;

    /// Initial states, their first eight words, and their states after 1000 and 2^40 steps.
    type Vector = ([u32; 2], [u32; 8], [u32; 2], [u32; 2]);
    const VECTORS: [Vector; 3] = [
        (
            [1, 0],
            [0x0000_0001, 0xfffe_b81b, 0x5c07_a2ee, 0x4eb1_a5cb, 0x5221_6fa5, 0x5ce5_2f5d, 0x99d2_64cf, 0x1759_40cf],
            [0xfd03_7e6d, 0xb289_a0c8],
            [0x0e45_4078, 0x82a2_1111],
        ),
        (
            [1, 1],
            [0x0000_0000, 0xfffe_b81c, 0x5c04_facc, 0x32be_cf1a, 0x3df3_024b, 0x0e4f_c6bd, 0xff17_d857, 0xba89_347a],
            [0xaf8e_03e5, 0x55f2_cb8e],
            [0x90e7_f8dc, 0x45fd_fefd],
        ),
        (
            [0x1234_5678, 0x9abc_def0],
            [0x8888_8888, 0x654c_02bf, 0xeb80_5abd, 0xdb04_0ea5, 0xc8ab_5b00, 0x3b92_d1a7, 0x1fc8_f39b, 0xdce3_036e],
            [0xa8b5_fc11, 0x801e_d03b],
            [0x8704_a505, 0x56cd_a34b],
        ),
    ];

    fn state([x, c]: [u32; 2]) -> Mwc64x {
        Mwc64x { x, c }
    }

    fn after(mut state: Mwc64x, draws: u64) -> Mwc64x {
        state.skip(draws as u32, (draws >> 32) as u32);
        state
    }

    #[test]
    fn words_and_states_match_known_values() {
        for (start, words, after_1000, after_2_40) in VECTORS {
            let mut draws = state(start);
            assert_eq!([(); 8].map(|()| draws.word()), words);
            for _ in 8..1000 {
                draws.word();
            }
            assert_eq!(draws, state(after_1000));
            assert_eq!(after(state(start), 1 << 40), state(after_2_40));
        }
    }

    #[test]
    fn streams_match_known_values() {
        let streams = [
            (0, 0, [0x3895_f85c, 0x1837_ae51], vec![0x20a2_560d, 0xd146_afe4, 0x6001_9cef, 0x1fcb_a09b]),
            (0, 1, [0x009f_40f6, 0x45e0_5ff6], vec![0x457f_1f00, 0x4bee_49c2, 0x6baa_a2e5, 0x4351_b2d3]),
            (0, 2, [0x3740_0f41, 0x0409_32e9], vec![0x3349_3da8]),
            (0, 3, [0x693a_a83a, 0x9330_c1ab], vec![0xfa0a_6991]),
            (42, 0, [0x3ae0_eae5, 0x9a95_be4d], vec![0xa075_54a8, 0x99b9_830f, 0xeb89_b48c, 0x090a_69fa]),
        ];
        for (base, number, start, words) in streams {
            let mut draws = stream(base, 0, number);
            assert_eq!(draws, state(start));
            assert_eq!(words.iter().map(|_| draws.word()).collect::<Vec<_>>(), words);
        }
    }

    #[test]
    fn a_skip_equals_the_same_number_of_draws() {
        let starts = [state([1, 0]), state([0xffff_ffff, 0xfffe_b819]), state([0, 0xfffe_b81a]), stream(7, 0, 8)];
        for start in starts {
            let mut drawn = start;
            for draws in 0..=1000 {
                assert_eq!(after(start, draws), drawn, "{draws} draws");
                drawn.word();
            }
            // The period is (M - 1) / 2.
            assert_eq!(after(start, ((MODULUS - 1) / 2) as u64), start);
            assert_eq!(after(after(start, u64::MAX), 5), after(after(start, 5), u64::MAX));
        }
    }

    #[test]
    fn products_and_sums_match_128_bit_arithmetic() {
        let long = |number: Mwc64x| (u128::from(number.c) << 32) | u128::from(number.x);
        let modulo = |number: u128| (number % MODULUS) as u64;
        let state = |number: u64| state([number as u32, (number >> 32) as u32]);
        let ends = [0, 1, 2, u128::from(u32::MAX), 1 << 32, MODULUS - 2, MODULUS - 1].map(modulo);
        let drawn = (0..1000).map(|i| throng_core::Philox::new(3).block([i, 0, 0, 0]));
        let drawn = drawn.map(|[a, b, ..]| modulo((u128::from(a) << 32) | u128::from(b)));
        let numbers: Vec<u64> = ends.into_iter().chain(drawn).collect();
        for &a in &numbers {
            for &b in ends.iter().chain(&numbers[500..520]) {
                let (x, y) = (state(a), state(b));
                let square = u128::from(MULTIPLIER) * u128::from(MULTIPLIER) % MODULUS;
                let expected = u128::from(modulo(u128::from(a) * u128::from(b)));
                assert_eq!(long(product(x.x, x.c, y.x, y.c)), u128::from(modulo_of_product(expected, square)));
                assert_eq!(long(sum(x, y)), u128::from(modulo(u128::from(a) + u128::from(b))));
            }
        }
    }

    fn modulo_of_product(a: u128, b: u128) -> u64 {
        (a * b % MODULUS) as u64
    }

    #[test]
    fn bounded_integers_are_uniform() {
        let mut draws = stream(0, 0, 5);
        assert_eq!((draws.below(0), draws.below(1)), (0, 0));
        // Rejects every fourth word; without rejection, multiples of 3 would be drawn twice as often as the
        // rest.
        let n = (1 << 31) + (1 << 30);
        let mut thirds = [0u32; 3];
        for _ in 0..90_000 {
            thirds[(draws.below(n) >> 30) as usize] += 1;
        }
        assert!(thirds.iter().all(|&count| count.abs_diff(30_000) < 600), "{thirds:?}");
        let mut faces = [0u32; 6];
        for _ in 0..60_000 {
            faces[draws.below(6) as usize] += 1;
        }
        let chi_square: f64 = faces.iter().map(|&count| f64::from(count.abs_diff(10_000).pow(2)) / 1e4).sum();
        assert!(chi_square < 20.5, "{faces:?}");
    }
}
