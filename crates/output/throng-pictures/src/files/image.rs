//! Images used as maps: PNG of any kind, PGM and BMP, with 8 bits per channel.

use std::io::{BufRead, Read as _, Seek, SeekFrom};

use throng_core::InputError;
use throng_core::allocation::{check_allocation, try_reserve};

use super::{bmp, pgm};
use crate::Grid;
use crate::grid::MAX_CELLS;

/// The signature of PNG files.
const PNG: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// The decoded pixels of a file, top row first, with one byte per channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Number of pixels per row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// Channels of a pixel.
    pub channels: Channels,
    /// Bytes of the pixels, row by row, without padding.
    pub bytes: Vec<u8>,
}

/// Meaning of the bytes of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channels {
    /// Brightness.
    Grey,
    /// Brightness and opacity.
    GreyAndAlpha,
    /// Red, green and blue.
    Colour,
    /// Red, green, blue and opacity.
    ColourAndAlpha,
}

/// A pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pixel {
    /// From 0 to 255.
    pub red: u8,
    /// From 0 to 255.
    pub green: u8,
    /// From 0 to 255.
    pub blue: u8,
    /// From 0 (transparent) to 255 (opaque).
    pub opacity: u8,
}

impl Channels {
    fn bytes(self) -> usize {
        match self {
            Self::Grey => 1,
            Self::GreyAndAlpha => 2,
            Self::Colour => 3,
            Self::ColourAndAlpha => 4,
        }
    }
}

impl Image {
    /// Whether the file specifies opacity.
    pub fn has_alpha(&self) -> bool {
        matches!(self.channels, Channels::GreyAndAlpha | Channels::ColourAndAlpha)
    }

    /// Returns the number of pixels.
    pub fn pixels(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Iterates over the pixels, bottom row first, as in the cells of a grid.
    pub fn upwards(&self) -> impl Iterator<Item = Pixel> {
        let pixel = self.channels.bytes();
        self.bytes.chunks(pixel * self.width as usize).rev().flat_map(move |row| row.chunks_exact(pixel)).map(Pixel::of)
    }
}

impl Pixel {
    fn of(bytes: &[u8]) -> Self {
        match *bytes {
            [grey] => Self::grey(grey, 255),
            [grey, opacity] => Self::grey(grey, opacity),
            [red, green, blue] => Self { red, green, blue, opacity: 255 },
            [red, green, blue, opacity, ..] => Self { red, green, blue, opacity },
            // Cannot occur: a pixel has at least one channel.
            [] => Self::grey(0, 0),
        }
    }

    fn grey(grey: u8, opacity: u8) -> Self {
        Self { red: grey, green: grey, blue: grey, opacity }
    }

    /// Returns the sum of red, green and blue.
    pub fn sum(self) -> u16 {
        u16::from(self.red) + u16::from(self.green) + u16::from(self.blue)
    }

    /// Returns the luma with the weights of Rec. 709, without gamma correction, like the grey conversion of
    /// `ImageMagick`.
    pub fn luma(self) -> u8 {
        let millionths =
            212_656 * u32::from(self.red) + 715_158 * u32::from(self.green) + 72_186 * u32::from(self.blue);
        ((millionths + 500_000) / 1_000_000) as u8
    }
}

/// Scales a value of an image with maximum `max` to 8 bits.
pub(super) fn in_8_bits(value: u32, max: u32) -> u8 {
    ((2 * 255 * value + max) / (2 * max)) as u8
}

/// Reads a PNG, PGM or BMP file, recognised by its first bytes. 16-bit values are rounded to 8 bits.
///
/// # Errors
/// When the file cannot be read, has another format, is damaged or truncated, or has too many pixels for a grid.
pub fn read(mut source: impl BufRead + Seek) -> Result<Image, InputError> {
    let not_read = |error| InputError::one("image", format!("not read: {error}"), "check that the file can be read");
    let start = source.fill_buf().map_err(not_read)?;
    if start.starts_with(&PNG) {
        return read_png(source);
    }
    let is_pgm = start.starts_with(b"P5") || start.starts_with(b"P2");
    if is_pgm || start.starts_with(bmp::SIGNATURE) {
        let length = source.seek(SeekFrom::End(0)).map_err(not_read)?;
        source.rewind().map_err(not_read)?;
        let mut bytes = Vec::new();
        try_reserve("bytes of an image", &mut bytes, usize::try_from(length).unwrap_or(usize::MAX))?;
        source.take(length).read_to_end(&mut bytes).map_err(not_read)?;
        return if is_pgm { pgm::read(bytes) } else { bmp::read(&bytes) };
    }
    let start = start[..start.len().min(8)].escape_ascii().to_string();
    let remedy = "expected a PNG file, a PGM file (which begins with P2 or P5) or a BMP file";
    Err(InputError::one("image, start", format!("\"{start}\""), remedy))
}

fn read_png(source: impl BufRead + Seek) -> Result<Image, InputError> {
    let damaged =
        |error: png::DecodingError| InputError::one("PNG", error, "the file is damaged: save the image again as PNG");
    let mut decoder = png::Decoder::new(source);
    // Expands palettes to colours, and grey with fewer bits to 8 bits.
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let (width, height) = (reader.info().width, reader.info().height);
    check_size("PNG, size", width, height)?;
    let bytes = reader.output_buffer_size().ok_or_else(|| too_large("PNG, size", width, height))?;
    check_allocation::<u8>("pixels of a PNG file", bytes)?;
    let mut buffer = vec![0; bytes];
    let frame = reader.next_frame(&mut buffer).map_err(damaged)?;
    buffer.truncate(frame.buffer_size());
    if frame.bit_depth == png::BitDepth::Sixteen {
        let samples = buffer.len() / 2;
        for sample in 0..samples {
            let value = u16::from_be_bytes([buffer[2 * sample], buffer[2 * sample + 1]]);
            buffer[sample] = in_8_bits(value.into(), u16::MAX.into());
        }
        buffer.truncate(samples);
    }
    let channels = match frame.color_type {
        // Palettes were expanded above.
        png::ColorType::Grayscale | png::ColorType::Indexed => Channels::Grey,
        png::ColorType::GrayscaleAlpha => Channels::GreyAndAlpha,
        png::ColorType::Rgb => Channels::Colour,
        png::ColorType::Rgba => Channels::ColourAndAlpha,
    };
    let image = Image { width, height, channels, bytes: buffer };
    if image.bytes.len() != image.pixels() * channels.bytes() {
        let remedy = format!("expected {width} x {height} pixels: save the image again as PNG");
        return Err(InputError::one("PNG, bytes", image.bytes.len(), remedy));
    }
    Ok(image)
}

/// Rejects images with no pixels, or with more pixels than a grid can have cells.
pub(super) fn check_size(place: &str, width: u32, height: u32) -> Result<(), InputError> {
    if Grid::new([0.0, 0.0], 1.0, width, height).is_ok() { Ok(()) } else { Err(too_large(place, width, height)) }
}

fn too_large(place: &str, width: u32, height: u32) -> InputError {
    let remedy = format!("expected as many pixels as a grid may have cells: at least one, at most {MAX_CELLS}");
    InputError::one(place, format!("{width} x {height} pixels"), remedy)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn png(colour: png::ColorType, depth: png::BitDepth, size: [u32; 2], bytes: &[u8]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, size[0], size[1]);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        if colour == png::ColorType::Indexed {
            encoder.set_palette(vec![0, 0, 0, 255, 255, 255, 200, 100, 30]);
        }
        encoder.write_header().unwrap().write_image_data(bytes).unwrap();
        file
    }

