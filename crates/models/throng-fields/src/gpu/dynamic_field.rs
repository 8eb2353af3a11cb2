//! A field on a device that tracks changes of its entities tile by tile.

use std::borrow::{Borrow, Cow};

use throng_core::InputError;
use throng_device::{Buffer, Device, Error};
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_fields_core::placed::FAR;
use throng_fields_core::placed::Placed;
use throng_fields_core::profile::Profile;
use throng_pictures::Grid;

use super::entities::DeviceEntities;
use super::field::DeviceField;
use crate::live::{Change, EntityTable};

/// Above this fraction of dirty tiles or changed entities, recomputing or copying all of them is faster.
const WORTH_ALL: f64 = 0.4;

/// A field in device memory, for kernels that read it in place.
#[derive(Debug, Clone, Copy)]
pub struct FieldOnDevice<'f> {
    /// The device.
    pub device: &'f Device,
    /// The values, row by row. Deferred updates write to the same memory.
    pub values: &'f Buffer<f32>,
}

/// A field on a device, the entities of its slots, and flags for its outdated tiles.
#[derive(Debug)]
pub(crate) struct DynamicFieldOnDevice {
    entities: DeviceEntities,
    field: DeviceField,
    dirty: Vec<bool>,
    dirty_count: usize,
}

impl DynamicFieldOnDevice {
    /// Computes the field of entities that have already been checked, on at most 2^32 - 1 cells.
    pub fn new<E: Borrow<Entity>>(
        device: &Device,
        grid: &Grid,
        entities: &[E],
        fixed_point: Option<FixedPoint>,
    ) -> Result<Self, Error> {
        if u32::try_from(grid.cells()).is_err() {
            let remedy = format!("a device computes at most {} cells: use larger cells, or the CPU", u32::MAX);
            return Err(InputError::one("grid, cells", grid.cells(), remedy).into());
        }
        let field = DeviceField::new(device, grid)?;
        let entities = DeviceEntities::of_checked(device, grid, entities, fixed_point)?;
        field.create(device, &entities)?;
        let dirty = vec![false; field.tiles().count() as usize];
        Ok(Self { entities, field, dirty, dirty_count: 0 })
    }

    /// The grid of the field.
    pub fn grid(&self) -> &Grid {
        self.field.grid()
    }

    /// The entities as of the last update.
    pub fn entities(&self) -> &DeviceEntities {
        &self.entities
    }

    /// The values as of the last update.
    pub fn values(&self) -> &Buffer<f32> {
        self.field.values()
    }

    /// A view of the field for kernels.
    pub fn on<'f>(&'f self, device: &'f Device) -> FieldOnDevice<'f> {
        FieldOnDevice { device, values: self.values() }
    }

    /// Copies the field as of the last update from the device.
    pub fn read(&self, device: &Device) -> Result<Field, Error> {
        self.field.read(device)
    }

    /// Applies the changes in the table, and returns the number of recomputed tiles: those that were touched, or all if
    /// these are many. After a failure, it may be called again.
    ///
    /// If at most 40 % of the entities have changed, only these are copied to the device. All are copied if a changed
    /// entity needs a stamp, polygon or profile table that is not on the device yet, if all entities were discs of
    /// one kind and a changed one is of another kind, or if there are more entities than reserved slots.
    pub fn update(&mut self, device: &Device, table: &EntityTable) -> Result<usize, Error> {
        let grid = *self.grid();
        let mut changed: Vec<(usize, Cow<'_, Entity>)> = Vec::new();
        for Change { slot, before, now } in table.changes() {
            for entity in [before, now].into_iter().flatten() {
                self.touch(entity);
            }
            let gone = || before.map(|before| Cow::Owned(far_away(&grid, before)));
            changed.extend(now.map(Cow::Borrowed).or_else(gone).map(|entity| (slot, entity)));
        }
        self.upload_changes(device, &changed, table)?;
        self.recompute_dirty_tiles(device)
    }

    /// Marks the tiles that an entity may reach as dirty.
    fn touch(&mut self, entity: &Entity) {
        // All tiles will be recomputed.
        if self.is_mostly_dirty() {
            return;
        }
        for tile in self.field.tiles().touched(&Placed::new(self.field.grid(), entity)) {
            let dirty = &mut self.dirty[tile as usize];
            self.dirty_count += usize::from(!*dirty);
            *dirty = true;
        }
    }

    fn is_mostly_dirty(&self) -> bool {
        self.dirty_count as f64 > WORTH_ALL * self.dirty.len() as f64
    }

    /// Updates the entities on the device: only the changed ones if these are few and fit in place, else all.
    fn upload_changes(
        &mut self,
        device: &Device,
        changed: &[(usize, Cow<'_, Entity>)],
        table: &EntityTable,
    ) -> Result<(), Error> {
        let (grid, before, slots) = (self.field.grid(), self.entities.len(), table.slots().len());
        let few = changed.len() as f64 <= WORTH_ALL * before as f64 && slots <= before;
        if changed.is_empty() || few && self.entities.replace(device, changed)? {
            return Ok(());
        }
        // A spare entity has the kind of an existing one, so that the same kernel applies.
        let disc = Entity::new(grid.origin(), Profile::linear(grid.cell())?);
        let spare = far_away(grid, table.slots().flatten().next().unwrap_or(&disc));
        // When entities are added, reserve a quarter more slots, so that most additions need no copy of all entities.
        let room = if slots > before { slots + slots / 4 + 64 } else { before };
        let all = table.slots().map(|entity| entity.unwrap_or(&spare)).chain(std::iter::repeat(&spare)).take(room);
        self.entities = DeviceEntities::of_checked(device, grid, &all.collect::<Vec<_>>(), self.entities.fixed_point)?;
        Ok(())
    }

    /// Recomputes the tiles that were touched since the last update, and returns their number.
    fn recompute_dirty_tiles(&mut self, device: &Device) -> Result<usize, Error> {
        if self.dirty_count == 0 {
            return Ok(0);
        }
        let mut made = self.dirty.len();
        if self.is_mostly_dirty() {
            self.field.create(device, &self.entities)?;
        } else {
            let tiles: Vec<u32> = (0..).zip(&self.dirty).filter_map(|(tile, &dirty)| dirty.then_some(tile)).collect();
            self.field.create_tiles(device, &self.entities, &tiles)?;
            made = tiles.len();
        }
        self.dirty.fill(false);
        self.dirty_count = 0;
        Ok(made)
    }
}

/// The same entity so far away that it reaches no cell. It replaces a removed entity, so that kernels, tables and
/// columns stay as they are.
fn far_away(grid: &Grid, entity: &Entity) -> Entity {
    let position = grid.origin().map(|origin| origin + FAR * f64::from(grid.cell()));
    Entity { position, ..entity.clone() }
}
