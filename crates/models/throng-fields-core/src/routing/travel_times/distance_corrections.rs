//! Corrections for the error of finite differences of the distance to a point.
//!
//! Around a point, the second derivatives of a distance are unbounded, so differences across the first cells have an
//! error that does not decrease with the cell size, and spreads to all times. The error depends only on the position
//! relative to the point: adding it to the times of neighbours makes the schemes exact for distances. This is additive
//! factorisation of the eikonal equation (Luo and Qian, Factored singularities and high-order Lax-Friedrichs sweeping
//! schemes, 2011) with differences that are known in advance.

use std::sync::LazyLock;

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

/// Maximum distance of corrected cells from a goal, in cells along each axis. Beyond, second-order corrections are less
/// than 1/10,000 of a cell.
pub const FAR: u32 = 63;
/// Cells per row of the tables.
const ROW: u32 = FAR + 1;
/// The neutral correction: 1 in units of 2^-15.
pub const STRAIGHT: u32 = 1 << 15;
/// Fractional bits of distances, which are in units of 2^-8 cells.
const DISTANCE_BITS: u32 = 8;

/// The tables, one after the other: corrections for differences of first and of second order, then distances. The entry
/// for an offset `along` the axis of the difference and `across` it is at `across * ROW + along`.
pub static DISTANCE_CORRECTIONS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let distance = |along: u32, across: u32| libm::hypot(f64::from(along), f64::from(across));
    let first = |along: u32, across: u32| {
        let here = distance(along, across);
        here - distance(along - 1, across) - f64::from(along) / here
    };
    let second = |along: u32, across: u32| {
        let here = distance(along, across);
        let beyond = distance(along.abs_diff(2), across);
        here - (4.0 * distance(along - 1, across) - beyond) / 3.0 - f64::from(2 * along) / (3.0 * here)
    };
    let places = || (0..ROW * ROW).map(|place| (place % ROW, place / ROW));
    let corrected = |by: f64| (f64::from(STRAIGHT) * (1.0 + by)).round() as u32;
    let correction = |by: &dyn Fn(u32, u32) -> f64, (along, across): (u32, u32)| {
        if along == 0 { STRAIGHT } else { corrected(by(along, across)) }
    };
    let units = f64::from(1u32 << DISTANCE_BITS);
    let firsts = places().map(|place| correction(&first, place));
    let seconds = places().map(|place| correction(&second, place));
    let distances = places().map(|(along, across)| (units * distance(along, across)).round() as u32);
    firsts.chain(seconds).chain(distances).collect()
});

/// The index of the correction of a difference in [`DISTANCE_CORRECTIONS`].
#[cube]
#[inline(always)]
pub fn correction_index(along: u32, across: u32, second: bool) -> u32 {
    across * ROW + along + select(second, ROW * ROW, 0u32)
}

/// The index of a distance in [`DISTANCE_CORRECTIONS`].
#[cube]
#[inline(always)]
pub fn distance_at(along: u32, across: u32) -> u32 {
    across * ROW + along + 2 * ROW * ROW
}

/// Whether a time differs by at most an eighth from the time of a straight path over cells of `step` ticks; `distance`
/// is from [`DISTANCE_CORRECTIONS`].
#[cube]
#[inline(always)]
pub fn is_straight(time: u32, step: u32, distance: u32) -> bool {
    let straight = (step * distance) >> DISTANCE_BITS;
    u32::max(time, straight) - u32::min(time, straight) <= straight >> 3u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_are_small_and_decrease_with_distance() {
        let value = |along, across, second| {
            f64::from(DISTANCE_CORRECTIONS[correction_index(along, across, second) as usize]) / f64::from(STRAIGHT)
                - 1.0
        };
        for second in [false, true] {
            for along in 1..=FAR {
                assert!(value(along, 0, second).abs() < 1e-4 || along == 1);
                for across in 0..=FAR {
                    assert!(value(along, across, second).abs() < 0.7, "{along} {across}");
                }
            }
        }
        // sqrt(2) - 1 - 1 / sqrt(2), and almost zero at the far corner.
        assert!((value(1, 1, false) + 0.292_893).abs() < 1e-4, "{}", value(1, 1, false));
        assert!(value(FAR, FAR, true).abs() < 1e-4 && value(FAR, FAR, false).abs() < 4e-3);
        assert_eq!(DISTANCE_CORRECTIONS[distance_at(3, 4) as usize], 5 << DISTANCE_BITS);
    }

    #[test]
    fn times_within_an_eighth_of_the_distance_are_straight() {
        let distance = DISTANCE_CORRECTIONS[distance_at(4, 3) as usize];
        for (time, straight) in [(500, true), (560, true), (570, false), (440, true), (430, false), (0, false)] {
            assert_eq!(is_straight(time, 100, distance), straight, "{time}");
        }
    }
}
