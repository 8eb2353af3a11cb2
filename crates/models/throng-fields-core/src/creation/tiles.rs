//! Creation by tiles: each tile of the grid gathers the entities that may reach it. Cost: the cells that entities
//! cover, plus a small cost per touched tile.

use std::borrow::Borrow;

use rayon::prelude::*;
use throng_core::InputError;
use throng_pictures::Grid;

use super::copied::share;
use super::gathering::{Gathering, Tiles, items};
use super::memory::zeroed;
use super::sums::{Floats, Item, Steps, Sum};
use super::window::Window;
use crate::entities::{Cells, Entity, check_all};
use crate::field::{Field, check_memory_for_field};

/// Side length, in cells, of a tile that is gathered independently.
pub const TILE: u32 = 32;
/// Columns and rows of the tiles of a field that is computed in one pass. Their 64 KiB stay in the second-level cache.
/// Long rows keep the rows of a disc contiguous.
const WIDE_TILE: [u32; 2] = [1024, 16];

/// Computes the field of some entities in parallel, with the same result as [`every_pair`](super::every_pair()), bit
/// for bit.
///
/// ```
/// use throng_fields_core::{Entity, Grid, Profile, creation};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 200, 100)?;
/// let profile = Profile::gaussian(5.0, 15.0)?;
/// let flock: Vec<Entity> = (0..40u8).map(|i| Entity::new([f32::from(i) * 5.1, 50.0], profile.clone())).collect();
/// assert_eq!(creation::by_tiles(&grid, &flock)?, creation::every_pair(&grid, &flock)?);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
///
/// # Errors
/// When an entity has a number that is not finite, or the system has too little memory.
pub fn by_tiles(grid: &Grid, entities: &[Entity]) -> Result<Field, InputError> {
    check_all(grid, entities)?;
    check_memory_for_field(grid)?;
    Ok(sum(grid, entities))
}

/// Computes the field of entities that have been checked.
pub fn sum<E: Borrow<Entity> + Sync>(grid: &Grid, entities: &[E]) -> Field {
    let mut items = items(Floats, grid, entities);
    share::<Floats>(&mut items, grid);
    if is_faster_on_one_thread(grid, &items) {
        let mut values = vec![0.0; grid.cells()];
        Floats::add(&items, None, &mut whole(grid, &mut values));
        return Field::new(*grid, values);
    }
    let gathering = Gathering::<Floats>::new(grid, &items, Tiles::of(grid, WIDE_TILE));
    let tiles = gathering.tiles;
    let mut values = zeroed(grid.cells());
    tiles.rows_of(&mut values).for_each(|(row, values)| {
        for tile in (0..tiles.columns).map(|column| (column, row)) {
            let cells = tiles.cells(tile);
            let values = &mut values[cells.columns.0 as usize..];
            gathering.add(gathering.of(tile), &mut Window { cells, stride: grid.columns() as usize, values });
        }
    });
    Field::new(*grid, values)
}

/// Computes the field of entities that have been checked and whose sums of steps fit into 32 bits.
pub(super) fn sum_of_steps<E: Borrow<Entity> + Sync>(grid: &Grid, entities: &[E], steps: Steps) -> Field {
    let mut items = items(steps, grid, entities);
    share::<Steps>(&mut items, grid);
    if is_faster_on_one_thread(grid, &items) {
        let mut sums = vec![0; grid.cells()];
        Steps::add(&items, None, &mut whole(grid, &mut sums));
        return Field::new(*grid, sums.into_iter().map(|sum| steps.value(sum)).collect());
    }
    let gathering = Gathering::<Steps>::new(grid, &items, Tiles::of(grid, WIDE_TILE));
    let tiles = gathering.tiles;
    let mut values = zeroed(grid.cells());
    let sums_of_tile = || vec![0; (WIDE_TILE[0] * WIDE_TILE[1]) as usize];
    tiles.rows_of(&mut values).for_each_init(sums_of_tile, |sums, (row, values)| {
        for tile in (0..tiles.columns).map(|column| (column, row)) {
            let (cells, list) = (tiles.cells(tile), gathering.of(tile));
            // The values of this tile are already 0.
            if list.is_empty() {
                continue;
            }
            sums.fill(0);
            gathering.add(list, &mut Window { cells, stride: WIDE_TILE[0] as usize, values: sums });
            steps.store(sums, WIDE_TILE[0] as usize, cells, values, grid);
        }
    });
    Field::new(*grid, values)
}

/// Nanoseconds of single-threaded work above which waking up other threads pays off. That takes 20 to 50 microseconds,
/// and building the lists of tiles takes time, too; on a busy machine, threads start late.
const WORTH_THREADS: f64 = 300_000.0;

/// Whether one thread is faster than several: estimated from the times of `throng reproduce elmir`.
fn is_faster_on_one_thread<E, V>(grid: &Grid, items: &[Item<E, V>]) -> bool {
    // Nanoseconds per zeroed cell, per entity, and per covered cell of a disc, of a copied disc, and of another shape.
    let (zeroed, entity, covered, copied, other) = (0.05, 30.0, 0.4, 0.15, 2.0);
    let mut time = zeroed * grid.cells() as f64;
    for item in items {
        time += entity;
        time += match item {
            Item::Linear(disc) | Item::Quadratic(disc) | Item::Bell(disc) => {
                covered * f64::from(4.0 * disc.reach * disc.reach)
            }
            Item::Copied(disc) => copied * disc.cells.count() as f64,
            Item::Other(figure) => other * figure.1.count() as f64,
            Item::Nowhere => 0.0,
        };
        if time > WORTH_THREADS {
            return false;
        }
    }
    true
}

/// A window with all cells of a grid.
fn whole<'v, V>(grid: &Grid, values: &'v mut [V]) -> Window<'v, V> {
    let cells = Cells { columns: (0, grid.columns()), rows: (0, grid.rows()) };
    Window { cells, stride: grid.columns() as usize, values }
}
