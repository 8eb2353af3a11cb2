//! The sources of a field: entities with a shape, a profile and a charge.

use serde::{Deserialize, Serialize};
use throng_core::InputError;
use throng_core::checks::finite;
use throng_pictures::Grid;

use crate::NEGATIVE_ZERO;
use crate::heading::sin_cos;
use crate::metric::Metric;
use crate::profile::Profile;
use crate::resolved_shape::{Reading, ResolvedShape};
use crate::rules::distance::turned;
use crate::rules::ring;
use crate::shape::Shape;
use crate::stamp::Stamp;

/// A source of a field.
///
/// ```
/// use throng_fields_core::{Entity, Profile, Shape};
///
/// let tower = Entity::new([20.0, 30.0], Profile::linear(8.0)?).with_charge(-2.5);
/// let wall = Shape::Capsule { length: 40.0 };
/// let wall = Entity::new([0.0, 5.0], Profile::quadratic(1.5)?).with_shape(wall).with_heading(0.3);
/// assert_eq!((tower.charge_at([20.0, 32.0]), wall.charge_at([0.0, 50.0])), (-1.875, 0.0));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
///
/// Entities and their parts are serialized with serde without any loss of precision. Numbers of profiles and stamps are
/// checked on deserialization, those of shapes and entities when they are added to a field:
///
/// ```
/// use throng_fields_core::{Entity, Profile, Shape};
///
/// let saved = r#"{"position": [20.0, 30.0], "profile": {"form": "linear", "radius": 8.0}, "shape": {"ring": {"radius": 5.0}}}"#;
/// let tower: Entity = serde_json::from_str(saved).expect("it is valid");
/// let ring = Shape::Ring { radius: 5.0 };
/// assert_eq!(tower, Entity::new([20.0, 30.0], Profile::linear(8.0)?).with_shape(ring));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entity {
    /// Position, world units; in double precision because fields depend on the position relative to a grid, which may
    /// be far from 0.
    pub position: [f64; 2],
    /// Direction of the shape, radians from the x axis.
    #[serde(default)]
    pub heading: f32,
    /// The shape from which distances are measured, or a table of values.
    #[serde(default)]
    pub shape: Shape,
    /// How distances from a disc or a ring are measured; Euclidean for other shapes.
    #[serde(default)]
    pub metric: Metric,
    /// How the charge falls off. Stamps have their own values and do not use it.
    pub profile: Profile,
    /// Factor of the profile or the stamp: positive attracts, negative repels.
    #[serde(default = "one")]
    pub charge: f32,
    /// The layers that the entity belongs to, one bit each.
    #[serde(default = "all_layers")]
    pub layers: u32,
}

fn one() -> f32 {
    1.0
}

fn all_layers() -> u32 {
    u32::MAX
}

impl Entity {
    /// Creates a disc of charge 1 in all layers, at a position in single or double precision.
    pub fn new(position: [impl Into<f64>; 2], profile: Profile) -> Self {
        let position = position.map(Into::into);
        let metric = Metric::Euclidean;
        Self { position, heading: 0.0, shape: Shape::Disc, metric, profile, charge: 1.0, layers: u32::MAX }
    }

    /// Creates a stamp of charge 1 in all layers.
    pub fn stamped(position: [impl Into<f64>; 2], stamp: Stamp) -> Self {
        Self::new(position, Profile::nothing()).with_shape(Shape::Stamp(stamp))
    }

    /// Returns the number of grid cells in the bounding box of the entity's reach: the cost of its contribution to a
    /// field.
    ///
    /// ```
    /// use throng_fields_core::{Entity, Grid, Profile};
    ///
    /// let grid = Grid::new([0.0, 0.0], 1.0, 100, 100)?;
    /// let disc = |x| Profile::linear(10.0).map(|profile| Entity::new([x, 50.0], profile));
    /// assert!((400..=484).contains(&disc(50.0)?.cells_in_reach(&grid)));
    /// assert_eq!(disc(-20.0)?.cells_in_reach(&grid), 0);
    /// # Ok::<(), throng_fields_core::InputError>(())
    /// ```
    pub fn cells_in_reach(&self, grid: &Grid) -> usize {
        self.cells(grid).map_or(0, Cells::count)
    }

