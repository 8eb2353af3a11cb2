//! A field that tracks its entities, on the CPU or a device.

use std::sync::{Arc, OnceLock};

use throng_core::InputError;
use throng_core::checks::finite;
use throng_device::{Device, Error, Executor};
use throng_fields_core::creation::{Arithmetic, IncrementalField};
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_pictures::Grid;

use super::builder::FieldBuilder;
use super::entity_table::{EntityId, EntityTable};
use crate::gpu::{DynamicFieldOnDevice, FieldOnDevice};

/// The field of entities that are added, moved and removed, created by [`DynamicField::builder`]. It is stored where it
/// is computed, on a device or on the CPU, and queries are executed there.
///
/// Changes take effect with the next [`DynamicField::update`], which recomputes only the tiles that a changed entity
/// has left or entered. All queries return the state of the last update. The field is bit-identical to one computed
/// from scratch. In fixed point, the default, all values and results are also the same on the CPU and on every device,
/// and do not depend on the order in which entities were added and removed.
///
/// ```
/// use throng_fields::{DeviceChoice, DynamicField, Entity, Grid, Profile};
///
/// let mut field = DynamicField::builder(Grid::new([0.0, 0.0], 1.0, 64, 64)?).on(DeviceChoice::Auto).build()?;
/// let profile = Profile::linear(8.0)?;
/// let base = field.spawn(Entity::new([20.5, 20.5], profile.clone()))?;
/// let raider = field.spawn(Entity::new([24.5, 20.5], profile).with_charge(-2.0))?;
/// field.update()?;
/// assert_eq!(field.sample(&[[20.5, 20.5], [24.5, 20.5]])?, [0.0, -1.5]);
///
/// field.despawn(base)?;
/// field.move_to(raider, [40.5, 20.5])?;
/// field.update()?;
/// assert_eq!(field.sample(&[[20.5, 20.5], [38.5, 20.5]])?, [0.0, -1.5]);
/// assert_eq!(field.gradients(&[[38.5, 20.5]])?[0][0], -0.25);
/// assert!(field.move_to(base, [0.0, 0.0]).is_err());
/// # Ok::<(), throng_fields::Error>(())
/// ```
#[derive(Debug)]
pub struct DynamicField {
    executor: Executor,
    table: EntityTable,
    pub(super) values: Values,
}

/// The values as of the last update.
#[derive(Debug)]
pub(super) enum Values {
    Cpu(Box<dyn IncrementalField>),
    /// On a device, with a copy in host memory once it has been needed.
    Device(Arc<Device>, Box<DynamicFieldOnDevice>, OnceLock<Field>),
}

impl DynamicField {
    /// Starts building a field on a grid.
    pub fn builder(grid: Grid) -> FieldBuilder {
        FieldBuilder::new(grid)
    }

    pub(super) fn new(
        executor: Executor,
        grid: &Grid,
        entities: Vec<Entity>,
        arithmetic: Arithmetic,
    ) -> Result<Self, Error> {
        let table = EntityTable::new(grid, entities, arithmetic)?;
        let all: Vec<&Entity> = table.slots().flatten().collect();
        let values = match executor.shared_device() {
            None => Values::Cpu(arithmetic.incremental(grid, &all)?),
            Some(device) => {
                let kept = DynamicFieldOnDevice::new(device, grid, &all, arithmetic.fixed_point())?;
                Values::Device(Arc::clone(device), Box::new(kept), OnceLock::new())
            }
        };
        Ok(Self { executor, table, values })
    }

    /// The executor, with the reason for an automatic choice.
    pub fn executor(&self) -> &Executor {
        &self.executor
    }

    /// The grid of the field.
    pub fn grid(&self) -> &Grid {
        self.table.grid()
    }

    /// Number of entities.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there are no entities.
    pub fn is_empty(&self) -> bool {
        self.table.len() == 0
    }

    /// The ids of all entities. The initial entities keep the order in which they were given, until one of them is
    /// despawned.
    pub fn ids(&self) -> Vec<EntityId> {
        self.table.ids().collect()
    }

    /// The current state of an entity, including changes since the last update; `None` if it has been despawned.
    pub fn entity(&self, id: EntityId) -> Option<&Entity> {
        self.table.get(id)
    }

    /// Adds an entity.
    ///
    /// # Errors
    /// When it is invalid, the grid cannot represent it, or sums might not fit into 32 bits. Then nothing is changed.
    pub fn spawn(&mut self, entity: Entity) -> Result<EntityId, InputError> {
        let ids = self.table.spawn(vec![entity], |_| "spawned entity".to_owned())?;
        Ok(ids[0])
    }

