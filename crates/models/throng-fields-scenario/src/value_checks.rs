//! Values that make sense: numbers, lengths on a map, and errors of the library as problems of a scenario file.

use std::fmt::Display;

use throng_core::{Problems, ValueError};
use throng_pictures::Grid;

use crate::entities::EntityTable;
use crate::profiles::ProfileTable;
use crate::tables::Tables;
use crate::walls::WallTable;

/// Adds an error of the library as a problem.
pub(crate) fn refused(place: &str, error: &ValueError, problems: &mut Problems) {
    problems.push(format!("{place}, {}", error.place), error.value.clone(), error.remedy.clone());
}

/// The value of a result; an error becomes a problem.
pub(crate) fn accept<T>(place: &str, result: Result<T, ValueError>, problems: &mut Problems) -> Option<T> {
    result.map_err(|error| refused(place, &error, problems)).ok()
}

/// Refuses a number that is not finite or below 0; whether it is neither.
pub(crate) fn is_not_negative<T: Copy + Display + Into<f64>>(
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

/// A length may be this many times the longer side of the map. Anything larger has the same effect everywhere, and
/// leaves fixed point no steps for differences.
const MOST: f32 = 1000.0;

/// Lengths in cells that differ by less than this agree: decimal fractions are not exact.
pub(crate) const TOLERANCE: f64 = 1e-3;

/// The largest absolute coordinate and speed: sums and differences of some of them are finite in single precision, too.
pub const FARTHEST: f64 = 1e30;

/// Whether something can be at a point.
pub fn is_place(point: &[f64; 2]) -> bool {
    point.iter().all(|number| number.abs() <= FARTHEST)
}

/// Whether a step or a period can have this length in time: the clock of agents is in single precision.
pub fn is_time(length: f64) -> bool {
    length > 0.0 && (length as f32).is_normal()
}

/// Refuses excessive lengths. Those that are not finite, or negative, are refused where they are used.
pub(crate) fn check_lengths(grid: &Grid, tables: &Tables, problems: &mut Problems) {
    let mut check = |place: String, length: Option<f32>| check_one(grid, place, length, problems);
    let longer = |size: Option<[f32; 2]>| size.map(|[x, y]| x.max(y));
    for wall in &tables.walls {
        let WallTable { radius, size, width, .. } = wall.value;
        for (key, length) in [("radius", radius), ("size", longer(size)), ("width", width)] {
            check(wall.part(key), length);
        }
    }
    for profile in tables.profiles.values() {
        let ProfileTable { radius, sigma, .. } = profile.value;
        for (key, length) in [("radius", radius), ("sigma", sigma)] {
            check(profile.part(key), length);
        }
        let knots = profile.value.knots.iter().flatten();
        let farthest = knots.filter_map(|knot| knot.first().copied()).reduce(f32::max);
        check(profile.part("knots"), farthest);
    }
    for stamp in tables.stamps.values() {
        check(stamp.part("side"), Some(stamp.value.side));
    }
    for entity in &tables.entities {
        let EntityTable { radius, length, size, .. } = entity.value;
        for (key, length) in [("radius", radius), ("length", length), ("size", longer(size))] {
            check(entity.part(key), length);
        }
    }
    check_areas(grid, tables, problems);
}

/// The same for goals, and for the starts, bodies and rules of agents.
fn check_areas(grid: &Grid, tables: &Tables, problems: &mut Problems) {
    for goal in &tables.goals {
        check_one(grid, goal.part("radius"), goal.value.radius, problems);
    }
    for group in &tables.agents {
        check_one(grid, group.part("start, radius"), group.value.start.radius, problems);
        for (key, length) in [("radius", group.value.radius), ("spacing", group.value.spacing)] {
            check_one(grid, group.part(key), Some(length), problems);
        }
        for (number, rule) in group.value.rules.iter().enumerate() {
            check_one(grid, group.part(&format!("rule {}, within", number + 1)), rule.within, problems);
        }
    }
}

fn check_one(grid: &Grid, place: String, length: Option<f32>, problems: &mut Problems) {
    let most = MOST * grid.cell() * grid.columns().max(grid.rows()) as f32;
    if let Some(length) = length.filter(|length| length.is_finite() && *length > most) {
        let remedy = format!("give at most {most}, {MOST} times the longer side of the map");
        problems.push(place, length.to_string(), remedy);
    }
}
