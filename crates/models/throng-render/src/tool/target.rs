//! The output files, which are either complete or absent.

use std::path::{Path, PathBuf};

use throng_core::InputError;
use throng_model::Failure;
use throng_output::PendingFile;

use super::film::FilmFile;
use super::kind::{TargetKind, is_drawn, is_frame};
use super::options::RenderOptions;
use crate::Picture;
use crate::picture::io_error;

/// The open output files of a command.
pub(super) enum Target {
    Picture { path: PathBuf, file: PendingFile },
    Film { path: PathBuf, film: FilmFile },
    Frames { folder: PathBuf, files: Vec<PathBuf> },
}

/// Removes the numbered images of an earlier animation, which may have been longer. Images of other programs are kept.
fn remove_frames(folder: &Path) -> Result<(), InputError> {
    let entries = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    for path in entries.filter(|path| is_frame(path) && is_drawn(path)) {
        std::fs::remove_file(&path).map_err(|error| {
            InputError::one("--frames", format!("{}: {error}", path.display()), "give another folder")
        })?;
    }
    Ok(())
}

impl Target {
    /// Creates the file, or the folder of frames, before anything is rendered.
    pub fn open(options: &RenderOptions) -> Result<Self, Failure> {
        match &options.kind {
            TargetKind::Picture(path) => Ok(Self::Picture { path: path.clone(), file: PendingFile::create(path)? }),
            TargetKind::Film(path) => {
                let film = FilmFile::begin(path, options.times.len() as u32, options.fps)?;
                Ok(Self::Film { path: path.clone(), film })
            }
            TargetKind::Frames(folder) => {
                std::fs::create_dir_all(folder).map_err(|error| {
                    let message = format!("{}: {error}", folder.display());
                    InputError::one("--frames", message, "give a folder that can be written")
                })?;
                remove_frames(folder)?;
                Ok(Self::Frames { folder: folder.clone(), files: Vec::new() })
            }
        }
    }

    /// Writes the next image; `number` counts from 0.
    pub fn add(&mut self, number: usize, picture: &Picture, texts: &[(String, String)]) -> Result<(), Failure> {
        match self {
            Self::Picture { file, .. } => write(picture, file, texts),
            Self::Film { film, .. } => film.add(picture, texts),
            Self::Frames { folder, files } => {
                let path = folder.join(format!("{number:06}.png"));
                let mut file = PendingFile::create(&path)?;
                write(picture, &mut file, texts)?;
                file.complete()?;
                files.push(path);
                Ok(())
            }
        }
    }

    /// Completes the files, and returns their paths: only the first and the last one if there are many.
    pub fn complete(self) -> Result<Vec<PathBuf>, Failure> {
        match self {
            Self::Picture { path, file } => {
                file.complete()?;
                Ok(vec![path])
            }
            Self::Film { path, film } => {
                film.complete()?;
                Ok(vec![path])
            }
            Self::Frames { mut files, .. } => {
                if files.len() > 2 {
                    files.drain(1..files.len() - 1);
                }
                Ok(files)
            }
        }
    }
}

fn write(picture: &Picture, file: &mut PendingFile, texts: &[(String, String)]) -> Result<(), Failure> {
    picture.write_png(&mut *file, texts).map_err(|error| file.error(io_error(error)).into())
}
