//! BMP, the uncompressed bitmaps of Windows: 1, 4 or 8 bits with a palette, or 24 or 32 bits of colour per pixel.

use throng_core::InputError;
use throng_core::allocation::check_allocation;

use super::image::{Channels, Image, check_size};

/// First bytes of a file.
pub(super) const SIGNATURE: &[u8] = b"BM";
/// Size of the file header in bytes, which precedes the image header.
const FILE_HEADER: usize = 14;
/// Size in bytes of the oldest supported image header; later versions start with the same fields.
const IMAGE_HEADER: u32 = 40;

/// Reads a file from its bytes.
///
/// # Errors
/// When the file is damaged, truncated, compressed, too large, or of a variant that map servers rarely use.
pub fn read(bytes: &[u8]) -> Result<Image, InputError> {
    let header = number(bytes, FILE_HEADER)?;
    if header < IMAGE_HEADER {
        return Err(other("BMP, header", format!("{header} bytes")));
    }
    let [width, signed_height] = [number(bytes, 18)?, number(bytes, 22)?];
    let height = signed_height.cast_signed().unsigned_abs();
    let bits = number(bytes, 26)? >> 16;
    let compression = number(bytes, 30)?;
    if compression != 0 {
        return Err(other("BMP, compression", compression.to_string()));
    }
    if !matches!(bits, 1 | 4 | 8 | 24 | 32) {
        return Err(other("BMP, bits per pixel", bits.to_string()));
    }
    check_size("BMP, size", width, height)?;
    let palette = if bits <= 8 { palette(bytes, header, bits)? } else { &[] };
    // Rows are padded to multiples of 32 bits.
    let row_bytes = (width as usize * bits as usize).div_ceil(32) * 4;
    let start = number(bytes, 10)? as usize;
    let pixels = bytes.get(start..).unwrap_or_default();
    let needed = row_bytes * height as usize;
    let Some(pixels) = pixels.get(..needed) else {
        let remedy = format!("the header promises {needed} for {width} x {height} pixels: the file is truncated");
        return Err(InputError::one("BMP, bytes of pixels", pixels.len(), remedy));
    };
    let size = 3 * width as usize * height as usize;
    check_allocation::<u8>("pixels of a BMP file", size)?;
    let mut colours = Vec::with_capacity(size);
    let mut add_row = |row: &[u8]| {
        for column in 0..width as usize {
            let pixel = if bits >= 24 {
                row.get(column * bits as usize / 8..)
            } else {
                palette.get(4 * index(row, column, bits)..)
            };
            // Blue comes first. With 32 bits per pixel, the fourth byte is unused.
            let Some([blue, green, red, ..]) = pixel else { return Err(column) };
            colours.extend([red, green, blue]);
        }
        Ok(())
    };
    let mut rows = pixels.chunks_exact(row_bytes);
    // Rows are stored bottom-up, unless the height is negative.
    let added = if signed_height.cast_signed() > 0 {
        rows.rev().try_for_each(&mut add_row)
    } else {
        rows.try_for_each(add_row)
    };
    added.map_err(|column| {
        let remedy = format!("the palette has {} colours: save the image again as BMP or PNG", palette.len() / 4);
        InputError::one("BMP, palette", format!("the index of a pixel in column {column} is too large"), remedy)
    })?;
    Ok(Image { width, height, channels: Channels::Colour, bytes: colours })
}

/// Returns the colours of a palette, four bytes each.
fn palette(bytes: &[u8], header: u32, bits: u32) -> Result<&[u8], InputError> {
    let used = number(bytes, 46)?;
    let count = if used == 0 { 1 << bits } else { used.min(1 << bits) } as usize;
    let start = FILE_HEADER + header as usize;
    let palette = bytes.get(start..).and_then(|rest| rest.get(..4 * count));
    palette.ok_or_else(|| truncated("BMP, palette", bytes))
}

/// Returns the palette index of a pixel. The leftmost pixel is in the highest bits of a byte.
fn index(row: &[u8], column: usize, bits: u32) -> usize {
    let at = column * bits as usize;
    let shift = 8 - bits as usize - at % 8;
    row.get(at / 8).map_or(0, |&byte| (usize::from(byte) >> shift) & ((1 << bits) - 1))
}

