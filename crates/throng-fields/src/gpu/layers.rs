//! Packed layers made on a device.

use throng_device::Device;
use throng_device::cubecl::prelude::*;

use super::bins::Bins;
use super::entities::DeviceEntities;
use super::error::GpuError;
use super::launch::{Work, pack};
use super::tiles::Tiles;
use crate::error::FieldError;
use crate::layers::{BitLayers, MOST_LAYERS, check_threshold};

/// For each cell of the entities' grid the layers that have at least the value of their threshold, one threshold per layer:
/// what [`BitLayers::of`] makes of the same layers, in one launch that stores none of them.
///
/// # Errors
/// When there are too many thresholds, one is not a number, or the device fails.
pub fn bit_layers<R: Runtime>(
    device: &Device<R>,
    entities: &DeviceEntities,
    thresholds: &[f32],
) -> Result<BitLayers, GpuError> {
    if thresholds.len() > MOST_LAYERS as usize {
        let remedy = format!("there are at most {MOST_LAYERS} layers");
        return Err(FieldError::new("bit layers, number of thresholds", thresholds.len(), remedy).into());
    }
    for (layer, &threshold) in (0..).zip(thresholds) {
        check_threshold(layer, threshold)?;
    }
    let grid = &entities.grid;
    let tiles = Tiles::of(grid);
    let bins = Bins::where_worth(device, entities, tiles)?;
    let unused = device.upload("unused", &[0u32])?;
    let bins = bins.as_ref();
    let work = Work { grid, tiles, entities, bins, listed: None, unused: &unused, layered: true };
    let bits = device.empty("packed layers", grid.cells())?;
    let there = device.upload("thresholds", thresholds)?;
    pack(device, &work, &there, thresholds.len() as u32, &bits)?;
    Ok(BitLayers::from_bits(*grid, device.read(&bits)?))
}
