//! Integer angles, with sine and arc tangent that are identical to the last bit on every host and device.
//!
//! The sines of the standard library, of `libm` and of graphics drivers differ in their last bits, and in a model with
//! interacting agents such a difference changes the whole run. Here an angle is an integer number of 65,536ths
//! of a circle, counted from the x axis towards the y axis, and a direction is a vector of length [`ONE`]. A quarter
//! turn is exact: it swaps components and changes signs. A model can therefore guarantee that its results do not depend
//! on the orientation of the world on the grid.
//!
//! The functions are `#[cube]` functions, shared by host and kernels. No argument overflows.
//!
//! ```
//! use throng_device::angles::{CIRCLE, ONE, QUARTER, angle_of, cosine, difference, sine, turned};
//!
//! assert_eq!((cosine(0), sine(0), cosine(QUARTER), sine(QUARTER)), (ONE, 0, 0, ONE));
//! assert!((sine(CIRCLE / 12) - ONE / 2).abs() <= 3, "30 degrees");
//! assert_eq!((angle_of(7, 7), angle_of(0, -2)), (QUARTER / 2, 3 * QUARTER));
//! // The shorter turn from 1,000 to 65,000 goes back across 0; it is limited to 300.
//! assert_eq!(difference(1_000, 65_000), -1_536);
//! assert_eq!(turned(1_000, difference(1_000, 65_000), 300), 700);
//! ```

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use crate::cubecl::{self, prelude::*};

/// A full circle.
pub const CIRCLE: i32 = 65_536;

/// A right angle.
pub const QUARTER: i32 = CIRCLE / 4;

/// Length of a direction: the sine of a right angle.
pub const ONE: i32 = 16_384;

/// Returns the sine of any angle, times [`ONE`]; the error is at most 3.
#[cube]
#[inline]
pub fn sine(angle: i32) -> i32 {
    let angle = angle & (CIRCLE - 1);
    let quadrant = angle / QUARTER;
    let mut part = angle % QUARTER;
    if (quadrant & 1i32) == 1i32 {
        part = QUARTER - part;
    }
    // An odd polynomial of degree 5 with the smallest error among those that are 1 at a right angle.
    let square = part * part / ONE;
    let mut sine = (part * (25_725i32 - square * (10_507i32 - square * 1_166i32 / ONE) / ONE) + ONE / 2) / ONE;
    if quadrant >= 2i32 {
        sine = -sine;
    }
    sine
}

/// Returns the cosine of any angle, times [`ONE`]; the error is at most 3.
#[cube]
#[inline]
pub fn cosine(angle: i32) -> i32 {
    sine((angle & (CIRCLE - 1)) + QUARTER)
}

/// Returns the angle of a vector, 0 to [`CIRCLE`] - 1; the error is at most 2. The zero vector has angle 0.
#[cube]
#[inline]
pub fn angle_of(x: i32, y: i32) -> i32 {
    let x = max(x, -0x7fff_ffffi32);
    let y = max(y, -0x7fff_ffffi32);
    // Rotate back by quarter turns until x > 0 and y >= 0.
    let mut ahead = x;
    let mut aside = y;
    let mut angle = 0i32;
    if x <= 0i32 && y > 0i32 {
        ahead = y;
        aside = -x;
        angle = QUARTER.runtime();
    } else if x < 0i32 && y <= 0i32 {
        ahead = -x;
        aside = -y;
        angle = (2 * QUARTER).runtime();
    } else if x >= 0i32 && y < 0i32 {
        ahead = -y;
        aside = x;
        angle = (3 * QUARTER).runtime();
    }
    let mut longer = max(ahead, aside);
    let mut shorter = min(ahead, aside);
    while longer >= 65_536i32 {
        longer /= 2i32;
        shorter /= 2i32;
    }
    // Arc tangent, Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.49, in quarters of a unit.
    let slope = ((shorter as u32) * 32_768u32 / (max(longer, 1i32) as u32)) as i32;
    let square = slope * slope / 32_768i32;
    let mut sum = 3_552i32 - square * 869i32 / 32_768i32;
    sum = 7_516i32 - square * sum / 32_768i32;
    sum = 13_781i32 - square * sum / 32_768i32;
    sum = 41_716i32 - square * sum / 32_768i32;
    let part = (slope * sum + 65_536i32) / 131_072i32;
    if aside > ahead {
        angle += QUARTER - part;
    } else {
        angle += part;
    }
    angle & (CIRCLE - 1)
}

