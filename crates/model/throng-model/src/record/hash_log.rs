//! The log of state hashes, written during a run.

use std::io::{BufWriter, Write as _};

use throng_output::{OutputError, PendingFile, RunFolder, WrittenFile};

/// File name of the log.
pub const HASHES_NAME: &str = "state_hashes.txt";

/// The log of state hashes: a line `step hash` per hashed step, as read by `throng compare`. It gets its final name
/// when it is complete.
#[derive(Debug)]
pub struct HashLog {
    file: BufWriter<PendingFile>,
}

impl HashLog {
    /// Creates `state_hashes.txt` in a folder.
    ///
    /// # Errors
    /// When the file cannot be created or written.
    pub fn create(folder: &RunFolder) -> Result<Self, OutputError> {
        let mut log = Self { file: BufWriter::new(folder.file(HASHES_NAME)?) };
        log.write(format_args!("# step hash\n"))?;
        Ok(log)
    }

    /// Appends the hash of a step.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn line(&mut self, step: u64, hash: u64) -> Result<(), OutputError> {
        self.write(format_args!("{step} {hash:016x}\n"))
    }

    /// Writes the remaining lines and gives the file its final name.
    ///
    /// # Errors
    /// When the file cannot be written or renamed.
    pub fn complete(mut self) -> Result<WrittenFile, OutputError> {
        self.file.flush().map_err(|error| self.file.get_ref().error(error))?;
        let (file, _) = self.file.into_parts();
        file.complete()
    }

    fn write(&mut self, text: std::fmt::Arguments<'_>) -> Result<(), OutputError> {
        self.file.write_fmt(text).map_err(|error| self.file.get_ref().error(error))
    }
}
