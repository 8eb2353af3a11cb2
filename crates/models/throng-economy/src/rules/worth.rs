//! The worth of units, from tables.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact;

/// Returns the worth of a unit received in units given: the utility of the one times the inverse utility of the other.
#[cube]
#[inline]
pub fn marginal_rate(of_received: f64, inverse_of_given: f64) -> f64 {
    of_received * inverse_of_given
}

/// Returns the utility per minute of the next unit of a resource.
#[cube]
#[inline]
pub fn gain_per_min(of_next: f64, factor: f64, minutes_by_hand: f64) -> f64 {
    of_next * (factor / minutes_by_hand)
}

/// Returns the utility beyond a table: the last entry plus the utility of each further unit. `zero` is
/// [`NEGATIVE_ZERO`](exact::NEGATIVE_ZERO).
#[cube]
#[inline]
pub fn beyond_table(of_last: f64, of_further: f64, further: u32, zero: f64) -> f64 {
    of_last + exact::rounded_product::<f64>(of_further, further as f64, zero)
}

/// Returns the cost of making a device: the worth of the time, and the components. `zero` is
/// [`NEGATIVE_ZERO`](exact::NEGATIVE_ZERO).
#[cube]
#[inline]
pub fn cost_of_making(gain_per_min: f64, minutes: f64, components: f64, zero: f64) -> f64 {
    exact::rounded_product::<f64>(gain_per_min, minutes, zero) + components
}

/// Returns the benefit of a device minus the worth of the time for which it is used. `zero` as above.
#[cube]
#[inline]
pub fn net_benefit(gross: f64, gain_per_min: f64, minutes: f64, zero: f64) -> f64 {
    gross - exact::rounded_product::<f64>(gain_per_min, minutes, zero)
}
