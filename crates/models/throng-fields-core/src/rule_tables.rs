//! Arguments for tests that compare rules between host and devices.

use throng_core::Philox;

/// Special numbers. The smallest is well above the smallest normal number, because devices may flush products below
/// that to 0. NaN and infinity (which leads to NaN) are excluded: compilers of some devices assume that neither occurs.
const SPECIAL: [f32; 9] = [0.0, -0.0, 1.0, -1.0, 0.5, 1.0 / 3.0, 1e-12, -1e12, 16_777_216.0];

/// Rows of numbers, some of which are special; the others have magnitudes from 1e-6 to 1e6.
pub fn any_numbers<const N: usize>() -> impl Iterator<Item = [f32; N]> {
    numbers(&SPECIAL, 6)
}

/// Rows of finite numbers with magnitudes from 1e-3 to 1e3, some of which are 0 or a half.
pub fn finite_numbers<const N: usize>() -> impl Iterator<Item = [f32; N]> {
    numbers(&[0.0, -0.0, 0.5, -0.5], 3)
}

fn numbers<const N: usize>(special: &'static [f32], most_digits: i32) -> impl Iterator<Item = [f32; N]> {
    let draws = Philox::new(3);
    let number = move |row: u32, column: usize| {
        let draw = |index: u32| draws.unit(row, 0, column as u32, index);
        if draw(0) < 0.2 {
            return special[(draw(1) * special.len() as f64) as usize];
        }
        let digits = (draw(2) * f64::from(2 * most_digits + 1)) as i32 - most_digits;
        ((draw(1) - 0.5) * 2.0 * 10f64.powi(digits)) as f32
    };
    (0..20_000).map(move |row| std::array::from_fn(|column| number(row, column)))
}

/// Rows of integers, each below its limit and of varying magnitude.
pub fn words<const N: usize>(limits: [u32; N]) -> impl Iterator<Item = [u32; N]> {
    let draws = Philox::new(4);
    let word = move |row: u32, column: usize| {
        let draw = draws.below(limits[column], row, 0, column as u32, 0);
        // Most numbers are large and include the highest ones.
        if row.is_multiple_of(7) { draw >> (row / 7 % 31) } else { draw }
    };
    (0..20_000).map(move |row| std::array::from_fn(|column| word(row, column)))
}
