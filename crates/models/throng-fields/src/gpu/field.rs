//! A field in the memory of a device.

use throng_core::InputError;
use throng_device::{Buffer, Device, Error};
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_fields_core::layers::Combination;
use throng_pictures::Grid;

use super::bins::Bins;
use super::entities::DeviceEntities;
use super::launch::{DeviceSteps, Work, combine, gather};
use super::tiles::Tiles;

/// A field on a device.
///
/// ```
/// use throng_device::{DeviceId, open};
/// use throng_fields::gpu::{DeviceEntities, DeviceField};
/// use throng_fields::{Entity, Grid, Profile};
///
/// # fn main() -> Result<(), throng_device::Error> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let grid = Grid::new([0.0, 0.0], 1.0, 100, 100)?;
/// let tower = Entity::new([50.5, 50.5], Profile::linear(10.0)?);
/// let field = DeviceField::new(&device, &grid)?;
/// field.create(&device, &DeviceEntities::new(&device, &grid, &[tower], None)?)?;
/// assert_eq!(field.read(&device)?.at(55, 50), Some(0.5));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DeviceField {
    grid: Grid,
    values: Buffer<f32>,
    tiles: Tiles,
    unused: Buffer<u32>,
}

impl DeviceField {
    /// Allocates memory for a field; its content is undefined until the field is computed.
    ///
    /// # Errors
    /// When the device has too little memory.
    pub fn new(device: &Device, grid: &Grid) -> Result<Self, Error> {
        let values = device.empty("field", grid.cells())?;
        Ok(Self { grid: *grid, values, tiles: Tiles::of(grid), unused: device.upload("unused", &[0u32])? })
    }

    /// Computes the field from entities on the same grid.
    ///
    /// Each tile tests all entities, in one launch, and this returns once the work is submitted. If there are many
    /// entities and many tiles, the entities are first sorted into lists, and this waits for the lengths of the lists.
    /// Both methods give the same field, bit for bit.
    ///
    /// # Errors
    /// When the entities were copied for another grid, the lists do not fit into memory, or the device fails.
    pub fn create(&self, device: &Device, entities: &DeviceEntities) -> Result<(), Error> {
        let bins = Bins::if_worthwhile(device, entities, self.tiles, self.tiles.count())?;
        self.gather(device, entities, bins.as_ref(), None)
    }

    /// Like [`DeviceField::create`], but always uses lists.
    ///
    /// # Errors
    /// As for [`DeviceField::create`].
    pub fn create_from_lists(&self, device: &Device, entities: &DeviceEntities) -> Result<(), Error> {
        let bins = Bins::new(device, entities, self.tiles)?;
        self.gather(device, entities, Some(&bins), None)
    }

    /// Recomputes only the given tiles, of which there is at least one.
    pub(super) fn create_tiles(&self, device: &Device, entities: &DeviceEntities, tiles: &[u32]) -> Result<(), Error> {
        let bins = Bins::if_worthwhile(device, entities, self.tiles, tiles.len() as u32)?;
        let listed = device.upload("tiles", tiles)?;
        self.gather(device, entities, bins.as_ref(), Some(&listed))
    }

    /// Computes the combination of layers of entities, without storing any layer: in one launch, or from lists as in
    /// [`DeviceField::create`]. Entities that are in no layer of the combination are ignored.
    ///
    /// In fixed point, the result equals the combination of the layers on the CPU, bit for bit.
    ///
    /// # Errors
    /// As for [`DeviceField::create`], and when the combination cannot be evaluated on the grid.
    pub fn create_combined(
        &self,
        device: &Device,
        entities: &DeviceEntities,
        combination: &Combination,
    ) -> Result<(), Error> {
        combination.check(&self.grid)?;
        let bins = Bins::if_worthwhile(device, entities, self.tiles, self.tiles.count())?;
        let steps = DeviceSteps::new(device, &self.grid, combination)?;
        combine(device, &self.work(entities, bins.as_ref(), None, true)?, &steps, &self.values)?;
        Ok(())
    }

    fn gather(
        &self,
        device: &Device,
        entities: &DeviceEntities,
        bins: Option<&Bins>,
        listed: Option<&Buffer<u32>>,
    ) -> Result<(), Error> {
        gather(device, &self.work(entities, bins, listed, false)?, &self.values)?;
        Ok(())
    }

    fn work<'w>(
        &'w self,
        entities: &'w DeviceEntities,
        bins: Option<&'w Bins>,
        listed: Option<&'w Buffer<u32>>,
        layered: bool,
    ) -> Result<Work<'w>, InputError> {
        if entities.grid != self.grid {
            let remedy = "copy the entities to the device for the grid of the field";
            return Err(InputError::one("entities", "copied for another grid", remedy));
        }
        Ok(Work { grid: &self.grid, tiles: self.tiles, entities, bins, listed, unused: &self.unused, layered })
    }

    /// The grid of the field.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The values, row by row.
    pub(super) fn values(&self) -> &Buffer<f32> {
        &self.values
    }

    /// The tiles in which the field is computed.
    pub(super) fn tiles(&self) -> Tiles {
        self.tiles
    }

    /// Copies the field from the device.
    ///
    /// # Errors
    /// When the device failed.
    pub fn read(&self, device: &Device) -> Result<Field, Error> {
        Ok(Field::new(self.grid, device.read(&self.values)?))
    }
}

/// Computes the field of entities on a device and reads it.
pub(crate) fn create(
    device: &Device,
    grid: &Grid,
    entities: &[Entity],
    fixed_point: Option<FixedPoint>,
) -> Result<Field, Error> {
    let on_device = DeviceEntities::new(device, grid, entities, fixed_point)?;
    let field = DeviceField::new(device, grid)?;
    field.create(device, &on_device)?;
    field.read(device)
}
