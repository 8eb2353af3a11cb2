//! Shapes of entities.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_fields_core::{Metric, Shape};
use throng_model::scenario_file::{At, word_of};

use crate::entities::EntityTable;
use crate::key_rules::{Presence, check_keys};
use crate::value_checks::check_not_negative;

/// The shape of an entity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShapeName {
    #[default]
    Disc,
    Ring,
    Capsule,
    Box,
    Polygon,
    Cone,
    Stamp,
}

impl ShapeName {
    /// Whether the heading affects the shape.
    pub(crate) fn has_direction(self) -> bool {
        !matches!(self, Self::Disc | Self::Ring)
    }
}

/// The choice of a shape, as shown in messages.
pub(crate) fn choice(shape: ShapeName) -> String {
    format!("shape = \"{}\"", word_of(&shape))
}

/// Reads the shape of an entity, unless it is a stamp.
pub(crate) fn shape(written: &At<EntityTable>, problems: &mut Problems) -> Option<Shape> {
    let entity = &written.value;
    let kind = entity.shape;
    let of_opening = if kind == ShapeName::Cone { Presence::Must } else { Presence::may_when(entity.sees.is_some()) };
    let keys = [
        ("radius", entity.radius.is_some(), Presence::when(kind == ShapeName::Ring)),
        ("length", entity.length.is_some(), Presence::when(kind == ShapeName::Capsule)),
        ("size", entity.size.is_some(), Presence::when(kind == ShapeName::Box)),
        ("corners", entity.corners.is_some(), Presence::when(kind == ShapeName::Polygon)),
        ("opening", entity.opening.is_some(), of_opening),
        ("stamp", entity.stamp.is_some(), Presence::when(kind == ShapeName::Stamp)),
        ("heading", entity.heading.is_some(), Presence::may_when(entity.has_direction())),
    ];
    if !check_keys(&written.place, &choice(kind), &keys, problems) {
        return None;
    }
    if entity.metric != Metric::Euclidean && !matches!(kind, ShapeName::Disc | ShapeName::Ring) {
        let remedy = format!("{} has Euclidean distances: only disc and ring have other metrics", choice(kind));
        problems.push(written.part("metric"), format!("\"{}\"", entity.metric.name()), remedy);
        return None;
    }
    let has_valid_numbers = match kind {
        ShapeName::Ring => check_all(&written.part("radius"), entity.radius, problems),
        ShapeName::Capsule => check_all(&written.part("length"), entity.length, problems),
        ShapeName::Box => check_all(&written.part("size"), entity.size.into_iter().flatten(), problems),
        ShapeName::Polygon => check_corners(&written.part("corners"), entity.corners.as_deref()?, problems),
        // That of a field of view is reported there.
        ShapeName::Cone => entity.opening.is_some_and(|opening| match entity.sees {
            Some(_) => is_opening(opening),
            None => check_opening(&written.place, opening, problems),
        }),
        ShapeName::Disc | ShapeName::Stamp => true,
    };
    if !has_valid_numbers {
        return None;
    }
    Some(match kind {
        ShapeName::Disc => Shape::Disc,
        ShapeName::Stamp => return None,
        ShapeName::Ring => Shape::Ring { radius: entity.radius? },
        ShapeName::Capsule => Shape::Capsule { length: entity.length? },
        ShapeName::Box => Shape::Box { half: entity.size?.map(|size| size / 2.0) },
        ShapeName::Polygon => Shape::Polygon { corners: entity.corners.clone()? },
        ShapeName::Cone => Shape::Cone { half_angle: (entity.opening? / 2.0).to_radians() },
    })
}

/// Rejects lengths that are not finite or are negative.
pub(crate) fn check_all(place: &str, lengths: impl IntoIterator<Item = f32>, problems: &mut Problems) -> bool {
    lengths.into_iter().all(|length| check_not_negative(place.to_owned(), length, problems))
}

/// Rejects a polygon with fewer than three corners, or one that is not finite.
fn check_corners(place: &str, corners: &[[f32; 2]], problems: &mut Problems) -> bool {
    if !check_count_of_corners(place, corners.len(), problems) {
        return false;
    }
    let invalid = corners.iter().find(|corner| !corner.iter().all(|at| at.is_finite()));
    if let Some(corner) = invalid {
        problems.push(place, format!("{corner:?}"), "expected finite numbers");
    }
    invalid.is_none()
}

/// Rejects a polygon with fewer than three corners.
pub(crate) fn check_count_of_corners(place: &str, corners: usize, problems: &mut Problems) -> bool {
    if corners < 3 {
        problems.push(place, corners.to_string(), "expected at least three");
    }
    corners >= 3
}

/// Whether a cone or a field of view can have this opening, in degrees.
fn is_opening(opening: f32) -> bool {
    opening > 0.0 && opening <= 360.0
}

/// Rejects the opening of a cone or a field of view, in degrees.
pub(crate) fn check_opening(place: &str, opening: f32, problems: &mut Problems) -> bool {
    if !is_opening(opening) {
        let remedy = "expected degrees, above 0 and at most 360";
        problems.push(format!("{place}, opening"), opening.to_string(), remedy);
    }
    is_opening(opening)
}
