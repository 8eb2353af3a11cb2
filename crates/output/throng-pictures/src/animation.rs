//! Animated PNG files.

use std::io::Write;
use std::time::Duration;

use throng_core::InputError;

use super::film::{Film, LIMIT};
use super::picture::Picture;

/// An animated PNG file. Browsers play it in a loop; some other programs show only its first frame.
///
/// Frames share a palette of at most 255 colours, and only pixels that differ from the previous frame are stored.
/// Additional colours are replaced by the nearest ones. The file size is limited, by default to 10 megabytes: if the
/// frames need more, every second one is dropped, repeatedly if necessary, and once fewer than about sixty would
/// remain, width and height are halved.
///
/// ```
/// use std::time::Duration;
/// use throng_pictures::{Animation, HeatMap, ValueRange};
/// use throng_pictures::{Grid, Raster};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 30, 20)?;
/// let range = ValueRange::new(0.0, 1.0)?;
/// let mut file = Vec::new();
/// let mut animation = Animation::new(&mut file, 3, Duration::from_millis(200))?.with_limit(2_000_000);
/// for x in [5.0, 10.0, 15.0] {
///     let field = Raster::from_fn(grid, |[east, _]| (east / x) as f32);
///     animation.add(&HeatMap::new(&field).with_range(range).draw()?)?;
/// }
/// animation.finish()?;
/// // PNG, with a chunk that makes it an animation of three frames.
/// assert!(file.starts_with(b"\x89PNG") && file.len() < 2_000_000);
/// assert!(file.windows(8).any(|bytes| bytes == b"acTL\0\0\0\x03"));
/// # Ok::<(), throng_core::InputError>(())
/// ```
pub struct Animation<W: Write> {
    target: W,
    film: Film,
    delay: u16,
}

impl<W: Write> Animation<W> {
    /// Creates an animation of at most `frames` frames, each shown for `delay`. Nothing is written before
    /// [`Animation::finish`].
    ///
    /// # Errors
    /// When `frames` is 0, or the delay is not from 1 to 65,535 milliseconds.
    pub fn new(target: W, frames: u32, delay: Duration) -> Result<Self, InputError> {
        if frames == 0 {
            return Err(InputError::one("animation, frames", frames, "expected 1 or more"));
        }
        let delay = match u16::try_from(delay.as_millis()) {
            Ok(milliseconds) if milliseconds > 0 => milliseconds,
            _ => {
                let remedy = "expected 1 to 65535 milliseconds";
                return Err(InputError::one("animation, delay", format!("{delay:?}"), remedy));
            }
        };
        Ok(Self { target, film: Film::new(frames, LIMIT), delay })
    }

    /// Sets another limit for the file size, in bytes. Call this before adding the first frame, because dropped frames
    /// cannot be restored. At least two frames are kept, and images are never reduced to less than 400 pixels on their
    /// longer side.
    pub fn with_limit(mut self, bytes: u64) -> Self {
        self.film.limit_to(bytes);
        self
    }

    /// Adds the next frame.
    ///
    /// # Errors
    /// When the frame differs in size from the previous ones, or `frames` frames have already been added.
    pub fn add(&mut self, frame: &Picture) -> Result<(), InputError> {
        self.film.add(frame)
    }

    /// Writes the file, and returns the same animation for a page, with an empty label and caption.
    ///
    /// # Errors
    /// When there is no frame, or when writing to the target fails.
    pub fn finish(self) -> Result<throng_output::film::Film, InputError> {
        self.film.write(self.target, self.delay)?;
        self.film.for_page(self.delay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DELAY: Duration = Duration::from_millis(150);

    fn frame() -> Picture {
        Picture::new(12, 8).unwrap()
    }

    #[test]
    fn frames_of_different_sizes_and_excess_frames_are_refused() {
        let mut animation = Animation::new(Vec::new(), 2, DELAY).unwrap();
        animation.add(&frame()).unwrap();
        let error = animation.add(&Picture::new(9, 8).unwrap()).unwrap_err();
        assert_eq!((error.place(), error.message()), ("animation, frame 1", "9 x 8 pixels"));
        animation.add(&frame()).unwrap();
        assert_eq!(animation.add(&frame()).unwrap_err().message(), "too many frames");
        animation.finish().unwrap();

        let mut short = Vec::new();
        let mut animation = Animation::new(&mut short, 5, DELAY).unwrap();
        animation.add(&frame()).unwrap();
        animation.add(&frame()).unwrap();
        animation.finish().unwrap();
        assert!(short.windows(8).any(|bytes| bytes == b"acTL\0\0\0\x02"));
        let error = Animation::new(Vec::new(), 2, DELAY).unwrap().finish().unwrap_err();
        assert_eq!((error.place(), error.message()), ("animation, frames", "0"));
    }

    #[test]
    fn an_animation_without_frames_or_time_is_refused() {
        let place =
            |frames, delay| Animation::new(Vec::new(), frames, delay).err().map(|error| error.place().to_owned());
        assert_eq!(place(0, DELAY).as_deref(), Some("animation, frames"));
        assert_eq!(place(1, Duration::ZERO).as_deref(), Some("animation, delay"));
        assert_eq!(place(1, Duration::from_secs(66)).as_deref(), Some("animation, delay"));
        assert_eq!(place(1, Duration::from_secs(65)), None);
    }

    #[test]
    fn a_full_target_is_an_error() {
        for room in [0, 40, 100] {
            let mut room = vec![0; room];
            let mut animation = Animation::new(room.as_mut_slice(), 1, DELAY).unwrap();
            animation.add(&frame()).unwrap();
            assert_eq!(animation.finish().unwrap_err().place(), "animation, PNG");
        }
    }
}
