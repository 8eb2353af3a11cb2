//! The collected tables of all runs of a sweep, concatenated in a file: `tables.journal`.
//!
//! The record of a run in the journal contains the locations and checksums of its tables. Tables are appended before
//! the record, so anything after the last recorded table belongs to an unfinished run.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use throng_core::checksum;
use throng_output::{Codec, OutputError};

use crate::Failure;

/// File name.
pub(super) const TABLES: &str = "tables.journal";
/// First bytes of the file, with the version of its format.
const MAGIC: &[u8; 16] = b"throng tables 1\n";

/// Location of a table of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Piece {
    offset: u64,
    bytes: u64,
    checksum: u64,
}

/// The file, open for appending.
#[derive(Debug)]
pub(super) struct TableStore {
    path: PathBuf,
    file: File,
    /// Its length in bytes.
    end: u64,
}

impl TableStore {
    /// Opens or creates the file at a path.
    ///
    /// # Errors
    /// When the file cannot be read or written, or has another format.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let failed = |action: &'static str| move |error| OutputError::io(action, path, error);
        let other = || {
            Failure::input(path.display().to_string(), "holds no tables of a sweep", "choose another folder with --out")
        };
        // Opening a pipe would block.
        if path.exists() && !path.is_file() {
            return Err(other());
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed("open"))?;
        let mut magic = Vec::new();
        (&mut file).take(MAGIC.len() as u64).read_to_end(&mut magic).map_err(failed("read"))?;
        if !MAGIC.starts_with(&magic) {
            return Err(other());
        }
        if magic.len() < MAGIC.len() {
            file.set_len(0).map_err(failed("write"))?;
            file.write_all(MAGIC).map_err(failed("write"))?;
        }
        let end = file.metadata().map_err(failed("read"))?.len();
        Ok(Self { path: path.to_owned(), file, end })
    }

    /// Appends the content of a file, decompressed according to its suffix.
    ///
    /// # Errors
    /// When it cannot be read or written; the store is then unchanged.
    pub fn append(&mut self, table: &Path) -> Result<Piece, OutputError> {
        let from = Codec::open(table).map_err(|error| OutputError::io("read", table, error))?;
        let mut copying = Copying { from, to: &self.file, has_read: true };
        let (bytes, checksum) = checksum::of_reader(&mut copying).map_err(|error| {
            // If this also fails, the rest is dropped when the store is opened again.
            let _ = self.file.set_len(self.end);
            if copying.has_read { self.error("write", error) } else { OutputError::io("read", table, error) }
        })?;
        let piece = Piece { offset: self.end, bytes, checksum };
        self.end += bytes;
        Ok(piece)
    }

    /// Whether a table is present and undamaged.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn holds(&self, piece: &Piece) -> Result<bool, OutputError> {
        let found = self.part(piece).and_then(checksum::of_reader).map_err(|error| self.error("read", error))?;
        Ok(found == (piece.bytes, piece.checksum))
    }

    /// Truncates the file after these tables, and returns the number of bytes dropped.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep_only<'p>(&mut self, pieces: impl Iterator<Item = &'p Piece>) -> Result<u64, OutputError> {
        let end = pieces.map(|piece| piece.offset.saturating_add(piece.bytes)).fold(MAGIC.len() as u64, u64::max);
        let dropped = self.end.saturating_sub(end);
        if dropped > 0 {
            self.file.set_len(end).map_err(|error| self.error("write", error))?;
            self.end = end;
        }
        Ok(dropped)
    }

    /// Returns a reader of a table. Only one such reader may be in use at a time.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(&self, piece: &Piece) -> Result<impl BufRead, OutputError> {
        self.part(piece).map(BufReader::new).map_err(|error| self.error("read", error))
    }

    fn part(&self, piece: &Piece) -> io::Result<impl Read> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(piece.offset))?;
        Ok(file.take(piece.bytes))
    }

    /// Flushes the file to the disk.
    ///
    /// # Errors
    /// When the operating system reports an error.
    pub fn sync(&self) -> Result<(), OutputError> {
        self.file.sync_data().map_err(|error| self.error("write", error))
    }

    fn error(&self, action: &'static str, error: io::Error) -> OutputError {
        OutputError::io(action, &self.path, error)
    }
}

/// A reader that also writes the content elsewhere.
struct Copying<R, W> {
    from: R,
    to: W,
    /// Whether the last read was successful.
    has_read: bool,
}

impl<R: Read, W: Write> Read for Copying<R, W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.has_read = false;
        let read = self.from.read(buffer)?;
        self.has_read = true;
        self.to.write_all(&buffer[..read])?;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(store: &TableStore, piece: &Piece) -> String {
        let mut text = String::new();
        store.read(piece).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn tables_are_read_back_unchanged_and_damage_is_detected() {
        let dir = tempfile::tempdir().unwrap();
        let (path, table) = (dir.path().join(TABLES), dir.path().join("a.csv"));
        let mut store = TableStore::open(&path).unwrap();
        let append = |store: &mut TableStore, text: &str| {
            std::fs::write(&table, text).unwrap();
            store.append(&table).unwrap()
        };
        let long = "x;y\r\n".repeat(40_000);
        let [a, empty, b] = ["1;2\r\n", "", &long].map(|text| append(&mut store, text));
        assert_eq!([&b, &a, &empty].map(|piece| text(&store, piece)), [long.as_str(), "1;2\r\n", ""]);
        // A table of an unfinished run.
        append(&mut store, "torn");
        let mut store = TableStore::open(&path).unwrap();
        assert_eq!(store.keep_only([&a, &b].into_iter()).unwrap(), 4);
        let c = append(&mut store, "c");
        assert!([&a, &empty, &b, &c].iter().all(|piece| store.holds(piece).unwrap()));
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[17] ^= 1;
        bytes.pop();
        std::fs::write(&path, bytes).unwrap();
        let store = TableStore::open(&path).unwrap();
        assert_eq!([&a, &b, &c].map(|piece| store.holds(piece).unwrap()), [false, true, false]);
    }

    #[test]
    fn a_file_that_is_not_a_table_store_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(TABLES);
        std::fs::write(&path, "my tables").unwrap();
        assert!(TableStore::open(&path).unwrap_err().to_string().contains("holds no tables of a sweep"));
        assert_eq!(std::fs::read(&path).unwrap(), b"my tables");
        assert!(TableStore::open(dir.path()).is_err());
    }
}
