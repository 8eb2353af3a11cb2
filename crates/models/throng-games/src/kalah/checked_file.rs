//! Files of 64-bit words for one game. They identify the game, and checksums detect damage.
//!
//! | bytes | meaning |
//! |---|---|
//! | 8 | kind of the file, in letters |
//! | 8 | version |
//! | 8 each | pits, stones, empty capture: 0 or 1 |
//! | 8 | checksum of everything before |
//! | 8 | number of words in the next block; 0 after the last block |
//! | 8 each | the words of the block |
//! | 8 | checksum of everything before |
//!
//! Numbers are little-endian. Checksums do not cover earlier checksums.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Write};
use std::path::Path;

use throng_core::{InputError, open_input, unreadable_input};
use throng_output::{OutputError, PendingFile};

/// Maximum number of words in a block.
pub const BLOCK: usize = 1 << 16;

/// The version of the format.
const VERSION: u64 = 1;

/// The kind of a file, and its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Identifies the kind of the file.
    pub magic: [u8; 8],
    /// Pits per player.
    pub pits: u32,
    /// Number of stones: per pit at the start for a table, maximum in all pits together for an endgame base.
    pub stones: u32,
    /// Whether the game has empty captures.
    pub empty_capture: bool,
}

/// A checksum that depends on the order of the words.
#[derive(Debug, Clone, Copy)]
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, words: &[u64]) {
        for word in words {
            let sum = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            self.0 = sum ^ (sum >> 29);
        }
    }
}

/// A file being written. It gets its final name when it is complete, so an interruption leaves an older file intact.
pub struct Writer {
    file: PendingFile,
    checksum: Checksum,
    block: Vec<u64>,
}

impl Writer {
    /// Starts a file.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path, header: Header) -> Result<Self, OutputError> {
        Self::begin(PendingFile::create(path)?, header)
    }

    /// Starts writing to a file that has been created.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin(file: PendingFile, header: Header) -> Result<Self, OutputError> {
        let mut writer = Self { file, checksum: Checksum(0), block: Vec::with_capacity(BLOCK) };
        let Header { magic, pits, stones, empty_capture } = header;
        let kind = u64::from_le_bytes(magic);
        writer.checked(&[kind, VERSION, pits.into(), stones.into(), empty_capture.into()])?;
        Ok(writer)
    }

    /// Appends a word.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn push(&mut self, word: u64) -> Result<(), OutputError> {
        self.block.push(word);
        if self.block.len() == BLOCK { self.write_block() } else { Ok(()) }
    }

    /// Completes the file and gives it its final name.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<(), OutputError> {
        if !self.block.is_empty() {
            self.write_block()?;
        }
        self.write_block()?;
        self.file.complete()?;
        Ok(())
    }

    fn write_block(&mut self) -> Result<(), OutputError> {
        let mut words = vec![self.block.len() as u64];
        words.append(&mut self.block);
        self.checked(&words)
    }

    fn checked(&mut self, words: &[u64]) -> Result<(), OutputError> {
        self.checksum.add(words);
        let bytes: Vec<u8> = words.iter().chain([&self.checksum.0]).flat_map(|word| word.to_le_bytes()).collect();
        self.file.write_all(&bytes).map_err(|error| self.file.error(error))
    }
}

/// Reads a file and computes its checksum.
pub struct Reader {
    file: BufReader<File>,
    path: String,
    checksum: Checksum,
    /// Name of the kind of file, for messages.
    what: &'static str,
}

impl Reader {
    /// Opens a file of the kind `magic`; `what` is the name of that kind in messages.
    ///
    /// # Errors
    /// If the file is missing, of another kind or version, damaged or truncated.
    pub fn open(path: &Path, magic: [u8; 8], what: &'static str) -> Result<(Self, Header), InputError> {
        let place = path.display().to_string();
        let file = open_input(path).map_err(|error| unreadable_input(path, &error))?;
        let mut reader =
            Self { file: BufReader::with_capacity(1 << 20, file), path: place, checksum: Checksum(0), what };
        if reader.kind()? != Some(magic) {
            return Err(reader.error("is a file of another kind", format!("name a file that is {what}")));
        }
        reader.checksum.add(&[u64::from_le_bytes(magic)]);
        let fields = reader.words(4)?;
        reader.compare_checksum()?;
        let &[version, pits, stones, empty] = &fields[..] else { unreachable!("four words were read") };
        if version != VERSION {
            let remedy = format!("create it again with this program, which reads version {VERSION}");
            return Err(reader.error(&format!("version {version}"), remedy));
        }
        let header = Header { magic, pits: pits as u32, stones: stones as u32, empty_capture: empty == 1 };
        Ok((reader, header))
    }

    /// Reads the first eight bytes; `None` if the file is shorter. Until they prove that Throng wrote the file, no
    /// message may advise the user to delete it.
    fn kind(&mut self) -> Result<Option<[u8; 8]>, InputError> {
        let mut kind = [0; 8];
        match self.file.read_exact(&mut kind) {
            Ok(()) => Ok(Some(kind)),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(self.unreadable(&error)),
        }
    }

    /// Returns the words of the next block; empty after the last one.
    ///
    /// # Errors
    /// If the file is damaged or truncated.
    pub fn block(&mut self) -> Result<Vec<u64>, InputError> {
        let len = self.words(1)?[0];
        if len > BLOCK as u64 {
            return Err(self.corrupted());
        }
        let words = self.words(len as usize)?;
        self.compare_checksum()?;
        if len == 0 && self.file.read(&mut [0]).is_ok_and(|read| read > 0) {
            return Err(self.error("has data after its end", self.remedy()));
        }
        Ok(words)
    }

    /// Returns an error about the file.
    pub fn error(&self, message: &str, remedy: impl Into<String>) -> InputError {
        InputError::one(self.path.clone(), message, remedy)
    }

    /// Returns the error for a file with impossible content.
    pub fn corrupted(&self) -> InputError {
        self.error("is corrupted: a checksum or the content is wrong", self.remedy())
    }

    fn remedy(&self) -> String {
        format!("delete it and create it again: {}", self.what)
    }

    fn unreadable(&self, error: &std::io::Error) -> InputError {
        self.error(&format!("cannot be read: {error}"), "name a file that can be read")
    }

    fn words(&mut self, len: usize) -> Result<Vec<u64>, InputError> {
        let words = self.plain_words(len)?;
        self.checksum.add(&words);
        Ok(words)
    }

    fn compare_checksum(&mut self) -> Result<(), InputError> {
        let expected = self.plain_words(1)?[0];
        if expected == self.checksum.0 { Ok(()) } else { Err(self.corrupted()) }
    }

    fn plain_words(&mut self, len: usize) -> Result<Vec<u64>, InputError> {
        let mut bytes = vec![0; 8 * len];
        self.file.read_exact(&mut bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => self.error("is cut short", self.remedy()),
            _ => self.unreadable(&error),
        })?;
        let words = bytes.chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")));
        Ok(words.collect())
    }
}
