//! A table with rows of every n-th day and of the last day.

use throng_model::Failure;
use throng_output::csv::push_header;
use throng_output::{Codec, OutputError, RunFolder, TextFile, WrittenFile};

use crate::society::Society;

/// The layout of a periodic table.
pub struct Layout {
    /// Name of the file.
    pub name: &'static str,
    pub columns: &'static [&'static str],
    /// Appends the rows of a day.
    pub write: fn(u64, &Society, &mut TextFile) -> Result<(), OutputError>,
}

/// A periodic table while it is written.
pub struct PeriodicTable {
    table: TextFile,
    write: fn(u64, &Society, &mut TextFile) -> Result<(), OutputError>,
    every: u64,
    last: Option<u64>,
}

impl PeriodicTable {
    /// Creates a table with rows of every `every`-th day; `None` if `every` is 0.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(folder: &RunFolder, layout: &Layout, every: u64) -> Result<Option<Self>, Failure> {
        if every == 0 {
            return Ok(None);
        }
        let mut table = TextFile::create(folder, layout.name, Codec::None)?;
        push_header(table.text(), layout.columns);
        Ok(Some(Self { table, write: layout.write, every, last: None }))
    }

    pub fn see(&mut self, day: u64, society: &Society) -> Result<(), Failure> {
        if day.is_multiple_of(self.every) {
            self.write(day, society)?;
        }
        Ok(())
    }

    /// Adds the last day and completes the file.
    pub fn finish(mut self, last: &Society) -> Result<WrittenFile, Failure> {
        let day = u64::from(last.days);
        if self.last != Some(day) {
            self.write(day, last)?;
        }
        Ok(self.table.finish()?)
    }

    fn write(&mut self, day: u64, society: &Society) -> Result<(), Failure> {
        self.last = Some(day);
        Ok((self.write)(day, society, &mut self.table)?)
    }
}
