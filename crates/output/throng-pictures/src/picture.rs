//! An image in memory.

use std::io::Write;

use throng_core::InputError;

use super::colours::{Rgb, WHITE};

/// Maximum number of pixels of an image, which take 192 MiB.
const MAX_PIXELS: u64 = 1 << 26;

/// An RGB image, row by row from the top left corner.
///
/// ```
/// use throng_pictures::HeatMap;
/// use throng_pictures::{Grid, Raster};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 30, 20)?;
/// let field = Raster::from_fn(grid, |[x, _]| (x / 30.0) as f32);
/// let picture = HeatMap::new(&field).draw()?;
/// let (width, height) = (picture.width(), picture.height());
/// assert_eq!(picture.bytes().len(), 3 * width as usize * height as usize);
/// // The background is white.
/// assert_eq!((picture.pixel(0, 0), picture.pixel(width, 0)), (Some([255; 3]), None));
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<Rgb>,
}

/// A rectangle of an image, pixels from its top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub left: i64,
    pub top: i64,
    pub width: i64,
    pub height: i64,
}

impl Area {
    /// Returns the first column to the right of the area.
    pub(super) fn right(self) -> i64 {
        self.left + self.width
    }

    /// Returns the first row below the area.
    pub(super) fn bottom(self) -> i64 {
        self.top + self.height
    }
}

impl Picture {
    /// Creates an image with a white background.
    ///
    /// # Errors
    /// When it would have too many pixels.
    pub(super) fn new(width: u64, height: u64) -> Result<Self, InputError> {
        Self::check_size(width, height)?;
        let pixels = vec![WHITE; (width * height) as usize];
        Ok(Self { width: width as u32, height: height as u32, pixels })
    }

    /// Rejects an image size with too many pixels.
    pub fn check_size(width: u64, height: u64) -> Result<(), InputError> {
        if width.saturating_mul(height) <= MAX_PIXELS {
            return Ok(());
        }
        let remedy = format!("an image has at most {MAX_PIXELS} pixels: choose a smaller scale");
        Err(InputError::one("picture, size", format!("{width} x {height} pixels"), remedy))
    }

    /// Returns the width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns red, green and blue of the pixel `x` from the left and `y` from the top; `None` outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        self.find(i64::from(x), i64::from(y)).map(|i| self.pixels[i])
    }

    /// Returns red, green and blue of all pixels, row by row from the top.
    pub fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    /// Writes a PNG file.
    ///
    /// # Errors
    /// When writing to the target fails.
    pub fn write_png(&self, target: impl Write) -> Result<(), InputError> {
        let write = || {
            let mut encoder = png::Encoder::new(target, self.width, self.height);
            encoder.set_color(png::ColorType::Rgb);
            encoder.set_depth(png::BitDepth::Eight);
            encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
            let mut file = encoder.write_header()?;
            file.write_image_data(self.bytes())?;
            file.finish()
        };
        write().map_err(|error: png::EncodingError| InputError::not_written("picture, PNG", error))
    }

    /// Returns the area of the whole image.
    pub(super) fn area(&self) -> Area {
        Area { left: 0, top: 0, width: i64::from(self.width), height: i64::from(self.height) }
    }

    fn find(&self, x: i64, y: i64) -> Option<usize> {
        let inside = (0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y);
        inside.then_some(y as usize * self.width as usize + x as usize)
    }

    /// Blends a colour over a pixel with an opacity from 0 to 1. Pixels outside are ignored.
    pub(super) fn cover(&mut self, x: i64, y: i64, colour: Rgb, opacity: f64) {
        if let Some(i) = self.find(x, y) {
            self.pixels[i] = mixed(self.pixels[i], colour, opacity);
        }
    }

    /// Fills an area, clipped to the image.
    pub(super) fn fill(&mut self, area: Area, colour: Rgb) {
        let whole = self.area();
        let columns = area.left.clamp(0, whole.width) as usize..area.right().clamp(0, whole.width) as usize;
        let rows = area.top.clamp(0, whole.height) as usize..area.bottom().clamp(0, whole.height) as usize;
        for row in rows {
            let start = row * self.width as usize;
            self.pixels[start + columns.start..start + columns.end].fill(colour);
        }
    }

    /// Draws a line of one pixel around an area.
    pub(super) fn frame(&mut self, area: Area, colour: Rgb) {
        let (left, top) = (area.left - 1, area.top - 1);
        let (width, height) = (area.width + 2, area.height + 2);
        self.fill(Area { left, top, width, height: 1 }, colour);
        self.fill(Area { left, top: area.bottom(), width, height: 1 }, colour);
        self.fill(Area { left, top, width: 1, height }, colour);
        self.fill(Area { left: area.right(), top, width: 1, height }, colour);
    }
}

