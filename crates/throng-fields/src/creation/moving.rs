//! Fields of entities that move: only tiles that somebody left or came to are gathered again.

use rayon::prelude::*;

use super::fixed_point::{FixedPoint, Room};
use super::gathering::{Tiles, items};
use super::sums::{Floats, Item, Steps, Sum};
use super::tiles::TILE;
use super::window::Window;
use crate::entities::{Cells, Entity, check_all, check_replacement};
use crate::error::FieldError;
use crate::field::Field;
use crate::fixed_point::Stepped;
use crate::grid::Grid;
use crate::memory::room_for_field;
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
/// // It stays where it is.
/// field.set(0, field.entity(0).expect("there is one").clone())?;
/// assert_eq!(field.update(), 0);
/// assert!(field.field().at(24, 20) > Some(0.8));
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone)]
pub struct MovingField {
    entities: Vec<Entity>,
    items: Items,
    reached: Vec<Option<Cells>>,
    /// The entities of each tile, in their order.
    lists: Vec<Vec<u32>>,
    /// Tiles to be gathered again.
    dirty: Vec<bool>,
    field: Field,
}

/// The entities made ready, for either way of adding up.
#[derive(Debug, Clone)]
enum Items {
    Floats(Vec<Item<Placed>>),
    Steps(Room, Vec<Item<Stepped>>),
}

impl MovingField {
    /// The field of some entities.
    ///
    /// # Errors
    /// When an entity has a number that is none, or the system has too little memory.
    pub fn new(grid: &Grid, entities: Vec<Entity>) -> Result<Self, FieldError> {
        check_all(grid, &entities)?;
        room_for_field(grid)?;
        let items = items(Floats, grid, &entities);
        let reached = items.iter().map(|item| item.cells(grid)).collect();
        Ok(Self::of(grid, entities, Items::Floats(items), reached))
    }

    /// The field of some entities in fixed point: after each update the one of [`FixedPoint::by_tiles`].
    ///
    /// ```
    /// use throng_fields::{Entity, Grid, Profile, creation::{FixedPoint, MovingField}};
    ///
    /// let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
    /// let unit = Entity::new([20.5, 20.5], Profile::linear(4.0)?);
    /// let mut field = MovingField::in_fixed_point(&grid, vec![unit.clone()], FixedPoint::default())?;
    /// field.set(0, Entity { position: [22.5, 20.5], ..unit })?;
    /// field.update();
    /// assert_eq!((field.field().at(20, 20), field.field().at(22, 20)), (Some(0.5), Some(1.0)));
    /// # Ok::<(), throng_fields::FieldError>(())
    /// ```
    ///
    /// # Errors
    /// When an entity has a number that is none, or sums might not fit into 32 bits.
    pub fn in_fixed_point(grid: &Grid, entities: Vec<Entity>, fixed: FixedPoint) -> Result<Self, FieldError> {
        let room_for_sums = Room::new(fixed, grid, &entities)?;
        room_for_field(grid)?;
        let items = items(Steps(fixed.step()), grid, &entities);
        let reached = items.iter().map(|item| item.cells(grid)).collect();
        Ok(Self::of(grid, entities, Items::Steps(room_for_sums, items), reached))
    }

    fn of(grid: &Grid, entities: Vec<Entity>, items: Items, reached: Vec<Option<Cells>>) -> Self {
        let tiles = Tiles::of(grid, [TILE; 2]);
        let mut lists = vec![Vec::new(); tiles.count()];
        for (i, cells) in reached.iter().enumerate() {
            for tile in cells.iter().flat_map(|&cells| tiles.touched(cells)) {
                lists[tile].push(i as u32);
            }
        }
        let field = Field::new(*grid, vec![0.0; grid.cells()]);
        let mut moving = Self { entities, items, reached, lists, dirty: vec![true; tiles.count()], field };
        moving.update();
        moving
    }

    /// An entity, by its place in the list.
    pub fn entity(&self, i: usize) -> Option<&Entity> {
        self.entities.get(i)
    }

    /// The field as of the last update.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// Replaces an entity: it has moved, turned, or has another charge. Shows with the next update. One that is equal makes
    /// no work.
    ///
    /// # Errors
    /// When there is no entity `i`, the new one has a number that is none, or sums in fixed point might not fit into 32
    /// bits. Then nothing is changed.
    pub fn set(&mut self, i: usize, entity: Entity) -> Result<(), FieldError> {
        check_replacement(self.field.grid(), i, self.entities.len(), &entity)?;
        if entity == self.entities[i] {
            return Ok(());
        }
        let grid = *self.field.grid();
        let reached = match &mut self.items {
            Items::Floats(items) => {
                items[i] = Floats.item(&grid, &entity);
                items[i].cells(&grid)
            }
            Items::Steps(room, items) => {
                *room = room.replaced(&grid, i, &self.entities[i], &entity)?;
                items[i] = Steps(room.fixed.step()).item(&grid, &entity);
                items[i].cells(&grid)
            }
        };
        let tiles = Tiles::of(&grid, [TILE; 2]);
        let number = i as u32;
        for tile in self.reached[i].into_iter().flat_map(|cells| tiles.touched(cells)) {
            self.dirty[tile] = true;
            let list = &mut self.lists[tile];
            if let Ok(at) = list.binary_search(&number) {
                list.remove(at);
            }
        }
        self.reached[i] = reached;
        for tile in self.reached[i].into_iter().flat_map(|cells| tiles.touched(cells)) {
            self.dirty[tile] = true;
            let list = &mut self.lists[tile];
            if let Err(at) = list.binary_search(&number) {
                list.insert(at, number);
            }
        }
        self.entities[i] = entity;
        Ok(())
    }

    /// Gathers the tiles again that were touched since the last update, and returns how many.
    pub fn update(&mut self) -> usize {
        let Self { items, lists, dirty, field, .. } = self;
        match items {
            Items::Floats(items) => gather_again(Floats, items, lists, dirty, field),
            Items::Steps(room, items) => gather_again(Steps(room.fixed.step()), items, lists, dirty, field),
        }
        let count = dirty.iter().filter(|&&dirty| dirty).count();
        dirty.fill(false);
        count
    }
}

/// Gathers the tiles that are dirty, each in memory of its own first.
fn gather_again<S: Sum>(sum: S, items: &[Item<S::Placed>], lists: &[Vec<u32>], dirty: &[bool], field: &mut Field) {
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
}
