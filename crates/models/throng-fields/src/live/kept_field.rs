//! A field and its entities, on the CPU or a device.

use std::ops::Deref;
use std::sync::OnceLock;

use throng_core::InputError;
use throng_device::{Device, Error};
use throng_fields_core::creation::{Arithmetic, Kept};
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_pictures::Grid;

use super::entity_table::{EntityId, EntityTable};
use crate::gpu::{FieldOnDevice, KeptOnDevice};

/// A field that tracks its entities: only tiles that an entity has left or entered are recomputed. It is bit-identical
/// to the field that its executor computes from scratch from the entities in the order of their ids. In fixed point it
/// is the same on every executor, for any order.
///
/// The layers of simulations and [`MovingFields`](super::MovingFields) consist of these. `D` refers to a device, such
/// as `&Device`.
///
/// ```
/// use throng_fields::creation::Arithmetic;
/// use throng_fields::{Entity, Grid, KeptField, Profile};
///
/// # fn main() -> Result<(), throng_device::Error> {
/// let grid = Grid::new([0.0, 0.0], 1.0, 256, 256)?;
/// let unit = Entity::new([20.5, 20.5], Profile::linear(5.0)?);
/// let cpu = None::<&throng_device::Device>;
/// let mut field = KeptField::new(cpu, &grid, vec![unit.clone()], Arithmetic::Float)?;
/// let id = field.ids()[0];
/// field.replace(id, Entity { position: [24.5, 20.5], ..unit })?;
/// // Both positions are within one of 64 tiles, which is recomputed once.
/// assert_eq!((field.update()?, field.update()?), (1, 0));
/// assert_eq!(field.field()?.at(24, 20), Some(1.0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct KeptField<D> {
    pub(super) table: EntityTable,
    pub(super) on: On<D>,
}

/// The values as of the last update.
#[derive(Debug)]
pub(super) enum On<D> {
    Cpu(Box<dyn Kept>),
    /// On a device, with a copy in host memory once it has been needed.
    Device(D, Box<KeptOnDevice>, OnceLock<Field>),
}

impl<D: Deref<Target = Device>> KeptField<D> {
    /// Computes the field of entities, on a device or on the CPU.
    ///
    /// # Errors
    /// When an entity has an invalid number, sums in fixed point might not fit into 32 bits, there is too little
    /// memory, or the device fails.
    pub fn new(device: Option<D>, grid: &Grid, entities: Vec<Entity>, arithmetic: Arithmetic) -> Result<Self, Error> {
        let table = EntityTable::new(grid, entities, arithmetic)?;
        let all: Vec<&Entity> = table.slots().flatten().collect();
        let on = match device {
            None => On::Cpu(arithmetic.kept(grid, &all)?),
            Some(device) => {
                let kept = KeptOnDevice::new(&device, grid, &all, arithmetic.fixed_point())?;
                On::Device(device, Box::new(kept), OnceLock::new())
            }
        };
        Ok(Self { table, on })
    }

    /// The ids of all entities. The initial entities keep the order in which they were given.
    pub fn ids(&self) -> Vec<EntityId> {
        self.table.ids().collect()
    }

    /// Replaces an entity, for example because it has moved, turned, or changed its charge. Takes effect at the next
    /// update.
    ///
    /// # Errors
    /// When there is no such entity, the new one has an invalid number, or sums in fixed point might not fit into 32
    /// bits. In this case nothing is changed.
    pub fn replace(&mut self, id: EntityId, entity: Entity) -> Result<(), InputError> {
        self.table.replace(id, entity)
    }

    /// Updates the field, and returns the number of recomputed tiles. Returns as soon as the work has been submitted to
    /// a device.
    ///
    /// # Errors
    /// When the device fails. The changes then stay pending, and another update applies them.
    pub fn update(&mut self) -> Result<usize, Error> {
        let tiles = match &mut self.on {
            On::Cpu(kept) => {
                for change in self.table.changes() {
                    kept.put(change.slot, change.now);
                }
                kept.update()
            }
            On::Device(device, kept, in_memory) => {
                let updated = kept.update(device, &self.table);
                if !matches!(updated, Ok(0)) {
                    *in_memory = OnceLock::new();
                }
                updated?
            }
        };
        self.table.updated();
        Ok(tiles)
    }

    /// The field as of the last update. It is copied from a device on first use after an update.
    ///
    /// # Errors
    /// When the device fails.
    pub fn field(&self) -> Result<&Field, Error> {
        match &self.on {
            On::Cpu(kept) => Ok(kept.field()),
            On::Device(device, kept, in_memory) => {
                if let Some(field) = in_memory.get() {
                    return Ok(field);
                }
                let field = kept.read(device)?;
                Ok(in_memory.get_or_init(|| field))
            }
        }
    }

    /// The field in device memory, for kernels; `None` on the CPU.
    pub fn on_device(&self) -> Option<FieldOnDevice<'_>> {
        match &self.on {
            On::Cpu(_) => None,
            On::Device(device, kept, _) => Some(kept.on(device)),
        }
    }
}
