//! Tables, as Markdown or aligned text for readers, or as CSV for programs.

use std::fmt::Write as _;

use throng_core::three_figures;
use throng_output::csv;

/// The content of a table cell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    /// Unknown, or not measured.
    Empty,
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A number: three significant figures for readers, full precision for programs.
    Number(f64),
    /// A time of day, in seconds.
    Time(f64),
}

impl Cell {
    /// The cell's text for readers.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) => text.clone(),
            Self::Whole(number) => number.to_string(),
            Self::Number(number) => three_figures(*number),
            Self::Time(seconds) => throng_core::clock::format(*seconds),
        }
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<f32> for Cell {
    /// Keeps the shortest digits that identify it in single precision.
    fn from(number: f32) -> Self {
        Self::Number(number.to_string().parse().unwrap_or_else(|_| number.into()))
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, Into::into)
    }
}

macro_rules! whole_numbers {
    ($($number:ty),*) => {
        $(impl From<$number> for Cell {
            fn from(number: $number) -> Self {
                Self::Whole(i64::try_from(number).unwrap_or(i64::MAX))
            }
        })*
    };
}

whole_numbers!(u8, u32, u64, usize);

/// Builds the cells of a row from values of several types.
macro_rules! cells {
    ($($value:expr),* $(,)?) => { vec![$($crate::experiment::Cell::from($value)),*] };
}
pub(crate) use cells;

/// A fraction as a percentage.
pub(crate) fn percent(fraction: f64) -> String {
    format!("{} %", three_figures(fraction * 100.0))
}

/// A whole number with commas between thousands, for sentences.
pub(crate) fn count(number: impl Into<f64>) -> String {
    throng_output::html::grouped(number.into(), 0).replace('\u{202f}', ",")
}

/// A table of columns and rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Table {
    columns: Vec<String>,
    /// Number of leading columns that are aligned to the left.
    left: usize,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows. The first `left` columns are aligned to the left, the others to the right.
    pub(crate) fn new<S: Into<String>>(left: usize, columns: impl IntoIterator<Item = S>) -> Self {
        Self { columns: columns.into_iter().map(Into::into).collect(), left, rows: Vec::new() }
    }

    /// A table with comma-separated column names, such as `depth, boards`.
    pub(crate) fn of(left: usize, columns: &str) -> Self {
        Self::new(left, columns.split(", "))
    }

    /// Adds columns.
    pub(crate) fn and<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.columns.extend(columns.into_iter().map(Into::into));
        self
    }

    /// Appends a row.
    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// Appends a row, unless all cells after the name are empty.
    pub(crate) fn row_if_any(&mut self, name: impl Into<String>, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        if cells.iter().any(|cell| *cell != Cell::Empty) {
            self.rows.push([vec![Cell::Text(name.into())], cells].concat());
        }
    }

    /// The table as Markdown, followed by an empty line.
    pub(crate) fn markdown(&self) -> String {
        let right = self.columns.len().saturating_sub(self.left);
        let mut text = format!("| {} |\n|", self.columns.join(" | "));
        let _ = writeln!(text, "{}{}", "---|".repeat(self.left), "---:|".repeat(right));
        for row in &self.rows {
            let _ = writeln!(text, "| {} |", row.iter().map(Cell::shown).collect::<Vec<_>>().join(" | "));
        }
        text.push('\n');
        text
    }

    /// The table aligned for a terminal: row names to the left, all else to the right. A row with a single cell is a
    /// title.
    pub(crate) fn aligned(&self) -> String {
        let shown = |cell: &Cell| if *cell == Cell::Empty { "-".to_owned() } else { cell.shown() };
        let shown = self.rows.iter().map(|row| row.iter().map(shown).collect());
        let rows: Vec<Vec<String>> = std::iter::once(self.columns.clone()).chain(shown).collect();
        let widest =
            |cells: &mut dyn Iterator<Item = &String>| cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
        let name = widest(&mut rows.iter().filter(|row| row.len() > 1).filter_map(|row| row.first()));
        let cell = widest(&mut rows.iter().flat_map(|row| row.iter().skip(1))) + 2;
        let mut text = String::new();
        for row in rows {
            for (column, shown) in row.iter().enumerate() {
                let _ = match column {
                    0 if row.len() > 1 => write!(text, "{shown:<name$}"),
                    0 => write!(text, "{shown}"),
                    _ => write!(text, "{shown:>cell$}"),
                };
            }
            text.push('\n');
        }
        text
    }

    /// The table as CSV.
    pub(crate) fn csv(&self) -> Vec<u8> {
        let mut out = Vec::new();
        csv::push_header(&mut out, &self.columns.iter().map(String::as_str).collect::<Vec<_>>());
        for cells in &self.rows {
            let mut row = csv::Row::new(&mut out);
            for cell in cells {
                match cell {
                    Cell::Empty => row.empty(),
                    Cell::Text(text) => row.text(text),
                    Cell::Whole(number) => row.integer(*number),
                    Cell::Number(number) => row.number(*number),
                    Cell::Time(seconds) => row.time(*seconds),
                };
            }
            row.end();
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::of(1, "program, runs, s");
        table.row(cells!["four steps; fast", 3u32, 0.012_345_6]);
        table.row(cells!["all", None::<u32>, Some(250.0)]);
        table
    }

    #[test]
    fn markdown_has_three_significant_digits_and_csv_all_digits() {
        let markdown =
            "| program | runs | s |\n|---|---:|---:|\n| four steps; fast | 3 | 0.0123 |\n| all |  | 250 |\n\n";
        assert_eq!(table().markdown(), markdown);
        let csv = "program;runs;s\r\n\"four steps; fast\";3;0.0123456\r\nall;;250\r\n";
        assert_eq!(String::from_utf8(table().csv()).unwrap(), csv);
    }

    #[test]
    fn counts_have_commas_between_thousands() {
        assert_eq!([0u32, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn terminals_have_aligned_columns_and_titles_between() {
        let mut table = table();
        table.row(cells!["a title that is longer than any name"]);
        table.row_if_any("nothing", cells![None::<f64>, None::<f64>]);
        table.row_if_any("²", cells![None::<f64>, Cell::Time(60.0)]);
        let expected = "\
program               runs         s
four steps; fast         3    0.0123
all                      -       250
a title that is longer than any name
²                        -  00:01:00
";
        assert_eq!(table.aligned(), expected);
    }
}
