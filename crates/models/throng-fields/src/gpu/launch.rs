//! Launches of the creation kernels, without bounds checks.

use throng_device::{Buffer, Device, DeviceError, KernelParameter};
use throng_fields_core::NEGATIVE_ZERO;
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::layers::{Combination, Operation, Step};
use throng_pictures::{Grid, Mask};

use super::bins::Bins;
use super::entities::DeviceEntities;
use super::kernels::{self, How, Raster, UNITS, combine_tiles, gather_tiles, pack_tiles};
use super::tiles::Tiles;

/// The inputs of a launch, and the tiles that it computes.
pub(super) struct Work<'w> {
    pub grid: &'w Grid,
    pub tiles: Tiles,
    /// Entities on the same grid as the field.
    pub entities: &'w DeviceEntities,
    pub bins: Option<&'w Bins>,
    /// The tiles to compute; `None` for all.
    pub listed: Option<&'w Buffer<u32>>,
    pub unused: &'w Buffer<u32>,
    pub layered: bool,
}

impl Work<'_> {
    fn how(&self, device: &Device) -> How {
        How {
            listed: self.listed.is_some(),
            binned: self.bins.is_some(),
            ..self.entities.how(device, self.tiles.unit_rows, self.layered)
        }
    }

    fn cubes(&self) -> u32 {
        self.listed.map_or(self.tiles.count(), |listed| listed.len() as u32)
    }

    fn raster(&self) -> Raster {
        Raster {
            columns: self.grid.columns(),
            rows: self.grid.rows(),
            tile_columns: self.tiles.columns,
            tiles: self.cubes(),
            step: self.entities.fixed_point.map_or(0.0, FixedPoint::step),
            zero: NEGATIVE_ZERO,
        }
    }
}

/// Computes a field; the buffer has room for all cells of the grid.
#[allow(unsafe_code)]
pub(super) fn gather(device: &Device, work: &Work<'_>, field: &Buffer<f32>) -> Result<(), DeviceError> {
    device.launch_cubes("gather", work.cubes(), UNITS, |client, cubes, dim| {
        let (entities, lists, raster) = (work.entities.arg(), work.lists(), work.raster().arg());
        // SAFETY: the kernel reads entities below their count, which is the length of each column, or those in lists,
        // which contain only such entities. It reads tables at offsets that were packed with these entities. It writes
        // cells whose column and row are within the grid, for which the field has room.
        unsafe {
            gather_tiles::launch_unchecked(client, cubes, dim, entities, lists, field.arg(), raster, work.how(device));
        };
    })
}

/// Computes a combination of layers into a field that has room for all cells of the grid.
#[allow(unsafe_code)]
pub(super) fn combine(
    device: &Device,
    work: &Work<'_>,
    steps: &DeviceSteps,
    field: &Buffer<f32>,
) -> Result<(), DeviceError> {
    device.launch_cubes("combine", work.cubes(), UNITS, |client, cubes, dim| {
        let (entities, lists, raster) = (work.entities.arg(), work.lists(), work.raster().arg());
        // SAFETY: as in `gather`; it reads steps below their count, and masks have the size of the grid.
        unsafe {
            combine_tiles::launch_unchecked(
                client,
                cubes,
                dim,
                entities,
                lists,
                steps.arg(),
                field.arg(),
                raster,
                work.how(device),
            );
        };
    })
}

/// Packs layers, one per threshold, into the bits of one word per cell of the grid.
#[allow(unsafe_code)]
pub(super) fn pack(
    device: &Device,
    work: &Work<'_>,
    thresholds: &Buffer<f32>,
    layers: u32,
    bits: &Buffer<u32>,
) -> Result<(), DeviceError> {
    device.launch_cubes("pack layers", work.cubes(), UNITS, |client, cubes, dim| {
        let (entities, lists, raster) = (work.entities.arg(), work.lists(), work.raster().arg());
        // SAFETY: as in `gather`; there is a threshold for each layer.
        unsafe {
            pack_tiles::launch_unchecked(
                client,
                cubes,
                dim,
                entities,
                lists,
                thresholds.arg(),
                layers,
                bits.arg(),
                raster,
                work.how(device),
            );
        };
    })
}

/// The steps of a combination on a device.
pub(super) struct DeviceSteps {
    pub words: Buffer<u32>,
    pub reals: Buffer<f32>,
    pub masks: Buffer<u32>,
    pub mask_words: u32,
    pub count: u32,
    pub start: f32,
}

impl DeviceSteps {
    /// Copies the steps of a combination that has been checked against the grid.
    pub fn new(device: &Device, grid: &Grid, combination: &Combination) -> Result<Self, DeviceError> {
        let (mut words, mut reals, mut masks) = (Vec::new(), Vec::new(), Vec::new());
        for step in combination.steps() {
            match step {
                Step::With { operation, weight, layer } => {
                    let what = match operation {
                        Operation::Add => kernels::ADD,
                        Operation::Max => kernels::MAX,
                        Operation::Min => kernels::MIN,
                        Operation::Times => kernels::TIMES,
                    };
                    words.extend([what, *layer]);
                    reals.extend([*weight, 0.0, 0.0]);
                }
                Step::Threshold { at, below, from } => {
                    words.extend([kernels::THRESHOLD, 0]);
                    reals.extend([*at, *below, *from]);
                }
                Step::Masked { mask, outside } => {
                    words.extend([kernels::MASKED, masks.len() as u32]);
                    reals.extend([*outside, 0.0, 0.0]);
                    push_mask(&mut masks, grid, mask);
                }
            }
        }
        Ok(Self {
            words: device.upload("combination: steps", &words)?,
            reals: device.upload("combination: numbers", &reals)?,
            masks: device.upload("combination: masks", &masks)?,
            mask_words: grid.columns().div_ceil(u32::BITS),
            count: combination.steps().len() as u32,
            start: combination.start(),
        })
    }
}

/// Appends a mask with one bit per cell, each row starting in a new word.
pub(super) fn push_mask(words: &mut Vec<u32>, grid: &Grid, mask: &Mask) {
    for row in mask.flags().chunks(grid.columns() as usize) {
        let word = |bits: &[bool]| bits.iter().rev().fold(0u32, |word, &bit| word << 1 | u32::from(bit));
        words.extend(row.chunks(u32::BITS as usize).map(word));
    }
}
