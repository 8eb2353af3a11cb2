//! Entities of one profile as charges at sampled points, without the profile.

use std::ops::Range;

use crate::entities::Entity;
use crate::error::FieldError;
use crate::grid::Grid;
use crate::memory::room;
use crate::profile::Profile;
use crate::shape::Shape;

/// Charges at the sampled points of a grid, and at points beyond it on all sides: entities outside still count.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Impulses {
    /// Points along x, those beyond the grid included.
    pub columns: usize,
    /// Points along y.
    pub rows: usize,
    /// Points beyond the grid on each side: the cells that are nearer than the reach.
    pub pad: usize,
    /// Row by row.
    pub values: Vec<f32>,
    /// In each row the columns from the first one with a charge to the last; most points have none.
    pub spans: Vec<Range<usize>>,
}

/// The largest number of points: the range of 32-bit numbers.
const MOST_POINTS: f64 = (1u64 << 31) as f64;

impl Impulses {
    /// Charges bilinearly distributed to the four sampled points around each entity. Cost: points and entities.
    ///
    /// # Errors
    /// When there are too many points.
    pub fn new(grid: &Grid, entities: &[Entity], profile: &Profile) -> Result<Self, FieldError> {
        let (columns, rows, pad) = Self::size(grid, profile)?;
        room::<[f32; 2]>("points of a convolution", columns * rows)?;
        let mut impulses = Self { columns, rows, pad, values: vec![0.0; columns * rows], spans: vec![0..0; rows] };
        for entity in entities {
            let Between { first: [column, row], share: [x, y] } = Between::of(grid, entity);
            for (column, row, share) in [
                (column, row, (1.0 - x) * (1.0 - y)),
                (column + 1, row, x * (1.0 - y)),
                (column, row + 1, (1.0 - x) * y),
                (column + 1, row + 1, x * y),
            ] {
                impulses.add(column, row, entity.charge * share);
            }
        }
        Ok(impulses)
    }

    /// Columns, rows, and how many of them are beyond the grid on each side.
    ///
    /// # Errors
    /// When there are too many points.
    pub fn size(grid: &Grid, profile: &Profile) -> Result<(usize, usize, usize), FieldError> {
        // At the reach itself the value is zero.
        let pad = f64::from((profile.reach() / grid.cell()).ceil() - 1.0).max(0.0);
        let [columns, rows] = [grid.columns(), grid.rows()].map(|count| f64::from(count) + 2.0 * pad);
        if columns * rows > MOST_POINTS {
            let value = format!("{columns:.0} x {rows:.0}");
            let remedy =
                format!("at most {MOST_POINTS}, with all points within reach of the grid: use creation::by_tiles");
            return Err(FieldError::new("impulses, size", value, remedy));
        }
        Ok((columns as usize, rows as usize, pad as usize))
    }

    /// Adds to a point, counted from the first sampled point of the grid. Points beyond the padding are beyond reach.
    fn add(&mut self, column: i64, row: i64, charge: f32) {
        let (column, row) = (column.saturating_add(self.pad as i64), row.saturating_add(self.pad as i64));
        let inside = (0..self.columns as i64).contains(&column) && (0..self.rows as i64).contains(&row);
        if inside && charge != 0.0 {
            let (column, row) = (column as usize, row as usize);
            self.values[row * self.columns + column] += charge;
            let span = &mut self.spans[row];
            *span = if span.start == span.end {
                column..column + 1
            } else {
                span.start.min(column)..span.end.max(column + 1)
            };
        }
    }

    /// The charges of a row between the first and the last one, and the column of the first; beyond the rows there are
    /// none.
    pub fn row(&self, row: usize) -> (usize, &[f32]) {
        let Some(span) = self.spans.get(row) else { return (0, &[]) };
        (span.start, &self.values[row * self.columns..][span.clone()])
    }
}

/// The sampled points around an entity.
pub(super) struct Between {
    /// Column and row of the point before it.
    first: [i64; 2],
    /// The share of the way to the next point.
    share: [f32; 2],
}

impl Between {
    pub fn of(grid: &Grid, entity: &Entity) -> Self {
        let at = grid.in_samples(entity.position);
        // Clamped well within the range of numbers, and far beyond any grid.
        let first = at.map(|at| (at.floor() as i64).clamp(-(1 << 40), 1 << 40));
        Self { first, share: at.map(|at| (at - at.floor()) as f32) }
    }

