//! Creation by tiles: each tile of the grid gathers the entities that may reach it. Cost: the cells that entities
//! cover, and a little for each tile that one touches.

use std::borrow::Borrow;

use rayon::prelude::*;

use crate::entities::{Cells, Entity, check_all};
use crate::error::FieldError;
use crate::field::Field;
use crate::grid::Grid;
use crate::placed::Placed;

/// Cells along the side of a tile.
pub const TILE: u32 = 32;

/// The field of some entities, bit for bit that of [`every_pair`](super::every_pair()), on all threads.
///
/// # Errors
/// When an entity has a number that is none.
pub fn by_tiles(grid: &Grid, entities: &[Entity]) -> Result<Field, FieldError> {
    check_all(entities)?;
    Ok(sum(grid, entities))
}

/// The field of entities that were checked.
pub(crate) fn sum<E: Borrow<Entity> + Sync>(grid: &Grid, entities: &[E]) -> Field {
    if let Some(reached) = little(grid, entities) {
        return one_by_one(grid, entities, &reached);
    }
    let tiles = Tiles::of(grid);
    let gathering = Gathering::new(grid, entities);
    let mut values = vec![0.0; grid.cells()];
    rows_of_tiles(grid, &mut values).for_each(|(tile_row, values)| {
        for tile_column in 0..tiles.columns {
            let tile = (tile_column, tile_row);
            let mut rows = Rows { first_column: 0, stride: grid.columns() as usize, values };
            for &i in gathering.of(tile) {
                gathering.add(i, tile, &mut rows);
            }
        }
    });
    Field::new(*grid, values)
}

/// So many cells that are made or added to take longer than waking threads up.
const WORTH_THREADS: usize = 1 << 17;

/// The cells that each entity may reach, when all that is so little that one thread is faster.
fn little<E: Borrow<Entity>>(grid: &Grid, entities: &[E]) -> Option<Vec<Option<Cells>>> {
    let mut work = grid.cells();
    let reached = entities.iter().map(|entity| {
        let cells = entity.borrow().cells(grid);
        work += cells.map_or(0, Cells::count);
        (work < WORTH_THREADS).then_some(cells)
    });
    reached.collect::<Option<Vec<_>>>().filter(|_| grid.cells() < WORTH_THREADS)
}

/// The same on this thread: in each cell the entities still come in their order.
fn one_by_one<E: Borrow<Entity>>(grid: &Grid, entities: &[E], reached: &[Option<Cells>]) -> Field {
    let mut values = vec![0.0; grid.cells()];
    for (entity, cells) in entities.iter().zip(reached) {
        let Some(cells) = cells else { continue };
        let placed = Placed::new(grid, entity.borrow());
        for row in cells.rows.0..cells.rows.1 {
            let start = grid.index(cells.columns.0, row);
            let length = (cells.columns.1 - cells.columns.0) as usize;
            placed.add_row(cells.columns.0, row, &mut values[start..start + length]);
        }
    }
    Field::new(*grid, values)
}

/// Rows of values that entities are added to: those of a tile, or of a row of tiles.
pub(super) struct Rows<'v> {
    /// The column that each row begins with.
    pub first_column: u32,
    /// Values from one row to the next.
    pub stride: usize,
    /// From the first row of the tile on.
    pub values: &'v mut [f32],
}

/// Adds an entity to the cells of a tile that it may reach.
pub(super) fn add(entity: &Placed, cells: Option<Cells>, (tile_column, tile_row): (u32, u32), to: &mut Rows<'_>) {
    let Some(cells) = cells else { return };
    let within = |(from, end): (u32, u32), tile: u32| (from.max(tile * TILE), end.min((tile + 1) * TILE));
    let (columns, rows) = (within(cells.columns, tile_column), within(cells.rows, tile_row));
    if columns.0 >= columns.1 {
        return;
    }
    for row in rows.0..rows.1 {
        let start = (row - tile_row * TILE) as usize * to.stride;
        let column = |column: u32| start + (column - to.first_column) as usize;
        let cells = column(columns.0)..column(columns.1);
        entity.add_row(columns.0, row, &mut to.values[cells]);
    }
}

/// The tiles of a grid.
pub(super) struct Tiles {
    pub columns: u32,
    pub rows: u32,
}

impl Tiles {
    pub fn of(grid: &Grid) -> Self {
        Self { columns: grid.columns().div_ceil(TILE), rows: grid.rows().div_ceil(TILE) }
    }

    /// The number of a tile.
    pub fn number(&self, (column, row): (u32, u32)) -> usize {
        row as usize * self.columns as usize + column as usize
    }

    /// The tiles that a block of cells touches.
    pub fn touched(&self, cells: Cells) -> impl Iterator<Item = usize> + use<> {
        let tiles = |(from, end): (u32, u32)| from / TILE..end.div_ceil(TILE);
        let columns = self.columns as usize;
        let (across, down) = (tiles(cells.columns), tiles(cells.rows));
        down.flat_map(move |row| across.clone().map(move |column| row as usize * columns + column as usize))
    }
}

/// The values of each row of tiles, with its number.
pub(super) fn rows_of_tiles<'v>(
    grid: &Grid,
    values: &'v mut [f32],
) -> impl IndexedParallelIterator<Item = (u32, &'v mut [f32])> + use<'v> {
    let rows = values.par_chunks_mut(TILE as usize * grid.columns() as usize);
    rows.enumerate().map(|(row, values)| (row as u32, values))
}

/// The entities of each tile, in their order.
pub(super) struct Gathering {
    tiles: Tiles,
    placed: Vec<Placed>,
    reached: Vec<Option<Cells>>,
    /// Where the list of each tile begins, and one entry more.
    first: Vec<u32>,
    entities: Vec<u32>,
}

impl Gathering {
    /// Counts, adds up, and writes.
    pub fn new<E: Borrow<Entity> + Sync>(grid: &Grid, entities: &[E]) -> Self {
        let tiles = Tiles::of(grid);
        let placed = entities.par_iter().map(|entity| Placed::new(grid, entity.borrow())).collect();
        let reached: Vec<Option<Cells>> = entities.par_iter().map(|entity| entity.borrow().cells(grid)).collect();
        let mut first = vec![0u32; tiles.columns as usize * tiles.rows as usize + 1];
        for tile in reached.iter().flatten().flat_map(|&cells| tiles.touched(cells)) {
            first[tile + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        let mut next = first.clone();
        let mut listed = vec![0; first.last().copied().unwrap_or(0) as usize];
        for (i, cells) in reached.iter().enumerate() {
            for tile in cells.iter().flat_map(|&cells| tiles.touched(cells)) {
                listed[next[tile] as usize] = i as u32;
                next[tile] += 1;
            }
        }
        Self { tiles, placed, reached, first, entities: listed }
    }

    /// The entities of a tile, by their place in the list.
    pub fn of(&self, tile: (u32, u32)) -> &[u32] {
        let tile = self.tiles.number(tile);
        &self.entities[self.first[tile] as usize..self.first[tile + 1] as usize]
    }

    /// Adds one of the entities to the cells of a tile that it may reach.
    pub fn add(&self, entity: u32, tile: (u32, u32), to: &mut Rows<'_>) {
        add(&self.placed[entity as usize], self.reached[entity as usize], tile, to);
    }
}
