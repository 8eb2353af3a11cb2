//! Files that a scenario names.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;

use throng_core::{Problems, STORE_IT, open_input};

/// The name of a file, as shown in messages.
pub fn shown(path: &Path) -> String {
    throng_model::names::one_line(&path.display().to_string())
}

/// Opens a file and returns it with its size in bytes; adds a problem with the remedy if that fails.
pub fn open(path: &Path, remedy: &str, problems: &mut Problems) -> Option<(BufReader<File>, u64)> {
    let opened = open_input(path).and_then(|file| Ok((file.metadata()?.len(), file)));
    match opened {
        Ok((bytes, file)) => Some((BufReader::new(file), bytes)),
        Err(error) => {
            let remedy = if error.kind() == ErrorKind::Unsupported { STORE_IT } else { remedy };
            problems.push(shown(path), format!("cannot be read: {error}"), remedy);
            None
        }
    }
}
