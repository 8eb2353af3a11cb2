//! The results of a run: tables, arrays, images, a report.

use std::io::{self, Write};

use throng_output::{ClosedFile, OutputError, PendingFile, RunFolder};

pub(crate) mod arrays;
pub(crate) mod costmap;
pub(crate) mod drawing;
mod frames;
mod history;
mod number_format;
pub(crate) mod quantities;
pub(crate) mod queries;
pub(crate) mod recorder;
pub(crate) mod report;
mod stored_states;

/// Writes a file that gets its final name later, so that a failed run leaves no such file.
pub(crate) fn write_file(
    folder: &RunFolder,
    name: &str,
    content: impl FnOnce(&mut PendingFile) -> io::Result<()>,
) -> Result<ClosedFile, OutputError> {
    let mut file = folder.file(name)?;
    content(&mut file).map_err(|error| file.error(error))?;
    file.close()
}

/// Like [`write_file`], from the bytes of the file.
pub(crate) fn write_bytes(folder: &RunFolder, name: &str, bytes: &[u8]) -> Result<ClosedFile, OutputError> {
    write_file(folder, name, |file| file.write_all(bytes))
}
