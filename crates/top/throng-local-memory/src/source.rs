//! A file of OpenCL C, before preprocessing.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use throng_core::{InputError, hint_for_missing};

/// An OpenCL C source with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
    folder: Option<PathBuf>,
}

/// The byte order mark, which some editors write at the start of a file. It is not part of the source.
const BYTE_ORDER_MARK: char = '\u{feff}';

impl Source {
    /// Creates a source from text in memory. Places in messages start with the name; included files are searched in the
    /// current folder.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut text = text.into();
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len_utf8());
        }
        Self { name: name.into(), text, folder: None }
    }

    /// The name, such as the path of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text of the source, without a byte order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The folder in which included files are searched.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }
}

/// Reads a file of OpenCL C.
///
/// # Errors
/// When the file cannot be read, is a pipe or a device, or is not text in UTF-8.
pub fn read(path: &Path) -> Result<Source, InputError> {
    let name = path.display().to_string();
    let refused = |error: io::Error| {
        let message = format!("the file cannot be read: {error}");
        let is_missing = error.kind() == ErrorKind::NotFound;
        let remedy = if is_missing { hint_for_missing(path) } else { "name a file that can be read".to_owned() };
        InputError::one(name.as_str(), message, remedy)
    };
    let metadata = fs::metadata(path).map_err(refused)?;
    // Pipes and devices may never end. The system rejects folders.
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(InputError::one(
            name.as_str(),
            "this is a pipe or a device",
            "save the kernels in a file, and name that file",
        ));
    }
    let bytes = fs::read(path).map_err(refused)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].split(|byte| *byte == b'\n').count();
        let message = format!("byte {at} (0x{:02x}) is not valid UTF-8", error.as_bytes()[at]);
        InputError::one(format!("{name}:{line}"), message, "save the file in UTF-8")
    })?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned);
    Ok(Source { folder, ..Source::new(name, text) })
}
