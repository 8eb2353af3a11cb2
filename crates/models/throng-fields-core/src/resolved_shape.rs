//! Shapes in the form used for evaluation: lengths in the unit of the caller, and precomputed sines.

use std::borrow::Cow;

use crate::NEGATIVE_ZERO;
use crate::heading::sin_cos;
use crate::metric::Metric;
use crate::rules::distance::{
    Side, box_axis_distance, capsule_axis_distance, circle_line_distance, contour_square, is_in_cone, square_of,
};
use crate::shape::Shape;
use crate::stamp::Stamp;

/// A [`Shape`] prepared for evaluation at many points.
#[derive(Debug, Clone, PartialEq)]
pub enum ResolvedShape<'s> {
    Disc,
    Ring {
        radius: f32,
    },
    /// The points at the distance `radius` in the Manhattan metric. A disc has radius 0.
    Diamond {
        radius: f32,
    },
    /// The same in the Chebyshev metric.
    Square {
        radius: f32,
    },
    Capsule {
        length: f32,
    },
    Box {
        half: [f32; 2],
    },
    Polygon(Cow<'s, [[f32; 2]]>),
    /// Sine and cosine of half the opening.
    Cone {
        sin: f32,
        cos: f32,
    },
    Stamp(Stamp),
}

/// The effect of a shape at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reading {
    /// A distance, from which the profile gives the value.
    Distance(Distance),
    /// A value that replaces the profile.
    Value(f32),
}

impl<'s> ResolvedShape<'s> {
    /// Resolves a shape without changing its units. The metric has an effect only on discs and rings.
    pub fn of(shape: &'s Shape, metric: Metric) -> Self {
        let ring = |radius: f32| match metric {
            Metric::Euclidean => Self::Ring { radius },
            Metric::Manhattan => Self::Diamond { radius },
            Metric::Chebyshev => Self::Square { radius },
        };
        match shape {
            Shape::Disc if metric == Metric::Euclidean => Self::Disc,
            Shape::Disc => ring(0.0),
            Shape::Ring { radius } => ring(*radius),
            Shape::Capsule { length } => Self::Capsule { length: *length },
            Shape::Box { half } => Self::Box { half: *half },
            Shape::Polygon { corners } => Self::Polygon(Cow::Borrowed(corners)),
            // Every direction is within pi of the heading.
            Shape::Cone { half_angle } if *half_angle >= std::f32::consts::PI => Self::Disc,
            Shape::Cone { half_angle } => {
                let [sin, cos] = sin_cos(*half_angle);
                Self::Cone { sin, cos }
            }
            Shape::Stamp(stamp) => Self::Stamp(stamp.clone()),
        }
    }

