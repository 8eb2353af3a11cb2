//! How many units a device extracts, from sums of minutes.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact;

/// Minutes of work in which an agent gets from no experience to one of `whole` units, in `until` minutes, and further: with
/// `minutes` for the next unit of experience. `zero` is [`NEGATIVE_ZERO`](exact::NEGATIVE_ZERO).
#[cube]
#[inline]
pub fn minutes_until(experience: f64, whole: u32, until: f64, minutes: f64, zero: f64) -> f64 {
    until + exact::rounded_product::<f64>(experience - whole as f64, minutes, zero)
}

/// Units that an agent begins with a device until the minutes `end`, at which its experience has `reached` whole units, which
/// takes `until` minutes; the next unit of experience takes `minutes`. `zero` as above.
#[cube]
#[inline]
pub fn units_begun(experience: f64, factor: f64, end: f64, reached: u32, until: f64, minutes: f64, zero: f64) -> u32 {
    let after = reached as f64 + (end - until) / minutes;
    // Sums of minutes are rounded: less than this part of a unit is none.
    let units = exact::rounded_product::<f64>(after - experience, factor, zero) - 1e-9f64;
    let mut begun = 0u32;
    if units > 0.0f64 {
        // More than a device of a scenario that passes its check can extract.
        let units = exact::lesser::<f64>(units, 5e8f64);
        begun = units as u32;
        if units > begun as f64 {
            begun += 1u32;
        }
    }
    begun
}

/// Experience in extraction after a day with so many units of a resource: less after a day without any, and at most full
/// experience.
#[cube]
#[inline]
pub fn kept_experience(experience: f64, units: u32, forgotten: f64, full: f64) -> f64 {
    let mut kept = exact::copied(experience);
    if units == 0u32 {
        kept = exact::greater::<f64>(experience - forgotten, 0.0f64);
    }
    exact::lesser::<f64>(kept, full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn experience_by_hand() {
        for (experience, units, expected) in [(5.0, 0, 2.0), (1.0, 0, 0.0), (5.0, 1, 5.0), (601.5, 2, 600.0)] {
            assert_eq!(kept_experience(experience, units, 3.0, 600.0), expected, "{experience}, {units} units");
        }
    }
}
