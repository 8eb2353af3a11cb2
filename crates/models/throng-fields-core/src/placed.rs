//! Entities relative to a grid: all lengths are in cells, so that the sampled point of a cell is its column and row,
//! and all divisions are precomputed. The CPU and devices compute with the same numbers.

use std::sync::Arc;

use throng_pictures::Grid;

use crate::NEGATIVE_ZERO;
use crate::entities::Entity;
use crate::heading::sin_cos;
use crate::profile::Form;
use crate::resolved_shape::{Reading, ResolvedShape};
use crate::rules::distance::turned;
use crate::rules::fall::Fall;

/// An entity in the coordinates of a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// Position in cells from the first sampled point, in single precision.
    pub position: [f32; 2],
    /// Sine and cosine of the heading; `None` if it is 0 or does not change the shape.
    pub turn: Option<[f32; 2]>,
    pub figure: ResolvedShape<'static>,
    /// Factor for the values of a stamp; the factor of a profile is in `fall`.
    pub charge: f32,
    /// The distance beyond which the value is zero, cells.
    pub reach: f32,
    pub fall: Fall,
}

/// Limit of coordinates, cells, beyond the reach of any entity: positions are clamped to it so that squares do not
/// overflow.
pub const FAR: f64 = 1e15;

/// Splits a position in cells into single precision and the remainder, which only fixed point uses.
pub fn split(at: [f64; 2]) -> ([f32; 2], [f32; 2]) {
    let at = at.map(|at| at.clamp(-FAR, FAR));
    let high = at.map(|at| at as f32);
    (high, [0, 1].map(|axis| (at[axis] - f64::from(high[axis])) as f32))
}

/// The rate at which the exponent of a bell falls with the square of the distance.
pub fn rate_of_bell(sigma: f32) -> f32 {
    1.0 / (2.0 * sigma * sigma)
}

impl Placed {
    pub fn new(grid: &Grid, entity: &Entity) -> Self {
        let cell = grid.cell();
        let (position, _) = split(grid.in_samples(entity.position));
        let reach = entity.profile.reach() / cell;
        let charge = entity.charge;
        let fall = match &entity.profile.form {
            Form::Linear => Fall::Linear { charge, slope: charge / reach },
            Form::Quadratic => Fall::Quadratic { charge, slope: charge / (reach * reach) },
            Form::Gaussian { sigma } => Fall::Gaussian { charge, rate: rate_of_bell(sigma / cell) },
            Form::Piecewise(_, pieces) => Fall::Piecewise { charge, pieces: Arc::clone(pieces), per_cell: cell },
            Form::Table(values) => {
                Fall::Table { charge, values: Arc::clone(values), per_cell: (values.len() - 1) as f32 / reach }
            }
        };
        let figure = ResolvedShape::scaled(&entity.shape, entity.metric, 1.0 / cell);
        let turned = figure.has_heading() && entity.heading != 0.0;
        Self { position, turn: turned.then(|| sin_cos(entity.heading)), figure, charge, reach, fall }
    }

    /// The distance from the position beyond which the value is zero, cells.
    pub fn farthest(&self) -> f32 {
        self.figure.farthest(self.reach)
    }

    /// A circle, as its centre in cells and its radius, beyond which the value is zero. It is smaller than the circle
    /// around the position if the shape lies to one side of it. Slightly enlarged, for rounding.
    #[cfg(feature = "gpu")]
    pub fn circle(&self) -> ([f32; 2], f32) {
        let (own, radius) = match &self.figure {
            ResolvedShape::Ring { .. }
            | ResolvedShape::Diamond { .. }
            | ResolvedShape::Square { .. }
            | ResolvedShape::Box { .. }
            | ResolvedShape::Stamp(_) => ([0.0; 2], self.farthest()),
            ResolvedShape::Capsule { length } => ([length * 0.5, 0.0], length * 0.5 + self.reach),
            ResolvedShape::Polygon(corners) => {
                let lowest = |axis: usize| corners.iter().map(|corner| corner[axis]).fold(f32::INFINITY, f32::min);
                let highest = |axis: usize| corners.iter().map(|corner| corner[axis]).fold(f32::NEG_INFINITY, f32::max);
                let middle = [0, 1].map(|axis| lowest(axis) * 0.5 + highest(axis) * 0.5);
                let away = |[x, y]: &[f32; 2]| libm::hypotf(x - middle[0], y - middle[1]);
                (middle, corners.iter().map(away).fold(0.0, f32::max) + self.reach)
            }
            // Passes through the position and both ends of the arc.
            ResolvedShape::Cone { sin, cos } if cos > sin => ([self.reach * 0.5 / cos, 0.0], self.reach * 0.5 / cos),
            // The ends of the arc are the points farthest apart.
            ResolvedShape::Cone { sin, cos } if *cos > 0.0 => ([self.reach * cos, 0.0], self.reach * sin),
            ResolvedShape::Disc | ResolvedShape::Cone { .. } => ([0.0; 2], self.reach),
        };
        let [sin, cos] = self.turn.unwrap_or([0.0, 1.0]);
        let middle = [self.position[0] + cos * own[0] - sin * own[1], self.position[1] + sin * own[0] + cos * own[1]];
        let rounding = 1e-5 * (radius + self.farthest()) + 4e-7 * (self.position[0].abs() + self.position[1].abs());
        (middle, radius + rounding)
    }

