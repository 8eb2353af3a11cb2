//! Layers that are gathered and combined in one kernel, and packed layers.

use std::marker::PhantomData;

use throng_device::cubecl::prelude::*;
use throng_device::{Gpu, cubecl};
use throng_fields_core::layers::{Operation, beside_threshold, with_layer};

use super::super::launch::DeviceSteps;
use super::gather::{cell_of, place_of, range_of, tile_of};
use super::sums::sum_cells;
use super::world::{Entities, How, Lists, Raster};

/// Words per step: the operation, and the layer or the start of the mask.
pub const STEP_WORDS: u32 = 2;
/// Reals per step: weight, threshold or value outside the mask; value below the threshold; value at and above it.
pub const STEP_REALS: u32 = 3;

/// The operations of steps.
pub const ADD: u32 = 0;
pub const MAX: u32 = 1;
pub const MIN: u32 = 2;
pub const TIMES: u32 = 3;
pub const THRESHOLD: u32 = 4;
pub const MASKED: u32 = 5;

/// The steps of a combination.
#[derive(CubeLaunch, CubeType)]
pub struct Steps {
    pub words: Array<u32>,
    pub reals: Array<f32>,
    /// One bit per cell for each mask; each row starts in a new word.
    pub masks: Array<u32>,
    pub mask_words: u32,
    pub count: u32,
    pub start: f32,
}

impl DeviceSteps {
    /// The steps as a kernel argument.
    pub fn arg(&self) -> StepsLaunch<Gpu> {
        StepsLaunch {
            words: self.words.arg(),
            reals: self.reals.arg(),
            masks: self.masks.arg(),
            mask_words: self.mask_words,
            count: self.count,
            start: self.start,
            _phantom_runtime: PhantomData,
        }
    }
}

/// Computes tiles of a combination. Each cube gathers the layers it needs one after the other, and stores none of them.
#[cube(launch_unchecked)]
pub fn combine_tiles(
    entities: &Entities,
    lists: &Lists,
    steps: &Steps,
    field: &mut Array<f32>,
    raster: &Raster,
    #[comptime] how: How,
) {
    let place = CUBE_POS as u32;
    if place < raster.tiles {
        let tile = tile_of(lists, place, how);
        let at = place_of(tile, raster, how);
        let (column, row) = cell_of(tile, raster, how);
        let mut results = Array::<f32>::new(comptime!(how.rows as usize));
        #[unroll]
        for r in 0..comptime!(how.rows as usize) {
            results[r] = steps.start;
        }
        for i in 0..steps.count {
            let operation = steps.words[(i * STEP_WORDS) as usize];
            let operand = steps.words[(i * STEP_WORDS + 1u32) as usize];
            let first = steps.reals[(i * STEP_REALS) as usize];
            // The steps are the same for all units of a cube.
            if operation <= TIMES {
                let range = range_of(entities, lists, tile, 1u32 << operand, how);
                let sums = sum_cells(entities, &lists.members, &range, &at, raster.zero, how);
                #[unroll]
                for r in 0..comptime!(how.rows) {
                    let value = sums.value(raster, r, how);
                    results[r as usize] = after_operation(operation, results[r as usize], first, value, raster.zero);
                }
            } else {
                let second = steps.reals[(i * STEP_REALS + 1u32) as usize];
                let third = steps.reals[(i * STEP_REALS + 2u32) as usize];
                #[unroll]
                for r in 0..comptime!(how.rows) {
                    let mut result = results[r as usize];
                    if operation == THRESHOLD {
                        result = beside_threshold(result, first, second, third);
                    } else if column < raster.columns && row + r < raster.rows {
                        let word = steps.masks[(operand + (row + r) * steps.mask_words + column / 32u32) as usize];
                        let allowed = (word >> (column % 32u32)) & 1u32 == 1u32;
                        result = select(allowed, result, first);
                    }
                    results[r as usize] = result;
                }
            }
        }
        if column < raster.columns {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                if row + r < raster.rows {
                    // The number of cells may exceed 32 bits.
                    field[(row + r) as usize * raster.columns as usize + column as usize] = results[r as usize];
                }
            }
        }
    }
}

/// Sets bit `k` of each cell where layer `k` reaches its threshold.
#[cube(launch_unchecked)]
pub fn pack_tiles(
    entities: &Entities,
    lists: &Lists,
    thresholds: &Array<f32>,
    layers: u32,
    bits: &mut Array<u32>,
    raster: &Raster,
    #[comptime] how: How,
) {
    let place = CUBE_POS as u32;
    if place < raster.tiles {
        let tile = tile_of(lists, place, how);
        let at = place_of(tile, raster, how);
        let (column, row) = cell_of(tile, raster, how);
        let mut words = Array::<u32>::new(comptime!(how.rows as usize));
        #[unroll]
        for r in 0..comptime!(how.rows as usize) {
            words[r] = 0u32;
        }
        for layer in 0..layers {
            let range = range_of(entities, lists, tile, 1u32 << layer, how);
            let sums = sum_cells(entities, &lists.members, &range, &at, raster.zero, how);
            let threshold = thresholds[layer as usize];
            #[unroll]
            for r in 0..comptime!(how.rows) {
                if sums.value(raster, r, how) >= threshold {
                    words[r as usize] |= 1u32 << layer;
                }
            }
        }
        if column < raster.columns {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                if row + r < raster.rows {
                    bits[(row + r) as usize * raster.columns as usize + column as usize] = words[r as usize];
                }
            }
        }
    }
}

/// [`with_layer`] with the operation of a step.
#[cube]
fn after_operation(operation: u32, result: f32, weight: f32, value: f32, zero: f32) -> f32 {
    let mut after = with_layer(result, weight, value, zero, Operation::Add);
    if operation == MAX {
        after = with_layer(result, weight, value, zero, Operation::Max);
    } else if operation == MIN {
        after = with_layer(result, weight, value, zero, Operation::Min);
    } else if operation == TIMES {
        after = with_layer(result, weight, value, zero, Operation::Times);
    }
    after
}
