//! Parquet tables, written in row groups so that memory stays bounded.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowRowGroupWriterFactory, ArrowWriter, ArrowWriterOptions, compute_leaves,
};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;

use crate::{OutputError, PendingFile, Pipeline, PipelineSize, RunFolder, WrittenFile};

/// Rows of one row group.
pub const ROW_GROUP_ROWS: usize = 1 << 18;

fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        // Enough to skip row groups by time; statistics per page cost more than they save here.
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by("throng".into())
        .build()
}

/// A Parquet table that is encoded on the calling thread.
#[derive(Debug)]
pub struct ParquetFile {
    writer: ArrowWriter<PendingFile>,
    target: PathBuf,
}

impl ParquetFile {
    /// Begins the table `name`.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(folder: &RunFolder, name: &str, schema: &SchemaRef) -> Result<Self, OutputError> {
        let (writer, target) = new_writer(folder, name, schema)?;
        Ok(Self { writer, target })
    }

    /// Appends rows; a full row group is written out.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&mut self, rows: &RecordBatch) -> Result<(), OutputError> {
        self.writer.write(rows).map_err(|e| OutputError::parquet(&self.target, e))
    }

    /// Writes the rest and gives the file its name.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(self) -> Result<WrittenFile, OutputError> {
        self.writer.into_inner().map_err(|e| OutputError::parquet(&self.target, e))?.complete()
    }
}

/// Turns blocks of type `T` into record batches; each worker thread of a [`ParallelParquetFile`] owns one.
pub trait BuildBatch<T>: Send {
    /// The rows of `block`.
    ///
    /// # Errors
    /// When the columns do not fit together.
    fn build(&mut self, block: &T) -> Result<RecordBatch, arrow_schema::ArrowError>;
}

/// A Parquet table whose blocks are encoded on several threads, each block as one row group.
#[derive(Debug)]
pub struct ParallelParquetFile<T> {
    pipeline: Pipeline<T, SerializedFileWriter<PendingFile>>,
    target: PathBuf,
}

impl<T: Send + 'static> ParallelParquetFile<T> {
    /// Begins the table `name`.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create<B: BuildBatch<T> + 'static>(
        folder: &RunFolder,
        name: &str,
        schema: &SchemaRef,
        size: PipelineSize,
        make_builder: impl Fn() -> B,
    ) -> Result<Self, OutputError> {
        let (writer, target) = new_writer(folder, name, schema)?;
        let (writer, factory) = writer.into_serialized_writer().map_err(|e| OutputError::parquet(&target, e))?;
        let factory = Arc::new(factory);
        let make_worker = || {
            let (mut builder, factory) = (make_builder(), Arc::clone(&factory));
            let (schema, target) = (Arc::clone(schema), target.clone());
            move |block: T| {
                let encoded = builder
                    .build(&block)
                    .map_err(ParquetError::from)
                    .and_then(|rows| encode_row_group(&factory, &schema, &rows));
                encoded.map_err(|e| OutputError::parquet(&target, e))
            }
        };
        let path = target.clone();
        let pipeline = Pipeline::start("parquet", size, writer, make_worker, move |writer, chunks| {
            append(writer, chunks).map_err(|e| OutputError::parquet(&path, e))
        })?;
        Ok(Self { pipeline, target })
    }

    /// Sends the rows of the next row group; waits while too many are under way.
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

fn new_writer(
    folder: &RunFolder,
    name: &str,
    schema: &SchemaRef,
) -> Result<(ArrowWriter<PendingFile>, PathBuf), OutputError> {
    let file = folder.file(name)?;
    let target = Path::to_owned(file.target());
    let options = ArrowWriterOptions::new().with_properties(properties());
    let writer = ArrowWriter::try_new_with_options(file, Arc::clone(schema), options);
    Ok((writer.map_err(|e| OutputError::parquet(&target, e))?, target))
}

