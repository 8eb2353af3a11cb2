//! Measures of a day, from sums.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact;

/// Mean complexity of the device used per extracted unit, in units of resources; 0 if nothing was extracted.
#[cube]
#[inline]
pub fn mean_complexity(in_devices: f64, extracted: f64) -> f64 {
    in_devices / exact::ieee_max::<f64>(extracted, 1.0f64)
}

/// Fraction of units extracted by hand; 0 if none were extracted.
#[cube]
#[inline]
pub fn share_by_hand(by_hand: f64, extracted: f64) -> f64 {
    by_hand / exact::ieee_max::<f64>(extracted, 1.0f64)
}

/// Index of the given quartile (1, 2 or 3) in `count` (>= 1) sorted values.
#[cube]
#[inline]
pub fn place_of_quartile(quarter: u32, count: u32) -> u32 {
    (count - 1u32) * quarter / 4u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_match_values_computed_by_hand() {
        for (count, places) in [(1, [0, 0, 0]), (5, [1, 2, 3]), (24, [5, 11, 17])] {
            assert_eq!([1, 2, 3].map(|quarter| place_of_quartile(quarter, count)), places);
        }
    }

    #[test]
    fn ratios_with_a_denominator_of_zero_are_zero() {
        assert_eq!((share_by_hand(3.0, 4.0), share_by_hand(0.0, 0.0)), (0.75, 0.0));
        assert_eq!((mean_complexity(10.0, 4.0), mean_complexity(0.0, 0.0)), (2.5, 0.0));
    }
}