/// Reads a 32-bit number from the header.
fn number(bytes: &[u8], at: usize) -> Result<u32, InputError> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk());
    found.map(|&four| u32::from_le_bytes(four)).ok_or_else(|| truncated("BMP, header", bytes))
}

fn truncated(place: &str, bytes: &[u8]) -> InputError {
    InputError::one(place, format!("a file of {} bytes", bytes.len()), "the file is truncated: save the image again")
}

fn other(place: &str, value: String) -> InputError {
    let remedy = "expected no compression, and 1, 4, 8, 24 or 32 bits per pixel: save the image as PNG";
    InputError::one(place, value, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a file with the given bits per pixel, palette and rows.
    fn bmp(bits: u16, [width, height]: [i32; 2], palette: &[[u8; 3]], rows: &[u8]) -> Vec<u8> {
        let start = 54 + 4 * palette.len() as u32;
        let mut file = b"BM\0\0\0\0\0\0\0\0".to_vec();
        file.extend(start.to_le_bytes());
        file.extend(40_u32.to_le_bytes());
        file.extend([width, height].map(i32::to_le_bytes).concat());
        file.extend([1, bits].map(u16::to_le_bytes).concat());
        file.extend([0, 0, 0, 0, palette.len() as u32, 0].map(u32::to_le_bytes).concat());
        file.extend(palette.iter().flat_map(|[red, green, blue]| [*blue, *green, *red, 0]));
        file.extend(rows);
        file
    }

    const BLACK: [u8; 3] = [0; 3];
    const ORANGE: [u8; 3] = [250, 120, 7];

    #[test]
    fn pixels_of_every_bit_depth_are_decoded() {
        let read = |file: &[u8]| read(file).unwrap().bytes;
        // Two rows of three pixels, bottom-up, each padded to 32 bits.
        let expected = [BLACK, ORANGE, BLACK, ORANGE, ORANGE, BLACK].concat();
        let bits = bmp(1, [3, 2], &[BLACK, ORANGE], &[0b1100_0000, 9, 9, 9, 0b0100_0000, 9, 9, 9]);
        assert_eq!(read(&bits), expected);
        assert_eq!(read(&bmp(4, [3, 2], &[ORANGE, BLACK], &[0x00, 0x1f, 9, 9, 0x10, 0x1f, 9, 9])), expected);
        let bytes = bmp(8, [3, 2], &[BLACK, ORANGE], &[1, 1, 0, 9, 0, 1, 0, 9]);
        assert_eq!(read(&bytes), expected);
        // Top-down.
        assert_eq!(read(&bmp(8, [3, -2], &[BLACK, ORANGE], &[0, 1, 0, 9, 1, 1, 0, 9])), expected);
        let colour = [7, 120, 250, 7, 120, 250, 0, 0, 0, 9, 9, 9, 0, 0, 0, 7, 120, 250, 0, 0, 0, 9, 9, 9];
        assert_eq!(read(&bmp(24, [3, 2], &[], &colour)), expected);
        assert_eq!(read(&bmp(32, [1, 1], &[], &[7, 120, 250, 0])), ORANGE);
    }

    #[test]
    fn invalid_files_are_errors_with_location() {
        let whole = bmp(8, [3, 2], &[BLACK, ORANGE], &[1, 1, 0, 9, 0, 1, 0, 9]);
        for end in 0..whole.len() {
            assert!(read(&whole[..end]).is_err(), "{end}");
        }
        let refused = |change: fn(&mut Vec<u8>)| {
            let mut file = whole.clone();
            change(&mut file);
            let error = read(&file).unwrap_err();
            (error.place().to_owned(), error.message().to_owned())
        };
        let of = |place: &str, value: &str| (place.to_owned(), value.to_owned());
        assert_eq!(refused(|file| file[14] = 12), of("BMP, header", "12 bytes"));
        assert_eq!(refused(|file| file[28] = 16), of("BMP, bits per pixel", "16"));
        assert_eq!(refused(|file| file[30] = 1), of("BMP, compression", "1"));
        assert_eq!(refused(|file| file[18] = 0), of("BMP, size", "0 x 2 pixels"));
        assert_eq!(refused(|file| file[10] = 255), of("BMP, bytes of pixels", "0"));
        assert_eq!(refused(|file| file[63] = 2), of("BMP, palette", "the index of a pixel in column 1 is too large"));
    }
}
