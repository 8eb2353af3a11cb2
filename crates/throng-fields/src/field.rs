//! The values of a grid.

use crate::grid::Grid;

/// One number per cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    grid: Grid,
    values: Vec<f32>,
}

impl Field {
    pub(crate) fn new(grid: Grid, values: Vec<f32>) -> Self {
        debug_assert_eq!(values.len(), grid.cells());
        Self { grid, values }
    }

    /// Where the cells are.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// All values, row by row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    pub(crate) fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// The value of a cell; `None` outside the grid.
    pub fn at(&self, column: u32, row: u32) -> Option<f32> {
        self.grid.find(column, row).map(|cell| self.values[cell])
    }
}
