//! Arrays as a long table, with one row per cell and time.

use throng_fields_core::entities::Cells;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::arrays::Array;
use throng_model::Failure;
use throng_output::table::{Column, ColumnKind, Schema};
use throng_output::{ParquetFile, RunFolder, WrittenFile};

use super::frame::{Frame, Numbers};

/// Number of cells whose rows are built at a time.
const CELLS_AT_ONCE: usize = 1 << 16;

/// A Parquet table that is written frame by frame.
pub(crate) struct LongTable(ParquetFile);

impl LongTable {
    pub(super) fn new(scenario: &Scenario, folder: &RunFolder, array: &Array) -> Result<Self, Failure> {
        let value = match Numbers::of(scenario, array, false) {
            Numbers::Floats => ColumnKind::Float32,
            Numbers::Bytes => ColumnKind::UInt8,
            Numbers::Words => ColumnKind::UInt32,
        };
        let schema = Schema::new()
            .required("time", ColumnKind::Float64)
            .required("column", ColumnKind::UInt32)
            .required("row", ColumnKind::UInt32)
            .required("x", ColumnKind::Float64)
            .required("y", ColumnKind::Float64)
            .required("value", value);
        Ok(Self(ParquetFile::create(folder, &format!("{}.parquet", array.name), &schema)?))
    }

    /// Adds the values of a block of cells at one time; `frame` contains only these cells.
    pub(super) fn add(&mut self, frame: &Frame, cells: Cells, time: f64) -> Result<(), Failure> {
        let (grid, count) = match frame {
            Frame::Field(field) => (field.grid(), field.values().len()),
            Frame::Bits(bits, _) => (bits.grid(), bits.bits().len()),
        };
        for first in (0..count).step_by(CELLS_AT_ONCE) {
            let range = first..count.min(first + CELLS_AT_ONCE);
            let places: Vec<(u32, u32)> = range.clone().map(|cell| grid.place(cell)).collect();
            let points = || places.iter().map(|&(column, row)| grid.point(column, row));
            self.0.write(&[
                Column::required(std::iter::repeat_n(time, places.len())),
                Column::required(places.iter().map(|&(column, _)| cells.columns.0 + column)),
                Column::required(places.iter().map(|&(_, row)| cells.rows.0 + row)),
                Column::required(points().map(|[x, _]| x)),
                Column::required(points().map(|[_, y]| y)),
                match frame {
                    Frame::Field(field) => Column::required(field.values()[range].iter().copied()),
                    Frame::Bits(bits, _) => Column::required(bits.bits()[range].iter().copied()),
                },
            ])?;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<WrittenFile, Failure> {
        Ok(self.0.finish()?)
    }
}
