//! Tables separated by `;`, such as `output_legs.csv.gz`.

use std::fmt;
use std::path::Path;

use throng_core::{InputError, counted};

use super::lines::Lines;

/// The result of comparing two tables, A and B. Its `Display` text is the report for users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableComparison {
    /// The names of A and B.
    pub names: [String; 2],
    /// Number of lines of each table, including the header.
    pub lines: [u64; 2],
    /// Columns in the header of one table that are missing from the other.
    pub columns_only_in: [Vec<String>; 2],
    /// Number of differing lines, including missing ones.
    pub different: u64,
    /// The first differing cell of each of the first differing lines.
    pub first: Vec<TableDifference>,
}

/// A cell that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDifference {
    /// Line number, starting at 1 with the header.
    pub line: u64,
    /// Column number, starting at 1.
    pub column: usize,
    /// Name of the column in the header of A; empty beyond its end.
    pub column_name: String,
    /// The cell in A and in B; `None` beyond the end of the line or table.
    pub cells: [Option<String>; 2],
}

impl TableComparison {
    /// Whether all cells are the same.
    pub fn is_equal(&self) -> bool {
        self.different == 0
    }
}

/// Compares two tables, plain or compressed, cell by cell as strings. For each of the first `shown` lines that differ,
/// the first differing cell is reported. Unix and Windows line ends are treated alike.
///
/// # Errors
/// If a file cannot be read.
pub fn compare_tables(a: &Path, b: &Path, shown: usize) -> Result<TableComparison, InputError> {
    let names = [a.display().to_string(), b.display().to_string()];
    let mut report =
        TableComparison { names, lines: [0; 2], columns_only_in: Default::default(), different: 0, first: Vec::new() };
    let (mut a, mut b) = (Lines::open(a)?, Lines::open(b)?);
    let mut header = None;
    loop {
        let rows = [a.next_line()?, b.next_line()?];
        for (count, row) in report.lines.iter_mut().zip(&rows) {
            *count += u64::from(row.is_some());
        }
        if rows == [None, None] {
            return Ok(report);
        }
        if header.is_none() {
            report.columns_only_in = columns_only_in(&rows);
        }
        let header = header.get_or_insert_with(|| rows[0].clone().unwrap_or_default());
        if rows[0] != rows[1] {
            report.different += 1;
            if report.first.len() < shown {
                report.first.push(first_cell(a.number, header, &rows));
            }
        }
    }
}

/// Returns the columns of one header that are missing from the other.
fn columns_only_in(headers: &[Option<String>; 2]) -> [Vec<String>; 2] {
    let [a, b] = headers.each_ref().map(|header| header.as_deref().unwrap_or_default().split(';').collect::<Vec<_>>());
    let only = |these: &[&str], those: &[&str]| {
        these.iter().filter(|name| !name.is_empty() && !those.contains(name)).map(|&name| name.to_owned()).collect()
    };
    [only(&a, &b), only(&b, &a)]
}

/// Returns the first cell in which two different rows differ.
fn first_cell(line: u64, header: &str, rows: &[Option<String>; 2]) -> TableDifference {
    let mut cells = rows.each_ref().map(|row| row.as_deref().map(|row| row.split(';')));
    let mut column = 0;
    loop {
        column += 1;
        let pair = cells.each_mut().map(|row| row.as_mut().and_then(Iterator::next));
        // Different rows differ in some cell, at the latest where one of them ends.
        if pair[0] != pair[1] || pair == [None, None] {
            let column_name = header.split(';').nth(column - 1).unwrap_or_default().to_owned();
            return TableDifference { line, column, column_name, cells: pair.map(|cell| cell.map(str::to_owned)) };
        }
    }
}

impl fmt::Display for TableComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_equal() {
            return write!(f, "equal: {} lines", self.lines[0]);
        }
        writeln!(f, "different: {} of {} lines", self.different, self.lines[0].max(self.lines[1]))?;
        for (letter, (name, lines)) in ["A", "B"].iter().zip(self.names.iter().zip(self.lines)) {
            writeln!(f, "{letter}: {name}: {lines} lines")?;
        }
        for (letter, columns) in ["A", "B"].iter().zip(&self.columns_only_in) {
            if !columns.is_empty() {
                writeln!(f, "columns that only {letter} has: {}", columns.join(", "))?;
            }
        }
        for difference in &self.first {
            writeln!(f, "line {}, column {} ({}):", difference.line, difference.column, difference.column_name)?;
            for (letter, cell) in ["A", "B"].iter().zip(&difference.cells) {
                match cell {
                    Some(cell) => writeln!(f, "  {letter}: {cell}")?,
                    None => writeln!(f, "  {letter}: nothing")?,
                }
            }
        }
        let rest = self.different - self.first.len() as u64;
        if rest > 0 && !self.first.is_empty() {
            writeln!(f, "... and {}", counted(rest, "more line"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(a: &str, b: &str) -> TableComparison {
        let folder = tempfile::tempdir().unwrap();
        let paths = [folder.path().join("a.csv"), folder.path().join("b.csv")];
        std::fs::write(&paths[0], a).unwrap();
        std::fs::write(&paths[1], b).unwrap();
        compare_tables(&paths[0], &paths[1], 2).unwrap()
    }

    #[test]
    fn the_first_differing_cell_is_reported() {
        let report = compare("person;mode\n1;car\n2;car\n3;bike\n", "person;mode\r\n1;car\r\n2;walk\r\n3;car\r\n");
        assert_eq!((report.lines, report.different), ([4, 4], 2));
        assert_eq!(report.first.len(), 2);
        let first = report.first[0].clone();
        assert_eq!((first.line, first.column, first.column_name.as_str()), (3, 2, "mode"));
        assert_eq!(first.cells, [Some("car".into()), Some("walk".into())]);
        assert!(report.to_string().contains("line 3, column 2 (mode):\n  A: car\n  B: walk"), "{report}");
    }

    #[test]
    fn missing_rows_and_cells_are_differences() {
        let report = compare("a;b\n1;2\n", "a;b\n1;2\n3;4\n");
        assert_eq!((report.lines, report.different), ([2, 3], 1));
        assert_eq!(report.first[0].cells, [None, Some("3".into())]);
        let first = compare("a;b\n1;2\n", "a;b\n1;2;3\n").first.remove(0);
        assert_eq!((first.column, first.column_name.as_str(), first.cells), (3, "", [None, Some("3".into())]));
        let other = compare("a;b\n1;2\n", "b;c\n1;2\n");
        assert_eq!(other.columns_only_in, [["a"], ["c"]]);
        assert!(other.to_string().contains("columns that only B has: c\n"), "{other}");
        let same = compare("a;b\n1;2", "a;b\n1;2\n");
        assert!(same.is_equal());
        assert_eq!(same.to_string(), "equal: 2 lines");
    }
}
