//! A field on a device that follows its entities.

use std::collections::BTreeSet;

use throng_core::ValueError;
use throng_device::{Buffer, Device, GpuError};
use throng_fields_core::creation::{FixedPoint, Room};
use throng_fields_core::entities::{Entity, check_all, check_replacement};
use throng_fields_core::field::Field;
use throng_pictures::Grid;

use super::kept::KeptOnDevice;

/// A field on a device whose entities move: only tiles that an entity left or entered are recomputed. It is bit for bit
/// a field computed from scratch.
///
/// ```
/// use throng_device::{DeviceId, open};
/// use throng_fields::gpu::{GpuError, MovingDeviceField};
/// use throng_fields::{Entity, Grid, Profile};
///
/// # fn main() -> Result<(), throng_device::GpuError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let grid = Grid::new([0.0, 0.0], 1.0, 256, 256)?;
/// let unit = Entity::new([20.5, 20.5], Profile::linear(5.0)?);
/// let mut field = MovingDeviceField::new(&device, &grid, vec![unit.clone()], None)?;
/// field.set(0, Entity { position: [24.5, 20.5], ..unit })?;
/// // Few of all tiles are made again, once.
/// assert!((1..8).contains(&field.update(&device)?) && field.update(&device)? == 0);
/// assert_eq!(field.read(&device)?.at(24, 20), Some(1.0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct MovingDeviceField {
    /// In fixed point.
    room: Option<Room>,
    entities: Vec<Entity>,
    /// Those that were replaced since the last update.
    changed: BTreeSet<usize>,
    kept: KeptOnDevice,
}

impl MovingDeviceField {
    /// Computes the field of some entities.
    ///
    /// # Errors
    /// When an entity has a number that is not finite, sums in fixed point might not fit, or the device fails.
    pub fn new(
        device: &Device,
        grid: &Grid,
        entities: Vec<Entity>,
        fixed_point: Option<FixedPoint>,
    ) -> Result<Self, GpuError> {
        check_all(grid, &entities)?;
        let room = fixed_point.map(|fixed| Room::new(fixed, grid, &entities)).transpose()?;
        let kept = KeptOnDevice::new(device, grid, &entities, fixed_point)?;
        Ok(Self { room, entities, changed: BTreeSet::new(), kept })
    }

    /// Replaces an entity: it has moved, turned, or has another charge. Takes effect at the next update.
    ///
    /// # Errors
    /// When there is no entity `i`, the new one has a number that is not finite, or sums in fixed point might not fit
    /// into 32 bits. Then nothing is changed.
    pub fn set(&mut self, i: usize, entity: Entity) -> Result<(), ValueError> {
        check_replacement(self.kept.grid(), i, self.entities.len(), &entity)?;
        if self.entities[i] == entity {
            return Ok(());
        }
        let room = self.room.map(|room| room.replaced(self.kept.grid(), i, &self.entities[i], &entity)).transpose()?;
        self.kept.touch(&self.entities[i]);
        self.kept.touch(&entity);
        (self.entities[i], self.room) = (entity, room);
        self.changed.insert(i);
        Ok(())
    }

    /// Recomputes the tiles that were touched since the last update, or all if these are many, and returns how many.
    ///
    /// Only changed entities are copied to the device, if they are at most 40 % of all. All are copied when one of them
    /// has a stamp, a polygon or a profile of pieces or a table that the device does not have yet, or is the first that
    /// is not a disc of the kind of all others.
    ///
    /// # Errors
    /// When the device fails.
    pub fn update(&mut self, device: &Device) -> Result<usize, GpuError> {
        let changed: Vec<(usize, &Entity)> = self.changed.iter().map(|&i| (i, &self.entities[i])).collect();
        self.kept.bring(device, &changed, || self.entities.iter().collect())?;
        self.changed.clear();
        self.kept.remake(device)
    }

    /// The values as of the last update.
    pub(super) fn values(&self) -> &Buffer<f32> {
        self.kept.values()
    }

    /// Copies the field as of the last update from the device.
    ///
    /// # Errors
    /// When the device failed.
    pub fn read(&self, device: &Device) -> Result<Field, GpuError> {
        self.kept.read(device)
    }
}
