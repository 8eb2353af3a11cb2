//! Times and positions as text: precise enough for any unit, and as short as possible.

use throng_output::csv::{Row, significant};
use throng_pictures::Grid;

/// Significant digits of times: few enough that multiples of decimal fractions are decimal fractions again, and enough
/// to distinguish all steps of a run.
const DIGITS_OF_TIMES: usize = 12;
/// Maximum number of decimals, and maximum coordinate, of numbers with a fixed number of decimals.
const MAX_DECIMALS: u32 = 9;
const MAX_COORDINATE: f64 = 1e9;

/// A step's time as written in all files, rounded to 12 significant digits.
pub(super) fn time(time: f64) -> f64 {
    significant(time, DIGITS_OF_TIMES)
}

/// The number of decimals that distinguishes positions within a cell: the last decimal is at most 1/1000 of a cell. At
/// least six.
pub(super) fn decimals(grid: &Grid) -> u32 {
    decimals_of(1e-3 * f64::from(grid.cell())).max(6)
}

/// The number of decimals that distinguishes the times of steps in titles; from 1 to 12.
pub(super) fn decimals_of_times(time_step: f64) -> usize {
    decimals_of(time_step).clamp(1, DIGITS_OF_TIMES as u32) as usize
}

/// The smallest number of decimals whose last decimal is at most `length`.
fn decimals_of(length: f64) -> u32 {
    let (mut decimals, mut unit) = (0, 1.0);
    // The tolerance is for lengths that have been rounded to single precision.
    while unit > 1.001 * length {
        (decimals, unit) = (decimals + 1, unit / 10.0);
    }
    decimals
}

/// Appends a coordinate of a cell with this many decimals. Cell sizes are in single precision, so further digits would
/// only show its rounding. A coordinate that is too large, or would need too many decimals, is written with the fewest
/// digits that distinguish it from all other numbers.
pub(super) fn coordinate(row: &mut Row<'_>, value: f64, decimals: u32) {
    if decimals <= MAX_DECIMALS && value.abs() < MAX_COORDINATE {
        row.decimal(value, decimals);
    } else {
        row.number(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_to_decimal_fractions() {
        for (step, time_step, expected) in [
            (3u32, 0.1, 0.3),
            (7, 0.0001, 0.0007),
            (4_000_000_000, 0.1, 4e8),
            (3, 2e9, 6e9),
            (0, 0.5, 0.0),
            (3, 1e-30, 3e-30),
        ] {
            assert_eq!(time(f64::from(step) * time_step), expected);
        }
        let third = time(1.0 / 3.0);
        assert!((third - 1.0 / 3.0).abs() < 1e-12);
        let all: Vec<f64> = (0..2000u32).map(|step| time(f64::from(step) * 1e-7)).collect();
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn coordinates_distinguish_thousandths_of_cells() {
        let of = |cell: f32| decimals(&Grid::new([0.0, 0.0], cell, 1, 1).unwrap());
        assert_eq!([100.0, 1.0, 0.05, 1e-3, 1e-4, 1e-8].map(of), [6, 6, 6, 6, 7, 11]);
        assert_eq!([1e9, 1.0, 0.25, 0.1, 0.05, 1e-4, 1e-300].map(decimals_of_times), [1, 1, 1, 1, 2, 4, 12]);
        let text = |value: f64, decimals| {
            let mut bytes = Vec::new();
            coordinate(&mut Row::new(&mut bytes), value, decimals);
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!([text(0.000_612_3, 7), text(12.0, 3)], ["0.0006123", "12.000"]);
        // Too small and too large for a fixed number of decimals.
        assert_eq!([text(1.234e-9, 12), text(2e12, 3)], ["1.234e-9", "2000000000000"]);
    }
}