    /// Adds many entities, for example [`Discs`](super::Discs), and returns their ids in the same order.
    ///
    /// # Errors
    /// As for [`DynamicField::spawn`], with the index of the entity in the list.
    pub fn spawn_many(&mut self, entities: impl IntoIterator<Item = Entity>) -> Result<Vec<EntityId>, InputError> {
        self.table.spawn(entities.into_iter().collect(), |i| format!("spawned entity {i}"))
    }

    /// Removes an entity. The ids of other entities stay valid.
    ///
    /// # Errors
    /// When there is no such entity.
    pub fn despawn(&mut self, id: EntityId) -> Result<(), InputError> {
        self.table.require("despawn, entity", id)?;
        self.table.despawn(&[id]);
        Ok(())
    }

    /// Removes many entities. An id may occur more than once.
    ///
    /// # Errors
    /// When an entity does not exist. In this case nothing is changed.
    pub fn despawn_many(&mut self, ids: &[EntityId]) -> Result<(), InputError> {
        for (i, &id) in ids.iter().enumerate() {
            self.table.require(&format!("despawn_many, entity {i} of the list"), id)?;
        }
        self.table.despawn(ids);
        Ok(())
    }

    /// Moves an entity to a position in world units.
    ///
    /// # Errors
    /// When there is no such entity, or a coordinate is not a finite number. In this case nothing is changed.
    pub fn move_to(&mut self, id: EntityId, position: [impl Into<f64>; 2]) -> Result<(), InputError> {
        self.table.require("move_to, entity", id)?;
        let [x, y] = position.map(Into::into);
        finite("move_to, position x", x)?;
        finite("move_to, position y", y)?;
        self.table.move_to(id, [x, y]);
        Ok(())
    }

    /// Moves many entities, each to the position at the same index. If an entity occurs twice, its last position is
    /// used.
    ///
    /// # Errors
    /// When the lists differ in length, an entity does not exist, or a coordinate is not a finite number. In this case
    /// nothing is changed.
    pub fn move_many(&mut self, ids: &[EntityId], positions: &[[impl Into<f64> + Copy; 2]]) -> Result<(), InputError> {
        if ids.len() != positions.len() {
            let remedy = format!("expected one for each of the {} entities", ids.len());
            return Err(InputError::one("move_many, number of positions", positions.len(), remedy));
        }
        for (i, (&id, position)) in ids.iter().zip(positions).enumerate() {
            let [x, y] = position.map(Into::into);
            if self.table.get(id).is_none() || !x.is_finite() || !y.is_finite() {
                self.table.require(&format!("move_many, entity {i} of the list"), id)?;
                finite(&format!("move_many, position {i} of the list, x"), x)?;
                finite(&format!("move_many, position {i} of the list, y"), y)?;
            }
        }
        for (&id, position) in ids.iter().zip(positions) {
            self.table.move_to(id, position.map(Into::into));
        }
        Ok(())
    }

    /// Replaces an entity under the same id, for example to change its heading, charge, shape or profile.
    ///
    /// # Errors
    /// As for [`DynamicField::spawn`], and when there is no such entity. In this case nothing is changed.
    pub fn replace(&mut self, id: EntityId, entity: Entity) -> Result<(), InputError> {
        self.table.replace(id, entity)
    }

    /// Brings the field up to date, and returns the number of recomputed tiles. The cost depends on the parts of the
    /// field that changed entities have left or entered. If at most 40 % of the entities have changed, usually only
    /// these are copied to a device. Returns as soon as the work has been submitted to the device.
    ///
    /// # Errors
    /// If the device fails or cannot hold the entities. The changes then stay pending, and another update applies them.
    pub fn update(&mut self) -> Result<usize, Error> {
        let tiles = match &mut self.values {
            Values::Cpu(kept) => {
                for change in self.table.changes() {
                    kept.put(change.slot, change.now);
                }
                kept.update()
            }
            Values::Device(device, kept, in_memory) => {
                let updated = kept.update(device, &self.table);
                if !matches!(updated, Ok(0)) {
                    *in_memory = OnceLock::new();
                }
                updated?
            }
        };
        self.table.mark_applied();
        Ok(tiles)
    }

    /// The field as of the last update. It is copied from a device on first use after an update.
    ///
    /// # Errors
    /// When the device fails.
    pub fn field(&self) -> Result<&Field, Error> {
        match &self.values {
            Values::Cpu(kept) => Ok(kept.field()),
            Values::Device(device, kept, in_memory) => {
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
        match &self.values {
            Values::Cpu(_) => None,
            Values::Device(device, kept, _) => Some(kept.on(device)),
        }
    }
}
