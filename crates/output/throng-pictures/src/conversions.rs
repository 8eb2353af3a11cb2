//! Conversion to image types of the crate `image`, with the feature `image`.

use image::RgbImage;

use crate::Picture;

impl From<&Picture> for RgbImage {
    fn from(picture: &Picture) -> Self {
        let (width, height) = (picture.width(), picture.height());
        Self::from_raw(width, height, picture.bytes().to_vec()).expect("a picture has a colour for each pixel")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, HeatMap, Raster};

    #[test]
    fn images_have_the_pixels_of_their_picture() {
        let raster = Raster::from_fn(Grid::new([5.0, 6.0], 0.5, 3, 2).unwrap(), |[x, y]| (x * y) as f32);
        let picture = HeatMap::new(&raster).draw().unwrap();
        let image = RgbImage::from(&picture);
        assert_eq!(image.dimensions(), (picture.width(), picture.height()));
        for (x, y, pixel) in image.enumerate_pixels() {
            assert_eq!(picture.pixel(x, y), Some(pixel.0));
        }
    }
}