/// Interpolates between two colours: `from` at 0, `to` at 1.
pub(super) fn mixed(from: Rgb, to: Rgb, fraction: f64) -> Rgb {
    if fraction <= 0.0 {
        return from;
    }
    if fraction >= 1.0 {
        return to;
    }
    // Adding 0.5 and casting, which rounds towards zero, is cheaper than rounding to nearest.
    let mix = |i: usize| (f64::from(from[i]) + (f64::from(to[i]) - f64::from(from[i])) * fraction + 0.5) as u8;
    [mix(0), mix(1), mix(2)]
}

/// Returns the mean of some colours; black if there are none.
pub(super) fn mean(colours: impl Iterator<Item = Rgb>) -> Rgb {
    let (mut sums, mut count) = ([0u32; 3], 0u32);
    for colour in colours {
        count += 1;
        for (sum, part) in sums.iter_mut().zip(colour) {
            *sum += u32::from(part);
        }
    }
    sums.map(|sum| ((sum + count / 2) / count.max(1)) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A target with space for a limited number of bytes.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            if taken == 0 { Err(std::io::Error::other("no space left")) } else { Ok(taken) }
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn pictures_are_read_back_from_png_unchanged() {
        let mut picture = Picture::new(5, 4).unwrap();
        picture.fill(Area { left: 3, top: -2, width: 9, height: 4 }, [10, 20, 30]);
        picture.cover(0, 3, [0, 0, 0], 0.5);
        let mut bytes = Vec::new();
        picture.write_png(&mut bytes).unwrap();
        let mut file = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; file.output_buffer_size().unwrap()];
        let frame = file.next_frame(&mut pixels).unwrap();
        assert_eq!((frame.width, frame.height, frame.color_type), (5, 4, png::ColorType::Rgb));
        assert_eq!(pixels, picture.bytes());
        assert_eq!([picture.pixel(2, 1), picture.pixel(3, 1)], [Some(WHITE), Some([10, 20, 30])]);
        assert_eq!([picture.pixel(4, 2), picture.pixel(0, 3)], [Some(WHITE), Some([128; 3])]);
        assert_eq!([picture.pixel(5, 0), picture.pixel(0, 4)], [None, None]);
    }

    #[test]
    fn frames_surround_their_area() {
        let mut picture = Picture::new(6, 5).unwrap();
        picture.frame(Area { left: 2, top: 2, width: 2, height: 1 }, [0; 3]);
        let dark = (0..30).filter(|i| picture.pixel(i % 6, i / 6) == Some([0; 3])).count();
        assert_eq!((dark, picture.pixel(2, 2), picture.pixel(1, 1)), (10, Some(WHITE), Some([0; 3])));
    }

    #[test]
    fn failed_writes_and_oversized_pictures_are_errors() {
        let picture = Picture::new(100, 100).unwrap();
        for room in [0, 10, 60] {
            let error = picture.write_png(Full(room)).unwrap_err();
            assert_eq!(error.place(), "picture, PNG");
            assert!(error.message().contains("no space left"), "{error}");
        }
        assert_eq!(Picture::new(1 << 14, 1 << 13).unwrap_err().message(), "16384 x 8192 pixels");
        assert!(Picture::new(u64::MAX, 2).is_err());
    }
}