    /// Replaces the shape.
    pub fn with_shape(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// Measures distances in another metric, along the axes of the map for any heading. Only discs and rings have
    /// metrics other than the Euclidean one; [`Entity::check`] rejects them for other shapes.
    ///
    /// ```
    /// use throng_fields_core::{Entity, Metric, Profile};
    ///
    /// let disc = |metric| Ok::<_, throng_fields_core::InputError>(
    ///     Entity::new([0.0, 0.0], Profile::linear(10.0)?).with_metric(metric).charge_at([3.0, 4.0]),
    /// );
    /// // At distances of 5, 3 + 4, and the larger of 3 and 4.
    /// assert_eq!(disc(Metric::Euclidean)?, 0.5);
    /// assert!((disc(Metric::Manhattan)? - 0.3).abs() < 1e-6 && (disc(Metric::Chebyshev)? - 0.6).abs() < 1e-6);
    /// # Ok::<(), throng_fields_core::InputError>(())
    /// ```
    pub fn with_metric(self, metric: Metric) -> Self {
        Self { metric, ..self }
    }

    /// Replaces the charge.
    pub fn with_charge(self, charge: f32) -> Self {
        Self { charge, ..self }
    }

    /// Sets the heading, radians from the x axis.
    pub fn with_heading(self, heading: f32) -> Self {
        Self { heading, ..self }
    }

    /// Restricts the entity to certain layers, one bit each.
    pub fn in_layers(self, layers: u32) -> Self {
        Self { layers, ..self }
    }

    /// An upper bound of the absolute value of the entity's contribution at any point.
    pub fn max_contribution(&self) -> f32 {
        let largest = match &self.shape {
            Shape::Stamp(stamp) => stamp.values().map(f32::abs).fold(0.0, f32::max),
            _ => self.profile.largest(),
        };
        self.charge.abs() * largest
    }

    /// Rejects numbers that are not finite, invalid shapes, and shapes that do not have the metric.
    pub fn check(&self) -> Result<(), InputError> {
        finite("position x", self.position[0])?;
        finite("position y", self.position[1])?;
        finite("heading", self.heading)?;
        finite("charge", self.charge)?;
        if self.metric != Metric::Euclidean && !matches!(self.shape, Shape::Disc | Shape::Ring { .. }) {
            let remedy =
                format!("expected \"euclidean\" for a {}: only discs and rings have others", self.shape.name());
            return Err(InputError::one("metric", self.metric.name(), remedy));
        }
        self.shape.check()
    }

    fn resolved(&self) -> ResolvedShape<'_> {
        ResolvedShape::of(&self.shape, self.metric)
    }

    /// The radius of a ring in the Euclidean metric, which has its own rules in fixed point.
    pub fn circle_radius(&self) -> Option<f32> {
        match self.shape {
            Shape::Ring { radius } if self.metric == Metric::Euclidean => Some(radius),
            _ => None,
        }
    }

    /// Rejects what [`Entity::check`] rejects, and numbers that would overflow or lose their precision on the grid.
    pub fn check_on(&self, grid: &Grid) -> Result<(), InputError> {
        self.check()?;
        if self.max_contribution() > MAX_CHARGE {
            let remedy = format!("charge times profile or stamp value may be at most {MAX_CHARGE:e}");
            return Err(InputError::one("charge", self.charge, remedy));
        }
        let (shortest, longest) = match &self.shape {
            Shape::Stamp(stamp) => (1.0 / stamp.per_unit(), self.resolved().radius()),
            _ => (self.profile.shortest(), self.resolved().radius() + self.profile.reach()),
        };
        for length in [shortest, longest] {
            if !LENGTHS.contains(&(length / grid.cell())) {
                let remedy = format!("on cells of {}, give lengths from 1e-9 to 1e12 cells", grid.cell());
                return Err(InputError::one("a length of shape or profile", length, remedy));
            }
        }
        self.check_size(grid)
    }

