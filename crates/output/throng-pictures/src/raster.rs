//! The values of a grid.

use std::borrow::Cow;

use throng_core::InputError;

use crate::Grid;

/// One value per cell, row by row from the lowest y.
///
/// ```
/// use throng_pictures::{Grid, Raster};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 2, 2)?;
/// let heights = Raster::new(grid, vec![1.0, 2.0, 3.0, 4.0])?;
/// assert_eq!((heights.at(1, 0), heights.at(0, 1), heights.at(2, 0)), (Some(2.0), Some(3.0), None));
/// assert!(Raster::new(grid, vec![1.0; 5]).is_err());
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Raster<'v> {
    grid: Grid,
    values: Cow<'v, [f32]>,
}

impl<'v> Raster<'v> {
    /// Creates a raster from values, row by row.
    ///
    /// # Errors
    /// When the number of values differs from that of cells.
    pub fn new(grid: Grid, values: impl Into<Cow<'v, [f32]>>) -> Result<Self, InputError> {
        let values = values.into();
        if values.len() == grid.cells() {
            return Ok(Self { grid, values });
        }
        let remedy = format!("the grid has {} x {} = {} cells", grid.columns(), grid.rows(), grid.cells());
        Err(InputError::one("field, number of values", values.len(), remedy))
    }

    /// Creates a raster with the same value in all cells.
    pub fn uniform(grid: Grid, value: f32) -> Self {
        Self { grid, values: vec![value; grid.cells()].into() }
    }

    /// Creates a raster with the values of a function at the sampled points of the cells.
    ///
    /// ```
    /// use throng_pictures::{Grid, Raster};
    ///
    /// let slope = Raster::from_fn(Grid::new([0.0, 0.0], 2.0, 3, 1)?, |[x, _]| x as f32);
    /// assert_eq!(slope.values(), [1.0, 3.0, 5.0]);
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    pub fn from_fn(grid: Grid, value: impl Fn([f64; 2]) -> f32) -> Self {
        let points = (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |column| grid.point(column, row)));
        Self { grid, values: points.map(value).collect() }
    }

    /// Returns the grid of the cells.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns all values, row by row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Returns all values, row by row, without copying if they are owned.
    pub fn into_values(self) -> Vec<f32> {
        self.values.into_owned()
    }

    /// Returns the value of a cell; `None` outside the grid.
    pub fn at(&self, column: u32, row: u32) -> Option<f32> {
        self.grid.find(column, row).map(|cell| self.values[cell])
    }
}

impl<'v> From<&'v Raster<'_>> for Raster<'v> {
    fn from(raster: &'v Raster<'_>) -> Self {
        Self { grid: raster.grid, values: Cow::Borrowed(&raster.values) }
    }
}
