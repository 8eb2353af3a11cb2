//! Several pictures in sequence in one file.

use std::io::Write;
use std::time::Duration;

use super::picture::{Picture, png_encoder};
use crate::error::FieldError;

/// An animated PNG file, which browsers play in a loop; some other programs show only its first frame. GIF files of
/// the same frames were 1.1 to 7 times as large, and have no more than 256 colours.
///
/// ```
/// use std::time::Duration;
/// use throng_fields::pictures::{Animation, HeatMap, ValueRange};
/// use throng_fields::{Entity, Grid, Profile, creation};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 30, 20)?;
/// let range = ValueRange::new(0.0, 1.0)?;
/// let mut animation = Animation::new(Vec::new(), 3, Duration::from_millis(200))?;
/// for x in [5.0, 10.0, 15.0] {
///     let field = creation::by_tiles(&grid, &[Entity::new([x, 10.0], Profile::linear(8.0)?)])?;
///     animation.add(&HeatMap::new(&field).with_range(range).draw()?)?;
/// }
/// animation.finish()?;
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
pub struct Animation<W: Write> {
    state: State<W>,
    frames: u32,
    added: u32,
    delay: u16,
    /// Width and height of the frames, 0 before the first one.
    size: [u32; 2],
}

/// The size of the frames is in the header of the file, so it is written with the first one.
enum State<W: Write> {
    Waiting(W),
    Writing(png::Writer<W>),
    /// The target refused bytes: the file cannot be continued.
    Broken,
}

impl<W: Write> Animation<W> {
    /// An animation of `frames` frames, each shown for `delay`. Nothing is written before the first frame.
    ///
    /// # Errors
    /// When there are no frames, or the delay is not from 1 to 65,535 milliseconds.
    pub fn new(target: W, frames: u32, delay: Duration) -> Result<Self, FieldError> {
        if frames == 0 {
            return Err(FieldError::new("animation, frames", frames, "expected 1 or more"));
        }
        let delay = match u16::try_from(delay.as_millis()) {
            Ok(milliseconds) if milliseconds > 0 => milliseconds,
            _ => {
                let remedy = "expected 1 to 65535 milliseconds";
                return Err(FieldError::new("animation, delay", format!("{delay:?}"), remedy));
            }
        };
        Ok(Self { state: State::Waiting(target), frames, added: 0, delay, size: [0, 0] })
    }

    /// Adds the next frame.
    ///
    /// # Errors
    /// When it has another size than the previous ones, all frames were added, or the target refuses the bytes.
    pub fn add(&mut self, frame: &Picture) -> Result<(), FieldError> {
        let place = format!("animation, frame {}", self.added);
        if self.added == self.frames {
            let remedy = format!("the animation was begun for {} frames", self.frames);
            return Err(FieldError::new(place, "one too many", remedy));
        }
        let size = [frame.width(), frame.height()];
        if self.added > 0 && size != self.size {
            let remedy = format!(
                "those before have {} x {}: give all frames the same value range, scale and lines of the title",
                self.size[0], self.size[1]
            );
            return Err(FieldError::new(place, format!("{} x {} pixels", size[0], size[1]), remedy));
        }
        let mut file = match std::mem::replace(&mut self.state, State::Broken) {
            State::Waiting(target) => self.begun(target, frame).map_err(|error| not_written(&place, error))?,
            State::Writing(file) => file,
            State::Broken => return Err(not_written(&place, "an earlier frame was not written")),
        };
        file.write_image_data(frame.bytes()).map_err(|error| not_written(&place, error))?;
        self.state = State::Writing(file);
        self.size = size;
        self.added += 1;
        Ok(())
    }

