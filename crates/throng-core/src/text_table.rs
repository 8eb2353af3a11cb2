//! Tables of text for terminals.

use std::fmt::Write as _;

/// Where the cells of a column begin or end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alignment {
    /// Texts.
    Left,
    /// Numbers.
    Right,
}

/// A table, a line for each row: each column is as wide as its longest cell, and two spaces stand between columns. Columns beyond
/// those of `alignments` begin at the left.
///
/// ```
/// use throng_core::{Alignment::{Left, Right}, text_table};
///
/// let rows = [["link", "vehicles", ""], ["bridge", "7", "slow"]];
/// assert_eq!(text_table(&rows, &[Left, Right]), "link    vehicles\nbridge         7  slow\n");
/// ```
pub fn text_table<const COLUMNS: usize>(rows: &[[impl AsRef<str>; COLUMNS]], alignments: &[Alignment]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].as_ref().chars().count()).max().unwrap_or(0);
    let widths: [usize; COLUMNS] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        let begin = text.len();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            let gap = if column == 0 { "" } else { "  " };
            let cell = cell.as_ref();
            // Writing to a text does not fail.
            let _ = match alignments.get(column) {
                Some(Alignment::Right) => write!(text, "{gap}{cell:>width$}"),
                _ => write!(text, "{gap}{cell:<width$}"),
            };
        }
        text.truncate(begin + text[begin..].trim_end().len());
        text.push('\n');
    }
    text
}