    /// Rejects a shape so large that single precision resolves neither its reach nor a cell.
    fn check_size(&self, grid: &Grid) -> Result<(), InputError> {
        if matches!(self.shape, Shape::Stamp(_)) {
            return Ok(());
        }
        let size = self.resolved().radius();
        let finest = self.profile.reach().max(grid.cell());
        if size > MAX_SIZE * finest {
            let limit = MAX_SIZE * finest;
            let remedy = format!(
                "with a reach of {} and cells of {} the limit is {limit} from the position",
                self.profile.reach(),
                grid.cell()
            );
            return Err(InputError::one(format!("{}, farthest point", self.shape.name()), size, remedy));
        }
        Ok(())
    }

    /// The contribution of the entity to the field at a point of the world.
    pub fn charge_at(&self, point: [impl Into<f64>; 2]) -> f32 {
        let point = point.map(Into::into);
        let [x, y] = [0, 1].map(|axis| (point[axis] - self.position[axis]) as f32);
        let figure = self.resolved();
        let own = if figure.has_heading() {
            let [sin, cos] = sin_cos(self.heading);
            turned(x, y, sin, cos, NEGATIVE_ZERO).into()
        } else {
            [x, y]
        };
        let value = match figure.evaluate(own) {
            Reading::Distance(far) => self.profile.value_of_square(far.square, far.distance),
            Reading::Value(value) => value,
        };
        self.charge * value
    }

    /// Distance from the shape beyond which the value is zero, world units.
    pub fn reach(&self) -> f32 {
        // The shape of a stamp is its whole extent.
        if matches!(self.shape, Shape::Stamp(_)) { 0.0 } else { self.profile.reach() }
    }

    /// Returns the cells whose sampled points the entity may reach, or `None` if it reaches no cell of the grid.
    pub fn cells(&self, grid: &Grid) -> Option<Cells> {
        let [low, high] = self.shape.bounds().map(|corner| corner.map(f64::from));
        // Cells are computed in single precision: the margin ensures that no cell is lost to rounding.
        let rounding = 1e-6 * f64::from(self.resolved().radius());
        let cell = f64::from(grid.cell());
        // In fixed point, distances from the largest rings may be off by more than the extra cell below.
        let excess = self.circle_radius().map_or(0.0, |radius| {
            (ring::rounding(f64::from(radius) / cell, f64::from(self.reach()) / cell) - 1.0).max(0.0)
        });
        let rounding = rounding + excess * cell;
        let reach = f64::from(self.reach()) + rounding;
        let corners = [[low[0], low[1]], [low[0], high[1]], [high[0], low[1]], [high[0], high[1]]];
        let [sin, cos] = sin_cos(self.heading).map(f64::from);
        let turned = corners.map(|[x, y]| [cos * x - sin * y, sin * x + cos * y]);
        let at = grid.in_samples(self.position);
        let range = |axis: usize, count: u32| -> Option<(u32, u32)> {
            let from = turned.iter().map(|c| c[axis]).fold(f64::INFINITY, f64::min) - reach;
            let to = turned.iter().map(|c| c[axis]).fold(f64::NEG_INFINITY, f64::max) + reach;
            // One extra cell on either side, again for rounding.
            let cells = |offset: f64| at[axis] + offset / cell;
            let first = (cells(from).ceil() - 1.0).max(0.0);
            let end = (cells(to).floor() + 2.0).min(f64::from(count));
            (first < end).then_some((first as u32, end as u32))
        };
        let (columns, rows) = (range(0, grid.columns())?, range(1, grid.rows())?);
        Some(Cells { columns, rows })
    }
}

/// Maximum distance of any point of a shape, in units of its reach or of a cell, whichever is longer: the resolution of
/// single precision.
const MAX_SIZE: f32 = 16_777_216.0;

/// Range of lengths, in cells, for which no square or quotient overflows.
const LENGTHS: std::ops::RangeInclusive<f32> = 1e-9..=1e12;
const MAX_CHARGE: f32 = 1e12;

/// A block of cells, given as half-open ranges of columns and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cells {
    pub columns: (u32, u32),
    pub rows: (u32, u32),
}

impl Cells {
    /// The number of cells.
    pub fn count(self) -> usize {
        (self.columns.1 - self.columns.0) as usize * (self.rows.1 - self.rows.0) as usize
    }
}

