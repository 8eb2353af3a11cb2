//! A field that is updated tile by tile: the common part of fields of moving entities.

use rayon::prelude::*;
use throng_pictures::Grid;

use super::gathering::Tiles;
use super::sums::{Item, Sum};
use super::tiles::TILE;
use super::window::Window;
use crate::entities::Cells;
use crate::field::Field;

/// A field and the entities of each of its tiles. Entities have numbers, and are added in the order of these.
#[derive(Debug, Clone)]
pub struct Kept<S: Sum> {
    sum: S,
    items: Vec<Item<S::Placed>>,
    reached: Vec<Option<Cells>>,
    /// The entities of each tile, in their order.
    lists: Vec<Vec<u32>>,
    /// Tiles to gather again.
    dirty: Vec<bool>,
    field: Field,
}

impl<S: Sum> Kept<S> {
    /// The field of some entities, gathered.
    pub fn new(sum: S, grid: &Grid, items: Vec<Item<S::Placed>>) -> Self {
        let tiles = Tiles::of(grid, [TILE; 2]);
        let reached: Vec<Option<Cells>> = items.iter().map(|item| item.cells(grid)).collect();
        let mut lists = vec![Vec::new(); tiles.count()];
        for (i, cells) in (0u32..).zip(&reached) {
            for tile in cells.iter().flat_map(|&cells| tiles.touched(cells)) {
                lists[tile].push(i);
            }
        }
        let field = Field::new(*grid, vec![0.0; grid.cells()]);
        let mut kept = Self { sum, items, reached, lists, dirty: vec![true; tiles.count()], field };
        kept.update();
        kept
    }

    /// The arithmetic of the sums.
    pub fn sum(&self) -> S {
        self.sum
    }

    /// The field as of the last update.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// Replaces entity number `i`. Numbers that were not in use before become [`Item::Nowhere`].
    pub fn put(&mut self, i: usize, item: Item<S::Placed>) {
        if i >= self.items.len() {
            self.items.resize_with(i + 1, || Item::Nowhere);
            self.reached.resize(i + 1, None);
        }
        let grid = self.field.grid();
        let (tiles, number) = (Tiles::of(grid, [TILE; 2]), i as u32);
        for tile in self.reached[i].into_iter().flat_map(|cells| tiles.touched(cells)) {
            self.dirty[tile] = true;
            let list = &mut self.lists[tile];
            if let Ok(at) = list.binary_search(&number) {
                list.remove(at);
            }
        }
        self.reached[i] = item.cells(grid);
        self.items[i] = item;
        for tile in self.reached[i].into_iter().flat_map(|cells| tiles.touched(cells)) {
            self.dirty[tile] = true;
            let list = &mut self.lists[tile];
            if let Err(at) = list.binary_search(&number) {
                list.insert(at, number);
            }
        }
    }

    /// Gathers the tiles again that were touched since the last update, and returns how many. Each is gathered in its
    /// own memory first.
    pub fn update(&mut self) -> usize {
        let Self { sum, items, lists, dirty, field, .. } = self;
        let grid = *field.grid();
        let (tiles, stride) = (Tiles::of(&grid, [TILE; 2]), TILE as usize);
        let sums_of_tile = || vec![S::Value::default(); stride * stride];
        tiles.rows_of(field.values_mut()).for_each_init(sums_of_tile, |sums, (row, values)| {
            for tile in (0..tiles.columns).map(|column| (column, row)) {
                let number = tiles.number(tile);
                if dirty[number] {
                    let cells = tiles.cells(tile);
                    sums.fill(S::Value::default());
                    S::add(items, Some(&lists[number]), &mut Window { cells, stride, values: sums });
                    sum.store(sums, stride, cells, values, &grid);
                }
            }
        });
        let count = dirty.iter().filter(|&&dirty| dirty).count();
        dirty.fill(false);
        count
    }

    /// The values of a block of cells of the grid, row by row, from some of the entities.
    pub fn values_of(&self, cells: Cells, counts: impl Fn(u32) -> bool) -> Vec<f32> {
        let tiles = Tiles::of(self.field.grid(), [TILE; 2]);
        let listed = tiles.touched(cells).flat_map(|tile| &self.lists[tile]);
        let mut list: Vec<u32> = listed.copied().filter(|&i| counts(i)).collect();
        list.sort_unstable();
        list.dedup();
        let mut sums = vec![S::Value::default(); cells.count()];
        let stride = (cells.columns.1 - cells.columns.0) as usize;
        S::add(&self.items, Some(&list), &mut Window { cells, stride, values: &mut sums });
        sums.into_iter().map(|sum| self.sum.value(sum)).collect()
    }
}
