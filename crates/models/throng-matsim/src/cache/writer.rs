//! Writes columns: blocks are encoded and compressed on all threads, and written in order.

use std::io::{self, Write};

use rayon::prelude::*;
use throng_core::{IdTable, checksum};
use throng_output::{OutputError, PendingFile, WrittenFile};

use super::element::Element;
use super::layout::{BLOCK_BYTES, Block, Column, HEAD_BYTES, head, tail};

/// Maximum number of blocks in memory.
const BLOCKS_IN_FLIGHT: usize = 64;

/// The fastest compression level: most of the possible gain, at about 1 GB/s per thread.
const ZSTD_LEVEL: i32 = 1;

/// A cache file open for writing.
pub(super) struct Writer {
    file: PendingFile,
    columns: Vec<Column>,
    offset: u64,
}

impl Writer {
    pub(super) fn create(mut file: PendingFile) -> Result<Self, OutputError> {
        file.write_all(&head()).map_err(|e| file.error(e))?;
        Ok(Self { file, columns: Vec::new(), offset: HEAD_BYTES })
    }

    /// Writes a column of existing values.
    pub(super) fn column<T: Element>(&mut self, name: &str, values: &[T]) -> Result<(), OutputError> {
        self.computed_column(name, values.len(), |i| values[i])
    }

    /// Writes a column of values computed one by one.
    pub(super) fn computed_column<T: Element>(
        &mut self,
        name: &str,
        values: usize,
        value: impl Fn(usize) -> T + Sync,
    ) -> Result<(), OutputError> {
        let per_block = BLOCK_BYTES / T::BYTES;
        self.blocks(name, values as u64, values.div_ceil(per_block), |block, out| {
            for i in block * per_block..values.min((block + 1) * per_block) {
                value(i).put(out);
            }
        })
    }

    /// Writes ids or other strings as two columns.
    pub(super) fn texts(&mut self, name: &str, texts: &IdTable) -> Result<(), OutputError> {
        self.column(&format!("{name}.text"), texts.text().as_bytes())?;
        self.column(&format!("{name}.ends"), texts.ends())
    }

    /// Writes a column; `make` appends the bytes of each block to an empty buffer.
    pub(super) fn blocks(
        &mut self,
        name: &str,
        values: u64,
        blocks: usize,
        make: impl Fn(usize, &mut Vec<u8>) + Sync,
    ) -> Result<(), OutputError> {
        let mut column = Column { name: name.to_owned(), values, blocks: Vec::with_capacity(blocks) };
        for first in (0..blocks).step_by(BLOCKS_IN_FLIGHT) {
            let packed: Vec<io::Result<Packed>> = (first..blocks.min(first + BLOCKS_IN_FLIGHT))
                .into_par_iter()
                .map_init(
                    || (zstd::bulk::Compressor::new(ZSTD_LEVEL), Vec::new()),
                    |(compressor, raw), block| {
                        raw.clear();
                        make(block, raw);
                        match compressor {
                            Ok(compressor) => pack(compressor, raw),
                            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
                        }
                    },
                )
                .collect();
            for block in packed {
                let Packed { raw, stored, checksum } = block.map_err(|e| self.file.error(e))?;
                self.file.write_all(&stored).map_err(|e| self.file.error(e))?;
                column.blocks.push(Block { offset: self.offset, raw, stored: stored.len() as u32, checksum });
                self.offset += stored.len() as u64;
            }
        }
        self.columns.push(column);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<WrittenFile, OutputError> {
        let tail = tail(&self.columns, self.offset);
        self.file.write_all(&tail).map_err(|e| self.file.error(e))?;
        self.file.complete()
    }
}

struct Packed {
    raw: u32,
    stored: Vec<u8>,
    checksum: u64,
}

fn pack(compressor: &mut zstd::bulk::Compressor<'_>, raw: &[u8]) -> io::Result<Packed> {
    let size = u32::try_from(raw.len()).map_err(|_| io::Error::other("a block of 4 GiB or more"))?;
    let packed = compressor.compress(raw)?;
    // Caches must be fast to read: store a block uncompressed unless compression saves at least an eighth.
    let stored = if packed.len() < raw.len() / 8 * 7 { packed } else { raw.to_vec() };
    Ok(Packed { raw: size, checksum: checksum::of_bytes(&stored), stored })
}