    fn read_all(file: &[u8]) -> Image {
        read(Cursor::new(file)).unwrap()
    }

    #[test]
    fn every_kind_of_png_is_decoded() {
        use png::{BitDepth, ColorType};
        // The sums of the pixels, bottom row first.
        let sums = |image: &Image| image.upwards().map(Pixel::sum).collect::<Vec<_>>();
        let grey = read_all(&png(ColorType::Grayscale, BitDepth::Eight, [2, 2], &[0, 255, 7, 100]));
        assert_eq!((grey.width, grey.height, sums(&grey), grey.has_alpha()), (2, 2, vec![21, 300, 0, 765], false));
        // Rows of single bits are padded to whole bytes.
        let bits = read_all(&png(ColorType::Grayscale, BitDepth::One, [3, 2], &[0b0100_0000, 0b1000_0000]));
        assert_eq!(sums(&bits), [765, 0, 0, 0, 765, 0]);
        let wide = read_all(&png(ColorType::Grayscale, BitDepth::Sixteen, [2, 1], &[0x12, 0xf0, 0xff, 0xff]));
        assert_eq!(sums(&wide), [3 * 0x13, 765]);
        let palette = read_all(&png(ColorType::Indexed, BitDepth::Eight, [3, 1], &[2, 0, 1]));
        assert_eq!(sums(&palette), [330, 0, 765]);
        let colour = read_all(&png(ColorType::Rgb, BitDepth::Eight, [2, 1], &[1, 2, 3, 250, 0, 0]));
        assert_eq!(sums(&colour), [6, 250]);
        let alpha = read_all(&png(ColorType::Rgba, BitDepth::Eight, [2, 1], &[1, 2, 3, 4, 250, 0, 0, 255]));
        assert_eq!((sums(&alpha), alpha.has_alpha()), (vec![6, 250], true));
        assert_eq!(alpha.upwards().map(|pixel| pixel.opacity).collect::<Vec<_>>(), [4, 255]);
        let both = read_all(&png(ColorType::GrayscaleAlpha, BitDepth::Eight, [1, 1], &[9, 0]));
        assert_eq!(both.upwards().collect::<Vec<_>>(), [Pixel::grey(9, 0)]);
    }

    #[test]
    fn luma_has_the_weights_of_rec_709() {
        let luma = |red, green, blue| Pixel { red, green, blue, opacity: 255 }.luma();
        // 0.212656 * 255 = 54.2, 0.715158 * 255 = 182.4, 0.072186 * 255 = 18.4.
        assert_eq!([luma(255, 0, 0), luma(0, 255, 0), luma(0, 0, 255)], [54, 182, 18]);
        assert!((0..=255).all(|grey| luma(grey, grey, grey) == grey));
    }

    #[test]
    fn damaged_files_and_other_formats_are_errors() {
        let whole = png(png::ColorType::Grayscale, png::BitDepth::Eight, [4, 4], &[9; 16]);
        for end in 0..whole.len() - 12 {
            assert!(read(Cursor::new(&whole[..end])).is_err(), "{end}");
        }
        let error = read(Cursor::new(b"GIF89a..".as_slice())).unwrap_err();
        assert_eq!((error.place(), error.message()), ("image, start", "\"GIF89a..\""));
        assert_eq!(read(Cursor::new(b"".as_slice())).unwrap_err().message(), "\"\"");
    }
}
