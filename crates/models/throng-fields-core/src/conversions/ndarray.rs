//! Fields as arrays of `ndarray`, with the feature `ndarray`.

use ndarray::{Array2, ArrayView2};
use throng_core::InputError;
use throng_pictures::Grid;

use crate::field::Field;

/// The shape of a grid's array: rows, columns.
fn shape(grid: &Grid) -> (usize, usize) {
    (grid.rows() as usize, grid.columns() as usize)
}

/// The values, indexed `[[row, column]]`, without copying. The first row is the one with the lowest y, as in NPY files.
///
/// ```
/// use ndarray::Array2;
/// use throng_fields_core::{Field, Grid};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 3, 2)?;
/// let array = Array2::from(Field::from_values(grid, vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0])?);
/// assert_eq!((array.dim(), array[[1, 2]]), ((2, 3), 5.0));
/// assert_eq!(Field::from_array(grid, array)?.at(2, 1), Some(5.0));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
impl From<Field> for Array2<f32> {
    fn from(field: Field) -> Self {
        let shape = shape(field.grid());
        Self::from_shape_vec(shape, field.into_values()).expect("a field has a value for each cell")
    }
}

/// The values, indexed `[[row, column]]`, borrowed.
impl<'f> From<&'f Field> for ArrayView2<'f, f32> {
    fn from(field: &'f Field) -> Self {
        Self::from_shape(shape(field.grid()), field.values()).expect("a field has a value for each cell")
    }
}

impl Field {
    /// Creates a field from an array indexed `[[row, column]]`, whose first row is the one with the lowest y. Does not
    /// copy an array in standard (row-major) layout. Needs the feature `ndarray`.
    ///
    /// # Errors
    /// If the rows and columns of the array differ from those of the grid.
    pub fn from_array(grid: Grid, array: Array2<f32>) -> Result<Self, InputError> {
        if array.dim() != shape(&grid) {
            let (rows, columns) = array.dim();
            let remedy = format!("the grid has {} rows, {} columns", grid.rows(), grid.columns());
            return Err(InputError::one("array, size", format!("{rows} rows, {columns} columns"), remedy));
        }
        if !array.is_standard_layout() {
            return Self::from_values(grid, array.iter().copied().collect());
        }
        // The array may use only part of its buffer.
        let (mut values, first) = array.into_raw_vec_and_offset();
        values.drain(..first.unwrap_or(0));
        values.truncate(grid.cells());
        Self::from_values(grid, values)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Axis, Slice};

    use super::super::tests::field;
    use super::*;

    #[test]
    fn there_and_back() {
        let field = field();
        let view = ArrayView2::from(&field);
        assert_eq!((view[[0, 2]], view[[1, 0]]), (2.0, 3.0));
        let array = Array2::from(field.clone());
        assert_eq!(array, view);
        assert_eq!(Field::from_array(*field.grid(), array).unwrap(), field);
    }

    #[test]
    fn arrays_in_another_order_and_parts_of_arrays() {
        let grid = *field().grid();
        let columns_first = Array2::from(field()).reversed_axes().as_standard_layout().into_owned().reversed_axes();
        assert!(!columns_first.is_standard_layout());
        assert_eq!(Field::from_array(grid, columns_first).unwrap(), field());
        let mut long = Array2::from_shape_fn((4, 3), |(row, column)| (row as f32 - 1.0) * 3.0 + column as f32);
        long.slice_axis_inplace(Axis(0), Slice::from(1..3));
        assert_eq!(Field::from_array(grid, long).unwrap(), field());
    }

    #[test]
    fn an_array_of_another_size_is_refused() {
        let error = Field::from_array(*field().grid(), Array2::zeros((3, 2))).unwrap_err();
        assert_eq!((error.place(), error.message()), ("array, size", "3 rows, 2 columns"));
    }
}
