//! Fields as images of `image`, with the feature `image`.

use image::{ImageBuffer, Luma};
use throng_core::InputError;
use throng_pictures::Grid;

use crate::field::Field;

/// A single-channel image.
type Grey = ImageBuffer<Luma<f32>, Vec<f32>>;

/// The values as a greyscale image. Its first row, the top, is the row of the field with the highest y.
///
/// ```
/// use image::{ImageBuffer, Luma};
/// use throng_fields_core::{Field, Grid};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 2, 2)?;
/// let image = ImageBuffer::<Luma<f32>, Vec<f32>>::from(&Field::from_values(grid, vec![0.0, 1.0, 2.0, 3.0])?);
/// assert_eq!(image.get_pixel(1, 0), &Luma([3.0]));
/// assert_eq!(Field::from_image(grid, &image)?.at(1, 1), Some(3.0));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
impl From<&Field> for Grey {
    fn from(field: &Field) -> Self {
        let (columns, rows) = (field.grid().columns(), field.grid().rows());
        let values = flipped(field.values(), columns);
        Self::from_raw(columns, rows, values).expect("a field has a value for each cell")
    }
}

/// The rows in reverse order.
fn flipped(values: &[f32], columns: u32) -> Vec<f32> {
    values.rchunks_exact(columns as usize).flatten().copied().collect()
}

impl Field {
    /// Creates a field from a greyscale image, whose first row is the one with the highest y. Needs the feature
    /// `image`.
    ///
    /// # Errors
    /// If the size of the image differs from that of the grid.
    pub fn from_image(grid: Grid, image: &ImageBuffer<Luma<f32>, Vec<f32>>) -> Result<Self, InputError> {
        if image.dimensions() != (grid.columns(), grid.rows()) {
            let (width, height) = image.dimensions();
            let remedy = format!("the grid has {} x {} cells", grid.columns(), grid.rows());
            return Err(InputError::one("image, size", format!("{width} x {height} pixels"), remedy));
        }
        Self::from_values(grid, flipped(&image.as_raw()[..grid.cells()], grid.columns()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::field;
    use super::*;

    #[test]
    fn conversions_are_reversible() {
        let image = Grey::from(&field());
        assert_eq!(image.as_raw(), &[3.0, 4.0, 5.0, 0.0, 1.0, 2.0]);
        assert_eq!(Field::from_image(*field().grid(), &image).unwrap(), field());
    }

    #[test]
    fn images_of_wrong_sizes_are_refused() {
        let error = Field::from_image(*field().grid(), &Grey::new(2, 3)).unwrap_err();
        assert_eq!((error.place(), error.message()), ("image, size", "2 x 3 pixels"));
    }
}
