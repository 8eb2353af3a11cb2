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
        begun = units as u32;
        if units > begun as f64 {
            begun += 1u32;
        }
    }
    begun
}
