//! What time does to devices and to those who can make them.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact;

/// Experience in assembly after a day: one less without a device made, none if at most 1 is left, at most full experience, and
/// at least that of an owner while a device has minutes left.
#[cube]
#[inline]
pub fn kept(experience: f64, made: u32, minutes: f64, full: f64, of_owner: f64) -> f64 {
    let mut kept = exact::copied(experience);
    if made == 0u32 {
        kept -= 1.0f64;
    }
    if kept <= 1.0f64 {
        kept = 0.0f64;
    }
    kept = exact::lesser::<f64>(kept, full);
    if minutes > 0.0f64 {
        kept = exact::greater::<f64>(kept, of_owner);
    }
    kept
}

/// Minutes that are left of devices after a day: a whole device wears out by so many minutes, and less than that is nothing.
/// `zero` is [`NEGATIVE_ZERO`](exact::NEGATIVE_ZERO).
#[cube]
#[inline]
pub fn worn(minutes: f64, lifetime: f64, wear: f64, zero: f64) -> f64 {
    let mut left = 0.0f64;
    if minutes > wear {
        left = minutes - exact::rounded_product::<f64>(wear, minutes / lifetime, zero);
    }
    left
}

#[cfg(test)]
mod tests {
    use throng_device::exact::NEGATIVE_ZERO;

    use super::*;

    #[test]
    fn experience_by_hand() {
        for (experience, made, minutes, expected) in
            [(6.0, 0, 0.0, 5.0), (2.0, 0, 0.0, 0.0), (2.0, 0, 1.0, 2.0), (41.0, 2, 0.0, 40.0), (0.0, 0, 0.0, 0.0)]
        {
            assert_eq!(kept(experience, made, minutes, 40.0, 2.0), expected, "{experience}, {made} made");
        }
    }

    #[test]
    fn wear_by_hand() {
        assert_eq!(worn(300.0, 150.0, 3.0, NEGATIVE_ZERO), 294.0);
        assert_eq!(worn(75.0, 150.0, 3.0, NEGATIVE_ZERO), 73.5);
        assert_eq!(worn(3.0, 150.0, 3.0, NEGATIVE_ZERO), 0.0);
    }
}
