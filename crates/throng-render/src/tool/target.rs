//! The files of pictures, complete or not there.

use std::path::{Path, PathBuf};

use throng_core::InputError;
use throng_model::Failure;
use throng_output::PendingFile;

use super::film::FilmFile;
use super::options::{Kind, Options};
use crate::Picture;

/// Where pictures go.
pub(super) enum Target {
    Picture { path: PathBuf, file: PendingFile },
    Film { path: PathBuf, film: FilmFile },
    Frames { folder: PathBuf, files: Vec<PathBuf> },
}

/// Refuses a file that exists.
fn check_free(flag: &str, path: &Path, overwrite: bool) -> Result<(), InputError> {
    if path.exists() && !overwrite {
        let message = format!("{} exists", path.display());
        return Err(InputError::one(flag, message, "give --overwrite to replace it, or another name"));
    }
    Ok(())
}

/// Removes the numbered pictures of an earlier film, which may have been longer.
fn remove_frames(folder: &Path) -> Result<(), InputError> {
    let is_frame = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.strip_suffix(".png").is_some_and(|number| number.len() == 6 && number.bytes().all(|b| b.is_ascii_digit()))
    };
    for path in folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path()).filter(is_frame) {
        std::fs::remove_file(&path).map_err(|error| {
            InputError::one("--frames", format!("{}: {error}", path.display()), "give another folder")
        })?;
    }
    Ok(())
}

impl Target {
    /// Begins the files, before anything is drawn.
    pub fn open(options: &Options) -> Result<Self, Failure> {
        match &options.kind {
            Kind::Picture(path) => {
                check_free("--out", path, options.overwrite)?;
                Ok(Self::Picture { path: path.clone(), file: PendingFile::create(path)? })
            }
            Kind::Film(path) => {
                check_free("--film", path, options.overwrite)?;
                let film = FilmFile::begin(path, options.times.len() as u32, options.fps)?;
                Ok(Self::Film { path: path.clone(), film })
            }
            Kind::Frames(folder) => {
                let is_used = folder.read_dir().is_ok_and(|mut entries| entries.next().is_some());
                if is_used && !options.overwrite {
                    let message = format!("{} is not empty", folder.display());
                    return Err(InputError::one("--frames", message, "give --overwrite, or another folder").into());
                }
                std::fs::create_dir_all(folder).map_err(|error| {
                    let message = format!("{}: {error}", folder.display());
                    InputError::one("--frames", message, "give a folder that can be written")
                })?;
                remove_frames(folder)?;
                Ok(Self::Frames { folder: folder.clone(), files: Vec::new() })
            }
        }
    }

    /// Writes the next picture; `number` counts from 0.
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

    /// Completes the files; the first and the last of many.
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
    picture.write_png(&mut *file, texts).map_err(|error| file.error(std::io::Error::other(error)).into())
}