/// Rejects entities with numbers that are invalid on a grid; the error names their index in the list.
pub fn check_all<'e>(grid: &Grid, entities: impl IntoIterator<Item = &'e Entity>) -> Result<(), InputError> {
    entities
        .into_iter()
        .enumerate()
        .try_for_each(|(i, entity)| entity.check_on(grid).map_err(|error| error.within(&format!("entity {i}"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::creation;

    #[test]
    fn overflowing_entities_are_refused_and_others_have_finite_values() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let at = |profile: Profile| Entity::new([1.5, 1.5], profile);
        let place = |entity: Entity| check_all(&grid, &[entity]).unwrap_err().place().to_owned();
        let length = "entity 0, a length of shape or profile";
        assert_eq!(place(at(Profile::quadratic(1e-20).unwrap())), length);
        assert_eq!(place(at(Profile::linear(1e-39).unwrap())), length);
        assert_eq!(place(at(Profile::gaussian(1e-23, 1.0).unwrap())), length);
        assert_eq!(place(at(Profile::linear(3.0).unwrap()).with_shape(Shape::Ring { radius: 1e20 })), length);
        assert_eq!(place(at(Profile::table(1.0, &[3e38, -3e38]).unwrap())), "entity 0, charge");
        for radius in [1e-9f32, 1e12] {
            for profile in [Profile::linear(radius), Profile::quadratic(radius), Profile::gaussian(radius, radius)] {
                let entity = at(profile.unwrap()).with_charge(-1e12);
                check_all(&grid, std::slice::from_ref(&entity)).unwrap();
                for field in [creation::every_pair, creation::by_tiles]
                    .map(|create| create(&grid, std::slice::from_ref(&entity)))
                {
                    assert!(field.unwrap().values().iter().all(|value| value.is_finite()), "{entity:?}");
                }
            }
        }
    }

    #[test]
    fn invalid_entities_are_refused_with_their_index() {
        let disc = || Entity::new([1.0, 2.0], Profile::linear(3.0).unwrap());
        let bad = [
            Entity { position: [f64::NAN, 0.0], ..disc() },
            Entity { heading: f32::INFINITY, ..disc() },
            disc().with_shape(Shape::Cone { half_angle: 1.0 }).with_metric(Metric::Manhattan),
            disc().with_charge(f32::NAN),
            disc().with_shape(Shape::Ring { radius: -1.0 }),
        ];
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let places = ["position x", "heading", "metric", "charge", "ring, radius"];
        for (bad, place) in bad.into_iter().zip(places) {
            assert_eq!(check_all(&grid, &[disc(), bad]).unwrap_err().place(), format!("entity 1, {place}"));
        }
    }

    #[test]
    fn distant_entities_affect_no_cell() {
        let grid = Grid::new([0.0, 0.0], 1.0, 8, 8).unwrap();
        let at = |x: f64, y: f64| Entity::new([x, y], Profile::linear(2.0).unwrap()).cells(&grid);
        assert_eq!(at(-9.0, 4.0), None);
        assert_eq!(at(1e30, 4.0), None);
        assert_eq!(at(4.0, 4.0).map(|cells| cells.columns), Some((1, 7)));
        assert!(at(8.5, 8.5).is_some());
    }

    #[test]
    fn a_heading_does_not_turn_a_metric() {
        let square = Entity::new([10.0, 10.0], Profile::linear(4.0).unwrap()).with_metric(Metric::Chebyshev);
        let turned = square.clone().with_heading(std::f32::consts::FRAC_PI_4);
        // Near the corner, beyond the reach of a circle.
        assert_eq!((square.charge_at([13.0, 7.0]), turned.charge_at([13.0, 7.0])), (0.25, 0.25));
    }

    #[test]
    fn capsules_extend_along_their_heading() {
        let wall = Entity::new([10.0, 10.0], Profile::linear(2.0).unwrap())
            .with_shape(Shape::Capsule { length: 6.0 })
            .with_heading(std::f32::consts::FRAC_PI_2);
        assert!((wall.charge_at([11.0, 15.0]) - 0.5).abs() < 1e-6);
        assert_eq!(wall.charge_at([15.0, 11.0]), 0.0);
    }
}
