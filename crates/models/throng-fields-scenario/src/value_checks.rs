//! Checks of values: numbers, lengths on a map, and errors of the library, which become problems of a scenario file.

use std::fmt::Display;

use throng_core::{InputError, Problems};
use throng_fields_core::Entity;
use throng_pictures::Grid;

/// Beginnings of the places of library errors, and those of the keys for which they stand.
const KEYS_OF_PLACES: [(&str, &str); 13] = [
    ("body, ", ""),
    ("costs, the ", ""),
    ("danger, ", ""),
    ("diffusion, ", ""),
    ("fixed point, fractional ", ""),
    ("inflation, ", ""),
    ("profile, table", "values"),
    ("profile, ", ""),
    ("propagation, ", ""),
    ("stamp, number of ", ""),
    ("stamp, ", ""),
    ("trail, ", "trail_"),
    ("value range", "range"),
];

/// Adds an error of the library as a problem. Its place becomes the key, so that the problem has the line of the key.
pub(crate) fn refused(place: &str, error: &InputError, problems: &mut Problems) {
    let at = error.place();
    let key = KEYS_OF_PLACES.iter().find_map(|(noun, key)| Some(format!("{key}{}", at.strip_prefix(noun)?)));
    problems.push(format!("{place}, {}", key.as_deref().unwrap_or(at)), error.message(), error.remedy());
}

/// Returns the value of a result; an error becomes a problem.
pub(crate) fn accept<T>(place: &str, result: Result<T, InputError>, problems: &mut Problems) -> Option<T> {
    result.map_err(|error| refused(place, &error, problems)).ok()
}

/// Rejects a number that is not finite or is negative. Returns whether the number is valid.
pub(crate) fn check_not_negative<T: Copy + Display + Into<f64>>(
    place: String,
    number: T,
    problems: &mut Problems,
) -> bool {
    let is_fine = number.into().is_finite() && number.into() >= 0.0;
    if !is_fine {
        problems.push(place, number.to_string(), "expected a finite number, 0 or more");
    }
    is_fine
}

/// Maximum length, in multiples of the longer side of the map. Anything larger has the same effect everywhere, and
/// leaves no fixed-point steps for differences.
const MAX_MAP_SIDES: f32 = 1000.0;

/// Tolerance, in cells, within which lengths count as equal: decimal fractions are not exact.
pub(crate) const TOLERANCE: f64 = 1e-3;

/// Maximum absolute coordinate and speed: sums and differences of some of them are finite in single precision, too.
pub const MAX_COORDINATE: f64 = 1e30;

/// Whether a point is within the permitted coordinates.
pub fn is_place(point: &[f64; 2]) -> bool {
    point.iter().all(|number| number.abs() <= MAX_COORDINATE)
}

/// Whether a step or a period can have this length in time: agents use it in single precision.
pub fn is_time(length: f64) -> bool {
    length > 0.0 && (length as f32).is_normal()
}

/// The longer of two sides.
pub(crate) fn longer([x, y]: [f32; 2]) -> f32 {
    x.max(y)
}

/// Rejects an entity with numbers that would overflow or lose their precision on the grid; without a grid, only those
/// that are not finite.
pub(crate) fn check_entity(grid: Option<&Grid>, place: &str, entity: &Entity, problems: &mut Problems) -> Option<()> {
    accept(place, grid.map_or_else(|| entity.check(), |grid| entity.check_on(grid)), problems)
}

/// Rejects excessive lengths, each given with the name of its key. Infinite, NaN and negative lengths are rejected
/// where they are used. Returns whether no length is excessive.
pub(crate) fn check_lengths(
    grid: Option<&Grid>,
    place: &str,
    lengths: impl IntoIterator<Item = (impl Display, Option<f32>)>,
    problems: &mut Problems,
) -> bool {
    let Some(grid) = grid else { return true };
    let most = MAX_MAP_SIDES * grid.cell() * grid.columns().max(grid.rows()) as f32;
    let before = problems.total();
    for (key, length) in lengths {
        if let Some(length) = length.filter(|length| length.is_finite() && *length > most) {
            let remedy = format!("give at most {most}, {MAX_MAP_SIDES} times the longer side of the map");
            problems.push(format!("{place}, {key}"), length.to_string(), remedy);
        }
    }
    problems.total() == before
}
