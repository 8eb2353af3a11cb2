//! Fields of entities that move: only tiles that an entity left or entered are gathered again.

use throng_core::ValueError;
use throng_pictures::Grid;

use super::fixed_point::{FixedPoint, Room};
use super::gathering::items;
use super::kept::Kept;
use super::sums::{Floats, Steps, Sum};
use crate::entities::{Entity, check_all, check_replacement};
use crate::field::{Field, room_for_field};

/// A field that follows its entities. After [`MovingField::update`] it is bit for bit the one that
/// [`by_tiles`](super::by_tiles()) computes from scratch.
///
/// ```
/// use throng_fields_core::{Entity, Grid, Profile, creation::MovingField};
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
/// # Ok::<(), throng_fields_core::ValueError>(())
/// ```
#[derive(Debug, Clone)]
pub struct MovingField {
    entities: Vec<Entity>,
    kept: Sums,
}

/// The field, for either arithmetic.
#[derive(Debug, Clone)]
enum Sums {
    Floats(Kept<Floats>),
    Steps(Room, Kept<Steps>),
}

impl MovingField {
    /// The field of some entities.
    ///
    /// # Errors
    /// When an entity has a number that is not finite, or the system has too little memory.
    pub fn new(grid: &Grid, entities: Vec<Entity>) -> Result<Self, ValueError> {
        check_all(grid, &entities)?;
        room_for_field(grid)?;
        let kept = Sums::Floats(Kept::new(Floats, grid, items(Floats, grid, &entities)));
        Ok(Self { entities, kept })
    }

    /// The field of some entities in fixed point: after each update the one of [`FixedPoint::by_tiles`].
    ///
    /// ```
    /// use throng_fields_core::{Entity, Grid, Profile, creation::{FixedPoint, MovingField}};
    ///
    /// let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
    /// let unit = Entity::new([20.5, 20.5], Profile::linear(4.0)?);
    /// let mut field = MovingField::in_fixed_point(&grid, vec![unit.clone()], FixedPoint::default())?;
    /// field.set(0, Entity { position: [22.5, 20.5], ..unit })?;
    /// field.update();
    /// assert_eq!((field.field().at(20, 20), field.field().at(22, 20)), (Some(0.5), Some(1.0)));
    /// # Ok::<(), throng_fields_core::ValueError>(())
    /// ```
    ///
    /// # Errors
    /// When an entity has a number that is not finite, or sums might not fit into 32 bits.
    pub fn in_fixed_point(grid: &Grid, entities: Vec<Entity>, fixed: FixedPoint) -> Result<Self, ValueError> {
        let room_for_sums = Room::new(fixed, grid, &entities)?;
        room_for_field(grid)?;
        let steps = Steps(fixed.step());
        let kept = Sums::Steps(room_for_sums, Kept::new(steps, grid, items(steps, grid, &entities)));
        Ok(Self { entities, kept })
    }

    /// An entity, by its place in the list.
    pub fn entity(&self, i: usize) -> Option<&Entity> {
        self.entities.get(i)
    }

    /// The field as of the last update.
    pub fn field(&self) -> &Field {
        match &self.kept {
            Sums::Floats(kept) => kept.field(),
            Sums::Steps(_, kept) => kept.field(),
        }
    }

    /// Replaces an entity: it has moved, turned, or has another charge. Takes effect at the next update. An equal one
    /// causes no work.
    ///
    /// # Errors
    /// When there is no entity `i`, the new one has a number that is not finite, or sums in fixed point might not fit
    /// into 32 bits. Then nothing is changed.
    pub fn set(&mut self, i: usize, entity: Entity) -> Result<(), ValueError> {
        let grid = *self.field().grid();
        check_replacement(&grid, i, self.entities.len(), &entity)?;
        if entity == self.entities[i] {
            return Ok(());
        }
        match &mut self.kept {
            Sums::Floats(kept) => kept.put(i, Floats.item(&grid, &entity)),
            Sums::Steps(room, kept) => {
                *room = room.replaced(&grid, i, &self.entities[i], &entity)?;
                kept.put(i, kept.sum().item(&grid, &entity));
            }
        }
        self.entities[i] = entity;
        Ok(())
    }

    /// Gathers the tiles again that were touched since the last update, and returns how many.
    pub fn update(&mut self) -> usize {
        match &mut self.kept {
            Sums::Floats(kept) => kept.update(),
            Sums::Steps(_, kept) => kept.update(),
        }
    }
}
