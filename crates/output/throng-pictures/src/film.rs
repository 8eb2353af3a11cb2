//! The frames of an animation, in limited memory.

use std::io::Write;

use throng_core::InputError;
use throng_output::film;

use super::frame::{Frame, with_palette};
use super::palette::{Palette, UNCHANGED};
use super::picture::{Picture, mean};
use super::text;

/// The size of files by default, bytes.
pub(super) const LIMIT: u64 = 10_000_000;
/// Frames are left out as long as this many remain; then pictures become smaller.
const MIN_FRAMES: usize = 60;
/// The shortest longer side of a smaller picture, pixels.
const MIN_LONGER_SIDE_PX: u32 = 400;
/// Bytes of a file besides frames, and of a frame besides its pixels, at most.
const HEADS: [usize; 2] = [1024, 26 + 12 + 16];

/// Frames of one size, compressed as what differs from the frame before, with a common palette.
///
/// Where the frames become too large for the limit, every second one is left out, as often as needed, and new ones are taken
/// as rarely; of a film with all its frames, the last one is always kept. If fewer than about sixty remain, pictures get half their width and height.
#[derive(Debug)]
pub struct Film {
    /// The maximum number of frames, and the number of those that were added.
    frames: u32,
    added: u32,
    limit: u64,
    /// Width and height of the pictures that are added; 0 before the first one.
    size: [u32; 2],
    /// From one kept frame to the next, in numbers of frames.
    stride: u32,
    halvings: u32,
    palette: Option<Palette>,
    kept: Vec<Frame>,
    /// The indices of the last kept frame.
    shown: Vec<u8>,
    bytes: usize,
}

/// What became of the frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// The frames of the film.
    pub frames: usize,
    /// The frames that were added.
    pub of: u32,
    /// How often width and height were halved.
    pub halvings: u32,
    /// Whether all colours are as they were drawn.
    pub is_exact: bool,
    /// The largest size of the film, bytes.
    pub limit: u64,
}

/// A frame as three parts of a PNG file, see [`Frame::parts`].
#[derive(Debug, Clone)]
struct Part {
    number: u32,
    place: [u32; 2],
    png: [Vec<u8>; 3],
    /// The time for which it is shown, frames.
    frames: u32,
}

impl Film {
    /// A film of at most `frames` frames whose file has at most `limit` bytes, except if not even two small frames fit.
    pub fn new(frames: u32, limit: u64) -> Self {
        Self {
            frames,
            added: 0,
            limit,
            size: [0; 2],
            stride: 1,
            halvings: 0,
            palette: None,
            kept: Vec::new(),
            shown: Vec::new(),
            bytes: HEADS[0],
        }
    }

    /// Changes the limit before the first frame.
    pub(super) fn limit_to(&mut self, bytes: u64) {
        self.limit = bytes;
    }

    /// Whether the next frame will be kept, and so has to be drawn.
    pub fn wants_next(&self) -> bool {
        self.is_kept(self.added)
    }

    /// Counts a frame that is not wanted.
    pub fn skip(&mut self) {
        self.added += 1;
    }

    /// Adds the next frame.
    ///
    /// # Errors
    /// When it has another size than the previous ones, or all frames were added.
    pub fn add(&mut self, picture: &Picture) -> Result<(), InputError> {
        let place = || format!("animation, frame {}", self.added);
        if self.added == self.frames {
            let remedy = format!("the animation was begun for at most {} frames", self.frames);
            return Err(InputError::one(place(), "one too many", remedy));
        }
        let size = [picture.width(), picture.height()];
        if self.added > 0 && size != self.size {
            let remedy = format!(
                "those before have {} x {}: give all frames the same value range, scale and lines of the title",
                self.size[0], self.size[1]
            );
            return Err(InputError::one(place(), format!("{} x {} pixels", size[0], size[1]), remedy));
        }
        let (number, place) = (self.added, place());
        self.size = size;
        self.added += 1;
        if self.is_kept(number) {
            let kept = self.keep_picture(number, picture).and_then(|()| self.fit());
            kept.map_err(|error| InputError::not_written(&place, error))?;
        }
        Ok(())
    }