    /// Resolves a shape with all lengths multiplied by `factor`.
    pub fn scaled(shape: &'s Shape, metric: Metric, factor: f32) -> ResolvedShape<'static> {
        match Self::of(shape, metric) {
            Self::Disc => ResolvedShape::Disc,
            Self::Ring { radius } => ResolvedShape::Ring { radius: radius * factor },
            Self::Diamond { radius } => ResolvedShape::Diamond { radius: radius * factor },
            Self::Square { radius } => ResolvedShape::Square { radius: radius * factor },
            Self::Capsule { length } => ResolvedShape::Capsule { length: length * factor },
            Self::Box { half } => ResolvedShape::Box { half: half.map(|side| side * factor) },
            Self::Polygon(corners) => {
                ResolvedShape::Polygon(corners.iter().map(|corner| corner.map(|at| at * factor)).collect())
            }
            Self::Cone { sin, cos } => ResolvedShape::Cone { sin, cos },
            Self::Stamp(stamp) => ResolvedShape::Stamp(stamp.scaled(factor)),
        }
    }

    /// The distance of the shape's farthest point from the position.
    pub fn radius(&self) -> f32 {
        let length = |[x, y]: [f32; 2]| (x * x + y * y).sqrt();
        match self {
            Self::Disc | Self::Cone { .. } => 0.0,
            Self::Ring { radius } | Self::Diamond { radius } => *radius,
            Self::Square { radius } => length([*radius; 2]),
            Self::Capsule { length } => *length,
            Self::Box { half } => length(*half),
            Self::Polygon(corners) => corners.iter().copied().map(length).fold(0.0, f32::max),
            Self::Stamp(stamp) => length(stamp.half()),
        }
    }

    /// The distance from the position of the farthest point within `reach` of the shape.
    pub fn farthest(&self, reach: f32) -> f32 {
        match self {
            // The corner of a larger square.
            Self::Square { radius } => Self::Square { radius: radius + reach }.radius(),
            Self::Stamp(_) => self.radius(),
            _ => self.radius() + reach,
        }
    }

    /// Whether rotation changes the shape. Metrics have the axes of the map, so diamonds and squares do not turn.
    pub fn has_heading(&self) -> bool {
        !matches!(self, Self::Disc | Self::Ring { .. } | Self::Diamond { .. } | Self::Square { .. })
    }

    /// Evaluates the shape at a point in the entity's coordinates: a distance, infinite outside a cone, or a value.
    pub fn evaluate(&self, [x, y]: [f32; 2]) -> Reading {
        let zero = NEGATIVE_ZERO;
        Reading::Distance(match self {
            Self::Disc => Distance::of_square(square_of(x, y, zero)),
            Self::Ring { radius } => Distance::of(circle_line_distance(square_of(x, y, zero), *radius)),
            Self::Diamond { radius } => Distance::of_square(contour_square(x, y, *radius, false, zero)),
            Self::Square { radius } => Distance::of_square(contour_square(x, y, *radius, true, zero)),
            Self::Capsule { length } => Distance::of_square(square_of(capsule_axis_distance(x, *length), y, zero)),
            Self::Box { half } => {
                Distance::of_square(square_of(box_axis_distance(x, half[0]), box_axis_distance(y, half[1]), zero))
            }
            Self::Polygon(corners) => Distance::of_square(square_to_polygon(corners, [x, y])),
            Self::Cone { sin, cos } if is_in_cone(x, y, *sin, *cos, zero) => Distance::of_square(square_of(x, y, zero)),
            Self::Cone { .. } => Distance::of(f32::INFINITY),
            Self::Stamp(stamp) => return Reading::Value(stamp.value([x, y])),
        })
    }
}

/// A distance and its square; a profile needs one or the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance {
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

/// Square of the distance to a polygon, 0 inside (by the even-odd rule).
fn square_to_polygon(corners: &[[f32; 2]], [x, y]: [f32; 2]) -> f32 {
    let mut inside = false;
    let mut nearest = f32::INFINITY;
    let mut from = corners[corners.len() - 1];
    for &to in corners {
        let side = Side::between(from, to);
        nearest = nearest.min(side.square_to(x, y, NEGATIVE_ZERO));
        if side.is_at_height(y) && side.is_to_the_right(x, y, side.x_per_y(), NEGATIVE_ZERO) {
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
        distance_in(Metric::Euclidean, shape, point)
    }

    fn distance_in(metric: Metric, shape: &Shape, point: [f32; 2]) -> f32 {
        match ResolvedShape::of(shape, metric).evaluate(point) {
            Reading::Distance(far) => far.distance,
            Reading::Value(value) => panic!("{value}"),
        }
    }

    #[test]
    fn distances_match_expected_values_for_every_shape() {
        let l_shape =
            Shape::Polygon { corners: vec![[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 2.0], [2.0, 4.0], [0.0, 4.0]] };
        let cone = Shape::Cone { half_angle: std::f32::consts::FRAC_PI_4 };
        let whole = Shape::Cone { half_angle: std::f32::consts::PI };
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
            (&whole, [-3.0, 4.0], 5.0),
            (&whole, [3.0, 0.0], 3.0),
        ] {
            assert_eq!(distance(shape, point), expected, "{shape:?} {point:?}");
        }
    }

    #[test]
    fn distances_in_other_metrics_match_expected_values() {
        let ring = Shape::Ring { radius: 4.0 };
        for (shape, point, manhattan, chebyshev) in [
            (&Shape::Disc, [3.0, -4.0], 7.0, 4.0),
            (&Shape::Disc, [-2.5, 0.0], 2.5, 2.5),
            (&Shape::Disc, [0.0, 0.0], 0.0, 0.0),
            (&ring, [3.0, -4.0], 3.0, 0.0),
            (&ring, [-1.0, 2.0], 1.0, 2.0),
            (&ring, [2.0, 2.0], 0.0, 2.0),
            (&ring, [6.0, 6.0], 8.0, 2.0),
        ] {
            assert_eq!(distance_in(Metric::Manhattan, shape, point), manhattan, "{shape:?} {point:?}");
            assert_eq!(distance_in(Metric::Chebyshev, shape, point), chebyshev, "{shape:?} {point:?}");
        }
        let square = ResolvedShape::of(&ring, Metric::Chebyshev);
        assert!((square.farthest(2.0) - 6.0 * 2.0f32.sqrt()).abs() < 1e-5);
        assert_eq!(ResolvedShape::of(&ring, Metric::Manhattan).farthest(2.0), 6.0);
    }

    #[test]
    fn cones_contain_the_directions_within_their_angle() {
        for half_angle in [0.1f32, 1.0, std::f32::consts::FRAC_PI_2, 2.0, 3.1, std::f32::consts::PI] {
            let cone = Shape::Cone { half_angle };
            for degrees in -180i16..=180 {
                let angle = f32::from(degrees).to_radians();
                // Skips angles closer to the side than rounding can resolve.
                if (angle.abs() - half_angle).abs() > 1e-5 {
                    let inside = distance(&cone, [7.0 * angle.cos(), 7.0 * angle.sin()]).is_finite();
                    assert_eq!(inside, angle.abs() < half_angle, "{half_angle} {degrees}");
                }
            }
        }
    }
}
