//! Lots at a price, without a root or a quotient, whose rounding could differ from device to device.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact;

/// `base` to the power `exponent`, which is at least 1, by repeated multiplication.
#[cube]
#[inline]
pub fn power(base: f64, exponent: u32) -> f64 {
    let mut product = exact::copied(base);
    for _ in 1..exponent {
        product *= base;
    }
    product
}

/// The price of a unit to the power of both powers in trade: `vA^wB vB^wA`, where A would give at most vA and B would take at
/// least vB. Its root is the price, which is the geometric mean if both have the same power.
#[cube]
#[inline]
pub fn price_power(most: f64, power_of_a: u32, least: f64, power_of_b: u32) -> f64 {
    power(most, power_of_b) * power(least, power_of_a)
}

/// Whether `given` units buy k units, rounded, at the price whose n-th power is given: `(2k - 1)^n price^n <= (2 given)^n`, for
/// k from 1.
#[cube]
#[inline]
pub fn buys(k: u32, given: u32, price: f64, n: u32) -> bool {
    power((2u32 * k - 1u32) as f64, n) * price <= power(2.0f64 * given as f64, n)
}

/// Units that `given` units buy, `given / price` rounded to the nearest integer, halves up: at least 1, and at most `most`. A
/// guess from 1 to `most` makes it quick and does not change the result.
#[cube]
#[inline]
pub fn bought(given: u32, price: f64, n: u32, guess: u32, most: u32) -> u32 {
    let mut k = exact::copied(guess);
    while k > 1u32 && !buys(k, given, price, n) {
        k -= 1u32;
    }
    while k < most && buys(k + 1u32, given, price, n) {
        k += 1u32;
    }
    k
}

/// The smallest lot: units of what is cheap for one of what is dear, which is the price rounded to the nearest integer, halves
/// up, and at least 1. The guess, from 1, does not change the result.
#[cube]
#[inline]
pub fn smallest_lot(price: f64, n: u32, guess: u32) -> u32 {
    let two_to_n = power(2.0f64.runtime(), n);
    let mut k = exact::copied(guess);
    while k > 1u32 && power((2u32 * k - 1u32) as f64, n) > two_to_n * price {
        k -= 1u32;
    }
    while power((2u32 * k + 1u32) as f64, n) <= two_to_n * price {
        k += 1u32;
    }
    k
}

/// Units that a buyer offers: the mean of the least that the seller takes and the most that the buyer gives, halves up, nearer
/// to what the weaker of the two would just accept.
#[cube]
#[inline]
pub fn offered(taken: u32, power_of_buyer: u32, given: u32, power_of_seller: u32) -> u32 {
    let both = power_of_buyer + power_of_seller;
    (2u32 * (power_of_buyer * taken + power_of_seller * given) + both) / (2u32 * both)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smallest_lots_are_rounded_prices() {
        for (square, expected) in [(0.01, 1), (1.0, 1), (2.24, 1), (2.25, 2), (36.0, 6), (50.0, 7)] {
            for guess in [1, 2, 6, 40] {
                assert_eq!(smallest_lot(square, 2, guess), expected, "{square}, from {guess}");
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
                    assert_eq!(
                        bought(given, price_squared, 2, guess, 25),
                        expected,
                        "{given} at {price}, from {guess}"
                    );
                }
            }
        }
    }

    /// A is three times as strong as B: the price is nearer to what B would just take.
    #[test]
    fn the_stronger_agent_gets_the_better_price() {
        let price = price_power(16.0, 3, 1.0, 1);
        assert_eq!(price, 16.0);
        assert_eq!(smallest_lot(price, 4, 1), 2, "the fourth root of 16, and not its square root");
        assert_eq!(bought(6, price, 4, 1, 9), 3);
        assert_eq!((offered(2, 1, 7, 1), offered(2, 3, 6, 1), offered(2, 1, 6, 3)), (5, 3, 5));
    }
}
