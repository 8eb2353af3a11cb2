//! Fields and pictures as images of `image`, with the feature `image`.

use image::{ImageBuffer, Luma, RgbImage};

use crate::error::FieldError;
use crate::field::Field;
use crate::grid::Grid;
use crate::pictures::Picture;

/// An image with a single number per pixel.
type Grey = ImageBuffer<Luma<f32>, Vec<f32>>;

/// The values as a grey image. The first row of an image is its top, which is the row of the field with the highest y.
///
/// ```
/// use image::{ImageBuffer, Luma};
/// use throng_fields::{Field, Grid};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 2, 2)?;
/// let image = ImageBuffer::<Luma<f32>, Vec<f32>>::from(&Field::from_values(grid, vec![0.0, 1.0, 2.0, 3.0])?);
/// assert_eq!(image.get_pixel(1, 0), &Luma([3.0]));
/// assert_eq!(Field::from_image(grid, &image)?.at(1, 1), Some(3.0));
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
impl From<&Field> for Grey {
    fn from(field: &Field) -> Self {
        let (columns, rows) = (field.grid().columns(), field.grid().rows());
        let values = flipped(field.values(), columns);
        Self::from_raw(columns, rows, values).expect("a field has a value for each cell")
    }
}

/// Rows in the opposite order.
fn flipped(values: &[f32], columns: u32) -> Vec<f32> {
    values.rchunks_exact(columns as usize).flatten().copied().collect()
}

impl Field {
    /// The field with the values of a grey image, whose first row is the one with the highest y. Needs the feature
    /// `image`.
    ///
    /// # Errors
    /// When the size of the image differs from that of the grid.
    pub fn from_image(grid: Grid, image: &ImageBuffer<Luma<f32>, Vec<f32>>) -> Result<Self, FieldError> {
        if image.dimensions() != (grid.columns(), grid.rows()) {
            let (width, height) = image.dimensions();
            let remedy = format!("the grid has {} x {} cells", grid.columns(), grid.rows());
            return Err(FieldError::new("image, size", format!("{width} x {height} pixels"), remedy));
        }
        Self::from_values(grid, flipped(&image.as_raw()[..grid.cells()], grid.columns()))
    }
}

impl From<&Picture> for RgbImage {
    fn from(picture: &Picture) -> Self {
        let (width, height) = (picture.width(), picture.height());
        Self::from_raw(width, height, picture.bytes().to_vec()).expect("a picture has a colour for each pixel")
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::field;
    use super::*;
    use crate::pictures::HeatMap;

    #[test]
    fn there_and_back() {
        let image = Grey::from(&field());
        assert_eq!(image.as_raw(), &[3.0, 4.0, 5.0, 0.0, 1.0, 2.0]);
        assert_eq!(Field::from_image(*field().grid(), &image).unwrap(), field());
    }

    #[test]
    fn an_image_of_another_size_is_refused() {
        let error = Field::from_image(*field().grid(), &Grey::new(2, 3)).unwrap_err();
        assert_eq!((error.place.as_str(), error.value.as_str()), ("image, size", "2 x 3 pixels"));
    }

    #[test]
    fn pictures_are_images() {
        let field = field();
        let picture = HeatMap::new(&field).draw().unwrap();
        let image = RgbImage::from(&picture);
        assert_eq!(image.dimensions(), (picture.width(), picture.height()));
        for (x, y, pixel) in image.enumerate_pixels() {
            assert_eq!(picture.pixel(x, y), Some(pixel.0));
        }
    }
}
