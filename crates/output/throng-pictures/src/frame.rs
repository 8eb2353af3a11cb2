//! A frame of an animation: the changed rectangle, compressed.

use std::io::Cursor;

use super::palette::UNCHANGED;

/// Sizes of the parts of the PNG files generated here: signature and header, then length and name of the pixel chunk,
/// and the bytes after it.
const HEAD: usize = 8 + 25;
const BEFORE_DATA: usize = HEAD + 8;
const AFTER_DATA: usize = 4 + 12;

/// The pixels that differ from the previous frame, in their bounding rectangle.
#[derive(Debug)]
pub(super) struct Frame {
    /// Index among the frames added to the animation.
    pub number: u32,
    /// Left and top, pixels.
    pub place: [u32; 2],
    /// Width and height, pixels; at least 1.
    pub size: [u32; 2],
    /// The palette indices as a PNG file without colours; its pixel chunk is the same as in a file with a palette.
    png: Vec<u8>,
}

impl Frame {
    /// Creates the frame that turns the palette indices `before` into `now`, or a full frame if `before` is `None`.
    /// Rows have `width` pixels.
    ///
    /// # Errors
    /// When there are no pixels.
    pub(super) fn new(number: u32, width: u32, before: Option<&[u8]>, now: &[u8]) -> Result<Self, png::EncodingError> {
        let columns = width as usize;
        let [left, top, right, bottom] = match before {
            None => [0, 0, columns, now.len() / columns.max(1)],
            // A frame has at least one pixel.
            Some(before) => changed(before, now, columns).unwrap_or([0, 0, 1, 1]),
        };
        let mut pixels = Vec::with_capacity((right - left) * (bottom - top));
        for row in top..bottom {
            let row = row * columns + left..row * columns + right;
            match before {
                None => pixels.extend_from_slice(&now[row]),
                Some(before) => {
                    let pairs = before[row.clone()].iter().zip(&now[row]);
                    pixels.extend(pairs.map(|(old, new)| if old == new { UNCHANGED } else { *new }));
                }
            }
        }
        let size = [right - left, bottom - top].map(|side| side as u32);
        Ok(Self { number, place: [left, top].map(|at| at as u32), size, png: png_of(size, &pixels)? })
    }

    /// Returns the compressed pixels.
    pub(super) fn data(&self) -> &[u8] {
        &self.png[BEFORE_DATA..self.png.len() - AFTER_DATA]
    }

    /// Applies the change to palette indices with rows of `width` pixels.
    ///
    /// # Errors
    /// Cannot fail for frames created by [`Frame::new`].
    pub(super) fn apply(&self, width: u32, indices: &mut [u8]) -> Result<(), png::DecodingError> {
        let mut file = png::Decoder::new(Cursor::new(&self.png)).read_info()?;
        let [columns, rows] = self.size.map(|side| side as usize);
        let mut pixels = vec![0; columns * rows];
        file.next_frame(&mut pixels)?;
        for (row, new) in pixels.chunks_exact(columns).enumerate() {
            let start = (self.place[1] as usize + row) * width as usize + self.place[0] as usize;
            for (index, &new) in indices[start..].iter_mut().zip(new) {
                if new != UNCHANGED {
                    *index = new;
                }
            }
        }
        Ok(())
    }

    /// Returns the frame as a PNG file with a palette, in three parts: the head, the palette, which is the same for all
    /// frames, and the rest. The lengths of the first two are multiples of 3, so that their base64 encodings can be
    /// concatenated.
    ///
    /// # Errors
    /// When the palette is not valid in PNG files.
    pub(super) fn parts(&self, palette: &[u8]) -> Result<[Vec<u8>; 3], png::EncodingError> {
        let mut head = Vec::new();
        let mut encoder = png::Encoder::new(&mut head, self.size[0], self.size[1]);
        with_palette(&mut encoder, palette);
        let mut file = encoder.write_header()?;
        file.write_chunk(png::chunk::IDAT, self.data())?;
        file.finish()?;
        let rest = head.split_off(head.len() - self.data().len() - 8 - AFTER_DATA);
        let palette = head.split_off(HEAD);
        Ok([head, palette, rest])
    }
}

