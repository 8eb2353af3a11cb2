//! Creation by tiles: each tile of the grid gathers the entities that may reach it. Cost: the cells that entities
//! cover, and a little for each tile that one touches.

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
    if let Some(reached) = little(grid, entities) {
        return Ok(one_by_one(grid, entities, &reached));
    }
    let tiles = Tiles::of(grid);
    let placed: Vec<Placed> = entities.par_iter().map(|entity| Placed::new(grid, entity)).collect();
    let reached: Vec<Option<Cells>> = entities.par_iter().map(|entity| entity.cells(grid)).collect();
    let lists = Lists::new(&tiles, &reached);
    let mut values = vec![0.0; grid.cells()];
    rows_of_tiles(grid, &mut values).for_each(|(tile_row, values)| {
        for tile_column in 0..tiles.columns {
            let place = (tile_column, tile_row);
            for &i in lists.of(tiles.number(place)) {
                add(grid, &placed[i as usize], reached[i as usize], place, values);
            }
        }
    });
    Ok(Field::new(*grid, values))
}

/// So many cells that are made or added to take longer than waking threads up.
const WORTH_THREADS: usize = 1 << 17;

/// The cells that each entity may reach, when all that is so little that one thread is faster.
fn little(grid: &Grid, entities: &[Entity]) -> Option<Vec<Option<Cells>>> {
    let mut work = grid.cells();
    let reached = entities.iter().map(|entity| {
        let cells = entity.cells(grid);
        work += cells
            .map_or(0, |cells| (cells.columns.1 - cells.columns.0) as usize * (cells.rows.1 - cells.rows.0) as usize);
        (work < WORTH_THREADS).then_some(cells)
    });
    reached.collect::<Option<Vec<_>>>().filter(|_| grid.cells() < WORTH_THREADS)
}

/// The same on this thread: in each cell the entities still come in their order.
fn one_by_one(grid: &Grid, entities: &[Entity], reached: &[Option<Cells>]) -> Field {
    let mut values = vec![0.0; grid.cells()];
    for (entity, cells) in entities.iter().zip(reached) {
        let Some(cells) = cells else { continue };
        let placed = Placed::new(grid, entity);
        for row in cells.rows.0..cells.rows.1 {
            let start = grid.index(cells.columns.0, row);
            let length = (cells.columns.1 - cells.columns.0) as usize;
            placed.add_row(cells.columns.0, row, &mut values[start..start + length]);
        }
    }
    Field::new(*grid, values)
}

/// Adds an entity to the cells of a tile that it may reach. `values` are those of the row of tiles.
pub(super) fn add(
    grid: &Grid,
    entity: &Placed,
    cells: Option<Cells>,
    (tile_column, tile_row): (u32, u32),
    values: &mut [f32],
) {
    let Some(cells) = cells else { return };
    let within = |(from, end): (u32, u32), tile: u32| (from.max(tile * TILE), end.min((tile + 1) * TILE));
    let (columns, rows) = (within(cells.columns, tile_column), within(cells.rows, tile_row));
    if columns.0 >= columns.1 {
        return;
    }
    for row in rows.0..rows.1 {
        let start = (row - tile_row * TILE) as usize * grid.columns() as usize;
        let cells = start + columns.0 as usize..start + columns.1 as usize;
        entity.add_row(columns.0, row, &mut values[cells]);
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
struct Lists {
    /// Where the list of each tile begins, and one entry more.
    first: Vec<u32>,
    entities: Vec<u32>,
}

impl Lists {
    /// Counts, adds up, and writes.
    fn new(tiles: &Tiles, reached: &[Option<Cells>]) -> Self {
        let mut first = vec![0u32; tiles.columns as usize * tiles.rows as usize + 1];
        for tile in reached.iter().flatten().flat_map(|&cells| tiles.touched(cells)) {
            first[tile + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        let mut next = first.clone();
        let mut entities = vec![0; first.last().copied().unwrap_or(0) as usize];
        for (i, cells) in reached.iter().enumerate() {
            for tile in cells.iter().flat_map(|&cells| tiles.touched(cells)) {
                entities[next[tile] as usize] = i as u32;
                next[tile] += 1;
            }
        }
        Self { first, entities }
    }

    fn of(&self, tile: usize) -> &[u32] {
        &self.entities[self.first[tile] as usize..self.first[tile + 1] as usize]
    }
}
