//! A table written both as CSV and as Parquet.

use throng_output::csv::{Row, push_header};
use throng_output::table::{self, ColumnKind, Schema};
use throng_output::{Codec, ParquetFile, RunFolder, TextFile, WrittenFile};

use crate::Failure;

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `true` or `false`.
    Flag,
    Whole,
    Real,
    Text,
}

impl Kind {
    /// Returns the type of a value as typed.
    pub fn of(text: &str) -> Self {
        match text {
            "true" | "false" => Self::Flag,
            _ if text.parse::<i64>().is_ok() => Self::Whole,
            _ if text.parse::<f64>().is_ok_and(f64::is_finite) => Self::Real,
            _ => Self::Text,
        }
    }

    /// Returns the type that can represent values of both.
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Self::Whole, Self::Real) | (Self::Real, Self::Whole) => Self::Real,
            _ => Self::Text,
        }
    }

    fn of_parquet(self) -> ColumnKind {
        match self {
            Self::Flag => ColumnKind::Bool,
            Self::Whole => ColumnKind::Int64,
            Self::Real => ColumnKind::Float64,
            Self::Text => ColumnKind::Text,
        }
    }
}

/// The values of a column in some rows; `None` for a missing value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Column {
    Flag(Vec<Option<bool>>),
    Whole(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
}

impl Column {
    /// Creates a column that repeats one value, parsed from a text of the given type.
    pub fn repeated(kind: Kind, text: &str, rows: usize) -> Self {
        match kind {
            Kind::Flag => Self::Flag(vec![text.parse().ok(); rows]),
            Kind::Whole => Self::Whole(vec![text.parse().ok(); rows]),
            Kind::Real => Self::Real(vec![text.parse().ok(); rows]),
            Kind::Text => Self::Text(vec![Some(text.to_owned()); rows]),
        }
    }

    /// Creates a column of integers, one per row.
    pub fn whole(values: impl Iterator<Item = i64>) -> Self {
        Self::Whole(values.map(Some).collect())
    }

    /// Creates a column of numbers; values that are not finite become missing.
    pub fn real(values: impl Iterator<Item = f64>) -> Self {
        Self::Real(values.map(|value| value.is_finite().then_some(value)).collect())
    }

    fn len(&self) -> usize {
        match self {
            Self::Flag(values) => values.len(),
            Self::Whole(values) => values.len(),
            Self::Real(values) => values.len(),
            Self::Text(values) => values.len(),
        }
    }

    /// Writes the value of a row.
    pub fn write(&self, row: usize, fields: &mut Row<'_>) {
        match self {
            Self::Flag(values) => values[row].map(|value| fields.text(if value { "true" } else { "false" })),
            Self::Whole(values) => values[row].map(|value| fields.integer(value)),
            Self::Real(values) => values[row].map(|value| fields.number(value)),
            Self::Text(values) => values[row].as_ref().map(|value| fields.text(value)),
        }
        .is_none()
        .then(|| fields.empty());
    }

    fn to_parquet(&self) -> table::Column<'_> {
        match self {
            Self::Flag(values) => table::Column::optional(values.iter().copied()),
            Self::Whole(values) => table::Column::optional(values.iter().copied()),
            Self::Real(values) => table::Column::optional(values.iter().copied()),
            Self::Text(values) => table::Column::optional(values.iter().map(Option::as_deref)),
        }
    }
}

/// A table under construction: `NAME.csv` and `NAME.parquet`.
pub(super) struct Table {
    csv: TextFile,
    parquet: ParquetFile,
}

impl Table {
    /// Creates a table with these columns.
    ///
    /// # Errors
    /// When a file cannot be created.
    pub fn create(folder: &RunFolder, name: &str, columns: &[(&str, Kind)]) -> Result<Self, Failure> {
        let schema =
            columns.iter().fold(Schema::new(), |schema, &(name, kind)| schema.optional(name, kind.of_parquet()));
        let mut csv = TextFile::create(folder, &format!("{name}.csv"), Codec::None)?;
        push_header(csv.text(), &columns.iter().map(|&(name, _)| name).collect::<Vec<_>>());
        let parquet = ParquetFile::create(folder, &format!("{name}.parquet"), &schema)?;
        Ok(Self { csv, parquet })
    }

    /// Appends rows, column by column.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&mut self, columns: &[Column]) -> Result<(), Failure> {
        for row in 0..columns.first().map_or(0, Column::len) {
            let mut fields = Row::new(self.csv.text());
            for column in columns {
                column.write(row, &mut fields);
            }
            fields.end();
            self.csv.flush_full()?;
        }
        Ok(self.parquet.write(&columns.iter().map(Column::to_parquet).collect::<Vec<_>>())?)
    }

    /// Completes both files.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn finish(self) -> Result<[WrittenFile; 2], Failure> {
        Ok([self.csv.finish()?, self.parquet.finish()?])
    }
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::SerializedFileReader;
    use parquet::record::Field;
    use throng_output::IfNotEmpty;

    use super::*;

    #[test]
    fn column_kinds_widen_to_fit_all_values() {
        let kind = |texts: &[&str]| texts.iter().map(|text| Kind::of(text)).reduce(Kind::or).unwrap();
        assert_eq!(kind(&["1", "2"]), Kind::Whole);
        assert_eq!(kind(&["1", "2.5"]), Kind::Real);
        assert_eq!(kind(&["true", "false"]), Kind::Flag);
        assert_eq!([kind(&["true", "1"]), kind(&["nan"]), kind(&["[1, 2]"])], [Kind::Text; 3]);
    }

    #[test]
    fn rows_are_written_to_both_files() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(&dir.path().join("a"), IfNotEmpty::Refuse, "").unwrap();
        let columns = [("flag", Kind::Flag), ("n", Kind::Whole), ("x", Kind::Real), ("t", Kind::Text)];
        let mut table = Table::create(&folder, "t", &columns).unwrap();
        table
            .write(&[
                Column::repeated(Kind::Flag, "true", 2),
                Column::whole([1, -2].into_iter()),
                Column::real([0.1, f64::NAN].into_iter()),
                Column::Text(vec![Some("a;b".into()), None]),
            ])
            .unwrap();
        let [csv, parquet] = table.finish().unwrap();
        assert_eq!([csv.name.as_str(), parquet.name.as_str()], ["t.csv", "t.parquet"]);
        let text = std::fs::read_to_string(folder.path().join("t.csv")).unwrap();
        assert_eq!(text, "flag;n;x;t\r\ntrue;1;0.1;\"a;b\"\r\ntrue;-2;;\r\n");
        let file = std::fs::File::open(folder.path().join("t.parquet")).unwrap();
        let rows = SerializedFileReader::new(file).unwrap().into_iter().map(|row| {
            let row = row.unwrap();
            row.get_column_iter().map(|(_, value)| value.clone()).collect::<Vec<Field>>()
        });
        let first = vec![Field::Bool(true), Field::Long(1), Field::Double(0.1), Field::Str("a;b".into())];
        let second = vec![Field::Bool(true), Field::Long(-2), Field::Null, Field::Null];
        assert_eq!(rows.collect::<Vec<_>>(), [first, second]);
    }
}
