//! Lots at a price, without a root or a quotient, whose rounding could differ from device to device.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use throng_device::cubecl::{self, prelude::*};

/// The square of the k-th odd number.
#[cube]
#[inline]
fn odd_squared(k: u32) -> f64 {
    let odd = (2u32 * k - 1u32) as f64;
    odd * odd
}

/// Whether `given` units buy k units, rounded, at the price whose square is given: (2k - 1)^2 price^2 <= 4 given^2, for k from 1.
#[cube]
#[inline]
pub fn buys(k: u32, given: u32, price_squared: f64) -> bool {
    odd_squared(k) * price_squared <= 4.0f64 * (given as f64 * given as f64)
}

/// Units that `given` units buy, `given / price` rounded to the nearest integer, halves up: at least 1, and at most `most`. A
/// guess from 1 to `most` makes it quick and does not change the result.
#[cube]
#[inline]
pub fn bought(given: u32, price_squared: f64, guess: u32, most: u32) -> u32 {
    let mut k = throng_device::exact::copied(guess);
    while k > 1u32 && !buys(k, given, price_squared) {
        k -= 1u32;
    }
    while k < most && buys(k + 1u32, given, price_squared) {
        k += 1u32;
    }
    k
}

/// The smallest lot: units of what is cheap for one of what is dear, which is the price rounded to the nearest integer, halves
/// up, and at least 1. The guess, from 1, does not change the result.
#[cube]
#[inline]
pub fn smallest_lot(price_squared: f64, guess: u32) -> u32 {
    let mut k = throng_device::exact::copied(guess);
    while k > 1u32 && odd_squared(k) > 4.0f64 * price_squared {
        k -= 1u32;
    }
    while odd_squared(k + 1u32) <= 4.0f64 * price_squared {
        k += 1u32;
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smallest_lots_are_rounded_prices() {
        for (square, expected) in [(0.01, 1), (1.0, 1), (2.24, 1), (2.25, 2), (36.0, 6), (50.0, 7)] {
            for guess in [1, 2, 6, 40] {
                assert_eq!(smallest_lot(square, guess), expected, "{square}, from {guess}");
            }
        }
    }

    #[test]
    fn units_bought_are_rounded() {
        for price_squared in [0.02, 0.3, 1.0, 1.7, 40.0] {
            let price = libm::sqrt(price_squared);
            for given in 1..60 {
                let expected = ((f64::from(given) / price + 0.5) as u32).clamp(1, 25);
                for guess in [1, 7, 25] {
                    assert_eq!(bought(given, price_squared, guess, 25), expected, "{given} at {price}, from {guess}");
                }
            }
        }
    }
}
