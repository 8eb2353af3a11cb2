//! The arithmetic of sums per cell: floats, or integer steps.

use multiversion::multiversion;
use throng_pictures::Grid;

use super::add_shape::add_shape;
use super::cell_distances::EntityInCells;
use super::copied::Copied;
use super::window::{Window, add_listed};
use crate::disc::{Disc, FallOff, floats, steps};
use crate::entities::{Cells, Entity};
use crate::placed::Placed;
use crate::rules::fixed_point::{Stepped, nearest, root, value};

/// An entity on a grid, prepared for adding it to cells.
#[derive(Debug, Clone)]
pub enum Item<E, V> {
    /// A disc whose charge falls off with the distance.
    Linear(Disc),
    /// A disc whose charge falls off with the square of the distance.
    Quadratic(Disc),
    /// A disc whose charge falls off as a bell.
    Bell(Disc),
    /// A disc whose values are copied from another one.
    Copied(Box<Copied<V>>),
    /// Any other entity, and the cells that it may reach.
    Other(Box<(E, Cells)>),
    /// An entity that reaches no cell.
    Nowhere,
}

/// An entity, prepared for a kind of arithmetic.
pub type ItemOf<S> = Item<<S as Sum>::Placed, <S as Sum>::Value>;

impl<E, V> Item<E, V> {
    /// Wraps the disc if there is one, else the result of `other`.
    fn new(disc: Option<(Disc, FallOff)>, grid: &Grid, entity: &Entity, other: impl FnOnce() -> E) -> Self {
        match disc {
            Some((disc, FallOff::WithDistance)) => Self::Linear(disc),
            Some((disc, FallOff::WithSquare)) => Self::Quadratic(disc),
            Some((disc, FallOff::AsBell)) => Self::Bell(disc),
            None => match entity.cells(grid) {
                Some(cells) => Self::Other(Box::new((other(), cells))),
                None => Self::Nowhere,
            },
        }
    }

    /// The cells that the entity may reach; `None` if there are none.
    #[inline]
    pub fn cells(&self, grid: &Grid) -> Option<Cells> {
        match self {
            Self::Linear(disc) | Self::Quadratic(disc) | Self::Bell(disc) => disc.cells(grid),
            Self::Copied(copied) => Some(copied.cells),
            Self::Other(other) => Some(other.1),
            Self::Nowhere => None,
        }
    }
}

/// A kind of arithmetic for sums.
pub trait Sum: Copy + std::fmt::Debug + Send + Sync {
    /// The sum in a cell.
    type Value: Copy + Default + PartialEq + std::fmt::Debug + Send + Sync;
    /// An entity other than a disc.
    type Placed: Clone + std::fmt::Debug + Send + Sync;

    /// Converts an entity to the form in which it is added to cells.
    fn item(self, grid: &Grid, entity: &Entity) -> ItemOf<Self>;

    /// Adds a linear disc, at the distance `sqrt(square)`, to the value of a cell.
    fn linear(cell: Self::Value, square: f32, disc: &Disc) -> Self::Value;

    /// The same for a quadratic disc.
    fn quadratic(cell: Self::Value, square: f32, disc: &Disc) -> Self::Value;

    /// The same for a Gaussian disc.
    fn bell_shaped(cell: Self::Value, square: f32, disc: &Disc) -> Self::Value;

