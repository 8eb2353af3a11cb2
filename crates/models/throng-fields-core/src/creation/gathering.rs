//! Lists of the entities that reach each tile of a grid.

use std::borrow::Borrow;

use rayon::prelude::*;
use throng_pictures::Grid;

use super::sums::{ItemOf, Sum};
use super::window::Window;
use crate::entities::{Cells, Entity};

/// The tiles of a grid: blocks of cells, narrower at the right and lower at the bottom border.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tiles {
    pub columns: u32,
    pub rows: u32,
    /// Cells per tile along each axis.
    side: [u32; 2],
    cells: [u32; 2],
}

impl Tiles {
    /// Creates tiles of `side` cells along each axis.
    pub fn of(grid: &Grid, side: [u32; 2]) -> Self {
        let cells = [grid.columns(), grid.rows()];
        Self { columns: cells[0].div_ceil(side[0]), rows: cells[1].div_ceil(side[1]), side, cells }
    }

    /// The number of tiles.
    pub fn count(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// The index of a tile.
    pub fn number(self, (column, row): (u32, u32)) -> usize {
        row as usize * self.columns as usize + column as usize
    }

    /// The cells of a tile.
    pub fn cells(self, (column, row): (u32, u32)) -> Cells {
        let along = |axis: usize, tile: u32| {
            let first = tile * self.side[axis];
            (first, (first + self.side[axis]).min(self.cells[axis]))
        };
        Cells { columns: along(0, column), rows: along(1, row) }
    }

    /// The tiles that a block of cells touches.
    #[inline]
    pub fn touched(self, cells: Cells) -> impl Iterator<Item = usize> {
        let tiles = |(from, end): (u32, u32), side: u32| from / side..end.div_ceil(side);
        let (across, down) = (tiles(cells.columns, self.side[0]), tiles(cells.rows, self.side[1]));
        down.flat_map(move |row| across.clone().map(move |column| self.number((column, row))))
    }

    /// The values of each row of tiles, with the index of the row.
    pub fn rows_of<V: Send>(self, values: &mut [V]) -> impl IndexedParallelIterator<Item = (u32, &mut [V])> {
        let rows = values.par_chunks_mut(self.side[1] as usize * self.cells[0] as usize);
        rows.enumerate().map(|(row, values)| (row as u32, values))
    }
}

/// Minimum number of entities for preparing them on all threads.
const MANY: usize = 1 << 13;

/// Prepares entities, keeping their order.
pub fn items<S: Sum, E: Borrow<Entity> + Sync>(sum: S, grid: &Grid, entities: &[E]) -> Vec<ItemOf<S>> {
    let item = |entity: &E| sum.item(grid, entity.borrow());
    if entities.len() < MANY { entities.iter().map(item).collect() } else { entities.par_iter().map(item).collect() }
}

/// The items of each tile, in order.
pub(super) struct Gathering<'i, S: Sum> {
    pub tiles: Tiles,
    items: &'i [ItemOf<S>],
    /// Start of the list of each tile, with one extra entry at the end.
    first: Vec<usize>,
    listed: Vec<u32>,
}

impl<'i, S: Sum> Gathering<'i, S> {
    /// Builds the lists: counts the items per tile, computes prefix sums, and writes the indices.
    pub fn new(grid: &Grid, items: &'i [ItemOf<S>], tiles: Tiles) -> Self {
        let touched = |item: &ItemOf<S>| item.cells(grid).into_iter().flat_map(move |cells| tiles.touched(cells));
        let mut first = vec![0usize; tiles.count() + 1];
        for tile in items.iter().flat_map(touched) {
            first[tile + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        let mut next = first.clone();
        let mut listed = vec![0; first.last().copied().unwrap_or(0)];
        for (i, item) in items.iter().enumerate() {
            for tile in touched(item) {
                listed[next[tile]] = i as u32;
                next[tile] += 1;
            }
        }
        Self { tiles, items, first, listed }
    }

    /// The items of a tile, as indices into all items.
    pub fn of(&self, tile: (u32, u32)) -> &[u32] {
        let tile = self.tiles.number(tile);
        &self.listed[self.first[tile]..self.first[tile + 1]]
    }

    /// Adds the listed items to a window.
    pub fn add(&self, list: &[u32], window: &mut Window<'_, S::Value>) {
        S::add(self.items, Some(list), window);
    }
}
