//! A field on a device that is updated tile by tile: the common part of fields of moving entities.

use std::borrow::Borrow;

use throng_device::{Buffer, Device, GpuError};
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_fields_core::placed::Placed;
use throng_pictures::Grid;

use super::entities::DeviceEntities;
use super::field::DeviceField;

/// With a larger share of dirty tiles, or changed entities, it is faster to recompute all of them.
const WORTH_ALL: f64 = 0.4;

/// A field on a device, its entities, and which of its tiles are out of date.
#[derive(Debug)]
pub(crate) struct KeptOnDevice {
    there: DeviceEntities,
    field: DeviceField,
    dirty: Vec<bool>,
    dirty_count: usize,
}

impl KeptOnDevice {
    /// Computes the field of some entities, which were checked.
    pub fn new<E: Borrow<Entity>>(
        device: &Device,
        grid: &Grid,
        entities: &[E],
        fixed_point: Option<FixedPoint>,
    ) -> Result<Self, GpuError> {
        let field = DeviceField::new(device, grid)?;
        let there = DeviceEntities::of_checked(device, grid, entities, fixed_point)?;
        field.create(device, &there)?;
        let dirty = vec![false; field.tiles().count() as usize];
        Ok(Self { there, field, dirty, dirty_count: 0 })
    }

    /// Where the cells are.
    pub fn grid(&self) -> &Grid {
        self.field.grid()
    }

    /// The entities as of the last update.
    pub fn entities(&self) -> &DeviceEntities {
        &self.there
    }

    /// The values as of the last update.
    pub fn values(&self) -> &Buffer<f32> {
        self.field.values()
    }

    /// Marks the tiles that an entity may reach for recomputation.
    pub fn touch(&mut self, entity: &Entity) {
        // All are made then.
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

    /// Brings the entities on the device up to date: only those that changed, if these are few and fit in; otherwise
    /// `all`, of which there may be more than before.
    pub fn bring<E: Borrow<Entity>>(
        &mut self,
        device: &Device,
        changed: &[(usize, &Entity)],
        all: impl FnOnce() -> Vec<E>,
    ) -> Result<(), GpuError> {
        if changed.is_empty() {
            return Ok(());
        }
        let few = changed.len() as f64 <= WORTH_ALL * self.there.len() as f64;
        let have_room = changed.iter().all(|&(place, _)| place < self.there.len());
        if !(few && have_room && self.there.replace(device, changed)?) {
            self.there = DeviceEntities::of_checked(device, self.field.grid(), &all(), self.there.fixed_point)?;
        }
        Ok(())
    }

    /// Recomputes the tiles that were touched since the last time, and returns how many.
    pub fn remake(&mut self, device: &Device) -> Result<usize, GpuError> {
        if self.dirty_count == 0 {
            return Ok(0);
        }
        let mut made = self.dirty.len();
        if self.is_mostly_dirty() {
            self.field.create(device, &self.there)?;
        } else {
            let tiles: Vec<u32> = (0..).zip(&self.dirty).filter_map(|(tile, &dirty)| dirty.then_some(tile)).collect();
            self.field.create_tiles(device, &self.there, &tiles)?;
            made = tiles.len();
        }
        self.dirty.fill(false);
        self.dirty_count = 0;
        Ok(made)
    }

    /// Copies the field as of the last update from the device.
    pub fn read(&self, device: &Device) -> Result<Field, GpuError> {
        self.field.read(device)
    }
}
