//! A field whose entities are added, moved and removed.

use std::sync::Arc;

use throng_core::InputError;
use throng_core::checks::finite;
use throng_device::Device;
use throng_fields_core::entities::Entity;
use throng_pictures::Grid;

use super::entity_table::EntityId;
use super::errors::value_error;
use super::kept_field::KeptField;
use crate::gpu::FieldOnDevice;

/// The field of entities that are added, moved and removed, created by [`Fields::moving`](super::Fields::moving). It is
/// stored on the device or the CPU that computes it, which also executes the queries.
///
/// Changes take effect with the next [`MovingFields::update`], which recomputes only those parts of the field that a
/// changed entity has left or entered. All queries refer to the state of the last update. All results are bit-identical
/// on the CPU and on every device, and do not depend on the order in which entities were added and removed.
///
/// ```
/// use throng_fields::{Entity, Fields, Grid, Profile};
///
/// let mut fields = Fields::on_cpu().moving(Grid::new([0.0, 0.0], 1.0, 64, 64)?, [])?;
/// let profile = Profile::linear(8.0)?;
/// let base = fields.spawn(Entity::new([20.5, 20.5], profile.clone()))?;
/// let raider = fields.spawn(Entity::new([24.5, 20.5], profile).with_charge(-2.0))?;
/// fields.update()?;
/// assert_eq!(fields.sample(&[[20.5, 20.5], [24.5, 20.5]])?, [0.0, -1.5]);
///
/// fields.despawn(base)?;
/// fields.move_to(raider, [40.5, 20.5])?;
/// fields.update()?;
/// assert_eq!(fields.sample(&[[20.5, 20.5], [38.5, 20.5]])?, [0.0, -1.5]);
/// assert_eq!(fields.gradients(&[[38.5, 20.5]])?[0][0], -0.25);
/// assert!(fields.move_to(base, [0.0, 0.0]).is_err());
/// # Ok::<(), throng_fields::InputError>(())
/// ```
#[derive(Debug)]
pub struct MovingFields(pub(super) KeptField<Arc<Device>>);

impl MovingFields {
    /// The grid of the field.
    pub fn grid(&self) -> &Grid {
        self.0.table.grid()
    }

    /// Number of entities.
    pub fn len(&self) -> usize {
        self.0.table.len()
    }

    /// Whether there are no entities.
    pub fn is_empty(&self) -> bool {
        self.0.table.len() == 0
    }

    /// The ids of all entities. The initial entities keep the order in which they were given, until one of them is
    /// despawned.
    pub fn ids(&self) -> Vec<EntityId> {
        self.0.ids()
    }

    /// The current state of an entity, including changes since the last update; `None` if it has been despawned.
    pub fn entity(&self, id: EntityId) -> Option<&Entity> {
        self.0.table.get(id)
    }

    /// Adds an entity.
    ///
    /// # Errors
    /// When it contains an invalid number, or sums might not fit into 32 bits. In this case nothing is changed.
    pub fn spawn(&mut self, entity: Entity) -> Result<EntityId, InputError> {
        let ids = self.0.table.spawn(vec![entity], |_| "spawned entity".to_owned())?;
        Ok(ids[0])
    }

    /// Adds many entities, for example [`Discs`](super::Discs), and returns their ids in the same order.
    ///
    /// # Errors
    /// As for [`MovingFields::spawn`], with the index of the entity in the list.
    pub fn spawn_many(&mut self, entities: impl IntoIterator<Item = Entity>) -> Result<Vec<EntityId>, InputError> {
        self.0.table.spawn(entities.into_iter().collect(), |i| format!("spawned entity {i}"))
    }

    /// Removes an entity. The ids of other entities stay valid.
    ///
    /// # Errors
    /// When there is no such entity.
    pub fn despawn(&mut self, id: EntityId) -> Result<(), InputError> {
        self.0.table.expect("despawn, entity", id)?;
        self.0.table.despawn(&[id]);
        Ok(())
    }

    /// Removes many entities. An id may occur more than once.
    ///
    /// # Errors
    /// When an entity does not exist. In this case nothing is changed.
    pub fn despawn_many(&mut self, ids: &[EntityId]) -> Result<(), InputError> {
        for (i, &id) in ids.iter().enumerate() {
            self.0.table.expect(&format!("despawn_many, entity {i} of the list"), id)?;
        }
        self.0.table.despawn(ids);
        Ok(())
    }

    /// Moves an entity to a position in world units.
    ///
    /// # Errors
    /// When there is no such entity, or a coordinate is not a finite number. In this case nothing is changed.
    pub fn move_to(&mut self, id: EntityId, position: [impl Into<f64>; 2]) -> Result<(), InputError> {
        self.0.table.expect("move_to, entity", id)?;
        let [x, y] = position.map(Into::into);
        finite("move_to, position x", x)?;
        finite("move_to, position y", y)?;
        self.0.table.move_to(id, [x, y]);
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
            if self.0.table.get(id).is_none() || !x.is_finite() || !y.is_finite() {
                self.0.table.expect(&format!("move_many, entity {i} of the list"), id)?;
                finite(&format!("move_many, position {i} of the list, x"), x)?;
                finite(&format!("move_many, position {i} of the list, y"), y)?;
            }
        }
        for (&id, position) in ids.iter().zip(positions) {
            self.0.table.move_to(id, position.map(Into::into));
        }
        Ok(())
    }

    /// Replaces an entity under the same id, for example to change its heading, charge, shape or profile.
    ///
    /// # Errors
    /// As for [`MovingFields::spawn`], and when there is no such entity. In this case nothing is changed.
    pub fn replace(&mut self, id: EntityId, entity: Entity) -> Result<(), InputError> {
        self.0.table.replace(id, entity)
    }

    /// Updates the field. The cost depends on the parts of the field that changed entities have left or entered. If at
    /// most 40 % of the entities have changed, only these are copied to a device. Returns as soon as the work has been
    /// submitted to the device.
    ///
    /// # Errors
    /// When the device fails. The changes then stay pending, and another update applies them.
    pub fn update(&mut self) -> Result<(), InputError> {
        self.0.update().map(drop).map_err(value_error)
    }

    /// The field in device memory, for custom kernels; `None` on the CPU.
    pub fn on_device(&self) -> Option<FieldOnDevice<'_>> {
        self.0.on_device()
    }
}
