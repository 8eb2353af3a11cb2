//! Fixed-point numbers: 32-bit integers with 16 binary places.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact::{high_product, low_product};

/// Number of binary places.
pub const PLACES: u32 = 16;
/// The number 1.
pub const ONE: i32 = 1 << PLACES;
/// cos 45°, which is 0.70711.
pub const COSINE_45: i32 = 46_341;

/// Returns the product of a value and a non-negative factor, rounded down. The product, and its sum with the factor,
/// must fit in 32 bits; the product of the lower halves is computed with 64 bits.
#[cube]
#[inline]
pub fn scaled(value: i32, factor: i32) -> i32 {
    let low = value as u32 & 0xFFFF;
    let of_low = (high_product(low, factor as u32) << 16u32) | (low_product(low, factor as u32) >> 16u32);
    (value >> PLACES as i32) * factor + of_low as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_rounded_down() {
        assert_eq!(COSINE_45, libm_round(f64::from(ONE) * std::f64::consts::FRAC_1_SQRT_2));
        for (value, factor) in [
            (ONE, ONE),
            (-ONE, COSINE_45),
            (-1, 1),
            (1, 1),
            (84_000_000, COSINE_45),
            (-84_000_000, COSINE_45),
            (-84_000_000, 3277),
            (65_535, 700_000_000),
            (-65_535, 700_000_000),
            (123_456, 8 * ONE),
        ] {
            let exact = (i64::from(value) * i64::from(factor)).div_euclid(i64::from(ONE));
            assert_eq!(i64::from(scaled(value, factor)), exact, "{value} {factor}");
        }
    }

    fn libm_round(value: f64) -> i32 {
        (value + 0.5).floor() as i32
    }
}
