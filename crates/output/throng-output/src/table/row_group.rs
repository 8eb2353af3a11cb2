//! A row group, encoded and compressed in memory.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use parquet::basic::Type;
use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor};

use super::column::{Column, PRESENT, Values};
use super::text_chunk::TextChunk;
use crate::PendingFile;

/// A row group under construction.
pub(super) struct RowGroup {
    columns: Vec<ColumnChunk>,
    rows: usize,
}

/// A complete row group: the pages of each column, and its metadata for the footer.
pub(super) struct EncodedRowGroup(Vec<(Bytes, ColumnCloseResult)>);

struct ColumnChunk {
    descriptor: ColumnDescPtr,
    writer: ChunkWriter,
}

/// Encodes the values of a column.
enum ChunkWriter {
    Text(Box<TextChunk>),
    Numbers { writer: Box<ColumnWriter<'static>>, pages: Pages },
}

impl RowGroup {
    pub fn new(schema: &SchemaDescriptor, properties: &WriterPropertiesPtr) -> Self {
        let column = |descriptor: &ColumnDescPtr| ColumnChunk::new(Arc::clone(descriptor), Arc::clone(properties));
        Self { columns: schema.columns().iter().map(column).collect(), rows: 0 }
    }

    /// Encodes a complete row group.
    pub fn encode<'a>(
        schema: &SchemaDescriptor,
        properties: &WriterPropertiesPtr,
        columns: impl Iterator<Item = Column<'a>>,
    ) -> Result<EncodedRowGroup, ParquetError> {
        let mut row_group = Self::new(schema, properties);
        let mut chunks = row_group.columns.iter_mut();
        for column in columns {
            let chunk = chunks.next().ok_or_else(|| wrong("more columns than the schema has".into()))?;
            chunk.write(&column, 0..column.rows())?;
        }
        row_group.finish()
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Appends a range of rows of `columns`.
    pub fn write(&mut self, columns: &[Column<'_>], rows: Range<usize>) -> Result<(), ParquetError> {
        self.rows += rows.len();
        self.columns.iter_mut().zip(columns).try_for_each(|(chunk, column)| chunk.write(column, rows.clone()))
    }

    pub fn finish(self) -> Result<EncodedRowGroup, ParquetError> {
        Ok(EncodedRowGroup(self.columns.into_iter().map(ColumnChunk::finish).collect::<Result<_, _>>()?))
    }
}

impl EncodedRowGroup {
    pub fn append_to(self, file: &mut SerializedFileWriter<PendingFile>) -> Result<(), ParquetError> {
        let mut row_group = file.next_row_group()?;
        for (pages, column) in self.0 {
            row_group.append_column(&pages, column)?;
        }
        row_group.close()?;
        Ok(())
    }
}

impl ColumnChunk {
    fn new(descriptor: ColumnDescPtr, properties: WriterPropertiesPtr) -> Self {
        let writer = if descriptor.physical_type() == Type::BYTE_ARRAY {
            ChunkWriter::Text(Box::new(TextChunk::new(Arc::clone(&descriptor))))
        } else {
            let pages = Pages(Arc::new(Mutex::new(TrackedWrite::new(Vec::new()))));
            let writer = get_column_writer(Arc::clone(&descriptor), properties, Box::new(pages.clone()));
            ChunkWriter::Numbers { writer: Box::new(writer), pages }
        };
        Self { descriptor, writer }
    }

    fn write(&mut self, column: &Column<'_>, rows: Range<usize>) -> Result<(), ParquetError> {
        let all_present = vec![PRESENT; if self.is_optional() { rows.len() } else { 0 }];
        let (levels, range) = column.part(rows);
        let levels = match levels {
            None if self.is_optional() => Some(all_present.as_slice()),
            Some(_) if !self.is_optional() => {
                return Err(wrong(format!("column \"{}\" must have a value in each row", self.descriptor.name())));
            }
            levels => levels,
        };
        let writer = match &mut self.writer {
            ChunkWriter::Numbers { writer, .. } => &mut **writer,
            ChunkWriter::Text(chunk) => {
                chunk.append_levels(levels.unwrap_or_default());
                return match &column.values {
                    Values::Text(values) => chunk.append_texts(&values[range]),
                    Values::Names(indices, names) => chunk.append_names(&indices[range], names),
                    _ => Err(self.wrong_type()),
                };
            }
        };
        match (writer, &column.values) {
            (ColumnWriter::BoolColumnWriter(writer), Values::Bool(values)) => {
                writer.write_batch(&values[range], levels, None)
            }
            (ColumnWriter::Int64ColumnWriter(writer), Values::Int64(values)) => {
                writer.write_batch(&values[range], levels, None)
            }
            (ColumnWriter::Int32ColumnWriter(writer), Values::UInt32(values)) => {
                let bits: Vec<i32> = values[range].iter().map(|&value| value.cast_signed()).collect();
                writer.write_batch(&bits, levels, None)
            }
            (ColumnWriter::FloatColumnWriter(writer), Values::Float32(values)) => {
                writer.write_batch(&values[range], levels, None)
            }
            (ColumnWriter::DoubleColumnWriter(writer), Values::Float64(values)) => {
                writer.write_batch(&values[range], levels, None)
            }
            _ => Err(self.wrong_type()),
        }?;
        Ok(())
    }

    fn wrong_type(&self) -> ParquetError {
        wrong(format!("column \"{}\" has values of another type", self.descriptor.name()))
    }

    fn is_optional(&self) -> bool {
        self.descriptor.max_def_level() > 0
    }

    fn finish(self) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
        match self.writer {
            ChunkWriter::Text(chunk) => chunk.finish(),
            ChunkWriter::Numbers { writer, pages } => {
                let result = writer.close()?;
                let pages = std::mem::take(pages.lock().inner_mut());
                Ok((pages.into(), result))
            }
        }
    }
}

fn wrong(message: String) -> ParquetError {
    ParquetError::General(message)
}

/// Column pages in memory, shared by the column writer and the row group.
#[derive(Clone)]
struct Pages(Arc<Mutex<TrackedWrite<Vec<u8>>>>);

impl Pages {
    fn lock(&self) -> MutexGuard<'_, TrackedWrite<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PageWriter for Pages {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec, ParquetError> {
        SerializedPageWriter::new(&mut *self.lock()).write_page(page)
    }

    fn close(&mut self) -> Result<(), ParquetError> {
        SerializedPageWriter::new(&mut *self.lock()).close()
    }
}
