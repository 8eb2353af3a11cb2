//! Checks of values in scenes.

use throng_core::Problems;

use crate::Point;

/// Maximum absolute coordinate. Squared distances between such points are far below the largest `f32`.
const MAX_COORDINATE: f64 = 1e15;
/// Minimum length.
const MIN_LENGTH: f64 = 1e-15;

/// Reports a point unless all its coordinates are finite and not too large. Returns whether it passed.
pub(crate) fn check_finite(place: &str, point: Point, problems: &mut Problems) -> bool {
    let is_fine = point.iter().all(|part| part.abs() <= MAX_COORDINATE);
    if !is_fine {
        problems.push(place, format!("{point:?}"), format!("give finite numbers up to {MAX_COORDINATE:e}"));
    }
    is_fine
}

/// Reports a number unless it is `allowed`.
pub(crate) fn check_number(
    place: &str,
    value: f64,
    allowed: impl Fn(f64) -> bool,
    remedy: &str,
    problems: &mut Problems,
) {
    if !allowed(value) {
        problems.push(place, format!("{value}"), remedy);
    }
}

/// Reports a coordinate unless it is finite and not too large.
pub(crate) fn check_coordinate(place: &str, value: f64, problems: &mut Problems) {
    let allowed = |value: f64| value.abs() <= MAX_COORDINATE;
    check_number(place, value, allowed, &format!("give a finite number up to {MAX_COORDINATE:e}"), problems);
}

/// Reports a length that is 0, negative, too small, too large or NaN.
pub(crate) fn check_length(place: &str, value: f64, problems: &mut Problems) {
    let allowed = |value: f64| (MIN_LENGTH..=MAX_COORDINATE).contains(&value);
    check_number(place, value, allowed, &format!("give a length from {MIN_LENGTH:e} to {MAX_COORDINATE:e}"), problems);
}

/// Reports a colour with a component outside 0 to 1.
pub(crate) fn check_albedo(place: &str, albedo: [f64; 3], problems: &mut Problems) {
    if !albedo.iter().all(|part| (0.0..=1.0).contains(part)) {
        problems.push(place, format!("{albedo:?}"), "give red, green and blue from 0 to 1");
    }
}

/// Reports a fraction outside 0 to 1.
pub(crate) fn check_reflectance(place: &str, reflectance: f64, problems: &mut Problems) {
    let allowed = |fraction: f64| (0.0..=1.0).contains(&fraction);
    check_number(place, reflectance, allowed, "give a fraction from 0 to 1", problems);
}

/// Reports amounts of light that are negative, too large or NaN.
pub(crate) fn check_light(place: &str, amounts: [f64; 3], problems: &mut Problems) {
    if !amounts.iter().all(|part| (0.0..=1e9).contains(part)) {
        problems.push(place, format!("{amounts:?}"), "give red, green and blue from 0 to 1e9");
    }
}
