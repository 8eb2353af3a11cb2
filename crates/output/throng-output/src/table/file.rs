//! Parquet files, encoded on the calling thread or on several.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor};

use super::column::Column;
use super::row_group::RowGroup;
use super::schema::Schema;
use crate::{OutputError, PendingFile, Pipeline, PipelineSize, RunFolder, WrittenFile};

/// Number of rows per row group.
pub const ROW_GROUP_ROWS: usize = 1 << 18;

/// The level of compression of all pages.
pub(super) fn zstd_level() -> ZstdLevel {
    ZstdLevel::default()
}

/// The compression of all pages.
pub(super) fn compression() -> Compression {
    Compression::ZSTD(zstd_level())
}

fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(compression())
        // Sufficient to skip row groups by time; per-page statistics cost more than they save.
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by("throng".into())
        .build()
}

/// A Parquet table encoded on the calling thread, in row groups of [`ROW_GROUP_ROWS`] rows.
pub struct ParquetFile {
    writer: SerializedFileWriter<PendingFile>,
    encoding: Encoding,
    row_group: RowGroup,
    target: PathBuf,
}

/// The parameters of a row group encoder.
#[derive(Debug, Clone)]
struct Encoding {
    schema: SchemaDescPtr,
    properties: WriterPropertiesPtr,
}

impl ParquetFile {
    /// Creates the table `name`.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(folder: &RunFolder, name: &str, schema: &Schema) -> Result<Self, OutputError> {
        let (writer, encoding, target) = new_writer(folder, name, schema)?;
        Ok(Self { writer, row_group: encoding.row_group(), encoding, target })
    }

    /// Appends rows, given column by column; a full row group is written out.
    ///
    /// # Errors
    /// When the columns do not match the schema, or when the file cannot be written.
    pub fn write(&mut self, columns: &[Column<'_>]) -> Result<(), OutputError> {
        self.append(columns).map_err(|e| OutputError::parquet(&self.target, e))
    }

    fn append(&mut self, columns: &[Column<'_>]) -> Result<(), ParquetError> {
        let (found, expected) = (columns.len(), self.encoding.schema.num_columns());
        let rows = columns.first().map_or(0, Column::rows);
        if found != expected || columns.iter().any(|column| column.rows() != rows) {
            return Err(ParquetError::General(format!("{expected} columns of equal length expected, {found} found")));
        }
        let mut start = 0;
        while start < rows {
            let end = rows.min(start + ROW_GROUP_ROWS - self.row_group.rows());
            self.row_group.write(columns, start..end)?;
            if self.row_group.rows() == ROW_GROUP_ROWS {
                self.end_row_group()?;
            }
            start = end;
        }
        Ok(())
    }

    fn end_row_group(&mut self) -> Result<(), ParquetError> {
        let row_group = std::mem::replace(&mut self.row_group, self.encoding.row_group());
        row_group.finish()?.append_to(&mut self.writer)
    }

    /// Writes the remaining rows and gives the file its final name.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(mut self) -> Result<WrittenFile, OutputError> {
        let rest = if self.row_group.rows() > 0 { self.end_row_group() } else { Ok(()) };
        let file = rest.and_then(|()| self.writer.into_inner());
        file.map_err(|e| OutputError::parquet(&self.target, e))?.complete()
    }
}

impl fmt::Debug for ParquetFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetFile").field("target", &self.target).finish_non_exhaustive()
    }
}

/// Converts blocks of type `T` to the columns of a [`ParallelParquetFile`].
pub trait BuildColumns<T>: Send + Sync {
    /// Returns the columns of `block` in the order of the schema. Each column is encoded before the next one is built.
    fn columns<'a>(&'a self, block: &'a T) -> impl Iterator<Item = Column<'a>>;
}

/// A Parquet table whose blocks are encoded on several threads, each block as one row group.
#[derive(Debug)]
pub struct ParallelParquetFile<T> {
    pipeline: Pipeline<T, SerializedFileWriter<PendingFile>>,
    target: PathBuf,
}

impl<T: Send + 'static> ParallelParquetFile<T> {
    /// Creates the table `name`.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(
        folder: &RunFolder,
        name: &str,
        schema: &Schema,
        size: PipelineSize,
        builder: impl BuildColumns<T> + 'static,
    ) -> Result<Self, OutputError> {
        let (writer, encoding, target) = new_writer(folder, name, schema)?;
        let builder = Arc::new(builder);
        let make_worker = || {
            let (builder, encoding, target) = (Arc::clone(&builder), encoding.clone(), target.clone());
            move |block: T| {
                let row_group = RowGroup::encode(&encoding.schema, &encoding.properties, builder.columns(&block));
                row_group.map_err(|e| OutputError::parquet(&target, e))
            }
        };
        let path = target.clone();
        let pipeline = Pipeline::start("parquet", size, writer, make_worker, move |writer, row_group| {
            row_group.append_to(writer).map_err(|e| OutputError::parquet(&path, e))
        })?;
        Ok(Self { pipeline, target })
    }

    /// Sends the rows of the next row group; blocks while too many are in flight.
    ///
    /// # Errors
    /// The first error of any thread of this file.
    pub fn send(&mut self, block: T) -> Result<(), OutputError> {
        self.pipeline.send(block)
    }

    /// Waits for all row groups, writes the footer and gives the file its final name.
    ///
    /// # Errors
    /// The first error of any thread of this file.
    pub fn finish(self) -> Result<WrittenFile, OutputError> {
        let writer = self.pipeline.finish()?;
        writer.into_inner().map_err(|e| OutputError::parquet(&self.target, e))?.complete()
    }
}

impl Encoding {
    fn row_group(&self) -> RowGroup {
        RowGroup::new(&self.schema, &self.properties)
    }
}

fn new_writer(
    folder: &RunFolder,
    name: &str,
    schema: &Schema,
) -> Result<(SerializedFileWriter<PendingFile>, Encoding, PathBuf), OutputError> {
    let file = folder.file(name)?;
    let target = Path::to_owned(file.target());
    let properties = Arc::new(properties());
    let writer = schema.to_parquet().and_then(|schema| {
        let descriptor = Arc::new(SchemaDescriptor::new(Arc::clone(&schema)));
        let encoding = Encoding { schema: descriptor, properties: Arc::clone(&properties) };
        Ok((SerializedFileWriter::new(file, schema, properties)?, encoding))
    });
    let (writer, encoding) = writer.map_err(|e| OutputError::parquet(&target, e))?;
    Ok((writer, encoding, target))
}
