//! Entities of one profile as charges at sampled points, without the profile.

use rayon::prelude::*;

use crate::entities::Entity;
use crate::error::FieldError;
use crate::grid::Grid;
use crate::memory::room;
use crate::profile::Profile;
use crate::shape::Shape;

/// Charges at the sampled points of a grid, and at points beyond it on all sides: entities outside still count.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Impulses {
    /// Points along x, those beyond the grid included.
    columns: usize,
    /// Row by row.
    values: Vec<f32>,
}

/// The largest number of points: the range of 32-bit numbers.
const MOST_POINTS: f64 = (1u64 << 31) as f64;

impl Impulses {
    /// Charges bilinearly distributed to the four sampled points around each entity. Cost: points and entities.
    ///
    /// # Errors
    /// When there are too many points.
    fn new(grid: &Grid, entities: &[Entity], profile: &Profile) -> Result<Self, FieldError> {
        let (columns, rows, pad) = Self::size(grid, profile)?;
        room::<f32>("impulses", columns * rows)?;
        let mut impulses = Self { columns, values: vec![0.0; columns * rows] };
        for entity in entities {
            for point in Between::of(grid, entity).shares(entity.charge) {
                if let Some((column, row)) = point.within([columns, rows], pad) {
                    impulses.values[row * columns + column] += point.charge;
                }
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

    /// The shares of a charge that the four points get.
    fn shares(&self, charge: f32) -> [Share; 4] {
        let Self { first: [column, row], share: [x, y] } = *self;
        [
            (column, row, (1.0 - x) * (1.0 - y)),
            (column + 1, row, x * (1.0 - y)),
            (column, row + 1, (1.0 - x) * y),
            (column + 1, row + 1, x * y),
        ]
        .map(|(column, row, share)| Share { column, row, charge: charge * share })
    }

    /// Distance from the four points, cells: the root of the mean square, each point weighted by its share of the
    /// charge. 0 on a sampled point.
    pub fn distance(&self) -> f32 {
        self.share.iter().map(|share| share * (1.0 - share)).sum::<f32>().sqrt()
    }
}

/// A part of a charge at a point, which is counted from the first sampled point of the grid.
struct Share {
    column: i64,
    row: i64,
    charge: f32,
}

impl Share {
    /// Column and row among so many points, `pad` of which are beyond the grid on each side; `None` if the point is
    /// farther away, and so out of reach.
    fn within(&self, counts: [usize; 2], pad: usize) -> Option<(usize, usize)> {
        let [column, row] = [self.column, self.row].map(|at| at.saturating_add(pad as i64));
        let inside = |at: i64, count: usize| (0..count as i64).contains(&at);
        (inside(column, counts[0]) && inside(row, counts[1])).then_some((column as usize, row as usize))
    }
}

/// The points with a charge, row by row and from left to right: the [`Impulses`] other than 0, each with the same bits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ImpulseList {
    /// Where each row begins, and the end of the last one.
    pub starts: Vec<u32>,
    /// The column of each point, those beyond the grid included.
    pub columns: Vec<u32>,
    pub charges: Vec<f32>,
}

impl ImpulseList {
    /// The impulses of entities on a grid. Cost: sorting four points for each entity and a little for each row, or all
    /// points if there are many entities.
    ///
    /// # Errors
    /// As for [`Impulses::new`].
    pub fn new(grid: &Grid, entities: &[Entity], profile: &Profile) -> Result<Self, FieldError> {
        let (columns, rows, pad) = Impulses::size(grid, profile)?;
        room::<[u32; 2]>("rows of impulses", rows)?;
        if entities.len() >= columns * rows / POINTS_PER_ENTITY {
            return Ok(Self::of(&Impulses::new(grid, entities, profile)?));
        }
        room::<[u32; 13]>("impulses", 4 * entities.len())?;
        let points = |entity: &Entity| {
            Between::of(grid, entity).shares(entity.charge).into_iter().filter_map(|share| {
                let (column, row) = share.within([columns, rows], pad)?;
                // A charge of 0 changes no sum.
                (share.charge != 0.0).then_some((row, (column as u32, share.charge)))
            })
        };
        let all: Vec<(usize, (u32, f32))> = entities.iter().flat_map(points).collect();
        // Sorted by rows first, by counting, so that little is left to sort by comparison.
        let mut ends = vec![0u32; rows + 1];
        for &(row, _) in &all {
            ends[row + 1] += 1;
        }
        for row in 0..rows {
            ends[row + 1] += ends[row];
        }
        let mut sorted = vec![(0u32, 0u32, 0.0f32); all.len()];
        for (row, (column, charge)) in all {
            sorted[ends[row] as usize] = (row as u32, column, charge);
            ends[row] += 1;
        }
        // Stable, so that the charges of a point are added up in the order of the entities.
        let sort = |row: &mut [(u32, u32, f32)]| row.sort_by_key(|&(_, column, _)| column);
        if sorted.len() < MANY_LISTED {
            sorted.chunk_by_mut(|a, b| a.0 == b.0).for_each(sort);
        } else {
            sorted.par_chunk_by_mut(|a, b| a.0 == b.0).for_each(sort);
        }
        let mut list = Self { starts: vec![0; rows + 1], columns: Vec::new(), charges: Vec::new() };
        for point in sorted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (row, column, _) = point[0];
            let charge = point.iter().fold(0.0, |sum, &(_, _, charge)| sum + charge);
            if charge == 0.0 {
                continue;
            }
            list.columns.push(column);
            list.charges.push(charge);
            list.starts[row as usize + 1] += 1;
        }
        for row in 0..rows {
            list.starts[row + 1] += list.starts[row];
        }
        Ok(list)
    }

    /// The columns and the charges of the points in a row; beyond the last row there are none.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f32)> {
        let [start, end] = [row, row + 1].map(|row| self.starts[row.min(self.rows())] as usize);
        let points = start..end;
        let columns = self.columns[points.clone()].iter().map(|&column| column as usize);
        columns.zip(self.charges[points].iter().copied())
    }

