//! What distance an entity's strength is measured from.

use crate::error::{FieldError, finite, not_negative, positive};

/// The figure of an entity, in its own coordinates: the entity's position is the origin and its heading is the x axis. The
/// profile of the entity is taken at the distance from the figure.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// A point: the field around it is a disc.
    Disc,
    /// A circle line, such as the largest distance from which a unit can shoot.
    Ring {
        /// Radius of the line, world units.
        radius: f32,
    },
    /// A straight wall from the position along the heading.
    Capsule {
        /// Length, world units.
        length: f32,
    },
    /// A box around the position, along the heading; the distance inside is 0.
    Box {
        /// Half of its size along the heading and across, world units.
        half: [f32; 2],
    },
    /// A closed line of at least three corners; the distance inside is 0.
    Polygon {
        /// Corners, world units, in the entity's coordinates.
        corners: Vec<[f32; 2]>,
    },
    /// What lies within an angle of the heading, such as a field of view; the distance is that from the position.
    Cone {
        /// Half of the opening, radians, above 0 and at most pi.
        half_angle: f32,
    },
}

impl Shape {
    /// Refuses numbers that make no figure.
    pub(crate) fn check(&self) -> Result<(), FieldError> {
        match self {
            Self::Disc => {}
            Self::Ring { radius } => drop(not_negative("ring, radius", *radius)?),
            Self::Capsule { length } => drop(not_negative("capsule, length", *length)?),
            Self::Box { half } => {
                not_negative("box, half of the length", half[0])?;
                not_negative("box, half of the width", half[1])?;
            }
            Self::Polygon { corners } => {
                if corners.len() < 3 {
                    return Err(FieldError::new("polygon, corners", corners.len(), "expected are at least three"));
                }
                for (i, corner) in corners.iter().enumerate() {
                    finite(&format!("polygon, corner {}, x", i + 1), corner[0])?;
                    finite(&format!("polygon, corner {}, y", i + 1), corner[1])?;
                }
            }
            Self::Cone { half_angle } => {
                positive("cone, half angle", *half_angle)?;
                if *half_angle > std::f32::consts::PI {
                    return Err(FieldError::new("cone, half angle", half_angle, "expected is at most pi (radians)"));
                }
            }
        }
        Ok(())
    }

    /// The figure with all lengths multiplied.
    pub(crate) fn scaled(&self, factor: f32) -> Self {
        match self {
            Self::Disc => Self::Disc,
            Self::Ring { radius } => Self::Ring { radius: radius * factor },
            Self::Capsule { length } => Self::Capsule { length: length * factor },
            Self::Box { half } => Self::Box { half: half.map(|side| side * factor) },
            Self::Polygon { corners } => {
                Self::Polygon { corners: corners.iter().map(|corner| corner.map(|at| at * factor)).collect() }
            }
            Self::Cone { half_angle } => Self::Cone { half_angle: *half_angle },
        }
    }

    /// The distance of a point in the entity's coordinates, infinite where nothing is felt, and its square.
    pub(crate) fn distance(&self, [x, y]: [f32; 2]) -> Distance {
        match self {
            Self::Disc => Distance::of_square(x * x + y * y),
            Self::Ring { radius } => Distance::of((length(x, y) - radius).abs()),
            Self::Capsule { length: l } => {
                let along = x - x.clamp(0.0, *l);
                Distance::of_square(along * along + y * y)
            }
            Self::Box { half } => {
                let [dx, dy] = [(x.abs() - half[0]).max(0.0), (y.abs() - half[1]).max(0.0)];
                Distance::of_square(dx * dx + dy * dy)
            }
            Self::Polygon { corners } => Distance::of_square(square_to_polygon(corners, [x, y])),
            Self::Cone { half_angle } => {
                let inside = half_angle.sin() * x >= half_angle.cos() * y.abs();
                if inside { Distance::of_square(x * x + y * y) } else { Distance::of(f32::INFINITY) }
            }
        }
    }

    /// The distance of its farthest point from the position.
    pub(crate) fn radius(&self) -> f32 {
        match self {
            Self::Disc | Self::Cone { .. } => 0.0,
            Self::Ring { radius } => *radius,
            Self::Capsule { length } => *length,
            Self::Box { half } => length(half[0], half[1]),
            Self::Polygon { corners } => corners.iter().map(|corner| length(corner[0], corner[1])).fold(0.0, f32::max),
        }
    }

