//! Tables of text for terminals.

use crate::printable;

/// Alignment of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alignment {
    /// For text.
    Left,
    /// For numbers.
    Right,
}

/// Maximum column width, in characters; a longer cell shifts the rest of its row to the right.
const MAX_WIDTH: usize = 60;

/// Formats a table, one line per row. Each column is as wide as its longest cell, up to 60 characters, and columns are
/// two spaces apart. Columns beyond those in `alignments` are left-aligned. Control characters are escaped, so that a
/// cell never spans two lines.
///
/// ```
/// use throng_core::{Alignment::{Left, Right}, text_table};
///
/// let rows = [["link", "vehicles", ""], ["bridge", "7", "slow"]];
/// assert_eq!(text_table(&rows, &[Left, Right]), "link    vehicles\nbridge         7  slow\n");
/// ```
pub fn text_table<const COLUMNS: usize>(rows: &[[impl AsRef<str>; COLUMNS]], alignments: &[Alignment]) -> String {
    let rows: Vec<[String; COLUMNS]> =
        rows.iter().map(|row| row.each_ref().map(|cell| on_one_line(cell.as_ref()))).collect();
    let letters = |cell: &String| cell.chars().count();
    let width = |column: usize| rows.iter().map(|row| letters(&row[column])).map(|width| width.min(MAX_WIDTH)).max();
    let widths: [usize; COLUMNS] = std::array::from_fn(|column| width(column).unwrap_or(0));
    let mut text = String::new();
    for row in &rows {
        let begin = text.len();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            let padding = " ".repeat(width.saturating_sub(letters(cell)));
            let gap = if column == 0 { "" } else { "  " };
            let is_right = alignments.get(column) == Some(&Alignment::Right);
            let [before, after] = if is_right { [padding.as_str(), ""] } else { ["", padding.as_str()] };
            for part in [gap, before, cell, after] {
                text.push_str(part);
            }
        }
        text.truncate(begin + text[begin..].trim_end().len());
        text.push('\n');
    }
    text
}

fn on_one_line(cell: &str) -> String {
    printable(cell).replace('\n', "\\u{a}").replace('\t', " ")
}

#[cfg(test)]
mod tests {
    use super::{Alignment::Left, *};

    #[test]
    fn long_cells_do_not_widen_columns_and_line_feeds_are_escaped() {
        let long = "x".repeat(70_000);
        let text = text_table(&[[long.as_str(), "a"], ["b\nequal: 3 lines", "c"]], &[Left]);
        let second = format!("{:<60}  c", "b\\u{a}equal: 3 lines");
        assert_eq!(text, format!("{long}  a\n{second}\n"));
    }
}
