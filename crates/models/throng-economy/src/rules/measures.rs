//! Measures of a day, from sums.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact;

/// Units of resources in the device with which a unit was extracted, mean of units: of none it is 0.
#[cube]
#[inline]
pub fn mean_complexity(in_devices: f64, extracted: f64) -> f64 {
    in_devices / exact::ieee_max::<f64>(extracted, 1.0f64)
}

/// The share of the units that were extracted by hand; 0 of none.
#[cube]
#[inline]
pub fn share_by_hand(by_hand: f64, extracted: f64) -> f64 {
    by_hand / exact::ieee_max::<f64>(extracted, 1.0f64)
}

/// The place of a quartile, the first, second or third, among `count` values in ascending order, of which there is at least one.
#[cube]
#[inline]
pub fn place_of_quartile(quarter: u32, count: u32) -> u32 {
    (count - 1u32) * quarter / 4u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_by_hand() {
        for (count, places) in [(1, [0, 0, 0]), (5, [1, 2, 3]), (24, [5, 11, 17])] {
            assert_eq!([1, 2, 3].map(|quarter| place_of_quartile(quarter, count)), places);
        }
    }

    #[test]
    fn shares_of_nothing_are_nothing() {
        assert_eq!((share_by_hand(3.0, 4.0), share_by_hand(0.0, 0.0)), (0.75, 0.0));
        assert_eq!((mean_complexity(10.0, 4.0), mean_complexity(0.0, 0.0)), (2.5, 0.0));
    }
}
