//! The shapes of entities, from which distances are measured.

use serde::{Deserialize, Serialize};
use throng_core::InputError;
use throng_core::checks::{finite, not_negative, positive};

use crate::stamp::Stamp;

/// The shape of an entity, in its own coordinates: the entity's position is the origin and its heading is the x axis.
/// The strength is the value of the profile at the distance from the shape; only a stamp has its own values.
///
/// ```
/// use throng_fields_core::{Entity, Profile, Shape};
///
/// let profile = Profile::linear(10.0)?;
/// let at_4 = |shape| Entity::new([0.0, 0.0], profile.clone()).with_shape(shape).charge_at([4.0, 0.0]);
/// assert_eq!(at_4(Shape::Disc), 0.6);
/// assert_eq!(at_4(Shape::Ring { radius: 5.0 }), 0.9);
/// assert_eq!(at_4(Shape::Capsule { length: 20.0 }), 1.0);
/// assert_eq!(at_4(Shape::Box { half: [1.0, 2.0] }), 0.7);
/// assert_eq!(at_4(Shape::Polygon { corners: vec![[2.0, -1.0], [2.0, 1.0], [0.0, 0.0]] }), 0.8);
/// // The cone looks along x; behind it the strength is 0.
/// let sight = Entity::new([0.0, 0.0], Profile::linear(10.0)?).with_shape(Shape::Cone { half_angle: 0.5 });
/// assert_eq!((sight.charge_at([4.0, 0.0]), sight.charge_at([-4.0, 0.0])), (0.6, 0.0));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
#[non_exhaustive]
pub enum Shape {
    /// A point: the field around it is a disc.
    #[default]
    Disc,
    /// The circumference of a circle, such as the maximum firing range of a unit.
    Ring {
        /// Radius of the line, world units.
        radius: f32,
    },
    /// A straight wall that extends from the position along the heading.
    Capsule {
        /// Length, world units.
        length: f32,
    },
    /// A box centred on the position, along the heading; the distance inside is 0.
    Box {
        /// Half-extents along and across the heading, world units.
        half: [f32; 2],
    },
    /// A closed polygon with at least three corners; the distance inside is 0.
    Polygon {
        /// Corners, world units, in the entity's coordinates.
        corners: Vec<[f32; 2]>,
    },
    /// The points within an angle of the heading, such as a field of view; distances are measured from the position.
    /// Both sides are included, as are all points within a millionth of their distance from a side.
    Cone {
        /// Half of the opening, radians, above 0 and at most pi.
        half_angle: f32,
    },
    /// A table of values around the position, turned by the heading. They replace the profile.
    Stamp(Stamp),
}

impl Shape {
    /// Rejects numbers that do not define a shape.
    pub fn check(&self) -> Result<(), InputError> {
        match self {
            // Stamps are checked on construction.
            Self::Disc | Self::Stamp(_) => {}
            Self::Ring { radius } => drop(not_negative("ring, radius", *radius)?),
            Self::Capsule { length } => drop(not_negative("capsule, length", *length)?),
            Self::Box { half } => {
                not_negative("box, half of the length", half[0])?;
                not_negative("box, half of the width", half[1])?;
            }
            Self::Polygon { corners } => {
                if corners.len() < 3 {
                    return Err(InputError::one("polygon, corners", corners.len(), "expected at least three"));
                }
                for (i, corner) in corners.iter().enumerate() {
                    finite(&format!("polygon, corner {}, x", i + 1), corner[0])?;
                    finite(&format!("polygon, corner {}, y", i + 1), corner[1])?;
                }
            }
            Self::Cone { half_angle } => {
                positive("cone, half angle", *half_angle)?;
                if *half_angle > std::f32::consts::PI {
                    return Err(InputError::one("cone, half angle", half_angle, "expected at most pi (radians)"));
                }
            }
        }
        Ok(())
    }

    /// The shape's name in messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Disc => "disc",
            Self::Ring { .. } => "ring",
            Self::Capsule { .. } => "capsule",
            Self::Box { .. } => "box",
            Self::Polygon { .. } => "polygon",
            Self::Cone { .. } => "cone",
            Self::Stamp(_) => "stamp",
        }
    }

    /// The shape's bounding box in the entity's coordinates: lowest and highest corner.
    pub fn bounds(&self) -> [[f32; 2]; 2] {
        match self {
            Self::Disc | Self::Cone { .. } => [[0.0; 2]; 2],
            Self::Ring { radius } => [[-radius; 2], [*radius; 2]],
            Self::Capsule { length } => [[0.0; 2], [*length, 0.0]],
            Self::Box { half } => [half.map(|h| -h), *half],
            Self::Stamp(stamp) => [stamp.half().map(|h| -h), stamp.half()],
            Self::Polygon { corners } => corners.iter().fold([[f32::INFINITY; 2], [f32::NEG_INFINITY; 2]], |b, c| {
                [[b[0][0].min(c[0]), b[0][1].min(c[1])], [b[1][0].max(c[0]), b[1][1].max(c[1])]]
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_shapes_are_refused() {
        let place = |shape: Shape| shape.check().unwrap_err().place().to_owned();
        assert_eq!(place(Shape::Ring { radius: -1.0 }), "ring, radius");
        assert_eq!(place(Shape::Capsule { length: f32::NAN }), "capsule, length");
        assert_eq!(place(Shape::Box { half: [1.0, -1.0] }), "box, half of the width");
        assert_eq!(place(Shape::Cone { half_angle: 4.0 }), "cone, half angle");
        assert_eq!(place(Shape::Polygon { corners: vec![[0.0; 2]; 2] }), "polygon, corners");
        assert_eq!(place(Shape::Polygon { corners: vec![[0.0, f32::NAN]; 3] }), "polygon, corner 1, y");
    }
}
