//! The frames of an animation, in bounded memory.

use std::io::Write;

use throng_core::InputError;
use throng_output::film;

use super::frame::{Frame, with_palette};
use super::palette::{Palette, UNCHANGED};
use super::picture::{Picture, mean};
use super::text;

/// Default maximum file size, bytes.
pub(super) const LIMIT: u64 = 10_000_000;
/// Frames are dropped as long as at least this many remain; after that, images are made smaller.
const MIN_FRAMES: usize = 60;
/// Images are halved only if their longer side keeps at least this many pixels.
const MIN_LONGER_SIDE_PX: u32 = 400;
/// Maximum overhead in bytes: of the file without frames, and of a frame without its pixels.
const HEADS: [usize; 2] = [1024, 26 + 12 + 16];

/// Frames of equal size with a common palette, compressed as differences from the previous frame.
///
/// If the frames exceed the size limit, every second one is dropped, repeatedly if necessary, and new frames are kept
/// at the same stride; the last frame of a complete animation is always kept. Once fewer than about sixty would remain,
/// width and height are halved.
#[derive(Debug)]
pub struct Film {
    /// Maximum number of frames that can be added.
    frames: u32,
    /// Number of frames added so far.
    added: u32,
    limit: u64,
    /// Width and height of the added images; 0 before the first one.
    size: [u32; 2],
    /// Distance between kept frames, in added frames.
    stride: u32,
    halvings: u32,
    palette: Option<Palette>,
    kept: Vec<Frame>,
    /// Palette indices of the last kept frame.
    shown: Vec<u8>,
    bytes: usize,
}

/// Statistics of the kept frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnimationStats {
    /// Number of kept frames.
    pub frames: usize,
    /// Number of added frames.
    pub of: u32,
    /// Number of times that width and height were halved.
    pub halvings: u32,
    /// Whether all colours are unchanged.
    pub is_exact: bool,
    /// Maximum size of the file, bytes.
    pub limit: u64,
}

/// A frame as three parts of a PNG file; see [`Frame::parts`].
#[derive(Debug, Clone)]
struct Part {
    number: u32,
    place: [u32; 2],
    png: [Vec<u8>; 3],
    /// Display time, in frames.
    frames: u32,
}

impl Film {
    /// Creates an animation of at most `frames` frames and a file size of at most `limit` bytes, unless two small
    /// frames already exceed it.
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

    /// Whether the next frame will be kept, and so must be drawn.
    pub fn wants_next(&self) -> bool {
        self.is_kept(self.added)
    }

    /// Counts a frame that will not be kept.
    pub fn skip(&mut self) {
        self.added += 1;
    }

    /// Adds the next frame.
    ///
    /// # Errors
    /// When the frame has a different size from the previous ones, or all frames have already been added.
    pub fn add(&mut self, picture: &Picture) -> Result<(), InputError> {
        let place = || format!("animation, frame {}", self.added);
        if self.added == self.frames {
            let remedy = format!("the animation was created for at most {} frames", self.frames);
            return Err(InputError::one(place(), "too many frames", remedy));
        }
        let size = [picture.width(), picture.height()];
        if self.added > 0 && size != self.size {
            let remedy = format!(
                "earlier frames have {} x {}: give all the same value range, scale and number of title lines",
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

    /// Returns statistics of the frames so far.
    pub fn kept(&self) -> AnimationStats {
        let is_exact = self.halvings == 0 && self.palette.as_ref().is_none_or(Palette::is_exact);
        AnimationStats { frames: self.kept.len(), of: self.added, halvings: self.halvings, is_exact, limit: self.limit }
    }

    /// Returns width and height of the kept frames in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size.map(|side| side.div_ceil(1 << self.halvings))
    }

    /// Returns the animation for a page, with each frame shown for `shown_ms` milliseconds. The caller fills in the
    /// file name, the label, the caption and the text beside each frame.
    ///
    /// # Errors
    /// Cannot fail for frames that were added.
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

    /// Returns all frames as PNG files.
    ///
    /// # Errors
    /// Cannot fail for frames that were added.
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

    /// Writes an animated PNG file whose frames are shown for `delay` milliseconds each.
    ///
    /// # Errors
    /// When there is no frame, or when writing to the target fails.
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
            // Keeps the pixels, because the next frame is drawn over them.
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

    /// Returns the number of frames for which a kept frame is shown: until the next kept one.
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

    /// Keeps a frame, given as palette indices at the current size.
    fn keep(&mut self, number: u32, indices: Vec<u8>) -> Result<(), png::EncodingError> {
        let before = (!self.kept.is_empty()).then_some(self.shown.as_slice());
        let frame = Frame::new(number, self.size()[0], before, &indices)?;
        self.bytes += frame.data().len() + HEADS[1];
        self.kept.push(frame);
        self.shown = indices;
        Ok(())
    }

    /// Drops or shrinks frames until they fit the limit.
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

    /// Re-encodes the frames selected by the stride, at half their width and height if `shrinks`.
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

/// Halves width and height, with the mean colours of blocks of 2 x 2 pixels. The edge may cut off blocks.
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

/// Returns a time in milliseconds as a fraction of seconds with 16-bit terms; longer times are less exact.
fn seconds(milliseconds: u64) -> [u16; 2] {
    let fractions = [1000u16, 100, 10, 1].map(|parts| (milliseconds * u64::from(parts) / 1000, parts));
    let fitting = fractions.into_iter().find_map(|(time, parts)| Some([u16::try_from(time).ok()?, parts]));
    fitting.unwrap_or([u16::MAX, 1])
}

#[cfg(test)]
mod tests;
