//! A field in the memory of a device.

use throng_device::cubecl::prelude::*;
use throng_device::{Buffer, Device, DeviceError};

use super::bins::Bins;
use super::entities::DeviceEntities;
use super::error::GpuError;
use super::kernels::{How, ListsLaunch, RasterLaunch, UNITS, gather_tiles};
use super::tiles::Tiles;
use crate::creation::FixedPoint;
use crate::error::FieldError;
use crate::field::Field;
use crate::grid::Grid;

/// A field on a device.
///
/// ```
/// use throng_device::{DeviceId, open, with_device};
/// use throng_fields::gpu::{DeviceEntities, DeviceField, GpuError};
/// use throng_fields::{Entity, Grid, Profile};
///
/// # fn main() -> Result<(), GpuError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let grid = Grid::new([0.0, 0.0], 1.0, 100, 100)?;
/// let tower = Entity::new([50.5, 50.5], Profile::linear(10.0)?);
/// with_device!(&device, |device| {
///     let field = DeviceField::new(device, &grid)?;
///     field.create(device, &DeviceEntities::new(device, &grid, &[tower], None)?)?;
///     assert_eq!(field.read(device)?.at(55, 50), Some(0.5));
/// });
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

/// So many questions whether an entity reaches a tile take longer than making lists.
const WORTH_BINS: u64 = 1 << 28;

impl DeviceField {
    /// Memory for a field; what is in it is not known before it is made.
    ///
    /// # Errors
    /// When the device has too little memory.
    pub fn new<R: Runtime>(device: &Device<R>, grid: &Grid) -> Result<Self, GpuError> {
        let values = device.empty("field", grid.cells())?;
        Ok(Self { grid: *grid, values, tiles: Tiles::of(grid), unused: device.upload("unused", &[0u32])? })
    }

    /// Makes the field anew from entities on the same grid. Returns when the device has its orders.
    ///
    /// Each tile looks at all entities, in one launch; with many entities on many tiles, they are sorted into lists
    /// first. Both give the same field, bit for bit.
    ///
    /// # Errors
    /// When the entities are those of another grid, or the device fails.
    pub fn create<R: Runtime>(&self, device: &Device<R>, entities: &DeviceEntities) -> Result<(), GpuError> {
        if entities.count as u64 * u64::from(self.tiles.count()) < WORTH_BINS {
            return self.gather(device, entities, None, None);
        }
        self.create_from_lists(device, entities)
    }

    /// As [`DeviceField::create`], always with lists.
    ///
    /// # Errors
    /// As for [`DeviceField::create`], and when lists do not fit into memory.
    pub fn create_from_lists<R: Runtime>(&self, device: &Device<R>, entities: &DeviceEntities) -> Result<(), GpuError> {
        let bins = Bins::new(device, entities, self.tiles)?;
        self.gather(device, entities, Some(&bins), None)
    }

    /// Makes only some tiles anew.
    pub(super) fn create_tiles<R: Runtime>(
        &self,
        device: &Device<R>,
        entities: &DeviceEntities,
        tiles: &[u32],
    ) -> Result<(), GpuError> {
        if tiles.is_empty() {
            return Ok(());
        }
        let listed = device.upload("tiles", tiles)?;
        self.gather(device, entities, None, Some(&listed))
    }

    #[allow(unsafe_code)]
    fn gather<R: Runtime>(
        &self,
        device: &Device<R>,
        entities: &DeviceEntities,
        bins: Option<&Bins>,
        listed: Option<&Buffer<u32>>,
    ) -> Result<(), GpuError> {
        if entities.grid != self.grid {
            let remedy = "copy the entities to the device for the grid of the field";
            return Err(FieldError::new("entities", "those of another grid", remedy).into());
        }
        let how = How {
            figures: entities.figures,
            fixed: entities.fixed_point.is_some(),
            rows: self.tiles.unit_rows,
            listed: listed.is_some(),
            binned: bins.is_some(),
        };
        let count = listed.map_or(self.tiles.count(), |listed| listed.len() as u32);
        let step = entities.fixed_point.map_or(0.0, FixedPoint::step);
        let raster = RasterLaunch::new(self.grid.columns(), self.grid.rows(), self.tiles.columns, count, step, 0.0f32);
        let lists = ListsLaunch::new(
            listed.unwrap_or(&self.unused).arg(),
            bins.map_or(&self.unused, |bins| &bins.first).arg(),
            bins.map_or(&self.unused, |bins| &bins.members).arg(),
        );
        let launched: Result<(), DeviceError> = device.launch_cubes("gather", count, UNITS, |client, cubes, dim| {
            let (entities, field) = (entities.arg(), self.values.arg());
            // SAFETY: the kernel reads entities below their number, of which each column has so many entries, or
            // those in lists, which have only such; tables at places that were packed with them; and writes cells
            // whose column and row are those of the grid, for which the field has room.
            unsafe { gather_tiles::launch_unchecked::<R>(client, cubes, dim, entities, lists, field, raster, how) };
        });
        Ok(launched?)
    }

    /// Where the tiles are.
    pub(super) fn tiles(&self) -> Tiles {
        self.tiles
    }

    /// Copies the field from the device.
    ///
    /// # Errors
    /// When the device failed.
    pub fn read<R: Runtime>(&self, device: &Device<R>) -> Result<Field, GpuError> {
        Ok(Field::new(self.grid, device.read(&self.values)?))
    }
}
