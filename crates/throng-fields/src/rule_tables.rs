//! Arguments for the tests that rules have the same results on the host and on devices.

use throng_core::Philox;

/// What arithmetic is special for. Not smaller than that, since products below the smallest normal number may be 0 on devices.
const SPECIAL: [f32; 12] =
    [0.0, -0.0, 1.0, -1.0, 0.5, 1.0 / 3.0, 1e-12, -1e12, 16_777_216.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];

/// Rows of numbers, each of which is now and then a special one and otherwise of any size from 1e-6 to 1e6.
pub(crate) fn any_numbers<const N: usize>() -> impl Iterator<Item = [f32; N]> {
    numbers(&SPECIAL, 6)
}

/// Rows of finite numbers of any size from 1e-3 to 1e3 and, now and then, 0 or a half.
pub(crate) fn finite_numbers<const N: usize>() -> impl Iterator<Item = [f32; N]> {
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

/// Rows of whole numbers from 0 to below `limits`, each of any size.
pub(crate) fn words<const N: usize>(limits: [u32; N]) -> impl Iterator<Item = [u32; N]> {
    let draws = Philox::new(4);
    let word = move |row: u32, column: usize| {
        let draw = draws.below(limits[column], row, 0, column as u32, 0);
        // Large ones are the most frequent, and the last.
        if row.is_multiple_of(7) { draw >> (row / 7 % 31) } else { draw }
    };
    (0..20_000).map(move |row| std::array::from_fn(|column| word(row, column)))
}
