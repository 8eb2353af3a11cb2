//! Effects of time on devices and on experience in assembly.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact;

/// Returns the experience in assembly after a day: reduced by 1 if no device was made, 0 if at most 1 is left, at most
/// `full`, and at least `of_owner` while a device has minutes left.
#[cube]
#[inline]
pub fn assembly_experience_after_day(experience: f64, made: u32, minutes: f64, full: f64, of_owner: f64) -> f64 {
    let mut kept = exact::copied(experience);
    if made == 0u32 {
        kept -= 1.0f64;
    }
    if kept <= 1.0f64 {
        kept = 0.0f64;
    }
    kept = exact::ieee_min::<f64>(kept, full);
    if minutes > 0.0f64 {
        kept = exact::ieee_max::<f64>(kept, of_owner);
    }
    kept
}

/// Returns the number of devices begun within `minutes`, if each takes `of_each`.
#[cube]
#[inline]
pub fn devices_begun(minutes: f64, of_each: f64) -> u32 {
    let devices = minutes / of_each;
    let mut begun = devices as u32;
    if devices > begun as f64 {
        begun += 1u32;
    }
    begun
}

/// Returns `minutes` plus the minutes of further devices. `zero` is [`NEGATIVE_ZERO`](exact::NEGATIVE_ZERO).
#[cube]
#[inline]
pub fn minutes_with_more_devices(minutes: f64, devices: u32, of_each: f64, zero: f64) -> f64 {
    minutes + exact::rounded_product::<f64>(devices as f64, of_each, zero)
}

/// Returns the remaining minutes of devices after a day: each whole device wears out by `wear` minutes, and devices
/// with no more minutes than that are lost. `zero` is [`NEGATIVE_ZERO`](exact::NEGATIVE_ZERO).
#[cube]
#[inline]
pub fn minutes_after_wear(minutes: f64, lifetime: f64, wear: f64, zero: f64) -> f64 {
    let mut left = 0.0f64;
    if minutes > wear {
        let worn = exact::rounded_product::<f64>(wear, minutes / lifetime, zero);
        left = exact::ieee_max::<f64>(minutes - worn, 0.0f64);
    }
    left
}

#[cfg(test)]
mod tests {
    use throng_device::exact::NEGATIVE_ZERO;

    use super::*;

    #[test]
    fn experience_matches_values_computed_by_hand() {
        for (experience, made, minutes, expected) in
            [(6.0, 0, 0.0, 5.0), (2.0, 0, 0.0, 0.0), (2.0, 0, 1.0, 2.0), (41.0, 2, 0.0, 40.0), (0.0, 0, 0.0, 0.0)]
        {
            assert_eq!(
                assembly_experience_after_day(experience, made, minutes, 40.0, 2.0),
                expected,
                "{experience}, {made} made"
            );
        }
    }

    #[test]
    fn devices_begun_match_values_computed_by_hand() {
        for (minutes, of_each, expected) in [(10.0, 3.0, 4), (9.0, 3.0, 3), (0.5, 3.0, 1)] {
            assert_eq!(devices_begun(minutes, of_each), expected, "{minutes} by {of_each}");
        }
    }

    #[test]
    fn wear_matches_values_computed_by_hand() {
        assert_eq!(minutes_after_wear(300.0, 150.0, 3.0, NEGATIVE_ZERO), 294.0);
        assert_eq!(minutes_after_wear(75.0, 150.0, 3.0, NEGATIVE_ZERO), 73.5);
        assert_eq!(minutes_after_wear(3.0, 150.0, 3.0, NEGATIVE_ZERO), 0.0);
        assert_eq!(
            minutes_after_wear(4.0, 2.0, 3.0, NEGATIVE_ZERO),
            0.0,
            "two devices that wear out faster than they last"
        );
    }
}