    /// Adds any other entity, which may reach these cells, to a window.
    fn other(entity: &Self::Placed, reached: Cells, window: &mut Window<'_, Self::Value>);

    /// The root of a square in cells, with `units` units per cell.
    fn root(square: f32, units: f32) -> f32;

    /// The amount that a charge adds to a cell.
    fn amount(charge: f32) -> Self::Value;

    /// The sum of two amounts.
    fn plus(a: Self::Value, b: Self::Value) -> Self::Value;

    /// Adds the items in `list`, or all items, to a window, in this order.
    fn add(items: &[ItemOf<Self>], list: Option<&[u32]>, window: &mut Window<'_, Self::Value>);

    /// Converts the sum of a cell to the value of a field.
    fn value(self, sum: Self::Value) -> f32;

    /// Writes the sums of a tile, whose rows are `stride` apart, to `values`, which contain whole rows of the grid
    /// starting at the first row of the tile.
    fn store(self, sums: &[Self::Value], stride: usize, cells: Cells, values: &mut [f32], grid: &Grid) {
        let columns = cells.columns.0 as usize..cells.columns.1 as usize;
        for (values, sums) in values.chunks_mut(grid.columns() as usize).zip(sums.chunks(stride)) {
            for (value, &sum) in values[columns.clone()].iter_mut().zip(sums) {
                *value = self.value(sum);
            }
        }
    }
}

/// Sums of floats, in the order of the entities.
#[derive(Debug, Clone, Copy)]
pub struct Floats;

impl Sum for Floats {
    type Value = f32;
    type Placed = Placed;

    fn item(self, grid: &Grid, entity: &Entity) -> ItemOf<Self> {
        Item::new(Disc::of(grid, entity, entity.charge), grid, entity, || Placed::new(grid, entity))
    }

    #[inline(always)]
    fn linear(cell: f32, square: f32, disc: &Disc) -> f32 {
        floats::linear(cell, square, disc)
    }

    #[inline(always)]
    fn quadratic(cell: f32, square: f32, disc: &Disc) -> f32 {
        floats::quadratic(cell, square, disc)
    }

    #[inline(always)]
    fn bell_shaped(cell: f32, square: f32, disc: &Disc) -> f32 {
        floats::bell_shaped(cell, square, disc)
    }

    fn other(entity: &Placed, reached: Cells, window: &mut Window<'_, f32>) {
        add_floats_of(entity, reached, window);
    }

    #[inline(always)]
    fn root(square: f32, _units: f32) -> f32 {
        square.sqrt()
    }

    #[inline(always)]
    fn amount(charge: f32) -> f32 {
        charge
    }

    #[inline(always)]
    fn plus(a: f32, b: f32) -> f32 {
        a + b
    }

    fn add(items: &[ItemOf<Floats>], list: Option<&[u32]>, window: &mut Window<'_, f32>) {
        add_floats(items, list, window);
    }

    fn value(self, sum: f32) -> f32 {
        sum
    }
}

/// Sums of integer steps with this value.
#[derive(Debug, Clone, Copy)]
pub struct Steps(pub f32);

impl Sum for Steps {
    type Value = i32;
    type Placed = Stepped;

    fn item(self, grid: &Grid, entity: &Entity) -> ItemOf<Self> {
        Item::new(Disc::stepped(grid, entity, self.0), grid, entity, || Stepped::new(grid, entity, self.0))
    }

    #[inline(always)]
    fn linear(cell: i32, square: f32, disc: &Disc) -> i32 {
        steps::linear(cell, square, disc)
    }

    #[inline(always)]
    fn quadratic(cell: i32, square: f32, disc: &Disc) -> i32 {
        steps::quadratic(cell, square, disc)
    }

    #[inline(always)]
    fn bell_shaped(cell: i32, square: f32, disc: &Disc) -> i32 {
        steps::bell_shaped(cell, square, disc)
    }

    fn other(entity: &Stepped, reached: Cells, window: &mut Window<'_, i32>) {
        add_steps_of(entity, reached, window);
    }

    #[inline(always)]
    fn root(square: f32, units: f32) -> f32 {
        root(square, units)
    }

    #[inline(always)]
    fn amount(charge: f32) -> i32 {
        nearest(charge)
    }

    #[inline(always)]
    fn plus(a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }

    fn add(items: &[ItemOf<Steps>], list: Option<&[u32]>, window: &mut Window<'_, i32>) {
        add_steps(items, list, window);
    }

    fn value(self, sum: i32) -> f32 {
        value(sum, self.0)
    }
}

// Compiled for the baseline processor and for processors with AVX2; the variant is selected at the first call. Fused
// multiply-add is not used, because it rounds differently.

#[multiversion(targets("x86_64+avx2"))]
fn add_floats(items: &[ItemOf<Floats>], list: Option<&[u32]>, window: &mut Window<'_, f32>) {
    add_listed::<Floats>(items, list, window);
}

#[multiversion(targets("x86_64+avx2"))]
fn add_steps(items: &[ItemOf<Steps>], list: Option<&[u32]>, window: &mut Window<'_, i32>) {
    add_listed::<Steps>(items, list, window);
}

#[multiversion(targets("x86_64+avx2"))]
fn add_floats_of(entity: &Placed, reached: Cells, window: &mut Window<'_, f32>) {
    let in_cells = EntityInCells { placed: entity, low: [0.0; 2], units: 1.0, ring: None };
    add_shape::<Floats>(in_cells, square_limit(entity.reach), reached, window);
}

#[multiversion(targets("x86_64+avx2"))]
fn add_steps_of(entity: &Stepped, reached: Cells, window: &mut Window<'_, i32>) {
    let Stepped { placed, low, units, ring } = entity;
    let in_cells = EntityInCells { placed, low: *low, units: *units, ring: ring.as_ref() };
    let limit = placed.reach * placed.reach;
    add_shape::<Steps>(in_cells, limit, reached, window);
}

/// The smallest square whose root is at least the reach.
fn square_limit(reach: f32) -> f32 {
    let mut limit = reach * reach;
    while limit.sqrt() < reach {
        limit = limit.next_up();
    }
    while limit > 0.0 && limit.next_down().sqrt() >= reach {
        limit = limit.next_down();
    }
    limit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::creation::by_tiles;
    use crate::profile::Profile;

    #[test]
    fn square_limits_are_equivalent_to_the_reach() {
        for reach in (1..2000).map(|i| i as f32 * 0.377).chain([1e-9, 1e12, 0.1, 120.0]) {
            let limit = square_limit(reach);
            assert!(limit.sqrt() >= reach && limit.next_down().sqrt() < reach, "{reach} {limit}");
        }
        assert_eq!(square_limit(0.0), 0.0);
    }

    #[test]
    fn rows_of_gaussian_discs_match_single_cells() {
        let grid = Grid::new([-7.5, 2.0], 0.7, 131, 90).unwrap();
        for (position, reach) in [([20.3, 31.9], 25.0), ([-9.0, 64.0], 90.0), ([0.01, 2.3], 0.8)] {
            let entity = Entity::new(position, Profile::gaussian(6.0, reach).unwrap()).with_charge(-1.7);
            let (field, bell) = (by_tiles(&grid, std::slice::from_ref(&entity)).unwrap(), Placed::new(&grid, &entity));
            for row in 0..grid.rows() {
                for column in 0..grid.columns() {
                    assert_eq!(field.at(column, row), Some(bell.charge(column, row)), "{column} {row}");
                }
            }
            assert!(field.values().iter().any(|&value| value < -1.0));
        }
    }
}
