//! A field: one value per cell of a grid.

use throng_core::InputError;
use throng_pictures::{Grid, Raster};

/// A value per cell of a grid.
///
/// ```
/// use throng_fields_core::{Entity, Grid, Profile, creation};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 32, 16)?;
/// let field = creation::by_tiles(&grid, &[Entity::new([20.5, 8.5], Profile::linear(4.0)?)])?;
/// // Values are stored row by row and interpolated bilinearly. They grow by 1 / 4 per unit towards the entity.
/// assert_eq!((field.at(18, 8), field.values()[8 * 32 + 18], field.at(32, 0)), (Some(0.5), 0.5, None));
/// assert_eq!(field.sample([19.0, 8.5]), Some(0.625));
/// assert_eq!(field.gradient([19.0, 8.5]).map(|slope| slope[0]), Some(0.25));
/// assert_eq!(field.best(None)?.map(|best| (best.column, best.row)), Some((20, 8)));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    grid: Grid,
    values: Vec<f32>,
}

impl Field {
    /// Creates a field from values computed for its grid, row by row; for values from elsewhere see
    /// [`Field::from_values`].
    ///
    /// # Panics
    /// If the number of values differs from the number of cells.
    pub fn new(grid: Grid, values: Vec<f32>) -> Self {
        assert_eq!(values.len(), grid.cells(), "a value for each cell");
        Self { grid, values }
    }

    /// Creates a field from external values, such as those of a terrain or a sensor, row by row.
    ///
    /// ```
    /// use throng_fields_core::{Field, Grid};
    ///
    /// let grid = Grid::new([0.0, 0.0], 1.0, 2, 2)?;
    /// let terrain = Field::from_values(grid, vec![1.0, 2.0, 3.0, 4.0])?;
    /// assert_eq!(terrain.sample([1.0, 1.0]), Some(2.5));
    /// assert!(Field::from_values(grid, vec![1.0; 5]).is_err());
    /// # Ok::<(), throng_fields_core::InputError>(())
    /// ```
    ///
    /// # Errors
    /// If the number of values differs from the number of cells.
    pub fn from_values(grid: Grid, values: Vec<f32>) -> Result<Self, InputError> {
        Raster::new(grid, values).map(Self::from)
    }

    /// Returns all values, row by row, without copying them.
    pub fn into_values(self) -> Vec<f32> {
        self.values
    }

    /// Returns the largest absolute difference from another field in any cell; NaN if a difference is NaN.
    ///
    /// # Errors
    /// If the fields differ in their number of columns or rows.
    pub fn largest_difference(&self, other: &Self) -> Result<f32, InputError> {
        let size = |field: &Self| format!("{} x {}", field.grid.columns(), field.grid.rows());
        if size(self) != size(other) {
            return Err(InputError::one("other field, size", size(other), format!("expected {}", size(self))));
        }
        let differences = self.values.iter().zip(&other.values).map(|(a, b)| (a - b).abs());
        Ok(differences.fold(0.0, |max: f32, other| if max.is_nan() || max >= other { max } else { other }))
    }

    /// The grid that the cells belong to.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// All values, row by row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// The value of a cell; `None` outside the grid.
    pub fn at(&self, column: u32, row: u32) -> Option<f32> {
        self.grid.find(column, row).map(|cell| self.values[cell])
    }
}

impl<'f> From<&'f Field> for Raster<'f> {
    fn from(field: &'f Field) -> Self {
        Self::new(field.grid, &field.values).expect("a field has a value for each cell")
    }
}

impl From<Raster<'_>> for Field {
    fn from(raster: Raster<'_>) -> Self {
        Self::new(*raster.grid(), raster.into_values())
    }
}

/// Rejects a grid if a field on it would not fit into the system's memory. Allocates nothing.
///
/// # Errors
/// If there is too little memory; the error gives the number of bytes needed.
#[doc(hidden)]
pub fn check_memory_for_field(grid: &Grid) -> Result<(), InputError> {
    throng_core::allocation::check_allocation::<f32>("cells of a field", grid.cells())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_from_nan_is_nan() {
        let grid = |columns| Grid::new([0.0, 0.0], 1.0, columns, 1).unwrap();
        let field = |values: &[f32]| Field::from_values(grid(values.len() as u32), values.to_vec()).unwrap();
        let difference = |a: &[f32], b: &[f32]| field(a).largest_difference(&field(b));
        assert_eq!(difference(&[1.0, 5.0, 2.0], &[1.5, 2.0, 2.0]), Ok(3.0));
        for broken in [[f32::NAN, 1.0, 9.0], [9.0, f32::NAN, 1.0], [9.0, 1.0, f32::NAN]] {
            assert!(difference(&broken, &[1.0; 3]).unwrap().is_nan());
            assert!(difference(&[1.0; 3], &broken).unwrap().is_nan());
        }
        assert_eq!(difference(&[1.0], &[1.0, 2.0]).unwrap_err().place(), "other field, size");
    }
}
