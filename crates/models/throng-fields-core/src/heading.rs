//! Sines and cosines of headings, exact at multiples of a quarter turn.

use std::f64::consts::FRAC_PI_4;

/// Relative tolerance: an angle this close to a multiple of an eighth of a turn counts as that multiple. Equals
/// `4.0 * f32::EPSILON`, because converting degrees rounds several times.
const CLOSE: f64 = 1.0 / (1 << 21) as f64;
/// Absolute tolerance, radians, which limits the relative one for angles of many turns.
const CLOSEST: f64 = 1.0 / (1 << 17) as f64;

/// Sine and cosine of an eighth of a turn.
const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// Sine and cosine of an angle in radians. At multiples of a quarter turn they are exactly 0, 1 or -1, and halfway
/// between these they are equal in size, although no float represents such an angle exactly: a shape turned by 90
/// degrees covers the same cells as before, turned.
pub fn sin_cos(angle: f32) -> [f32; 2] {
    let exact = f64::from(angle);
    let eighths = (exact / FRAC_PI_4).round();
    if (exact - eighths * FRAC_PI_4).abs() > (exact.abs() * CLOSE).min(CLOSEST) {
        return libm::sincosf(angle).into();
    }
    match eighths.rem_euclid(8.0) as u32 {
        0 => [0.0, 1.0],
        1 => [HALF, HALF],
        2 => [1.0, 0.0],
        3 => [HALF, -HALF],
        4 => [0.0, -1.0],
        5 => [-HALF, -HALF],
        6 => [-1.0, 0.0],
        _ => [-HALF, HALF],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_turns_are_exact_and_other_angles_are_within_rounding() {
        for (degrees, expected) in [
            (0.0f32, [0.0, 1.0]),
            (90.0, [1.0, 0.0]),
            (180.0, [0.0, -1.0]),
            (270.0, [-1.0, 0.0]),
            (-90.0, [-1.0, 0.0]),
            (450.0, [1.0, 0.0]),
            (45.0, [std::f32::consts::FRAC_1_SQRT_2; 2]),
        ] {
            assert_eq!(sin_cos(degrees.to_radians()), expected, "{degrees}");
        }
        for angle in [1e-9f32, 0.001, 0.5, 1.5, 1.6, 3.0, -2.0, 1e4] {
            let exact = f64::from(angle);
            let [sin, cos] = sin_cos(angle);
            assert!((f64::from(sin) - libm::sin(exact)).abs() < 1e-7, "{angle}");
            assert!((f64::from(cos) - libm::cos(exact)).abs() < 1e-7, "{angle}");
        }
    }
}
