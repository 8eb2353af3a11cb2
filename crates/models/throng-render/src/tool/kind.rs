//! The requested output files, and whether they may be replaced.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use throng_core::InputError;
use throng_model::flags::Flags;

/// The kind and the path of the output.
#[derive(Debug)]
pub(super) enum TargetKind {
    Picture(PathBuf),
    Film(PathBuf),
    Frames(PathBuf),
}

impl TargetKind {
    /// Reads the flags.
    ///
    /// # Errors
    /// When flags exclude each other, or a file name has the extension of another format.
    pub fn read(flags: &Flags) -> Result<Self, InputError> {
        let (film, frames, out) = (flags.file("film")?, flags.file("frames")?, flags.file("out")?);
        let kind = match (film, frames) {
            (Some(_), Some(_)) => return Err(InputError::one("--frames", "is given with --film", "give one of them")),
            (Some(film), None) => Self::Film(film),
            (None, Some(folder)) => Self::Frames(folder),
            (None, None) => Self::Picture(out.clone().unwrap_or_else(|| PathBuf::from("picture.png"))),
        };
        kind.check_ending()?;
        if !kind.is_picture() && out.is_some() {
            return Err(InputError::one("--out", "is the file of a single image", "leave it out"));
        }
        Ok(kind)
    }

    pub fn is_picture(&self) -> bool {
        matches!(self, Self::Picture(_))
    }

    /// Rejects extensions of formats other than PNG, because other programs would not open the file.
    fn check_ending(&self) -> Result<(), InputError> {
        let ending = |path: &Path| path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let (flag, path, remedy) = match self {
            Self::Picture(path) if ending(path) != "png" => ("--out", path, "give a file that ends in .png"),
            Self::Film(path) if !["png", "apng"].contains(&ending(path).as_str()) => {
                let remedy = "give a file that ends in .png or .apng; for a video, give --frames FOLDER and encode its \
                              images, for example: ffmpeg -framerate 25 -i FOLDER/%06d.png -pix_fmt yuv420p film.mp4";
                ("--film", path, remedy)
            }
            _ => return Ok(()),
        };
        let found = match ending(path) {
            none if none.is_empty() => "has no ending".to_owned(),
            ending => format!("ends in .{ending}"),
        };
        Err(InputError::one(flag, format!("{} {found}, but the file is a PNG", path.display()), remedy))
    }

    /// Rejects the replacement of files that this command has not created, and frames next to other files.
    ///
    /// # Errors
    /// The file that would be replaced, or a file in the folder of frames that is not one of them.
    pub fn check_free(&self) -> Result<(), InputError> {
        let (flag, paths) = match self {
            Self::Picture(path) => ("--out", vec![path.clone()]),
            Self::Film(path) => ("--film", vec![path.clone()]),
            Self::Frames(folder) => {
                let entries = folder.read_dir().into_iter().flatten().flatten();
                ("--frames", entries.map(|entry| entry.path()).collect())
            }
        };
        let is_frames = matches!(self, Self::Frames(_));
        let is_kept = |path: &&PathBuf| path.exists() && !(is_drawn(path) && (!is_frames || is_frame(path)));
        match paths.iter().find(is_kept) {
            Some(path) => {
                let message = format!("{} exists, and is not an image of `throng render`", path.display());
                Err(InputError::one(flag, message, "give another name, or --overwrite to replace it"))
            }
            None => Ok(()),
        }
    }
}

/// Whether a file has the name of a numbered image, such as `000123.png`.
pub(super) fn is_frame(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.strip_suffix(".png").is_some_and(|number| number.len() == 6 && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a file is an image or animation created by this command, according to its text chunks.
pub(super) fn is_drawn(path: &Path) -> bool {
    // Opening a pipe would block.
    let Some(file) = path.is_file().then(|| File::open(path).ok()).flatten() else { return false };
    let Ok(reader) = png::Decoder::new(BufReader::new(file)).read_info() else { return false };
    let text = |key: &str| {
        let found = reader.info().utf8_text.iter().find(|text| text.keyword == key);
        found.and_then(|text| text.get_text().ok())
    };
    // Images of scene runs have no `Time` chunk.
    text("Software").is_some_and(|program| program.starts_with("throng ")) && text("Time").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Picture;

    fn read(flag: &str, file: &str) -> Result<TargetKind, String> {
        let mut flags = Flags::default();
        flags.add(flag, file);
        TargetKind::read(&flags).map_err(|error| error.to_string())
    }

    #[test]
    fn file_endings_must_match_the_format() {
        for (flag, file) in [("film", "a.png"), ("film", "a.b/c.APNG"), ("out", "a.PNG"), ("frames", "film.mp4")] {
            assert!(read(flag, file).is_ok(), "--{flag} {file}");
        }
        let error = read("film", "film.mp4").unwrap_err();
        let expected =
            "--film: film.mp4 ends in .mp4, but the file is a PNG\n    give a file that ends in .png or .apng; ";
        assert!(
            error.starts_with(expected) && error.contains("--frames FOLDER") && error.contains("ffmpeg "),
            "{error}"
        );
        let error = read("film", "film").unwrap_err();
        assert!(error.starts_with("--film: film has no ending, but the file is a PNG"), "{error}");
        let error = read("out", "a.jpg").unwrap_err();
        assert_eq!(error, "--out: a.jpg ends in .jpg, but the file is a PNG\n    give a file that ends in .png");
    }

    #[test]
    fn only_images_of_this_command_are_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, texts: &[(&str, &str)]| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let texts: Vec<_> = texts.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
            Picture::new(1, 1, vec![0; 4]).write_png(File::create(&path).unwrap(), &texts).unwrap();
            path.display().to_string()
        };
        let own = [("Software", "throng 1"), ("Time", "0 s")];
        let refused =
            |flag: &str, path: &str| read(flag, path).unwrap().check_free().err().map(|error| error.to_string());
        let (drawn, scene) = (write("a.png", &own), write("b.png", &own[..1]));
        assert_eq!((refused("out", &drawn), refused("film", &drawn)), (None, None));
        assert_eq!(refused("out", &dir.path().join("new.png").display().to_string()), None);
        let expected = format!(
            "--out: {scene} exists, and is not an image of `throng render`\n    give another name, or --overwrite to \
             replace it"
        );
        assert_eq!(refused("out", &scene), Some(expected));
        assert!(refused("film", &write("c.png", &[("Software", "other"), ("Time", "0 s")])).is_some());
        let frames = dir.path().join("frames");
        write("frames/000000.png", &own);
        let folder = frames.display().to_string();
        assert_eq!(refused("frames", &folder), None);
        write("frames/mine.png", &own);
        assert!(refused("frames", &folder).unwrap().contains("mine.png exists"));
    }
}
