//! Fields of entities that move: only tiles that somebody left or came to are gathered again.

use rayon::prelude::*;

use super::tiles::{Rows, TILE, Tiles, add, rows_of_tiles};
use crate::entities::{Cells, Entity, check_all};
use crate::error::FieldError;
use crate::field::Field;
use crate::grid::Grid;
use crate::placed::Placed;

/// A field that follows its entities. After [`MovingField::update`] it is bit for bit the one that
/// [`by_tiles`](super::by_tiles()) makes anew.
///
/// ```
/// use throng_fields::{Entity, Grid, Profile, creation::MovingField};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 256, 256)?;
/// let unit = Entity::new([20.0, 20.0], Profile::linear(5.0)?);
/// let mut field = MovingField::new(&grid, vec![unit.clone()])?;
/// field.set(0, Entity { position: [24.0, 20.0], ..unit })?;
/// // All within one of 64 tiles.
/// assert_eq!(field.update(), 1);
/// assert!(field.field().at(24, 20) > Some(0.8));
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone)]
pub struct MovingField {
    entities: Vec<Entity>,
    placed: Vec<Placed>,
    reached: Vec<Option<Cells>>,
    /// The entities of each tile, in their order.
    lists: Vec<Vec<u32>>,
    /// Tiles to be gathered again.
    dirty: Vec<bool>,
    field: Field,
}

impl MovingField {
    /// The field of some entities.
    ///
    /// # Errors
    /// When an entity has a number that is none.
    pub fn new(grid: &Grid, entities: Vec<Entity>) -> Result<Self, FieldError> {
        check_all(&entities)?;
        let tiles = Tiles::of(grid);
        let count = tiles.columns as usize * tiles.rows as usize;
        let placed = entities.par_iter().map(|entity| Placed::new(grid, entity)).collect();
        let reached: Vec<Option<Cells>> = entities.par_iter().map(|entity| entity.cells(grid)).collect();
        let mut lists = vec![Vec::new(); count];
        for (i, cells) in reached.iter().enumerate() {
            for tile in cells.iter().flat_map(|&cells| tiles.touched(cells)) {
                lists[tile].push(i as u32);
            }
        }
        let field = Field::new(*grid, vec![0.0; grid.cells()]);
        let mut moving = Self { entities, placed, reached, lists, dirty: vec![true; count], field };
        moving.update();
        Ok(moving)
    }

    /// An entity, by its place in the list.
    pub fn entity(&self, i: usize) -> Option<&Entity> {
        self.entities.get(i)
    }

    /// The field as of the last update.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// Replaces an entity: it has moved, turned, or has another charge. Shows with the next update.
    ///
    /// # Errors
    /// When there is no entity `i`, or the new one has a number that is none. Then nothing is changed.
    pub fn set(&mut self, i: usize, entity: Entity) -> Result<(), FieldError> {
        let count = self.entities.len();
        if i >= count {
            return Err(FieldError::new(format!("entity {i}"), "no such entity", format!("there are {count}")));
        }
        entity.check().map_err(|error| error.within(&format!("entity {i}")))?;
        let grid = *self.field.grid();
        let tiles = Tiles::of(&grid);
        let number = i as u32;
        for tile in self.reached[i].into_iter().flat_map(|cells| tiles.touched(cells)) {
            self.dirty[tile] = true;
            let list = &mut self.lists[tile];
            if let Ok(at) = list.binary_search(&number) {
                list.remove(at);
            }
        }
        self.reached[i] = entity.cells(&grid);
        for tile in self.reached[i].into_iter().flat_map(|cells| tiles.touched(cells)) {
            self.dirty[tile] = true;
            let list = &mut self.lists[tile];
            if let Err(at) = list.binary_search(&number) {
                list.insert(at, number);
            }
        }
        self.placed[i] = Placed::new(&grid, &entity);
        self.entities[i] = entity;
        Ok(())
    }

    /// Gathers the tiles again that were touched since the last update, and returns how many.
    pub fn update(&mut self) -> usize {
        let grid = *self.field.grid();
        let tiles = Tiles::of(&grid);
        let Self { placed, reached, lists, dirty, field, .. } = self;
        rows_of_tiles(&grid, field.values_mut()).for_each(|(tile_row, values)| {
            for tile_column in 0..tiles.columns {
                let place = (tile_column, tile_row);
                let tile = tiles.number(place);
                if dirty[tile] {
                    clear(&grid, tile_column, values);
                    let mut rows = Rows { first_column: 0, stride: grid.columns() as usize, values };
                    for &i in &lists[tile] {
                        add(&placed[i as usize], reached[i as usize], place, &mut rows);
                    }
                }
            }
        });
        let count = dirty.iter().filter(|&&dirty| dirty).count();
        dirty.fill(false);
        count
    }
}

/// Zeroes the cells of a tile.
fn clear(grid: &Grid, tile_column: u32, values: &mut [f32]) {
    let columns = grid.columns();
    let (from, end) = (tile_column * TILE, ((tile_column + 1) * TILE).min(columns));
    for row in values.chunks_mut(columns as usize) {
        row[from as usize..end as usize].fill(0.0);
    }
}
