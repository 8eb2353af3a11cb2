//! A field that is updated incrementally: only tiles that an entity left or entered are gathered again.

use std::borrow::Borrow;
use std::fmt;

use rayon::prelude::*;
use throng_pictures::Grid;

use super::gathering::{Tiles, items};
use super::sums::{Item, ItemOf, Sum};
use super::tiles::TILE;
use super::window::Window;
use crate::entities::{Cells, Entity};
use crate::field::Field;

/// A field on the CPU, in either arithmetic, with a list of entities per tile. Entities are in slots, and are added in
/// slot order.
pub trait IncrementalField: fmt::Debug + Send + Sync {
    /// The field as of the last update.
    fn field(&self) -> &Field;

    /// Puts an entity, which must have been checked, into a slot, or clears the slot.
    fn put(&mut self, slot: usize, entity: Option<&Entity>);

    /// Recomputes the tiles touched since the last update, and returns their number.
    fn update(&mut self) -> usize;

    /// Computes the values of a block of cells of the grid, row by row, from the entities in any of the given layers.
    fn values_of(&self, cells: Cells, layers: u32) -> Vec<f32>;
}

#[derive(Debug)]
pub(super) struct IncrementalSums<S: Sum> {
    sum: S,
    items: Vec<ItemOf<S>>,
    reached: Vec<Option<Cells>>,
    layers: Vec<u32>,
    /// The slots of the entities in each tile, ascending.
    lists: Vec<Vec<u32>>,
    /// Tiles to recompute.
    dirty: Vec<bool>,
    field: Field,
}

impl<S: Sum> IncrementalSums<S> {
    /// Creates the field of some entities and computes it.
    pub fn new<E: Borrow<Entity> + Sync>(sum: S, grid: &Grid, entities: &[E]) -> Self {
        let (tiles, items) = (Tiles::of(grid, [TILE; 2]), items(sum, grid, entities));
        let reached: Vec<Option<Cells>> = items.iter().map(|item| item.cells(grid)).collect();
        let layers = entities.iter().map(|entity| entity.borrow().layers).collect();
        let mut lists = vec![Vec::new(); tiles.count()];
        for (slot, cells) in (0u32..).zip(&reached) {
            for tile in cells.iter().flat_map(|&cells| tiles.touched(cells)) {
                lists[tile].push(slot);
            }
        }
        let field = Field::new(*grid, vec![0.0; grid.cells()]);
        let mut created = Self { sum, items, reached, layers, lists, dirty: vec![true; tiles.count()], field };
        created.update();
        created
    }
}

impl<S: Sum> IncrementalField for IncrementalSums<S> {
    fn field(&self) -> &Field {
        &self.field
    }

    fn put(&mut self, slot: usize, entity: Option<&Entity>) {
        if slot >= self.items.len() {
            self.items.resize_with(slot + 1, || Item::Nowhere);
            self.reached.resize(slot + 1, None);
            self.layers.resize(slot + 1, 0);
        }
        let grid = self.field.grid();
        let (tiles, number) = (Tiles::of(grid, [TILE; 2]), slot as u32);
        for tile in self.reached[slot].into_iter().flat_map(|cells| tiles.touched(cells)) {
            self.dirty[tile] = true;
            let list = &mut self.lists[tile];
            if let Ok(at) = list.binary_search(&number) {
                list.remove(at);
            }
        }
        self.items[slot] = entity.map_or(Item::Nowhere, |entity| self.sum.item(grid, entity));
        self.reached[slot] = self.items[slot].cells(grid);
        self.layers[slot] = entity.map_or(0, |entity| entity.layers);
        for tile in self.reached[slot].into_iter().flat_map(|cells| tiles.touched(cells)) {
            self.dirty[tile] = true;
            let list = &mut self.lists[tile];
            if let Err(at) = list.binary_search(&number) {
                list.insert(at, number);
            }
        }
    }

    /// Each tile is first computed in its own buffer.
    fn update(&mut self) -> usize {
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

    fn values_of(&self, cells: Cells, layers: u32) -> Vec<f32> {
        let tiles = Tiles::of(self.field.grid(), [TILE; 2]);
        let listed = tiles.touched(cells).flat_map(|tile| &self.lists[tile]).copied();
        let mut list: Vec<u32> = listed.filter(|&slot| self.layers[slot as usize] & layers != 0).collect();
        list.sort_unstable();
        list.dedup();
        let mut sums = vec![S::Value::default(); cells.count()];
        let stride = (cells.columns.1 - cells.columns.0) as usize;
        S::add(&self.items, Some(&list), &mut Window { cells, stride, values: &mut sums });
        sums.into_iter().map(|sum| self.sum.value(sum)).collect()
    }
}