fn encode_row_group(
    factory: &ArrowRowGroupWriterFactory,
    schema: &SchemaRef,
    rows: &RecordBatch,
) -> Result<Vec<ArrowColumnChunk>, ParquetError> {
    // The number of the row group matters for encrypted files only.
    let mut writers = factory.create_column_writers(0)?.into_iter();
    let mut chunks = Vec::new();
    for (field, column) in schema.fields().iter().zip(rows.columns()) {
        for leaf in compute_leaves(field, column)? {
            let mut writer = writers.next().ok_or_else(|| ParquetError::General("a column has no writer".into()))?;
            writer.write(&leaf)?;
            chunks.push(writer.close()?);
        }
    }
    Ok(chunks)
}

fn append(writer: &mut SerializedFileWriter<PendingFile>, chunks: Vec<ArrowColumnChunk>) -> Result<(), ParquetError> {
    let mut row_group = writer.next_row_group()?;
    for chunk in chunks {
        chunk.append_to_row_group(&mut row_group)?;
    }
    row_group.close()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use arrow_array::{Array, Float64Array, Int32Array, UInt32Array, cast::AsArray, types::UInt32Type};
    use arrow_schema::{DataType, Field, Schema};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::*;
    use crate::IfNotEmpty;

    struct Squares(SchemaRef);

    impl BuildBatch<std::ops::Range<u32>> for Squares {
        fn build(&mut self, block: &std::ops::Range<u32>) -> Result<RecordBatch, arrow_schema::ArrowError> {
            let n: UInt32Array = block.clone().collect();
            let roots: Float64Array = block.clone().map(|n| (n % 2 == 0).then(|| f64::from(n).sqrt())).collect();
            RecordBatch::try_new(Arc::clone(&self.0), vec![Arc::new(n), Arc::new(roots)])
        }
    }

    fn schema() -> SchemaRef {
        Arc::new(Schema::new(vec![
            Field::new("n", DataType::UInt32, false),
            Field::new("root", DataType::Float64, true),
        ]))
    }

    fn read_column(path: &Path) -> (usize, Vec<u32>, usize) {
        let reader = ParquetRecordBatchReaderBuilder::try_new(std::fs::File::open(path).unwrap()).unwrap();
        let groups = reader.metadata().num_row_groups();
        let (mut all, mut nulls) = (Vec::new(), 0);
        for batch in reader.build().unwrap() {
            let batch = batch.unwrap();
            all.extend_from_slice(batch.column(0).as_primitive::<UInt32Type>().values());
            nulls += batch.column(1).null_count();
        }
        (groups, all, nulls)
    }

    #[test]
    fn row_groups_of_several_threads_come_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
        let make = || Squares(schema());
        let size = PipelineSize::of_workers(3);
        let mut file = ParallelParquetFile::create(&folder, "t.parquet", &schema(), size, make).unwrap();
        for start in (0..10_000).step_by(1000) {
            file.send(start..start + 1000).unwrap();
        }
        file.finish().unwrap();
        let (groups, all, nulls) = read_column(&dir.path().join("t.parquet"));
        assert_eq!((groups, nulls), (10, 5000));
        assert_eq!(all, (0..10_000).collect::<Vec<u32>>());
    }

    #[test]
    fn small_tables_and_wrong_columns() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
        let mut file = ParquetFile::create(&folder, "t.parquet", &schema()).unwrap();
        file.write(&Squares(schema()).build(&(0..3)).unwrap()).unwrap();
        file.finish().unwrap();
        assert_eq!(read_column(&dir.path().join("t.parquet")), (1, vec![0, 1, 2], 1));

        let other = Arc::new(Schema::new(vec![Field::new("n", DataType::Int32, false)]));
        let rows = RecordBatch::try_new(other, vec![Arc::new(Int32Array::from(vec![1]))]).unwrap();
        let mut file = ParquetFile::create(&folder, "u.parquet", &schema()).unwrap();
        assert!(file.write(&rows).unwrap_err().to_string().contains("u.parquet"));
    }
}