    /// What became of the frames so far.
    pub fn kept(&self) -> Kept {
        let is_exact = self.halvings == 0 && self.palette.as_ref().is_none_or(Palette::is_exact);
        Kept { frames: self.kept.len(), of: self.added, halvings: self.halvings, is_exact, limit: self.limit }
    }

    /// Width and height of the frames that are kept, pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size.map(|side| side.div_ceil(1 << self.halvings))
    }

    /// The film for a page, each of whose frames is shown for `shown_ms` milliseconds. File, texts and frames' texts are left
    /// to the caller.
    ///
    /// # Errors
    /// None for frames that were added.
    pub fn for_page(&self, shown_ms: u16) -> Result<film::Film, InputError> {
        let parts = self.parts()?;
        let palette = parts.first().map(|part| part.png[1].clone()).unwrap_or_default();
        let frame = |Part { number, place, png: [head, _, rest], frames }| film::FilmFrame {
            number,
            place,
            head,
            rest,
            shown_ms: frames.saturating_mul(u32::from(shown_ms)),
            text: String::new(),
        };
        Ok(film::Film {
            size: self.size(),
            text_px: text::MIN_FONT_PX / f64::from(1u32 << self.halvings),
            palette,
            frames: parts.into_iter().map(frame).collect(),
            ..film::Film::default()
        })
    }

    /// All frames as PNG files.
    ///
    /// # Errors
    /// None for frames that were added.
    fn parts(&self) -> Result<Vec<Part>, InputError> {
        let palette = self.palette.as_ref().map(Palette::bytes).unwrap_or_default();
        let parts = self.kept.iter().enumerate().map(|(i, frame)| {
            let png = frame.parts(&palette)?;
            Ok(Part { number: frame.number, place: frame.place, png, frames: self.duration(i) })
        });
        parts
            .collect::<Result<_, _>>()
            .map_err(|error: png::EncodingError| InputError::not_written("animation, frames", error))
    }

    /// Writes an animated PNG file whose frames are each shown for a time, in milliseconds.
    ///
    /// # Errors
    /// When there is no frame, or the target refuses the bytes.
    pub fn write(&self, target: impl Write, delay: u16) -> Result<(), InputError> {
        let Some(palette) = &self.palette else {
            return Err(InputError::one("animation, frames", 0, "add at least one"));
        };
        self.encode(target, delay, &palette.bytes()).map_err(|error| InputError::not_written("animation, PNG", error))
    }

    fn encode(&self, target: impl Write, delay: u16, palette: &[u8]) -> Result<(), png::EncodingError> {
        let [width, height] = self.size();
        let mut encoder = png::Encoder::new(target, width, height);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        with_palette(&mut encoder, palette);
        encoder.set_animated(self.kept.len() as u32, 0)?;
        let mut file = encoder.write_header()?;
        let mut sequence = 0u32;
        for (i, frame) in self.kept.iter().enumerate() {
            let mut control = Vec::with_capacity(26);
            let numbers = [sequence, frame.size[0], frame.size[1], frame.place[0], frame.place[1]];
            control.extend(numbers.into_iter().flat_map(u32::to_be_bytes));
            control
                .extend(seconds(u64::from(delay) * u64::from(self.duration(i))).into_iter().flat_map(u16::to_be_bytes));
            // The pixels stay for the next frame, which is drawn over them.
            control.extend([0, u8::from(i > 0)]);
            file.write_chunk(png::chunk::fcTL, &control)?;
            sequence += 1;
            if i == 0 {
                file.write_chunk(png::chunk::IDAT, frame.data())?;
            } else {
                file.write_chunk(png::chunk::fdAT, &[&sequence.to_be_bytes(), frame.data()].concat())?;
                sequence += 1;
            }
        }
        file.finish()
    }

    /// For how many frames a kept one is shown: until the next one.
    fn duration(&self, kept: usize) -> u32 {
        let next = self.kept.get(kept + 1).map_or(self.kept[kept].number + 1, |next| next.number);
        next - self.kept[kept].number
    }

    fn is_kept(&self, number: u32) -> bool {
        number.is_multiple_of(self.stride) || number + 1 == self.frames
    }

    fn keep_picture(&mut self, number: u32, picture: &Picture) -> Result<(), png::EncodingError> {
        let mut palette = self.palette.take().unwrap_or_else(|| Palette::of(picture));
        let mut indices = palette.indices(picture);
        let mut size = self.size;
        for _ in 0..self.halvings {
            (indices, size) = halved(&indices, size, &mut palette);
        }
        self.palette = Some(palette);
        self.keep(number, indices)
    }

    /// Keeps a frame with the indices of the present size.
    fn keep(&mut self, number: u32, indices: Vec<u8>) -> Result<(), png::EncodingError> {
        let before = (!self.kept.is_empty()).then_some(self.shown.as_slice());
        let frame = Frame::new(number, self.size()[0], before, &indices)?;
        self.bytes += frame.data().len() + HEADS[1];
        self.kept.push(frame);
        self.shown = indices;
        Ok(())
    }

    /// Leaves out frames, or makes them smaller, until they fit.
    fn fit(&mut self) -> Result<(), png::EncodingError> {
        while self.bytes as u64 > self.limit {
            let can_shrink = self.size().into_iter().max() >= Some(2 * MIN_LONGER_SIDE_PX);
            if self.kept.len() > 2 * MIN_FRAMES || (!can_shrink && self.kept.len() > 2) {
                self.stride *= 2;
                self.encode_again(false)?;
            } else if can_shrink {
                self.encode_again(true)?;
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Encodes all frames again: those that the stride keeps, and, if that is asked for, at half their width and height.
    fn encode_again(&mut self, shrinks: bool) -> Result<(), png::EncodingError> {
        let (frames, size) = (std::mem::take(&mut self.kept), self.size());
        let Some(mut palette) = self.palette.take() else { return Ok(()) };
        self.halvings += u32::from(shrinks);
        self.bytes = HEADS[0];
        let mut whole = vec![UNCHANGED; size[0] as usize * size[1] as usize];
        for frame in &frames {
            frame.apply(size[0], &mut whole).map_err(std::io::Error::other)?;
            if self.is_kept(frame.number) {
                let indices = if shrinks { halved(&whole, size, &mut palette).0 } else { whole.clone() };
                self.keep(frame.number, indices)?;
            }
        }
        self.palette = Some(palette);
        Ok(())
    }
}

/// Indices at half the width and height: the mean colours of blocks of 2 x 2 pixels. The edge may truncate blocks.
fn halved(indices: &[u8], [width, height]: [u32; 2], palette: &mut Palette) -> (Vec<u8>, [u32; 2]) {
    let [columns, rows] = [width, height].map(|side| side as usize);
    let mut half = Vec::with_capacity(indices.len() / 4 + columns + rows);
    for row in (0..rows).step_by(2) {
        for column in (0..columns).step_by(2) {
            let (right, below) = ((column + 1).min(columns - 1), (row + 1).min(rows - 1));
            let block = [row, below].map(|row| [column, right].map(|column| indices[row * columns + column]));
            let block = block.as_flattened();
            let is_plain = block.iter().all(|&index| index == block[0]);
            half.push(if is_plain {
                block[0]
            } else {
                palette.index(mean(block.iter().map(|&index| palette.colour(index))))
            });
        }
    }
    (half, [width, height].map(|side| side.div_ceil(2)))
}

/// A time in milliseconds as a fraction of seconds whose parts have 16 bits; longer times are less exact.
fn seconds(milliseconds: u64) -> [u16; 2] {
    let fractions = [1000u16, 100, 10, 1].map(|parts| (milliseconds * u64::from(parts) / 1000, parts));
    let fitting = fractions.into_iter().find_map(|(time, parts)| Some([u16::try_from(time).ok()?, parts]));
    fitting.unwrap_or([u16::MAX, 1])
}

#[cfg(test)]
mod tests;