/// Sets the palette of a file; its first colour is transparent.
pub(super) fn with_palette<W: std::io::Write>(encoder: &mut png::Encoder<'_, W>, palette: &[u8]) {
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.to_vec());
    encoder.set_trns([0, 255, 255].as_slice());
}

/// Returns left, top, right and bottom of the pixels that differ; right and bottom are exclusive.
fn changed(before: &[u8], now: &[u8], columns: usize) -> Option<[usize; 4]> {
    let rows = || before.chunks_exact(columns).zip(now.chunks_exact(columns)).enumerate();
    let differs = |(_, (before, now)): &(usize, (&[u8], &[u8]))| before != now;
    let (top, bottom) = (rows().position(|row| differs(&row))?, rows().rposition(|row| differs(&row))?);
    let (mut left, mut right) = (columns, 0);
    for (_, (before, now)) in rows().skip(top).take(bottom + 1 - top) {
        let is_changed = |(before, now): (&u8, &u8)| before != now;
        if let Some(first) = before.iter().zip(now).position(is_changed) {
            left = left.min(first);
            right = right.max(before.iter().zip(now).rposition(is_changed)? + 1);
        }
    }
    Some([left, top, right, bottom + 1])
}

/// Encodes palette indices as a PNG file, unfiltered, because filters suit brightness differences, not indices.
fn png_of([width, height]: [u32; 2], pixels: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, width, height);
    encoder.set_filter(png::Filter::NoFilter);
    let mut file = encoder.write_header()?;
    file.write_image_data(pixels)?;
    file.finish()?;
    Ok(png)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_changed_rectangle_is_stored() {
        let before = [[1; 7]; 5];
        let mut now = before;
        (now[1][4], now[3][2], now[3][3]) = (2, 3, 4);
        let frame = Frame::new(9, 7, Some(before.as_flattened()), now.as_flattened()).unwrap();
        assert_eq!((frame.place, frame.size), ([2, 1], [3, 3]));
        let mut applied = before;
        frame.apply(7, applied.as_flattened_mut()).unwrap();
        assert_eq!(applied, now);
        let whole = Frame::new(0, 7, None, now.as_flattened()).unwrap();
        assert_eq!((whole.place, whole.size), ([0, 0], [7, 5]));
        let mut applied = [[0; 7]; 5];
        whole.apply(7, applied.as_flattened_mut()).unwrap();
        assert_eq!(applied, now);
        let none = Frame::new(1, 7, Some(now.as_flattened()), now.as_flattened()).unwrap();
        assert_eq!(none.size, [1, 1]);
        none.apply(7, applied.as_flattened_mut()).unwrap();
        assert_eq!(applied, now);
    }

    #[test]
    fn the_parts_of_a_file_can_be_joined_as_text() {
        let (indices, palette) = ([1, 2, 2, 1, 1, 1], [0, 0, 0, 10, 20, 30, 40, 50, 60]);
        let frame = Frame::new(0, 3, None, &indices).unwrap();
        let parts = frame.parts(&palette).unwrap();
        assert_eq!([parts[0].len() % 3, parts[1].len() % 3], [0; 2]);
        assert!(parts[1].windows(4).any(|name| name == b"PLTE") && parts[2].windows(4).any(|name| name == b"IDAT"));
        let mut file = png::Decoder::new(Cursor::new(parts.concat()));
        file.set_transformations(png::Transformations::EXPAND);
        let mut file = file.read_info().unwrap();
        let mut pixels = vec![0; file.output_buffer_size().unwrap()];
        file.next_frame(&mut pixels).unwrap();
        let expected: Vec<[u8; 4]> =
            indices.iter().map(|&i| if i == 1 { [10, 20, 30, 255] } else { [40, 50, 60, 255] }).collect();
        assert_eq!(pixels, expected.as_flattened());
    }
}
