//! The pages of a column of text: a dictionary, and the position of each row's value in it.
//!
//! The column writer of the parquet crate hashes every value, and compares it with the smallest and the largest so far.
//! Here a value that is given as an index into a table of names is hashed once per part of a row group.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Encoding, EncodingMask};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::page_index::offset_index::{OffsetIndexMetaData, PageLocation};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use throng_core::IdTable;

use super::column::PRESENT;
use super::file::{compression, zstd_level};
use super::hybrid::{bit_width, hybrid};

/// Maximum length of a value in the statistics, bytes.
const MAX_STATISTICS_BYTES: usize = 64;

/// Number of names per value above which the codes of names are kept in a hash table.
const SPARSE: usize = 8;

/// A column of text under construction.
pub(super) struct TextChunk {
    descriptor: ColumnDescPtr,
    /// The code of each value: its position in the dictionary, which is in order of first occurrence.
    codes: HashMap<Box<str>, u32>,
    /// The values as in a dictionary page: each with its length before it.
    dictionary: Vec<u8>,
    /// The codes of all rows that have a value.
    values: Vec<u32>,
    /// Definition level per row, for optional columns.
    levels: Vec<u8>,
}

impl TextChunk {
    pub fn new(descriptor: ColumnDescPtr) -> Self {
        Self { descriptor, codes: HashMap::new(), dictionary: Vec::new(), values: Vec::new(), levels: Vec::new() }
    }

    /// Appends the definition levels of rows; empty for a required column.
    pub fn append_levels(&mut self, levels: &[i16]) {
        self.levels.extend(levels.iter().map(|&level| u8::from(level == PRESENT)));
    }

    /// Appends values.
    pub fn append_texts(&mut self, texts: &[&str]) -> Result<(), ParquetError> {
        self.values.reserve(texts.len());
        for text in texts {
            let code = self.code(text)?;
            self.values.push(code);
        }
        Ok(())
    }

    /// Appends values that are indices into `names`.
    pub fn append_names(&mut self, indices: &[u32], names: &IdTable) -> Result<(), ParquetError> {
        self.values.reserve(indices.len());
        if names.len() > SPARSE * indices.len() {
            let mut found = HashMap::new();
            for &index in indices {
                let code = match found.entry(index) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(new) => *new.insert(self.code(names.name(index))?),
                };
                self.values.push(code);
            }
            return Ok(());
        }
        // The code plus one of each name; 0: not yet looked up.
        let mut found = vec![0_u32; names.len()];
        for &index in indices {
            let entry = &mut found[index as usize];
            if *entry == 0 {
                *entry = self.code(names.name(index))? + 1;
            }
            self.values.push(*entry - 1);
        }
        Ok(())
    }

    /// Returns the code of a value, and adds the value to the dictionary if it is new.
    fn code(&mut self, text: &str) -> Result<u32, ParquetError> {
        if let Some(&code) = self.codes.get(text) {
            return Ok(code);
        }
        if text.len() + self.dictionary.len() + 4 > i32::MAX as usize {
            let column = self.descriptor.name();
            return Err(ParquetError::General(format!("the texts of column \"{column}\" exceed 2 GiB")));
        }
        let code = self.codes.len() as u32;
        self.dictionary.extend((text.len() as u32).to_le_bytes());
        self.dictionary.extend(text.as_bytes());
        self.codes.insert(text.into(), code);
        Ok(code)
    }

    /// Returns the number of rows.
    fn rows(&self) -> usize {
        if self.descriptor.max_def_level() > 0 { self.levels.len() } else { self.values.len() }
    }

    /// Returns the pages and the metadata of the chunk.
    pub fn finish(self) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
        let rows = self.rows();
        let mut data = Vec::new();
        if self.descriptor.max_def_level() > 0 {
            hybrid(&self.levels, 1, &mut data);
            let length = data.len() as u32;
            data.splice(0..0, length.to_le_bytes());
        }
        let width = bit_width(self.codes.len());
        data.push(width);
        hybrid(&self.values, width, &mut data);
        let (entries, statistics) = (self.codes.len() as u32, self.statistics());

        let mut sink = TrackedWrite::new(Vec::new());
        let mut pages = SerializedPageWriter::new(&mut sink);
        let dictionary = write(&mut pages, &self.dictionary, |buf| Page::DictionaryPage {
            buf,
            num_values: entries,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        })?;
        let values = write(&mut pages, &data, |buf| Page::DataPage {
            buf,
            num_values: rows as u32,
            encoding: Encoding::RLE_DICTIONARY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        })?;
        let encodings = [Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY];
        let metadata = ColumnChunkMetaData::builder(Arc::clone(&self.descriptor))
            .set_compression(compression())
            .set_encodings_mask(EncodingMask::new_from_encodings(encodings.iter()))
            .set_total_compressed_size((dictionary.compressed + values.compressed) as i64)
            .set_total_uncompressed_size((dictionary.uncompressed + values.uncompressed) as i64)
            .set_num_values(rows as i64)
            .set_dictionary_page_offset(Some(dictionary.offset as i64))
            .set_data_page_offset(values.offset as i64)
            .set_statistics(statistics)
            .build()?;
        let location = PageLocation {
            offset: values.offset as i64,
            compressed_page_size: values.compressed as i32,
            first_row_index: 0,
        };
        let offsets = OffsetIndexMetaData { page_locations: vec![location], unencoded_byte_array_data_bytes: None };
        let bytes = sink.into_inner()?;
        let result = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: rows as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: Some(offsets),
        };
        Ok((bytes.into(), result))
    }

    /// Returns the number of missing values, and the smallest and the largest value unless they are long.
    fn statistics(&self) -> Statistics {
        let nulls = self.rows() - self.values.len();
        let bound = |text: Option<&Box<str>>| {
            text.filter(|text| text.len() <= MAX_STATISTICS_BYTES).map(|text| ByteArray::from(&**text))
        };
        let (min, max) = (bound(self.codes.keys().min()), bound(self.codes.keys().max()));
        let (min, max) = min.zip(max).unzip();
        Statistics::byte_array(min, max, None, Some(nulls as u64), false)
    }
}

/// The location and size of a page, bytes, including its header.
struct Written {
    offset: u64,
    compressed: usize,
    uncompressed: usize,
}

/// Compresses and writes a page.
fn write(
    pages: &mut SerializedPageWriter<'_, Vec<u8>>,
    content: &[u8],
    page: impl FnOnce(Bytes) -> Page,
) -> Result<Written, ParquetError> {
    let packed = zstd::bulk::compress(content, zstd_level().compression_level())
        .map_err(|error| ParquetError::External(Box::new(error)))?;
    let spec = pages.write_page(CompressedPage::new(page(packed.into()), content.len()))?;
    Ok(Written { offset: spec.offset, compressed: spec.compressed_size, uncompressed: spec.uncompressed_size })
}