    /// Writes the end of the file.
    ///
    /// # Errors
    /// When frames are missing, or the target refuses the bytes.
    pub fn finish(self) -> Result<(), FieldError> {
        match self.state {
            State::Writing(file) if self.added == self.frames => {
                file.finish().map_err(|error| not_written("animation, end", error))
            }
            State::Broken => Err(not_written("animation, end", "an earlier frame was not written")),
            _ => {
                let remedy = format!("the animation was begun for {} frames", self.frames);
                Err(FieldError::new("animation, frames", self.added, remedy))
            }
        }
    }

    fn begun(&self, target: W, frame: &Picture) -> Result<png::Writer<W>, png::EncodingError> {
        let mut encoder = png_encoder(target, frame);
        encoder.set_animated(self.frames, 0)?;
        encoder.set_frame_delay(self.delay, 1000)?;
        encoder.write_header()
    }
}

fn not_written(place: &str, error: impl std::fmt::Display) -> FieldError {
    FieldError::not_written(place, error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pictures::picture::Area;

    fn frame(number: i64) -> Picture {
        let mut picture = Picture::new(12, 8).unwrap();
        picture.fill(Area { left: number, top: 2, width: 3, height: 3 }, [200, 0, 0]);
        picture
    }

    const DELAY: Duration = Duration::from_millis(150);

    #[test]
    fn all_frames_come_back() {
        let mut bytes = Vec::new();
        let mut animation = Animation::new(&mut bytes, 4, DELAY).unwrap();
        for i in 0..4 {
            animation.add(&frame(i)).unwrap();
        }
        animation.finish().unwrap();
        let mut file = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let control = file.info().animation_control.unwrap();
        assert_eq!((control.num_frames, control.num_plays), (4, 0));
        for i in 0..4 {
            let mut pixels = vec![0; file.output_buffer_size().unwrap()];
            file.next_frame(&mut pixels).unwrap();
            let shown = file.info().frame_control.unwrap();
            assert_eq!((shown.delay_num, shown.delay_den), (150, 1000));
            assert_eq!(pixels, frame(i).bytes(), "frame {i}");
        }
        assert!(file.next_frame(&mut [0; 12 * 8 * 3]).is_err());
    }

    #[test]
    fn frames_have_to_be_as_many_and_as_large_as_was_said() {
        let mut animation = Animation::new(Vec::new(), 2, DELAY).unwrap();
        animation.add(&frame(0)).unwrap();
        let error = animation.add(&Picture::new(9, 8).unwrap()).unwrap_err();
        assert_eq!((error.place.as_str(), error.value.as_str()), ("animation, frame 1", "9 x 8 pixels"));
        animation.add(&frame(1)).unwrap();
        assert_eq!(animation.add(&frame(2)).unwrap_err().value, "one too many");
        animation.finish().unwrap();

        let mut short = Animation::new(Vec::new(), 2, DELAY).unwrap();
        short.add(&frame(0)).unwrap();
        assert_eq!(short.finish().unwrap_err().value, "1");
        assert!(Animation::new(Vec::new(), 2, DELAY).unwrap().finish().is_err());
    }

    #[test]
    fn an_animation_without_frames_or_time_is_refused() {
        let place = |frames, delay| Animation::new(Vec::new(), frames, delay).err().map(|error| error.place);
        assert_eq!(place(0, DELAY).as_deref(), Some("animation, frames"));
        assert_eq!(place(1, Duration::ZERO).as_deref(), Some("animation, delay"));
        assert_eq!(place(1, Duration::from_secs(66)).as_deref(), Some("animation, delay"));
        assert_eq!(place(1, Duration::from_secs(65)), None);
    }

    #[test]
    fn after_a_frame_that_was_not_written_nothing_more_is() {
        let mut room = [0; 40];
        let mut animation = Animation::new(room.as_mut_slice(), 2, DELAY).unwrap();
        assert_eq!(animation.add(&frame(0)).unwrap_err().place, "animation, frame 0");
        assert!(animation.add(&frame(0)).unwrap_err().value.contains("earlier"));
        assert!(animation.finish().unwrap_err().value.contains("earlier"));
    }
}
