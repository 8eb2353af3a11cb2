//! Cuts the text of a plans file into chunks of whole persons.

use std::io::{self, BufRead};

use memchr::{memchr_iter, memmem};

/// The end of the last person of a chunk.
const END_OF_PERSON: &[u8] = b"</person>";

/// Bytes of text to cut a chunk from: enough to make handing it to another thread cheap, few enough for the cache.
pub(super) const CHUNK_BYTES: usize = 256 << 10;

/// Maximum size of a chunk, bytes. A file may have gigabytes without the end of a person, and several chunks are in
/// memory at the same time.
pub(super) const MAX_CHUNK_BYTES: usize = 16 << 20;

/// A part of the text.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) text: Vec<u8>,
    /// Line of the file where it begins.
    pub(super) line: u64,
    pub(super) cut: Cut,
}

/// The reason why a chunk ends.
#[derive(Debug)]
pub(super) enum Cut {
    /// It ends with `</person>`.
    AfterPerson,
    /// It contains the rest of the file.
    EndOfFile,
    /// No end of a person was found in it, or in a chunk before it.
    TooLong,
    /// Reading failed.
    Failed(io::Error),
}

/// Iterates over the chunks.
pub(super) struct Chunks {
    input: Box<dyn BufRead + Send>,
    /// Text after the previous cut.
    rest: Vec<u8>,
    /// Line where `rest` begins.
    line: u64,
    min_bytes: usize,
    /// Whether a chunk was too long: one thread reads the rest, which needs no ends of persons.
    is_long: bool,
    ended: bool,
}

impl Chunks {
    /// Cuts `input`, which begins at `line` of the file, into chunks, each cut from at least `min_bytes` of text.
    pub(super) fn new(input: Box<dyn BufRead + Send>, line: u64, min_bytes: usize) -> Self {
        Self { input, rest: Vec::new(), line, min_bytes, is_long: false, ended: false }
    }

    fn cut(&mut self, text: Vec<u8>, cut: Cut) -> Chunk {
        let line = self.line;
        self.line += memchr_iter(b'\n', &text).count() as u64;
        self.ended = matches!(cut, Cut::EndOfFile | Cut::Failed(_));
        self.is_long |= matches!(cut, Cut::TooLong);
        Chunk { text, line, cut }
    }
}

impl Iterator for Chunks {
    type Item = Chunk;

    fn next(&mut self) -> Option<Chunk> {
        if self.ended {
            return None;
        }
        let mut text = std::mem::take(&mut self.rest);
        // A tag may continue in the next block.
        let mut searched = 0;
        loop {
            if text.len() >= self.min_bytes
                && !self.is_long
                && let Some(at) = memmem::rfind(&text[searched..], END_OF_PERSON)
            {
                self.rest = text.split_off(searched + at + END_OF_PERSON.len());
                return Some(self.cut(text, Cut::AfterPerson));
            }
            if text.len() >= if self.is_long { self.min_bytes } else { MAX_CHUNK_BYTES } {
                return Some(self.cut(text, Cut::TooLong));
            }
            if text.len() >= self.min_bytes {
                searched = text.len().saturating_sub(END_OF_PERSON.len());
            }
            match self.input.fill_buf() {
                Ok([]) => return Some(self.cut(text, Cut::EndOfFile)),
                Ok(block) => {
                    text.extend_from_slice(block);
                    let read = block.len();
                    self.input.consume(read);
                }
                Err(error) => return Some(self.cut(text, Cut::Failed(error))),
            }
        }
    }
}

impl std::fmt::Debug for Chunks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chunks").field("line", &self.line).finish_non_exhaustive()
    }
}
