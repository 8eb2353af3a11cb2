//! The entities of a field, which can be added and removed: their ids, and the changes since the last update.

use std::fmt;

use throng_core::InputError;
use throng_fields_core::creation::{Arithmetic, Room};
use throng_fields_core::entities::{Entity, check_all};
use throng_fields_core::rules::fixed_point;
use throng_pictures::Grid;

/// The id of an entity in a [`DynamicField`](super::DynamicField). It stays valid when other entities change, and is
/// not reused after the entity has been despawned. It has no meaning in other fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId {
    slot: u32,
    /// Number of entities that used the slot before.
    generation: u32,
}

impl fmt::Display for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.generation {
            0 => self.slot.fmt(f),
            generation => write!(f, "{}.{generation}", self.slot),
        }
    }
}

/// All entities, stored in slots, some of which are free.
#[derive(Debug)]
pub(crate) struct EntityTable {
    grid: Grid,
    /// Only in fixed point: the range that the sums of entities use.
    room: Option<Room>,
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// The slots that have changed since the last update.
    changed: Vec<u32>,
    count: usize,
}

#[derive(Debug)]
struct Slot {
    generation: u32,
    now: Option<Entity>,
    /// The entity as of the last update, if the slot has changed since.
    before: Option<Entity>,
    changed: bool,
}

/// An entity before and after a change.
pub(crate) struct Change<'t> {
    pub slot: usize,
    pub before: Option<&'t Entity>,
    pub now: Option<&'t Entity>,
}

/// Maximum number of entities at any time.
const MAX_SLOTS: usize = u32::MAX as usize;

impl EntityTable {
    /// # Errors
    /// When an entity cannot be represented on the grid, or sums in fixed point might not fit.
    pub fn new(grid: &Grid, entities: Vec<Entity>, arithmetic: Arithmetic) -> Result<Self, InputError> {
        let room = match arithmetic {
            Arithmetic::FixedPoint(fixed_point) => Some(Room::new(fixed_point, grid, &entities)?),
            Arithmetic::Float => check_all(grid, &entities).map(|()| None)?,
        };
        let count = entities.len();
        check_slots(count)?;
        let slot = |entity| Slot { generation: 0, now: Some(entity), before: None, changed: false };
        let slots = entities.into_iter().map(slot).collect();
        Ok(Self { grid: *grid, room, slots, free: Vec::new(), changed: Vec::new(), count })
    }

    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn ids(&self) -> impl Iterator<Item = EntityId> {
        let id = |(slot, at): (u32, &Slot)| at.now.is_some().then_some(EntityId { slot, generation: at.generation });
        (0..).zip(&self.slots).filter_map(id)
    }

    pub fn get(&self, id: EntityId) -> Option<&Entity> {
        self.slots.get(id.slot as usize).filter(|slot| slot.generation == id.generation)?.now.as_ref()
    }

    /// Returns the entity, or an error located at `place`, the argument that contained the id.
    pub fn require(&self, place: &str, id: EntityId) -> Result<&Entity, InputError> {
        self.get(id).ok_or_else(|| {
            let remedy = "it was despawned: `ids` lists the existing entities";
            InputError::one(place, id, remedy)
        })
    }

    /// Adds all entities or, in case of an error, none.
    pub fn spawn(
        &mut self,
        entities: Vec<Entity>,
        place: impl Fn(usize) -> String,
    ) -> Result<Vec<EntityId>, InputError> {
        check_slots(self.count.saturating_add(entities.len()))?;
        let mut room = self.room;
        for (i, entity) in entities.iter().enumerate() {
            room = self.checked_room_with(room, entity).map_err(|error| error.within(&place(i)))?;
        }
        self.room = room;
        self.count += entities.len();
        Ok(entities.into_iter().map(|entity| self.insert(entity)).collect())
    }

