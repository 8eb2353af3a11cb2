//! Parquet tables, written in row groups so that memory stays bounded.
//!
//! A [`Schema`] names the columns; a [`Column`] contains the values of one column in consecutive rows.
//!
//! ```
//! use throng_output::table::{Column, ColumnKind, Schema};
//! use throng_output::{IfNotEmpty, ParquetFile, RunFolder};
//! # let dir = tempfile::tempdir().unwrap();
//! # let out = dir.path();
//!
//! let folder = RunFolder::create(out, IfNotEmpty::Refuse, "--overwrite")?;
//! let schema = Schema::new().required("link", ColumnKind::Text).optional("speed", ColumnKind::Float64);
//! let mut table = ParquetFile::create(&folder, "speeds.parquet", &schema)?;
//! table.write(&[Column::required(["17_b", "18"]), Column::optional([Some(13.9), None])])?;
//! table.finish()?;
//! # Ok::<(), throng_output::OutputError>(())
//! ```

mod column;
mod file;
mod hybrid;
mod row_group;
mod schema;
#[cfg(test)]
mod tests;
mod text_chunk;

pub use column::{Column, Values};
pub use file::{BuildColumns, ParallelParquetFile, ParquetFile, ROW_GROUP_ROWS};
pub use schema::{ColumnKind, Schema};