    /// Distance from the four points, cells: the root of the mean square, each point weighted by its share of the
    /// charge. 0 on a sampled point.
    pub fn distance(&self) -> f32 {
        self.share.iter().map(|share| share * (1.0 - share)).sum::<f32>().sqrt()
    }
}

/// The remedy for entities that differ.
const OTHERWISE: &str = "use creation::by_tiles, which takes them all";

/// The profile that all entities have; `None` when there are no entities.
///
/// # Errors
/// When an entity is not a disc, or has another profile than the first.
pub(super) fn common_profile(entities: &[Entity]) -> Result<Option<&Profile>, FieldError> {
    let Some(Entity { profile, .. }) = entities.first() else { return Ok(None) };
    for (i, entity) in entities.iter().enumerate() {
        if entity.shape != Shape::Disc {
            let remedy = format!("expected discs only: {OTHERWISE}");
            return Err(FieldError::new(format!("entity {i}, shape"), entity.shape.name(), remedy));
        }
        if entity.profile != *profile {
            let remedy = format!("expected one profile for all: {OTHERWISE}");
            return Err(FieldError::new(format!("entity {i}, profile"), "not that of entity 0", remedy));
        }
    }
    Ok(Some(profile))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disc(x: f32, y: f32) -> Entity {
        Entity::new([x, y], Profile::linear(3.0).unwrap())
    }

    #[test]
    fn a_charge_is_shared_by_the_points_around_it() {
        let grid = Grid::new([0.0, 0.0], 2.0, 3, 2).unwrap();
        let profile = Profile::linear(3.0).unwrap();
        // A quarter of the way from the point (3, 1) to (5, 1), half of the way to (3, 3).
        let impulses = Impulses::new(&grid, &[disc(3.5, 2.0).with_charge(8.0)], &profile).unwrap();
        assert_eq!((impulses.columns, impulses.rows, impulses.pad), (5, 4, 1));
        let at = |column: usize, row: usize| impulses.values[(row + 1) * 5 + column + 1];
        assert_eq!([at(1, 0), at(2, 0), at(1, 1), at(2, 1)], [3.0, 1.0, 3.0, 1.0]);
        assert_eq!(impulses.values.iter().sum::<f32>(), 8.0);
        assert_eq!([1, 2].map(|row| impulses.row(row)), [(2, &[3.0, 1.0][..]); 2]);
        assert!([0, 3, 4].iter().all(|&row| impulses.row(row).1.is_empty()));
    }

    #[test]
    fn entities_outside_count_as_long_as_they_reach_the_grid() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let sum = |x: f32, y: f32| {
            let profile = Profile::linear(3.0).unwrap();
            Impulses::new(&grid, &[disc(x, y)], &profile).unwrap().values.iter().sum::<f32>()
        };
        assert_eq!([sum(-1.5, 1.5), sum(5.5, 5.5), sum(-1.0, 1.0), sum(-2.0, 1.5)], [1.0, 1.0, 1.0, 0.5]);
        assert_eq!([sum(-2.5, 1.5), sum(1.5, 6.5), sum(1e30, 1.5), sum(1.5, -1e30)], [0.0; 4]);
    }

    #[test]
    fn entities_that_differ_are_named() {
        assert_eq!(common_profile(&[]), Ok(None));
        let other = Entity::new([0.0, 0.0], Profile::linear(4.0).unwrap());
        let ring = disc(0.0, 0.0).with_shape(Shape::Ring { radius: 1.0 });
        assert_eq!(common_profile(&[disc(0.0, 0.0), other]).unwrap_err().place, "entity 1, profile");
        let error = common_profile(&[disc(0.0, 0.0), disc(1.0, 2.0), ring]).unwrap_err();
        assert_eq!((error.place.as_str(), error.value.as_str()), ("entity 2, shape", "ring"));
        let grid = Grid::new([0.0, 0.0], 1e-6, 4, 4).unwrap();
        assert_eq!(Impulses::size(&grid, &Profile::linear(3.0).unwrap()).unwrap_err().place, "impulses, size");
    }
}