/// Returns the shorter turn from one angle to another, -[`CIRCLE`] / 2 to [`CIRCLE`] / 2 - 1.
#[cube]
#[inline]
pub fn difference(from: i32, to: i32) -> i32 {
    (((to & (CIRCLE - 1)) - (from & (CIRCLE - 1)) + CIRCLE / 2) & (CIRCLE - 1)) - CIRCLE / 2
}

/// Returns the angle, 0 to [`CIRCLE`] - 1, after a turn by `by`, limited to `limit` (0 to [`CIRCLE`]) in either
/// direction.
#[cube]
#[inline]
pub fn turned(angle: i32, by: i32, limit: i32) -> i32 {
    ((angle & (CIRCLE - 1)) + max(-limit, min(by, limit))) & (CIRCLE - 1)
}

/// Returns the angle after the shorter turn towards the direction of a vector, limited to `limit`. The zero vector
/// changes nothing.
#[cube]
#[inline]
pub fn turned_towards(angle: i32, x: i32, y: i32, limit: i32) -> i32 {
    let mut after = angle;
    if x != 0i32 || y != 0i32 {
        after = turned(angle, difference(angle, angle_of(x, y)), limit);
    }
    after
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    fn radians(angle: i32) -> f64 {
        f64::from(angle) / f64::from(CIRCLE) * TAU
    }

    #[test]
    fn sines_and_cosines_have_the_documented_accuracy() {
        for angle in -CIRCLE..=CIRCLE {
            let (x, y) = (libm::cos(radians(angle)) * f64::from(ONE), libm::sin(radians(angle)) * f64::from(ONE));
            assert!((f64::from(cosine(angle)) - x).abs() <= 3.0, "{angle}");
            assert!((f64::from(sine(angle)) - y).abs() <= 3.0, "{angle}");
            assert_eq!((cosine(angle + QUARTER), sine(angle + QUARTER)), (-sine(angle), cosine(angle)));
        }
    }

    #[test]
    fn angles_have_the_documented_accuracy() {
        for angle in 0..CIRCLE {
            for length in [70, 20_000, 70_000, 2_000_000_000] {
                let [x, y] = [libm::cos, libm::sin].map(|f| libm::round(f64::from(length) * f(radians(angle))) as i32);
                let exact = libm::atan2(f64::from(y), f64::from(x)) / TAU * f64::from(CIRCLE);
                let error = (f64::from(angle_of(x, y)) - exact).rem_euclid(f64::from(CIRCLE));
                assert!(error.min(f64::from(CIRCLE) - error) <= 2.0, "{x}, {y}: {error}");
                assert_eq!(difference(angle_of(x, y), angle_of(-y, x)), QUARTER);
            }
        }
    }

    #[test]
    fn extremes_do_not_overflow() {
        let extremes = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX];
        for (a, b) in extremes.iter().flat_map(|&a| extremes.map(|b| (a, b))) {
            assert!((0..CIRCLE).contains(&angle_of(a, b)));
            assert!((-CIRCLE / 2..CIRCLE / 2).contains(&difference(a, b)));
            assert!((0..CIRCLE).contains(&turned(a, b, 17)));
            assert_eq!(sine(a), sine(a & (CIRCLE - 1)));
            assert!((0..CIRCLE).contains(&turned_towards(17, a, b, 3)) && turned_towards(17, 0, 0, 3) == 17);
        }
        assert_eq!(angle_of(0, 0), 0);
        assert_eq!(angle_of(i32::MIN, i32::MIN), QUARTER * 5 / 2);
    }
}
