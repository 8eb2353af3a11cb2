//! Reading columns: blocks are read, checked and decompressed on all threads.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use throng_core::{IdTable, InputError, checksum};

use super::element::Element;
use super::layout::{Block, Column, FOOT_BYTES, HEAD_BYTES, check_foot, check_head, damaged, directory};
use crate::formats::open::refuse_special;

/// A cache file open for reading.
pub(super) struct Reader {
    path: PathBuf,
    /// File name for messages.
    pub(super) file: String,
    columns: Vec<Column>,
}

impl Reader {
    pub(super) fn open(path: &Path) -> Result<Self, InputError> {
        let file = path.display().to_string();
        let failed = |error: io::Error| cannot_read(&file, &error);
        refuse_special(path)?;
        let mut source = File::open(path).map_err(failed)?;
        let metadata = source.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(InputError::one(file, "this is a folder", "Name the file scenario.throng in it."));
        }
        let bytes = metadata.len();
        let mut head = Vec::new();
        source.by_ref().take(HEAD_BYTES).read_to_end(&mut head).map_err(failed)?;
        check_head(&file, &head)?;
        if bytes < HEAD_BYTES + FOOT_BYTES {
            return Err(damaged(&file, format!("the file is truncated after {bytes} bytes")));
        }
        let foot = read_at(&mut source, bytes - FOOT_BYTES, FOOT_BYTES as usize).map_err(failed)?;
        // From now on, every length describes a part of the file that exists.
        let (offset, length, sum) = check_foot(&file, &foot, bytes)?;
        let listed = read_at(&mut source, offset, length as usize).map_err(failed)?;
        let columns = directory(&file, &listed, sum, offset)?;
        Ok(Self { path: path.to_owned(), file, columns })
    }

    fn find(&self, name: &str) -> Result<&Column, InputError> {
        let found = self.columns.iter().find(|column| column.name == name);
        found.ok_or_else(|| self.damaged(format!("the cache lacks the column {name}")))
    }

    /// Returns an error about the file.
    pub(super) fn damaged(&self, what: impl std::fmt::Display) -> InputError {
        damaged(&self.file, what)
    }

    /// Reads all values of a column; an invalid value is an error, whose message describes valid ones with `expected`.
    pub(super) fn column<T: Element>(
        &self,
        name: &str,
        fits: impl Fn(T) -> bool + Sync,
        expected: &str,
    ) -> Result<Vec<T>, InputError> {
        let column = self.find(name)?;
        let whole = column.blocks.iter().all(|block| (block.raw as usize).is_multiple_of(T::BYTES));
        if !whole || column.raw_bytes() != column.values.saturating_mul(T::BYTES as u64) {
            let (values, bytes) = (column.values, column.raw_bytes());
            return Err(self.damaged(format!("column {name} has {bytes} bytes for {values} values")));
        }
        let mut values = vec![T::default(); column.values as usize];
        let mut parts = Vec::with_capacity(column.blocks.len());
        let (mut rest, mut first) = (&mut values[..], 0);
        for block in &column.blocks {
            let len = block.raw as usize / T::BYTES;
            let (part, later) = rest.split_at_mut(len);
            parts.push((first, block, part));
            first += len;
            rest = later;
        }
        self.each_block(parts, |(first, block, part), source| {
            T::get_all(source.bytes(name, block)?, part);
            match part.iter().position(|&value| !fits(value)) {
                None => Ok(()),
                Some(at) => Err(self.misfit(name, first + at, part[at], expected)),
            }
        })?;
        Ok(values)
    }

    fn misfit<T: Element>(&self, name: &str, at: usize, value: T, expected: &str) -> InputError {
        self.damaged(format!("value {at} of column {name} is {value}; {expected}"))
    }

    /// Like [`Reader::column`], for a column that must have `values` values.
    pub(super) fn column_of<T: Element>(
        &self,
        name: &str,
        values: usize,
        fits: impl Fn(T) -> bool + Sync,
        expected: &str,
    ) -> Result<Vec<T>, InputError> {
        self.check_values(name, values)?;
        self.column(name, fits, expected)
    }

    fn check_values(&self, name: &str, values: usize) -> Result<(), InputError> {
        let found = self.find(name)?.values;
        if found == values as u64 {
            return Ok(());
        }
        Err(self.damaged(format!("column {name} has {found} values where there should be {values}")))
    }

    /// Reads strings that were written with [`super::writer::Writer::texts`].
    pub(super) fn texts(&self, name: &str) -> Result<IdTable, InputError> {
        let text = self.column(&format!("{name}.text"), |_: u8| true, "")?;
        let text = String::from_utf8(text).map_err(|_| self.damaged(format!("column {name}.text is not UTF-8")))?;
        let ends = self.column(&format!("{name}.ends"), |_: u32| true, "")?;
        IdTable::from_parts(text, ends).map_err(|error| self.damaged(format!("column {name}.ends: {error}")))
    }

    /// Passes every block of a column to `take`, with the element of `parts` at the same index.
    pub(super) fn take_blocks<P: Send>(
        &self,
        name: &str,
        parts: Vec<P>,
        take: impl Fn(P, &[u8]) -> Result<(), InputError> + Sync,
    ) -> Result<(), InputError> {
        let column = self.find(name)?;
        if column.blocks.len() != parts.len() {
            let (found, expected) = (column.blocks.len(), parts.len());
            return Err(self.damaged(format!("column {name} has {found} blocks where there should be {expected}")));
        }
        let work = column.blocks.iter().zip(parts).collect();
        self.each_block(work, |(block, part), source| take(part, source.bytes(name, block)?))
    }

    /// Returns the size of a column after decompression, in bytes.
    pub(super) fn raw_bytes(&self, name: &str) -> Result<u64, InputError> {
        self.find(name).map(Column::raw_bytes)
    }

    /// Calls `run` for all of `work`, on all threads; returns the first error in this order, whichever thread finds it.
    fn each_block<W: Send>(
        &self,
        work: Vec<W>,
        run: impl Fn(W, &mut Source<'_>) -> Result<(), InputError> + Sync,
    ) -> Result<(), InputError> {
        let source = || Source { reader: self, file: None, stored: Vec::new(), raw: Vec::new(), unpacker: None };
        if work.len() < 2 {
            return work.into_iter().try_for_each(|work| run(work, &mut source()));
        }
        let results: Vec<Result<(), InputError>> =
            work.into_par_iter().map_init(source, |source, work| run(work, source)).collect();
        results.into_iter().collect()
    }
}

