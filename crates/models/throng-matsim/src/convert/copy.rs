//! Copies a file unchanged. XML is parsed along the way, so that a broken file does not pass for a complete one.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use throng_core::InputError;

use super::kind::FileKind;
use crate::formats::events_reader::EventsReader;
use crate::formats::open::{TextInput, unreadable};
use crate::formats::xml::{Token, Xml};
use throng_output::FileError;

/// Copies an XML file as decoded text, otherwise unchanged, to `out`, which messages call `output`.
///
/// # Errors
/// If `input` cannot be read or is not well-formed, or `out` cannot be written.
pub fn copy_xml(input: &Path, out: &mut impl Write, output: &Path) -> Result<(), FileError> {
    copy(input, FileKind::OtherXml, out, output).map(|_| ())
}

/// Copies `input` to `out`, which messages call `output`; returns the number of events of an events file, else 0.
pub(super) fn copy(input: &Path, kind: FileKind, out: &mut impl Write, output: &Path) -> Result<u64, FileError> {
    let input = TextInput::open(input)?;
    let file = input.name().to_owned();
    let mut tee = Tee { input, out, failed: None };
    let parsed = match kind {
        FileKind::Events => count_events(&mut tee, &file),
        FileKind::OtherText => read_to_end(&mut tee, &file).map(|()| 0),
        _ => parse(&mut tee, &file).map(|()| 0),
    };
    // A write error takes precedence: it ended the reading, so a parse error would be misleading.
    match tee.failed {
        Some(error) => Err(FileError::writing(output, error)),
        None => Ok(parsed?),
    }
}

fn count_events(input: impl BufRead, file: &str) -> Result<u64, InputError> {
    let mut events = EventsReader::new(input, file);
    let mut count = 0;
    while events.read()?.is_some() {
        count += 1;
    }
    Ok(count)
}

fn parse(input: impl BufRead, file: &str) -> Result<(), InputError> {
    let mut xml = Xml::new(input, file);
    while !matches!(xml.read()?, Token::Eof) {}
    Ok(())
}

fn read_to_end(mut input: impl BufRead, file: &str) -> Result<(), InputError> {
    loop {
        let read = input.fill_buf().map_err(|error| unreadable(file, &error))?.len();
        if read == 0 {
            return Ok(());
        }
        input.consume(read);
    }
}

/// A reader that copies everything read through it to a writer.
struct Tee<'a, W> {
    input: TextInput,
    out: &'a mut W,
    /// Set by the first write that fails, which also ends the reading.
    failed: Option<io::Error>,
}

impl<W: Write> BufRead for Tee<'_, W> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match &self.failed {
            Some(error) => Err(io::Error::from(error.kind())),
            None => self.input.fill_buf(),
        }
    }

    fn consume(&mut self, amount: usize) {
        if self.failed.is_none() {
            // This reads nothing: `fill_buf` has already returned these bytes.
            let shown = self.input.fill_buf().unwrap_or_default();
            self.failed = self.out.write_all(shown.get(..amount).unwrap_or(shown)).err();
        }
        self.input.consume(amount);
    }
}

impl<W: Write> Read for Tee<'_, W> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}
