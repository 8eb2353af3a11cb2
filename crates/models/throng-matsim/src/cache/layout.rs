//! Header, directory and footer of the cache file.

use throng_core::{InputError, checksum};

pub(super) const MAGIC: [u8; 8] = *b"THRONG\x1a\n";
pub(super) const END_MAGIC: [u8; 8] = *b"\nTHRONG.";
/// Version of the format, raised with every change; other versions are rejected.
pub(super) const VERSION: u32 = 4;
pub(super) const HEAD_BYTES: u64 = 16;
pub(super) const FOOT_BYTES: u64 = 32;

/// Size of a block before compression, in bytes: fits into the processor's caches, and is small enough to keep many
/// threads busy.
pub(super) const BLOCK_BYTES: usize = 1 << 20;

/// Upper bound of the compression ratio (zstd needs 4 bytes for 128 KiB of identical bytes): limits the memory that a
/// damaged or foreign file can request to a multiple of its size.
const MAX_COMPRESSION_RATIO: u64 = 1 << 16;

/// A block of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    /// Offset in the file, in bytes; follows from the sizes of the preceding blocks.
    pub(super) offset: u64,
    /// Size after decompression, in bytes.
    pub(super) raw: u32,
    /// Size in the file, in bytes; equal to `raw` if the block is not compressed.
    pub(super) stored: u32,
    /// Checksum of the bytes in the file.
    pub(super) checksum: u64,
}

/// A column in the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    /// Number of values.
    pub(super) values: u64,
    pub(super) blocks: Vec<Block>,
}

impl Column {
    /// Returns the size after decompression, in bytes.
    pub(super) fn raw_bytes(&self) -> u64 {
        self.blocks.iter().map(|block| u64::from(block.raw)).sum()
    }
}

pub(super) fn head() -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    bytes
}

/// Encodes directory and footer of a file whose blocks end at `offset`.
pub(super) fn tail(columns: &[Column], offset: u64) -> Vec<u8> {
    let mut bytes = (columns.len() as u32).to_le_bytes().to_vec();
    for column in columns {
        bytes.push(column.name.len() as u8);
        bytes.extend_from_slice(column.name.as_bytes());
        bytes.extend_from_slice(&column.values.to_le_bytes());
        bytes.extend_from_slice(&(column.blocks.len() as u32).to_le_bytes());
        for block in &column.blocks {
            bytes.extend_from_slice(&block.raw.to_le_bytes());
            bytes.extend_from_slice(&block.stored.to_le_bytes());
            bytes.extend_from_slice(&block.checksum.to_le_bytes());
        }
    }
    let (length, sum) = (bytes.len() as u64, checksum::of_bytes(&bytes));
    for number in [offset, length, sum] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(&END_MAGIC);
    bytes
}

/// Returns an error about an unusable cache file named `file`.
pub(super) fn damaged(file: &str, what: impl std::fmt::Display) -> InputError {
    InputError::one(
        file,
        what,
        "Create it again with `throng convert CONFIG scenario.throng` or `throng generate city`.",
    )
}

/// Checks the header of a file.
pub(super) fn check_head(file: &str, head: &[u8]) -> Result<(), InputError> {
    if !head.starts_with(&MAGIC) {
        return Err(InputError::one(
            file,
            "this is not a scenario cache",
            "Create a cache with `throng convert CONFIG scenario.throng`; plans and networks have their own parameters.",
        ));
    }
    let word = |at: usize| head.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes);
    if word(8) != VERSION {
        let what = format!("the cache has version {}, this program reads version {VERSION}", word(8));
        return Err(damaged(file, what));
    }
    if word(12) != 0 {
        return Err(damaged(file, "the header of the file is damaged"));
    }
    Ok(())
}

/// Checks the footer of a file of `file_bytes` and returns offset, length and checksum of the directory.
pub(super) fn check_foot(file: &str, foot: &[u8], file_bytes: u64) -> Result<(u64, u64, u64), InputError> {
    let word = |at: usize| foot.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes);
    if foot.get(24..) != Some(&END_MAGIC) {
        return Err(damaged(
            file,
            format!("the file is truncated or damaged at its end, {file_bytes} bytes from its start"),
        ));
    }
    let (offset, length, sum) = (word(0), word(8), word(16));
    if offset < HEAD_BYTES || offset.checked_add(length) != file_bytes.checked_sub(FOOT_BYTES) {
        let what =
            format!("the footer gives its directory as {length} bytes at {offset}, in a file of {file_bytes} bytes");
        return Err(damaged(file, what));
    }
    Ok((offset, length, sum))
}

/// Decodes the directory; the blocks are between the header and `offset`.
pub(super) fn directory(file: &str, bytes: &[u8], sum: u64, offset: u64) -> Result<Vec<Column>, InputError> {
    if checksum::of_bytes(bytes) != sum {
        return Err(damaged(file, "the directory of the file is damaged (its checksum is wrong)"));
    }
    let mut cursor = Cursor { bytes };
    let columns = read_columns(&mut cursor).filter(|_| cursor.bytes.is_empty());
    let columns = columns.ok_or_else(|| damaged(file, "the directory of the file is invalid"))?;
    let end = columns.iter().flat_map(|c| &c.blocks).fold(HEAD_BYTES, |end, block| end + u64::from(block.stored));
    if end != offset {
        return Err(damaged(
            file,
            format!("the blocks of the file end at {end}, but its directory begins at {offset}"),
        ));
    }
    Ok(columns)
}

fn read_columns(cursor: &mut Cursor<'_>) -> Option<Vec<Column>> {
    let mut columns = Vec::new();
    let mut offset = HEAD_BYTES;
    for _ in 0..cursor.u32()? {
        let length = usize::from(*cursor.take(1)?.first()?);
        let name = String::from_utf8(cursor.take(length)?.to_vec()).ok()?;
        let values = cursor.u64()?;
        let mut blocks = Vec::new();
        for _ in 0..cursor.u32()? {
            let (raw, stored, checksum) = (cursor.u32()?, cursor.u32()?, cursor.u64()?);
            if stored > raw || u64::from(raw) > u64::from(stored) * MAX_COMPRESSION_RATIO {
                return None;
            }
            blocks.push(Block { offset, raw, stored, checksum });
            // The directory has 16 bytes per block, so this cannot overflow.
            offset += u64::from(stored);
        }
        columns.push(Column { name, values, blocks });
    }
    Some(columns)
}

struct Cursor<'a> {
    bytes: &'a [u8],
}

impl<'a> Cursor<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }
}
