//! Measures of inequality, from sums.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};

/// Returns the Gini coefficient of `count` values: `sum` is their total, `sum_of_sums` the sum of all prefix sums of
/// the values in ascending order. 0 if the total is 0.
#[cube]
#[inline]
pub fn gini_coefficient(count: f64, sum: f64, sum_of_sums: f64) -> f64 {
    let mut gini = 0.0f64;
    if sum > 0.0f64 {
        gini = 1.0f64 + 1.0f64 / count - 2.0f64 * sum_of_sums / (count * sum);
    }
    gini
}

/// Returns the Herfindahl-Hirschman index, the sum of the squares of fractions, from the sum of the squared values and
/// their sum.
#[cube]
#[inline]
pub fn concentration(sum_of_squares: f64, sum: f64) -> f64 {
    sum_of_squares / (sum * sum)
}