    /// The number of rows, those beyond the grid included.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Those of all points. Cost: points.
    fn of(impulses: &Impulses) -> Self {
        let mut list = Self { starts: vec![0], columns: Vec::new(), charges: Vec::new() };
        for row in impulses.values.chunks(impulses.columns) {
            for (column, &charge) in (0..).zip(row).filter(|&(_, &charge)| charge != 0.0) {
                list.columns.push(column);
                list.charges.push(charge);
            }
            list.starts.push(list.columns.len() as u32);
        }
        list
    }
}

/// With fewer points for each entity, adding up the charges of all points is faster than sorting.
const POINTS_PER_ENTITY: usize = 32;

/// From this number of points on, several threads sort rows faster than one.
const MANY_LISTED: usize = 1 << 16;

/// The remedy for entities that differ.
const OTHERWISE: &str = "use creation::by_tiles, which takes them all";

/// The profile that all entities have; `None` when there are no entities.
///
/// # Errors
/// When an entity is not a disc, or has another profile than the first.
pub(crate) fn common_profile(entities: &[Entity]) -> Result<Option<&Profile>, FieldError> {
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
        assert_eq!((impulses.columns, impulses.values.len()), (5, 5 * 4));
        let at = |column: usize, row: usize| impulses.values[(row + 1) * 5 + column + 1];
        assert_eq!([at(1, 0), at(2, 0), at(1, 1), at(2, 1)], [3.0, 1.0, 3.0, 1.0]);
        assert_eq!(impulses.values.iter().sum::<f32>(), 8.0);
        let list = ImpulseList::of(&impulses);
        for (row, expected) in [(0, vec![]), (1, vec![(2, 3.0), (3, 1.0)]), (2, vec![(2, 3.0), (3, 1.0)]), (4, vec![])]
        {
            assert_eq!(list.row(row).collect::<Vec<_>>(), expected);
        }
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
    fn a_list_has_the_same_impulses() {
        let grid = Grid::new([0.0, 0.0], 1.0, 119, 113).unwrap();
        let profile = Profile::linear(3.0).unwrap();
        // Many on the same points, some on points exactly, some out of reach; few enough to be sorted, and not.
        let at = |i: u32, factor: u32| (i * factor % 211) as f32 / 211.0 * 20.0 - 4.0;
        let mut entities: Vec<Entity> =
            (0..600).map(|i| disc(at(i, 37), at(i, 53)).with_charge(0.1 * i as f32 - 20.0)).collect();
        entities.extend((0..9).map(|i| disc(i as f32 + 0.5, 4.5).with_charge(1.0 - (i % 3) as f32)));
        for entities in [&entities[..], &entities[..90], &entities[600..], &[]] {
            let dense = Impulses::new(&grid, entities, &profile).unwrap();
            let list = ImpulseList::new(&grid, entities, &profile).unwrap();
            let mut values = vec![0.0f32; dense.values.len()];
            for row in 0..list.rows() {
                let range = list.starts[row] as usize..list.starts[row + 1] as usize;
                assert!(list.columns[range.clone()].is_sorted_by(|a, b| a < b));
                for i in range {
                    values[row * dense.columns + list.columns[i] as usize] = list.charges[i];
                }
            }
            let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&values), bits(&dense.values));
            assert_eq!(list.rows() * dense.columns, dense.values.len());
        }
        assert!(entities.len() * POINTS_PER_ENTITY > 123 * 117 && 90 * POINTS_PER_ENTITY < 123 * 117);
        let on_points = ImpulseList::new(&grid, &entities[600..], &profile).unwrap();
        assert_eq!(on_points.columns.len(), 6, "points without charges are not listed");
        let opposite = [disc(2.5, 3.5), disc(2.5, 3.5).with_charge(-1.0)];
        assert_eq!(
            ImpulseList::new(&grid, &opposite, &profile).unwrap().columns.len(),
            0,
            "nor those of opposite ones"
        );
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
