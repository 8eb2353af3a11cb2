//! Measures of inequality, from sums.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_device::cubecl::{self, prelude::*};

/// The Gini coefficient of `count` values: `sum` is that of all, and `sum_of_sums` that of the sums of the least, of the two
/// least, and so on to all. 0 if there is nothing.
#[cube]
#[inline]
pub fn gini_coefficient(count: f64, sum: f64, sum_of_sums: f64) -> f64 {
    let mut gini = 0.0f64;
    if sum > 0.0f64 {
        gini = 1.0f64 + 1.0f64 / count - 2.0f64 * sum_of_sums / (count * sum);
    }
    gini
}

/// The index of Herfindahl and Hirschman: the sum of the squares of shares, from the sum of the squares and the sum.
#[cube]
#[inline]
pub fn concentration(sum_of_squares: f64, sum: f64) -> f64 {
    sum_of_squares / (sum * sum)
}