/// Reads and decompresses blocks; one per thread.
struct Source<'a> {
    reader: &'a Reader,
    file: Option<File>,
    stored: Vec<u8>,
    raw: Vec<u8>,
    unpacker: Option<zstd::bulk::Decompressor<'static>>,
}

impl Source<'_> {
    /// Returns the decompressed bytes of a block.
    fn bytes(&mut self, column: &str, block: &Block) -> Result<&[u8], InputError> {
        let Self { reader, file, stored, raw, unpacker } = self;
        let failed = |error: io::Error| cannot_read(&reader.file, &error);
        let file = match file {
            Some(file) => file,
            // Each thread opens the file itself, because threads read at different positions.
            None => file.insert(File::open(&reader.path).map_err(failed)?),
        };
        stored.resize(block.stored as usize, 0);
        file.seek(SeekFrom::Start(block.offset)).map_err(failed)?;
        file.read_exact(stored).map_err(failed)?;
        let place = || format!("the block of column {column} at byte {}", block.offset);
        if checksum::of_bytes(stored) != block.checksum {
            return Err(reader.damaged(format!("{} is damaged (its checksum is wrong)", place())));
        }
        if block.stored == block.raw {
            return Ok(stored);
        }
        let unpacker = match unpacker {
            Some(unpacker) => unpacker,
            None => unpacker.insert(zstd::bulk::Decompressor::new().map_err(failed)?),
        };
        raw.clear();
        raw.resize(block.raw as usize, 0);
        match unpacker.decompress_to_buffer(stored, &mut raw[..]) {
            Ok(bytes) if bytes == block.raw as usize => Ok(raw),
            _ => Err(reader.damaged(format!("{} cannot be decompressed", place()))),
        }
    }
}

fn read_at(source: &mut File, offset: u64, bytes: usize) -> io::Result<Vec<u8>> {
    let mut read = vec![0; bytes];
    source.seek(SeekFrom::Start(offset))?;
    source.read_exact(&mut read)?;
    Ok(read)
}

fn cannot_read(file: &str, error: &io::Error) -> InputError {
    let remedy = match error.kind() {
        io::ErrorKind::NotFound => {
            "Check throng.scenarioCache, or create the file: `throng convert CONFIG scenario.throng`."
        }
        _ => "Check the disk and the permissions of the file.",
    };
    InputError::one(file, format!("cannot be read: {error}"), remedy)
}
