//! Animated PNG files, which browsers play.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;

use throng_model::Failure;
use throng_output::PendingFile;

use crate::Picture;
use crate::picture::{io_error, png_encoder};

/// Writes an animation, frame by frame.
pub(super) struct FilmFile {
    file: Shared,
    /// `None` before the first frame, because the header of the file contains the size of frames.
    writer: Option<png::Writer<Shared>>,
    frames: u32,
    fps: u16,
}

/// A file that the encoder writes to, and that can be completed after the encoder has been dropped.
#[derive(Clone)]
struct Shared(Rc<RefCell<PendingFile>>);

impl Write for Shared {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

impl Shared {
    fn failure(&self, error: png::EncodingError) -> Failure {
        self.0.borrow().error(io_error(error)).into()
    }
}

impl FilmFile {
    /// Creates the file of an animation with `frames` frames.
    pub fn begin(path: &Path, frames: u32, fps: u16) -> Result<Self, Failure> {
        let file = Shared(Rc::new(RefCell::new(PendingFile::create(path)?)));
        Ok(Self { file, writer: None, frames, fps })
    }

    /// Writes the next frame; the text chunks of the first frame apply to the animation.
    pub fn add(&mut self, picture: &Picture, texts: &[(String, String)]) -> Result<(), Failure> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => none.insert(
                begin_animation(self.file.clone(), picture, texts, self.frames, self.fps)
                    .map_err(|error| self.file.failure(error))?,
            ),
        };
        picture.rgb().and_then(|rgb| writer.write_image_data(&rgb)).map_err(|error| self.file.failure(error))
    }

    /// Writes the rest of the file, and gives it its final name.
    pub fn complete(self) -> Result<(), Failure> {
        let Self { file, writer, .. } = self;
        if let Some(writer) = writer {
            writer.finish().map_err(|error| file.failure(error))?;
        }
        let file = Rc::into_inner(file.0).expect("the encoder, which had the other reference, has ended");
        file.into_inner().complete()?;
        Ok(())
    }
}

fn begin_animation(
    to: Shared,
    picture: &Picture,
    texts: &[(String, String)],
    frames: u32,
    fps: u16,
) -> Result<png::Writer<Shared>, png::EncodingError> {
    let mut encoder = png_encoder(to, picture, texts)?;
    encoder.set_animated(frames, 0)?;
    encoder.set_frame_delay(1, fps)?;
    encoder.write_header()
}
