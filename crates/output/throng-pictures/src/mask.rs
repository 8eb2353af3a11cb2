//! Selection of cells.

use std::sync::Arc;

use throng_core::InputError;

use crate::Grid;

/// A selection of cells: one bool per cell. Cloning is cheap.
///
/// ```
/// use throng_pictures::{Grid, Mask};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 16, 16)?;
/// let left = Mask::new(&grid, |column, _| column < 4);
/// assert_eq!((left.cells().count(), left.allows(3, 15), left.allows(4, 0)), (64, true, false));
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mask {
    columns: u32,
    rows: u32,
    /// Shared by all clones, because each team, crowd and layer has one.
    allowed: Arc<Vec<bool>>,
}

impl Mask {
    /// Creates a mask for a grid; `allowed` is called with each column and row.
    pub fn new(grid: &Grid, allowed: impl Fn(u32, u32) -> bool) -> Self {
        let cells = (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |column| (column, row)));
        let allowed: Vec<bool> = cells.map(|(column, row)| allowed(column, row)).collect();
        Self { columns: grid.columns(), rows: grid.rows(), allowed: Arc::new(allowed) }
    }

    /// Whether a cell of the grid is allowed; cells outside are not.
    pub fn allows(&self, column: u32, row: u32) -> bool {
        column < self.columns && row < self.rows && self.allowed[row as usize * self.columns as usize + column as usize]
    }

    /// Iterates over the allowed cells (column, row), row by row.
    pub fn cells(&self) -> impl Iterator<Item = (u32, u32)> {
        let columns = self.columns as usize;
        let allowed = self.allowed.iter().enumerate().filter(|allowed| *allowed.1);
        allowed.map(move |(cell, _)| ((cell % columns) as u32, (cell / columns) as u32))
    }

    /// Returns the flags of all cells, row by row.
    pub fn flags(&self) -> &[bool] {
        &self.allowed
    }

    /// Rejects a grid of another size.
    ///
    /// # Errors
    /// When the number of columns or rows differs.
    pub fn check(&self, grid: &Grid) -> Result<(), InputError> {
        if (self.columns, self.rows) == (grid.columns(), grid.rows()) {
            return Ok(());
        }
        let remedy = format!("expected the size of the grid, {} x {}", grid.columns(), grid.rows());
        Err(InputError::one("mask, size", format!("{} x {}", self.columns, self.rows), remedy))
    }
}

/// Whether a cell is allowed; without a mask, all cells are.
pub fn allows(mask: Option<&Mask>, column: u32, row: u32) -> bool {
    mask.is_none_or(|mask| mask.allows(column, row))
}
