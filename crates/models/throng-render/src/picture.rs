//! Images as bytes.

use std::io::{self, Write};
use std::sync::LazyLock;

use throng_core::StateHash;
use throng_device::exact::NEGATIVE_ZERO;

use crate::Tone;
use crate::rules::screen::toned;
use crate::rules::vector::Vector3;

/// An image: rows from the top, four bytes per pixel (red, green and blue in sRGB, and 255).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

/// Minimum amount of linear light for each byte above 0. The byte of x is the nearest integer to 255 times its
/// sRGB value. With these thresholds it is the same on every device, without computing powers.
pub(crate) static THRESHOLDS: LazyLock<[f32; 255]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let value = (i as f64 + 0.5) / 255.0;
        let linear = if value <= 0.040_449_936 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) };
        linear as f32
    })
});

impl Picture {
    /// Creates an image from pixels.
    ///
    /// # Panics
    /// When there are not four bytes per pixel.
    pub fn new(width: u32, height: u32, rgba: Vec<u8>) -> Self {
        assert_eq!(rgba.len() as u64, 4 * u64::from(width) * u64::from(height), "four bytes for each pixel");
        Self { width, height, rgba }
    }

    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Rows from the top, four bytes per pixel.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// The bytes of all pixels.
    pub fn into_rgba(self) -> Vec<u8> {
        self.rgba
    }

    /// The bytes of a pixel; column and row count from the upper left corner.
    ///
    /// # Panics
    /// When the pixel is not in the image.
    pub fn pixel(&self, column: u32, row: u32) -> [u8; 4] {
        assert!(column < self.width && row < self.height, "pixel {column}, {row} is not in the image");
        let at = 4 * (row as usize * self.width as usize + column as usize);
        [self.rgba[at], self.rgba[at + 1], self.rgba[at + 2], self.rgba[at + 3]]
    }

    /// The hash of all pixels and their positions.
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        for (i, pixel) in self.rgba.chunks_exact(4).enumerate() {
            let word = pixel.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
            hash.add(i as u64, &[word]);
        }
        hash.finish()
    }

    /// Writes the image as PNG, with text chunks such as its seed.
    ///
    /// # Errors
    /// When memory cannot be allocated, or the file cannot be written.
    pub fn write_png(&self, to: impl Write, texts: &[(String, String)]) -> Result<(), png::EncodingError> {
        let encoder = png_encoder(to, self, texts)?;
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgb()?)?;
        writer.finish()
    }

    /// Three bytes per pixel.
    pub(crate) fn rgb(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut rgb = Vec::new();
        rgb.try_reserve_exact(self.rgba.len() / 4 * 3).map_err(io::Error::from)?;
        rgb.extend(self.rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]));
        Ok(rgb)
    }
}

/// Extracts the operating system's error from an error of the encoder, if there is one.
pub(crate) fn io_error(error: png::EncodingError) -> io::Error {
    match error {
        png::EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

/// Creates an encoder for an image, with text chunks.
pub(crate) fn png_encoder<W: Write>(
    to: W,
    picture: &Picture,
    texts: &[(String, String)],
) -> Result<png::Encoder<'static, W>, png::EncodingError> {
    let mut encoder = png::Encoder::new(to, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    for (key, text) in texts {
        encoder.add_itxt_chunk(key.clone(), text.clone())?;
    }
    Ok(encoder)
}

/// Number of parts of the range from 0 to 1. For the start of each part the byte is stored; within a part it grows by
/// at most 1.
const PARTS: usize = 4096;

/// The byte at the start of each part.
static FIRST_BYTES: LazyLock<[u8; PARTS + 1]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let linear = i as f32 / PARTS as f32;
        THRESHOLDS.partition_point(|&threshold| threshold <= linear) as u8
    })
});

/// Converts linear light to bytes. It is created once for many pixels, since the tables are behind locks.
#[derive(Clone, Copy)]
pub(crate) struct Bytes {
    thresholds: &'static [f32; 255],
    first: &'static [u8; PARTS + 1],
}

impl Bytes {
    pub fn new() -> Self {
        Self { thresholds: &THRESHOLDS, first: &FIRST_BYTES }
    }

    #[inline(always)]
    fn of(self, linear: f32) -> u8 {
        // The cast turns negative numbers and NaN into 0.
        let part = ((linear * PARTS as f32) as usize).min(PARTS);
        let byte = self.first[part];
        match self.thresholds.get(usize::from(byte)) {
            Some(&threshold) if threshold <= linear => byte + 1,
            _ => byte,
        }
    }

    /// The pixel as 8-bit sRGB.
    #[inline(always)]
    pub fn of_pixel(self, sum: [f32; 3], samples: u32, tone: Tone) -> [u8; 4] {
        let samples = samples as f32;
        let (x, y, z) = (sum[0] / samples, sum[1] / samples, sum[2] / samples);
        let colour = toned(Vector3 { x, y, z }, NEGATIVE_ZERO as f32, tone);
        [self.of(colour.x), self.of(colour.y), self.of(colour.z), 255]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_nearest_to_the_srgb_value() {
        let srgb = |x: f64| if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * libm::pow(x, 1.0 / 2.4) - 0.055 };
        for i in 0..=10_000 {
            let x = f64::from(i) / 10_000.0;
            let expected = 255.0 * srgb(x);
            let found = f64::from(Bytes::new().of(x as f32));
            assert!((found - expected).abs() <= 0.501, "{x}: {found}, {expected}");
        }
        let bytes = Bytes::new();
        assert_eq!([-1.0, 0.0, 1.0, 9.0, f32::INFINITY, f32::NAN].map(|x| bytes.of(x)), [0, 0, 255, 255, 255, 0]);
        // The table gives the same bytes as a search.
        for x in THRESHOLDS.iter().flat_map(|&x| [x.next_down(), x, x.next_up()]) {
            let expected = THRESHOLDS.partition_point(|&threshold| threshold <= x);
            assert_eq!(usize::from(bytes.of(x)), expected, "{x}");
        }
    }
}
