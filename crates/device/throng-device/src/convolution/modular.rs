//! Integers modulo a prime, and the butterflies of transforms: shared host/kernel source.
//!
//! The prime is 15 · 2^27 + 1. It is below 2^31, so the sum of two residues fits in a word. Since 2^27 divides the
//! prime minus 1, there are roots of unity for all power-of-two transform lengths up to 2^27. Products use Montgomery
//! multiplication (1985), which needs no division: the product of `a` and `b` is `a · b / 2^32`. One factor, a root or
//! a spectrum, is therefore stored times 2^32 ([`in_product_form`]); the other factor and the product are plain
//! residues.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use crate::cubecl::{self, prelude::*};
use crate::exact::{high_product, low_product, wrapping_sum};

/// The modulus, a prime below 2^31.
pub const PRIME: u32 = 15 * (1 << 27) + 1;
/// The negated prime, modulo 2^32.
const OPPOSITE: u32 = PRIME.wrapping_neg();
/// The inverse of the prime modulo 2^32: (1 + 15 · 2^27) (1 - 15 · 2^27) = 1 - 225 · 2^54.
const INVERSE: u32 = 1u32.wrapping_sub(15 << 27);
/// A primitive root: its powers are all residues except 0.
const GENERATOR: u32 = 31;

/// Reduces a number below twice the prime to a residue.
#[cube]
#[inline(always)]
fn reduce(number: u32) -> u32 {
    min(number, wrapping_sum(number, OPPOSITE))
}

/// Returns the sum of two residues.
#[cube]
#[inline(always)]
pub fn sum(a: u32, b: u32) -> u32 {
    reduce(a + b)
}

/// Returns the difference of two residues.
#[cube]
#[inline(always)]
pub fn difference(a: u32, b: u32) -> u32 {
    reduce(a + (PRIME - b))
}

/// Returns `a · b / 2^32`.
///
/// Subtracts the multiple of the prime that has the same lower word as `a · b`, which leaves a multiple of 2^32.
#[cube]
#[inline(always)]
pub fn product(a: u32, b: u32) -> u32 {
    let multiple = low_product(low_product(a, b), INVERSE);
    reduce(high_product(a, b) + (PRIME - high_product(multiple, PRIME)))
}

/// A transform step: replaces two numbers by their sum, and their difference times a root.
#[cube]
#[inline(always)]
pub fn forward_butterfly(a: u32, b: u32, root: u32) -> (u32, u32) {
    (sum(a, b), product(difference(a, b), root))
}

/// Inverts [`forward_butterfly()`], up to a factor of 2.
#[cube]
#[inline(always)]
pub fn inverse_butterfly(a: u32, b: u32, root: u32) -> (u32, u32) {
    let turned = product(b, root);
    (sum(a, turned), difference(a, turned))
}

/// Returns a number times 2^32: the form of a factor of [`product`].
pub fn in_product_form(number: u32) -> u32 {
    ((u64::from(number) << 32) % u64::from(PRIME)) as u32
}

/// Returns a power of a number; both are in product form.
fn power(mut base: u32, mut exponent: u32) -> u32 {
    let mut power = in_product_form(1);
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = product(power, base);
        }
        base = product(base, base);
        exponent /= 2;
    }
    power
}

/// Returns the inverse of a number in product form.
pub fn inverse(number: u32) -> u32 {
    power(number, PRIME - 2)
}

/// Returns the roots for transforms of up to `length` numbers, and their inverses, in product form. The entries from
/// index `half` are for the step whose butterflies are `half` apart: the powers of a root of unity of order `2 half`.
pub fn roots(length: usize) -> [Vec<u32>; 2] {
    let generator = in_product_form(GENERATOR);
    [generator, inverse(generator)].map(|generator| {
        let mut roots = vec![in_product_form(1); length];
        for half in (0..).map(|log| 1 << log).take_while(|&half| half < length) {
            let root = power(generator, (PRIME - 1) / (2 * half as u32));
            for i in half + 1..2 * half {
                roots[i] = product(roots[i - 1], root);
            }
        }
        roots
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const P: u64 = PRIME as u64;

    /// Random residues, and those near both ends of the range.
    fn numbers() -> impl Strategy<Value = u32> {
        prop_oneof![0..PRIME, 0..3u32, PRIME - 3..PRIME]
    }

    proptest! {
        #[test]
        fn arithmetic_matches_64_bit_integers(a in numbers(), b in numbers()) {
            let [long_a, long_b] = [a, b].map(u64::from);
            prop_assert_eq!(u64::from(sum(a, b)), (long_a + long_b) % P);
            prop_assert_eq!(u64::from(difference(a, b)), (long_a + P - long_b) % P);
            prop_assert_eq!(u64::from(product(a, in_product_form(b))), long_a * long_b % P);
            let (low, high) = forward_butterfly(a, b, in_product_form(7));
            prop_assert_eq!((u64::from(low), u64::from(high)), ((long_a + long_b) % P, (long_a + P - long_b) * 7 % P));
            // The inverse step uses the inverse root.
            let doubled = [a, b].map(|number| sum(number, number));
            let back = inverse_butterfly(low, high, inverse(in_product_form(7)));
            prop_assert_eq!([back.0, back.1], doubled);
        }
    }

    #[test]
    fn roots_have_the_expected_orders() {
        let [roots, inverses] = roots(1024);
        let one = in_product_form(1);
        for half in (0..10).map(|log| 1 << log) {
            if half > 1 {
                // Half a turn of the unit circle is -1.
                assert_eq!(power(roots[half + 1], half as u32), PRIME - one);
            }
            for i in half..2 * half {
                assert_eq!(product(roots[i], inverses[i]), one, "{i}");
            }
        }
    }
}
