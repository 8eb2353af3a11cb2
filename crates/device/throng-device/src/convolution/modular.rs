//! Whole numbers modulo a prime, and the butterflies of transforms: one text for the host and for kernels.
//!
//! The prime is 15 · 2^27 + 1. It is below 2^31, so that sums of two fit in a word, and 2^27 divides it less 1, so that
//! there are roots of unity for all lengths of transforms that are powers of two up to that. Products are Montgomery's
//! (1985), which need no division: of `a` and `b` they make `a · b / 2^32`. One factor, a root or a spectrum, is therefore
//! stored times 2^32 ([`in_product_form`]); the other one, and the product, are plain numbers.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use crate::cubecl::{self, prelude::*};
use crate::exact::{high_product, low_product, wrapping_sum};

/// The prime.
pub const PRIME: u32 = 15 * (1 << 27) + 1;
/// Its opposite, as a word.
const OPPOSITE: u32 = PRIME.wrapping_neg();
/// Its inverse modulo 2^32: (1 + 15 · 2^27) (1 - 15 · 2^27) = 1 - 225 · 2^54.
const INVERSE: u32 = 1u32.wrapping_sub(15 << 27);
/// A number whose powers are all numbers but 0.
const GENERATOR: u32 = 31;

/// A number below twice the prime, less the prime if it is not below that.
#[cube]
#[inline(always)]
fn reduced(number: u32) -> u32 {
    min(number, wrapping_sum(number, OPPOSITE))
}

/// The sum of two numbers.
#[cube]
#[inline(always)]
pub fn sum(a: u32, b: u32) -> u32 {
    reduced(a + b)
}

/// The difference of two numbers.
#[cube]
#[inline(always)]
pub fn difference(a: u32, b: u32) -> u32 {
    reduced(a + (PRIME - b))
}

/// `a · b / 2^32`.
///
/// The multiple of the prime that has the same lower word as `a · b` is subtracted, which leaves a multiple of 2^32.
#[cube]
#[inline(always)]
pub fn product(a: u32, b: u32) -> u32 {
    let multiple = low_product(low_product(a, b), INVERSE);
    reduced(high_product(a, b) + (PRIME - high_product(multiple, PRIME)))
}

/// A step of a transform: two numbers become their sum, and their difference times a root.
#[cube]
#[inline(always)]
pub fn forward_butterfly(a: u32, b: u32, root: u32) -> (u32, u32) {
    (sum(a, b), product(difference(a, b), root))
}

/// The same backwards, but for a factor of 2.
#[cube]
#[inline(always)]
pub fn inverse_butterfly(a: u32, b: u32, root: u32) -> (u32, u32) {
    let turned = product(b, root);
    (sum(a, turned), difference(a, turned))
}

/// A number times 2^32: the form of a factor of [`product`].
pub fn in_product_form(number: u32) -> u32 {
    ((u64::from(number) << 32) % u64::from(PRIME)) as u32
}

/// A power of a number; both the number and the power are in product form.
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

/// The inverse of a number in product form.
pub fn inverse(number: u32) -> u32 {
    power(number, PRIME - 2)
}

/// The roots of transforms of up to `length` numbers and their inverses, in product form: from place `half` on those of
/// the step whose butterflies are `half` apart, the powers of a root of unity of order `2 half`.
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

    /// Numbers from everywhere, and those at the ends.
    fn numbers() -> impl Strategy<Value = u32> {
        prop_oneof![0..PRIME, 0..3u32, PRIME - 3..PRIME]
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_64_bits(a in numbers(), b in numbers()) {
            let [long_a, long_b] = [a, b].map(u64::from);
            prop_assert_eq!(u64::from(sum(a, b)), (long_a + long_b) % P);
            prop_assert_eq!(u64::from(difference(a, b)), (long_a + P - long_b) % P);
            prop_assert_eq!(u64::from(product(a, in_product_form(b))), long_a * long_b % P);
            let (low, high) = forward_butterfly(a, b, in_product_form(7));
            prop_assert_eq!((u64::from(low), u64::from(high)), ((long_a + long_b) % P, (long_a + P - long_b) * 7 % P));
            // The root of the inverse step is the inverse root.
            let doubled = [a, b].map(|number| sum(number, number));
            let back = inverse_butterfly(low, high, inverse(in_product_form(7)));
            prop_assert_eq!([back.0, back.1], doubled);
        }
    }

    #[test]
    fn roots_are_of_their_orders() {
        let [roots, inverses] = roots(1024);
        let one = in_product_form(1);
        for half in (0..10).map(|log| 1 << log) {
            if half > 1 {
                // Half a circle.
                assert_eq!(power(roots[half + 1], half as u32), PRIME - one);
            }
            for i in half..2 * half {
                assert_eq!(product(roots[i], inverses[i]), one, "{i}");
            }
        }
    }
}