    /// Lowest and highest coordinates of the figure, in the entity's own.
    pub(crate) fn bounds(&self) -> [[f32; 2]; 2] {
        match self {
            Self::Disc | Self::Cone { .. } => [[0.0; 2]; 2],
            Self::Ring { radius } => [[-radius; 2], [*radius; 2]],
            Self::Capsule { length } => [[0.0; 2], [*length, 0.0]],
            Self::Box { half } => [half.map(|h| -h), *half],
            Self::Polygon { corners } => corners.iter().fold([[f32::INFINITY; 2], [f32::NEG_INFINITY; 2]], |b, c| {
                [[b[0][0].min(c[0]), b[0][1].min(c[1])], [b[1][0].max(c[0]), b[1][1].max(c[1])]]
            }),
        }
    }
}

/// A distance and its square; profiles need one or the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Distance {
    pub distance: f32,
    pub square: f32,
}

impl Distance {
    fn of(distance: f32) -> Self {
        Self { distance, square: distance * distance }
    }

    fn of_square(square: f32) -> Self {
        Self { distance: square.sqrt(), square }
    }
}

fn length(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt()
}

/// Square of the distance to a polygon, 0 inside (by the even-odd rule).
fn square_to_polygon(corners: &[[f32; 2]], [x, y]: [f32; 2]) -> f32 {
    let mut inside = false;
    let mut nearest = f32::INFINITY;
    let mut from = corners[corners.len() - 1];
    for &to in corners {
        let [ex, ey] = [to[0] - from[0], to[1] - from[1]];
        let [px, py] = [x - from[0], y - from[1]];
        let square = ex * ex + ey * ey;
        let inverse = if square > 0.0 { 1.0 / square } else { 0.0 };
        let along = ((px * ex + py * ey) * inverse).clamp(0.0, 1.0);
        let [dx, dy] = [px - along * ex, py - along * ey];
        nearest = nearest.min(dx * dx + dy * dy);
        // Whether a ray to the right crosses this side.
        if (from[1] > y) != (to[1] > y) && px < py * (ex / ey) {
            inside = !inside;
        }
        from = to;
    }
    if inside { 0.0 } else { nearest }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(shape: &Shape, point: [f32; 2]) -> f32 {
        shape.distance(point).distance
    }

    #[test]
    fn distances_of_every_figure() {
        let l_shape =
            Shape::Polygon { corners: vec![[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 2.0], [2.0, 4.0], [0.0, 4.0]] };
        let cone = Shape::Cone { half_angle: std::f32::consts::FRAC_PI_4 };
        for (shape, point, expected) in [
            (&Shape::Disc, [3.0, 4.0], 5.0),
            (&Shape::Ring { radius: 4.0 }, [3.0, 4.0], 1.0),
            (&Shape::Ring { radius: 7.0 }, [3.0, 4.0], 2.0),
            (&Shape::Capsule { length: 10.0 }, [5.0, -2.0], 2.0),
            (&Shape::Capsule { length: 10.0 }, [13.0, 4.0], 5.0),
            (&Shape::Capsule { length: 10.0 }, [-3.0, 4.0], 5.0),
            (&Shape::Box { half: [2.0, 1.0] }, [1.0, -1.0], 0.0),
            (&Shape::Box { half: [2.0, 1.0] }, [-5.0, 5.0], 5.0),
            (&l_shape, [1.0, 3.0], 0.0),
            (&l_shape, [3.0, 3.0], 1.0),
            (&l_shape, [5.0, 1.0], 1.0),
            (&cone, [5.0, 0.0], 5.0),
            (&cone, [4.0, -3.0], 5.0),
            (&cone, [3.0, 4.0], f32::INFINITY),
            (&cone, [-1.0, 0.0], f32::INFINITY),
            (&cone, [0.0, 0.0], 0.0),
        ] {
            assert_eq!(distance(shape, point), expected, "{shape:?} {point:?}");
        }
    }

    #[test]
    fn numbers_that_make_no_figure_are_refused() {
        let place = |shape: Shape| shape.check().unwrap_err().place;
        assert_eq!(place(Shape::Ring { radius: -1.0 }), "ring, radius");
        assert_eq!(place(Shape::Capsule { length: f32::NAN }), "capsule, length");
        assert_eq!(place(Shape::Box { half: [1.0, -1.0] }), "box, half of the width");
        assert_eq!(place(Shape::Cone { half_angle: 4.0 }), "cone, half angle");
        assert_eq!(place(Shape::Polygon { corners: vec![[0.0; 2]; 2] }), "polygon, corners");
        assert_eq!(place(Shape::Polygon { corners: vec![[0.0, f32::NAN]; 3] }), "polygon, corner 1, y");
    }
}
