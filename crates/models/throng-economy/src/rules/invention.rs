//! How likely an invention is.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_device::cubecl::{self, prelude::*};

/// The probability that an agent invents: one for each unit of experience in what it considers, times its own speed.
#[cube]
#[inline]
pub fn probability_of_invention(for_each: f64, experience: f64, speed: f64) -> f64 {
    for_each * experience * speed
}
