//! Computes packed layers on a device.

use throng_core::InputError;
use throng_device::{Device, Error};
use throng_fields_core::layers::{BitLayers, MAX_LAYERS, check_threshold};

use super::bins::Bins;
use super::entities::DeviceEntities;
use super::launch::{Work, pack};
use super::tiles::Tiles;

/// Returns, for each cell of the entities' grid, the layers whose value reaches their threshold, with one threshold per
/// layer. The result equals [`BitLayers::of`], but a single launch computes it without storing the layers.
///
/// ```
/// use throng_device::{DeviceId, open};
/// use throng_fields::gpu::{DeviceEntities, bit_layers};
/// use throng_fields::{Entity, Grid, Profile};
///
/// # fn main() -> Result<(), throng_device::Error> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let grid = Grid::new([0.0, 0.0], 1.0, 32, 1)?;
/// let food = Entity::new([8.5, 0.5], Profile::linear(4.0)?).in_layers(0b01);
/// let wolf = Entity::new([10.5, 0.5], Profile::linear(8.0)?).in_layers(0b10);
/// let entities = DeviceEntities::new(&device, &grid, &[food, wolf], None)?;
/// // Cells where food has at least half its strength, and the wolf at least a quarter.
/// let felt = bit_layers(&device, &entities, &[0.5, 0.25])?;
/// assert_eq!((felt.count(0), felt.count(1), felt.get(6, 0, 0), felt.get(6, 0, 1)), (5, 13, true, true));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When there are too many thresholds, one is not a number, or the device fails.
pub fn bit_layers(device: &Device, entities: &DeviceEntities, thresholds: &[f32]) -> Result<BitLayers, Error> {
    if thresholds.len() > MAX_LAYERS as usize {
        let remedy = format!("there are at most {MAX_LAYERS} layers");
        return Err(InputError::one("bit layers, number of thresholds", thresholds.len(), remedy).into());
    }
    for (layer, &threshold) in (0..).zip(thresholds) {
        check_threshold(layer, threshold)?;
    }
    let grid = &entities.grid;
    let tiles = Tiles::of(grid);
    let bins = Bins::if_worthwhile(device, entities, tiles, tiles.count())?;
    let unused = device.upload("unused", &[0u32])?;
    let bins = bins.as_ref();
    let work = Work { grid, tiles, entities, bins, listed: None, unused: &unused, layered: true };
    let bits = device.empty("packed layers", grid.cells())?;
    let device_thresholds = device.upload("thresholds", thresholds)?;
    pack(device, &work, &device_thresholds, thresholds.len() as u32, &bits)?;
    Ok(BitLayers::from_bits(*grid, device.read(&bits)?))
}
