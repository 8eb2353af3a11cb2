//! Steps of a combination of layers on the device.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, KernelParameter, cubecl};
use throng_fields_core::layers::{Operation, beside_threshold, with_layer};

/// The operation of a step; see [`Step`](throng_fields_core::layers::Step).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StepKind {
    With(Operation),
    Threshold,
    Masked,
}

/// The parameters of a step.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct StepNumbers {
    /// Weight, threshold, or value outside the mask.
    pub first: f32,
    /// Value below the threshold.
    pub second: f32,
    /// Value at and above the threshold.
    pub third: f32,
    pub columns: u32,
    /// Words per row of the mask.
    pub mask_words: u32,
    pub cells: u32,
    /// [`throng_device::exact::NEGATIVE_ZERO`].
    pub zero: f32,
}

/// Sets all cells to a value.
#[cube(launch)]
pub fn set_cells(field: &mut Array<f32>, value: f32, cells: u32) {
    let cell = ABSOLUTE_POS as u32;
    if cell < cells {
        field[cell as usize] = value;
    }
}

/// The layer and the mask of a step; a step uses at most one of them.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct LayerAndMask {
    pub layer: Array<f32>,
    pub mask: Array<u32>,
}

/// Applies a step of a combination to each cell.
#[cube(launch)]
pub fn combine_cells(given: &LayerAndMask, field: &mut Array<f32>, step: &StepNumbers, #[comptime] kind: StepKind) {
    let cell = ABSOLUTE_POS as u32;
    if cell < step.cells {
        let result = field[cell as usize];
        field[cell as usize] = match kind {
            StepKind::With(operation) => {
                with_layer(result, step.first, given.layer[cell as usize], step.zero, operation)
            }
            StepKind::Threshold => beside_threshold(result, step.first, step.second, step.third),
            StepKind::Masked => {
                let (row, column) = (cell / step.columns, cell % step.columns);
                let word = given.mask[(row * step.mask_words + column / 32u32) as usize];
                select((word >> (column % 32u32)) & 1u32 == 1u32, result, step.first)
            }
        };
    }
}
