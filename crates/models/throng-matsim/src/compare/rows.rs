//! Rows of a table with named columns, separated by `;`.

use std::path::Path;

use throng_core::{InputError, csv_fields};

use super::lines::Lines;
use crate::formats::value::shortened;

/// A table that is read row by row.
pub(super) struct Rows<const COLUMNS: usize> {
    lines: Lines,
    names: [&'static str; COLUMNS],
    /// Index of each named column; `None` if the table lacks it.
    columns: [Option<usize>; COLUMNS],
}

impl<const COLUMNS: usize> Rows<COLUMNS> {
    /// Opens a table, plain or compressed, with these columns in any order. It must have the first `required` ones.
    ///
    /// # Errors
    /// If the file cannot be read or lacks a column.
    pub fn open(path: &Path, names: [&'static str; COLUMNS], required: usize) -> Result<Self, InputError> {
        let mut lines = Lines::open(path)?;
        let header = csv_fields(&lines.next_line()?.unwrap_or_default(), ';');
        let columns = names.map(|name| header.iter().position(|column| column == name));
        if let Some((name, _)) = names.iter().zip(columns).take(required).find(|(_, column)| column.is_none()) {
            let message = format!("there is no column {name}");
            return Err(InputError::one(
                lines.place(),
                message,
                "Repeat the run that wrote the table, with a version that has it.",
            ));
        }
        Ok(Self { lines, names, columns })
    }

    /// Returns the cells of the named columns in the next row that is not empty; a missing cell is empty. `None` after
    /// the last row.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_row(&mut self) -> Result<Option<[String; COLUMNS]>, InputError> {
        let line = loop {
            match self.lines.next_line()? {
                Some(line) if line.is_empty() => {}
                Some(line) => break line,
                None => return Ok(None),
            }
        };
        let mut fields = csv_fields(&line, ';');
        let mut cell = |column: usize| fields.get_mut(column).map(std::mem::take).unwrap_or_default();
        Ok(Some(self.columns.map(|column| column.map(&mut cell).unwrap_or_default())))
    }

    /// Whether the table has a column.
    pub fn has(&self, column: usize) -> bool {
        self.columns[column].is_some()
    }

    /// Number of the line read last, starting at 1.
    pub fn line(&self) -> u64 {
        self.lines.number
    }

    /// Returns the error for the value of a column in the row read last.
    pub fn wrong(&self, column: usize, value: &str) -> InputError {
        self.damaged(self.line(), &format!("{} is \"{}\"", self.names[column], shortened(value)))
    }

    pub fn damaged(&self, line: u64, message: &str) -> InputError {
        InputError::one(self.lines.place_of(line), message, "Repeat the run; the file is damaged.")
    }
}
