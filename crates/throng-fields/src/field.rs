//! The values of a grid.

use crate::grid::Grid;

/// One number per cell.
///
/// ```
/// use throng_fields::{Entity, Grid, Profile, creation};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 32, 16)?;
/// let field = creation::by_tiles(&grid, &[Entity::new([20.5, 8.5], Profile::linear(4.0)?)])?;
/// // Values stand row by row; between them fields are bilinear, and grow by 1 / 4 per unit towards the middle.
/// assert_eq!((field.at(18, 8), field.values()[8 * 32 + 18], field.at(32, 0)), (Some(0.5), 0.5, None));
/// assert_eq!(field.sample([19.0, 8.5]), Some(0.625));
/// assert_eq!(field.gradient([19.0, 8.5]).map(|slope| slope[0]), Some(0.25));
/// assert_eq!(field.best(None)?.map(|best| (best.column, best.row)), Some((20, 8)));
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
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
