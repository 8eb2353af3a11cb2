//! Arrays as a long table: a row for each cell and time.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, RecordBatch, UInt32Array};
use arrow_schema::{DataType, Field as Column, Schema, SchemaRef};

use crate::Field;
use crate::entities::Cells;
use crate::scenario::arrays::Array;
use throng_model::Failure;
use throng_output::{ParquetFile, RunFolder, WrittenFile};

/// Cells whose rows are built at a time.
const CELLS_AT_ONCE: usize = 1 << 16;

/// The table while it is written.
pub(crate) struct LongTable {
    file: ParquetFile,
    schema: SchemaRef,
    name: String,
}

impl LongTable {
    pub(super) fn new(folder: &RunFolder, array: &Array) -> Result<Self, Failure> {
        let column = |name: &str, kind| Column::new(name, kind, false);
        let schema: SchemaRef = Arc::new(Schema::new(vec![
            column("time", DataType::Float64),
            column("column", DataType::UInt32),
            column("row", DataType::UInt32),
            column("x", DataType::Float64),
            column("y", DataType::Float64),
            column("value", DataType::Float32),
        ]));
        let name = format!("{}.parquet", array.name);
        let file = ParquetFile::create(folder, &name, &schema)?;
        Ok(Self { file, schema, name })
    }

    /// Adds the values of some cells at a time; `field` has only these cells.
    pub(super) fn add(&mut self, field: &Field, cells: Cells, time: f64) -> Result<(), Failure> {
        let grid = field.grid();
        for (chunk, values) in field.values().chunks(CELLS_AT_ONCE).enumerate() {
            let first = chunk * CELLS_AT_ONCE;
            let places: Vec<(u32, u32)> = (first..first + values.len()).map(|cell| grid.place(cell)).collect();
            let points = || places.iter().map(|&(column, row)| grid.point(column, row));
            let columns: Vec<ArrayRef> = vec![
                Arc::new(Float64Array::from(vec![time; values.len()])),
                Arc::new(places.iter().map(|&(column, _)| cells.columns.0 + column).collect::<UInt32Array>()),
                Arc::new(places.iter().map(|&(_, row)| cells.rows.0 + row).collect::<UInt32Array>()),
                Arc::new(points().map(|[x, _]| x).collect::<Float64Array>()),
                Arc::new(points().map(|[_, y]| y).collect::<Float64Array>()),
                Arc::new(Float32Array::from(values.to_vec())),
            ];
            let rows = RecordBatch::try_new(Arc::clone(&self.schema), columns);
            let rows = rows.map_err(|error| Failure::resource(format!("{}: {error}", self.name), "repeat the run"))?;
            self.file.write(&rows)?;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<WrittenFile, Failure> {
        Ok(self.file.finish()?)
    }
}
