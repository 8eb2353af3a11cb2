//! Lines of a text file, plain or compressed.

use std::io::{BufRead, Read as _};
use std::path::Path;

use throng_core::InputError;

use crate::formats::open::{TextInput, unreadable};

/// Maximum length of a line, in bytes. A compressed file of a few kilobytes may contain a line that fills the memory.
const MAX_LENGTH: usize = 16 << 20;

/// Reads a file line by line.
pub(super) struct Lines {
    input: TextInput,
    buffer: Vec<u8>,
    /// Number of the line read last, starting at 1.
    pub number: u64,
}

impl Lines {
    pub fn open(path: &Path) -> Result<Self, InputError> {
        Ok(Self { input: TextInput::open(path)?, buffer: Vec::new(), number: 0 })
    }

    /// Returns file and number of the line read last.
    pub fn place(&self) -> String {
        self.place_of(self.number)
    }

    /// Returns file and number of a line.
    pub fn place_of(&self, line: u64) -> String {
        format!("{}:{line}", self.input.name())
    }

    /// Returns the next line without its line end; `None` after the last one.
    pub fn next_line(&mut self) -> Result<Option<String>, InputError> {
        self.buffer.clear();
        self.number += 1;
        let read = (&mut self.input).take(MAX_LENGTH as u64 + 1).read_until(b'\n', &mut self.buffer);
        if self.buffer.len() > MAX_LENGTH {
            let message = format!("the line is longer than {} MiB", MAX_LENGTH >> 20);
            return Err(InputError::one(self.place(), message, "Check that this is a text file."));
        }
        if read.map_err(|error| unreadable(&self.place(), &error))? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&self.buffer);
        Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
    }
}
