//! Arrays as a long table, with one row per cell and time.

use throng_fields_core::Field;
use throng_fields_core::entities::Cells;
use throng_fields_scenario::arrays::Array;
use throng_model::Failure;
use throng_output::table::{Column, ColumnKind, Schema};
use throng_output::{ParquetFile, RunFolder, WrittenFile};

/// Number of cells whose rows are built at a time.
const CELLS_AT_ONCE: usize = 1 << 16;

/// A Parquet table that is written frame by frame.
pub(crate) struct LongTable(ParquetFile);

impl LongTable {
    pub(super) fn new(folder: &RunFolder, array: &Array) -> Result<Self, Failure> {
        let schema = Schema::new()
            .required("time", ColumnKind::Float64)
            .required("column", ColumnKind::UInt32)
            .required("row", ColumnKind::UInt32)
            .required("x", ColumnKind::Float64)
            .required("y", ColumnKind::Float64)
            .required("value", ColumnKind::Float32);
        Ok(Self(ParquetFile::create(folder, &format!("{}.parquet", array.name), &schema)?))
    }

    /// Adds the values of a block of cells at one time; `field` contains only these cells.
    pub(super) fn add(&mut self, field: &Field, cells: Cells, time: f64) -> Result<(), Failure> {
        let grid = field.grid();
        for (chunk, values) in field.values().chunks(CELLS_AT_ONCE).enumerate() {
            let first = chunk * CELLS_AT_ONCE;
            let places: Vec<(u32, u32)> = (first..first + values.len()).map(|cell| grid.place(cell)).collect();
            let points = || places.iter().map(|&(column, row)| grid.point(column, row));
            self.0.write(&[
                Column::required(std::iter::repeat_n(time, values.len())),
                Column::required(places.iter().map(|&(column, _)| cells.columns.0 + column)),
                Column::required(places.iter().map(|&(_, row)| cells.rows.0 + row)),
                Column::required(points().map(|[x, _]| x)),
                Column::required(points().map(|[_, y]| y)),
                Column::required(values.iter().copied()),
            ])?;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<WrittenFile, Failure> {
        Ok(self.0.finish()?)
    }
}