    /// Returns the contribution of the entity to a cell.
    pub fn charge(&self, column: u32, row: u32) -> f32 {
        let [x, y] = [column as f32 - self.position[0], row as f32 - self.position[1]];
        let own = match self.turn {
            Some([sin, cos]) => turned(x, y, sin, cos, NEGATIVE_ZERO).into(),
            None => [x, y],
        };
        match self.figure.evaluate(own) {
            Reading::Distance(far) if far.distance < self.reach => self.fall.charge(far),
            Reading::Distance(_) => 0.0,
            Reading::Value(value) => self.charge * value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Knot, Profile};
    use crate::shape::Shape;
    use crate::stamp::Stamp;

    #[test]
    fn charges_on_a_grid_match_charges_in_the_world() {
        let grid = Grid::new([-3.0, 2.0], 0.25, 80, 80).unwrap();
        let base = [Knot::at(0.0, 3.0), Knot { distance: 2.0, before: 1.0, after: -1.0 }, Knot::at(6.0, 0.5)];
        let profiles = [
            Profile::linear(5.0),
            Profile::quadratic(5.0),
            Profile::gaussian(2.0, 6.0),
            Profile::piecewise(&base),
            Profile::table(5.0, &[1.0, 4.0, -2.0, 0.5]),
        ];
        let shapes = [
            Shape::Disc,
            Shape::Ring { radius: 3.0 },
            Shape::Capsule { length: 6.0 },
            Shape::Box { half: [2.0, 1.0] },
            Shape::Polygon { corners: vec![[0.0, 0.0], [5.0, 1.0], [2.0, 4.0]] },
            Shape::Cone { half_angle: 0.6 },
            Shape::Cone { half_angle: std::f32::consts::PI },
            Shape::Stamp(Stamp::new(3, 2, 1.3, &[1.0, -2.0, 0.5, 3.0, 0.0, 1.0]).unwrap()),
        ];
        for profile in profiles.map(Result::unwrap) {
            for shape in shapes.clone() {
                let entity =
                    Entity::new([6.03, 11.21], profile.clone()).with_shape(shape).with_heading(0.7).with_charge(-1.5);
                let placed = Placed::new(&grid, &entity);
                let mut felt = 0;
                for row in 0..80 {
                    for column in 0..80 {
                        let (found, expected) = (placed.charge(column, row), entity.charge_at(grid.point(column, row)));
                        assert!((found - expected).abs() < 2e-4, "{entity:?} {column} {row}: {found} {expected}");
                        felt += u32::from(found != 0.0);
                    }
                }
                assert!(felt > 100, "{felt}");
            }
        }
    }

    #[cfg(feature = "gpu")]
    #[test]
    fn entities_have_no_effect_outside_their_circle() {
        let grid = Grid::new([0.0, 0.0], 0.5, 160, 160).unwrap();
        let cone = |half_angle| Shape::Cone { half_angle };
        let corners = vec![[1.0, 0.0], [9.0, 2.0], [4.0, 7.0], [2.0, 3.0]];
        let shapes = [
            Shape::Disc,
            Shape::Ring { radius: 7.0 },
            Shape::Capsule { length: 15.0 },
            Shape::Box { half: [5.0, 2.0] },
            Shape::Polygon { corners },
            Shape::Stamp(Stamp::new(9, 4, 1.5, &[1.0; 36]).unwrap()),
        ];
        for shape in shapes.into_iter().chain([0.1, 0.6, 0.785, 0.79, 1.3, 1.5, 1.58, 2.5, 3.1].map(cone)) {
            for heading in [0.0, 0.9, 2.2, 4.0] {
                let entity = Entity::new([40.3, 39.8], Profile::quadratic(12.0).unwrap());
                let placed = Placed::new(&grid, &entity.with_shape(shape.clone()).with_heading(heading));
                let (middle, radius) = placed.circle();
                let cells = (0..160).flat_map(|row| (0..160).map(move |column| (column, row)));
                let felt: Vec<f32> = cells
                    .filter(|&(column, row)| placed.charge(column, row) != 0.0)
                    .map(|(column, row)| (column as f32 - middle[0]).hypot(row as f32 - middle[1]))
                    .collect();
                let farthest = felt.iter().copied().fold(0.0, f32::max);
                assert!(farthest < radius && felt.len() > 20, "{shape:?} {heading}: {farthest} {radius}");
            }
        }
    }
}