    /// Assigns a slot to an entity.
    fn insert(&mut self, entity: Entity) -> EntityId {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, now: None, before: None, changed: false });
            (self.slots.len() - 1) as u32
        });
        self.put(slot, Some(entity));
        EntityId { slot, generation: self.slots[slot as usize].generation }
    }

    /// Removes entities that are in the table. An id may occur more than once.
    pub fn despawn(&mut self, ids: &[EntityId]) {
        for id in ids {
            let Some(entity) = self.get(*id) else { continue };
            self.room = self.room.map(|room| room.without(entity));
            self.count -= 1;
            self.put(id.slot, None);
            let slot = &mut self.slots[id.slot as usize];
            // A slot whose generations are exhausted is not reused.
            if let Some(next) = slot.generation.checked_add(1) {
                slot.generation = next;
                self.free.push(id.slot);
            }
        }
    }

    /// Replaces an entity in the table.
    pub fn replace(&mut self, id: EntityId, entity: Entity) -> Result<(), InputError> {
        let old = self.require("entity", id)?;
        if *old != entity {
            let room = self.checked_room_with(self.room.map(|room| room.without(old)), &entity);
            self.room = room.map_err(|error| error.within(&format!("entity {id}")))?;
            self.put(id.slot, Some(entity));
        }
        Ok(())
    }

    /// Moves an entity in the table to a position with finite coordinates.
    pub fn move_to(&mut self, id: EntityId, position: [f64; 2]) {
        if let Some(entity) = self.get(id) {
            let moved = Entity { position, ..entity.clone() };
            self.put(id.slot, Some(moved));
        }
    }

    /// Checks one more entity, and returns the room that includes it.
    fn checked_room_with(&self, room: Option<Room>, entity: &Entity) -> Result<Option<Room>, InputError> {
        entity.check_on(&self.grid)?;
        room.map(|room| fixed_point::check(&self.grid, entity).and_then(|()| room.with(entity))).transpose()
    }

    fn put(&mut self, slot: u32, entity: Option<Entity>) {
        let at = &mut self.slots[slot as usize];
        let before = std::mem::replace(&mut at.now, entity);
        if !at.changed {
            (at.before, at.changed) = (before, true);
            self.changed.push(slot);
        }
    }

    /// The changes since the last update.
    pub fn changes(&self) -> impl Iterator<Item = Change<'_>> {
        self.changed.iter().filter_map(|&slot| {
            let Slot { now, before, .. } = &self.slots[slot as usize];
            (now != before).then_some(Change { slot: slot as usize, before: before.as_ref(), now: now.as_ref() })
        })
    }

    /// Marks all changes as applied, so that they are no longer listed.
    pub fn mark_applied(&mut self) {
        for slot in self.changed.drain(..) {
            let slot = &mut self.slots[slot as usize];
            (slot.before, slot.changed) = (None, false);
        }
    }

    /// All slots; `None` for free ones.
    pub fn slots(&self) -> impl ExactSizeIterator<Item = Option<&Entity>> {
        self.slots.iter().map(|slot| slot.now.as_ref())
    }
}

fn check_slots(count: usize) -> Result<(), InputError> {
    if count <= MAX_SLOTS {
        return Ok(());
    }
    Err(InputError::one("entities, number", count, format!("at most {MAX_SLOTS} can exist at a time")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_fields_core::creation::FixedPoint;
    use throng_fields_core::profile::Profile;

    fn fixed() -> Arithmetic {
        Arithmetic::FixedPoint(FixedPoint::default())
    }

    fn table(count: u8) -> EntityTable {
        let grid = Grid::new([0.0, 0.0], 1.0, 8, 8).unwrap();
        let disc = |i: u8| Entity::new([f32::from(i), 0.0], Profile::linear(2.0).unwrap());
        EntityTable::new(&grid, (0..count).map(disc).collect(), fixed()).unwrap()
    }

    #[test]
    fn slots_are_reused_with_new_ids() {
        let mut table = table(3);
        let ids: Vec<EntityId> = table.ids().collect();
        let entity = table.get(ids[1]).unwrap().clone();
        table.despawn(&[ids[1], ids[1]]);
        assert_eq!((table.len(), table.get(ids[1])), (2, None));
        let new = table.spawn(vec![entity.clone()], |i| i.to_string()).unwrap()[0];
        assert_eq!((new.slot, new.to_string(), ids[1].to_string()), (1, "1.1".to_owned(), "1".to_owned()));
        assert!(table.get(ids[1]).is_none() && table.get(new) == Some(&entity));
        // The slot contains an equal entity again, so nothing has changed.
        assert_eq!(table.changes().count(), 0);
    }

    #[test]
    fn changes_since_the_last_update_are_listed() {
        let mut table = table(2);
        let ids: Vec<EntityId> = table.ids().collect();
        table.move_to(ids[0], [5.0, 5.0]);
        table.move_to(ids[0], [6.0, 5.0]);
        let passing = table.spawn(vec![table.get(ids[1]).unwrap().clone()], |i| i.to_string()).unwrap();
        table.despawn(&passing);
        let changes: Vec<_> = table.changes().collect();
        let x = |entity: Option<&Entity>| entity.map(|entity| entity.position[0]);
        assert_eq!(changes.len(), 1);
        assert_eq!((x(changes[0].before), x(changes[0].now)), (Some(0.0), Some(6.0)));
        table.mark_applied();
        assert_eq!(table.changes().count(), 0);
        table.move_to(ids[0], [6.0, 5.0]);
        assert_eq!(table.changes().count(), 0, "it stays where it is");
    }

    #[test]
    fn despawning_frees_capacity_of_sums() {
        let grid = Grid::new([0.0, 0.0], 1.0, 8, 8).unwrap();
        let heavy = Entity::new([1.0, 1.0], Profile::linear(2.0).unwrap()).with_charge(30_000.0);
        let mut table = EntityTable::new(&grid, vec![heavy.clone()], fixed()).unwrap();
        let first = table.ids().next().unwrap();
        let error = table.spawn(vec![heavy.clone()], |i| format!("entity {i}")).unwrap_err();
        assert_eq!(error.place(), "entity 0, entities, sum of all charges");
        for _ in 0..3 {
            table.replace(first, heavy.clone()).unwrap();
        }
        table.despawn(&[first]);
        table.spawn(vec![heavy], |i| i.to_string()).unwrap();
    }
}
