//! Tables are written, and read back with Parquet's own reader.

use std::fs::File;
use std::iter::{once, repeat_n};
use std::ops::Range;
use std::path::Path;

use parquet::basic::{Compression, Encoding, LogicalType, Repetition};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::record::Field;

use throng_core::{IdTable, NONE};

use super::*;
use crate::{IfNotEmpty, PipelineSize, RunFolder};

fn reader(path: &Path) -> SerializedFileReader<File> {
    SerializedFileReader::new(File::open(path).unwrap()).unwrap()
}

fn rows(path: &Path) -> Vec<Vec<Field>> {
    let rows = reader(path).get_row_iter(None).unwrap().map(Result::unwrap).collect::<Vec<_>>();
    rows.iter().map(|row| row.get_column_iter().map(|(_, value)| value.clone()).collect()).collect()
}

fn row_counts(path: &Path) -> Vec<i64> {
    reader(path).metadata().row_groups().iter().map(RowGroupMetaData::num_rows).collect()
}

fn text(value: &str) -> Field {
    Field::Str(value.to_owned())
}

/// A temporary folder for tables.
struct Folder {
    dir: tempfile::TempDir,
    run: RunFolder,
}

impl Folder {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let run = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
        Self { dir, run }
    }

    /// Writes `parts` to a file and returns the rows read back from it.
    fn round_trip(&self, schema: &Schema, parts: &[Vec<Column<'_>>]) -> Vec<Vec<Field>> {
        let mut file = ParquetFile::create(&self.run, "t.parquet", schema).unwrap();
        for columns in parts {
            file.write(columns).unwrap();
        }
        file.finish().unwrap();
        rows(&self.table())
    }

    fn table(&self) -> std::path::PathBuf {
        self.dir.path().join("t.parquet")
    }
}

const KINDS: [ColumnKind; 7] = [
    ColumnKind::Bool,
    ColumnKind::Int64,
    ColumnKind::UInt32,
    ColumnKind::Float32,
    ColumnKind::Float64,
    ColumnKind::Text,
    ColumnKind::UInt8,
];

fn every_kind(add: fn(Schema, &str, ColumnKind) -> Schema) -> Schema {
    KINDS.into_iter().fold(Schema::new(), |schema, kind| add(schema, &format!("{kind:?}"), kind))
}

#[test]
fn columns_of_every_kind_are_read_back_unchanged() {
    let columns = || {
        vec![
            Column::required([true, false]),
            Column::required([i64::MIN, i64::MAX]),
            Column::required([u32::MAX, 0]),
            Column::required([-0.5_f32, f32::INFINITY]),
            Column::required([1e-300, -0.1]),
            Column::required(["", "häßlich; \"17_b\""]),
            Column::required([255_u32, 0]),
        ]
    };
    let expected = [
        vec![
            Field::Bool(true),
            Field::Long(i64::MIN),
            Field::UInt(u32::MAX),
            Field::Float(-0.5),
            Field::Double(1e-300),
            text(""),
            Field::UByte(255),
        ],
        vec![
            Field::Bool(false),
            Field::Long(i64::MAX),
            Field::UInt(0),
            Field::Float(f32::INFINITY),
            Field::Double(-0.1),
            text("häßlich; \"17_b\""),
            Field::UByte(0),
        ],
    ];
    // A column without missing values also fits an optional column.
    for schema in [every_kind(Schema::required), every_kind(Schema::optional)] {
        assert_eq!(Folder::new().round_trip(&schema, &[columns()]), expected);
    }
}

#[test]
fn missing_values_are_null() {
    let columns = vec![
        Column::optional([None, Some(true), None]),
        Column::optional([Some(1_i64), None, None]),
        Column::optional([None, None, Some(7_u32)]),
        Column::optional::<f32>([None, None, None]),
        Column::optional([Some(f64::NAN), None, Some(2.5)]),
        Column::optional([None, Some("b"), Some("")]),
        Column::optional([None, Some(8_u32), None]),
    ];
    let found = Folder::new().round_trip(&every_kind(Schema::optional), &[columns]);
    assert_eq!(found[0][..4], [Field::Null, Field::Long(1), Field::Null, Field::Null]);
    assert!(matches!(found[0][4], Field::Double(value) if value.is_nan()));
    assert_eq!(found[0][5..], [Field::Null, Field::Null]);
    assert_eq!(found[1][..5], [Field::Bool(true), Field::Null, Field::Null, Field::Null, Field::Null]);
    assert_eq!(found[1][5..], [text("b"), Field::UByte(8)]);
    assert_eq!(found[2][..4], [Field::Null, Field::Null, Field::UInt(7), Field::Null]);
    assert_eq!(found[2][4..], [Field::Double(2.5), text(""), Field::Null]);
}

#[test]
fn files_describe_their_columns() {
    let schema = Schema::new().required("volume", ColumnKind::UInt32).optional("link", ColumnKind::Text);
    let columns = vec![Column::required([5_u32, u32::MAX, 5]), Column::optional([Some("b"), None, Some("a")])];
    let folder = Folder::new();
    folder.round_trip(&schema, &[columns]);
    let reader = reader(&folder.table());
    let (file, group) = (reader.metadata().file_metadata(), reader.metadata().row_group(0));
    assert_eq!((file.created_by(), file.key_value_metadata()), (Some("throng"), None));
    let column = |i: usize| file.schema_descr().column(i);
    assert_eq!((column(0).name(), column(1).name()), ("volume", "link"));
    assert_eq!(column(0).logical_type_ref(), Some(&LogicalType::integer(32, false)));
    assert_eq!(column(1).logical_type_ref(), Some(&LogicalType::String));
    let repetition = |i: usize| column(i).self_type().get_basic_info().repetition();
    assert_eq!([repetition(0), repetition(1)], [Repetition::REQUIRED, Repetition::OPTIONAL]);
    for chunk in group.columns() {
        assert!(matches!(chunk.compression(), Compression::ZSTD(_)));
        assert!(chunk.encodings().any(|encoding| encoding == Encoding::RLE_DICTIONARY));
    }
    // The order is unsigned: the maximum has the bits of -1, which would be the smallest signed number.
    let Some(Statistics::Int32(volumes)) = group.column(0).statistics() else { panic!("no statistics of volumes") };
    assert_eq!((volumes.min_opt(), volumes.max_opt()), (Some(&5), Some(&-1)));
    let Some(Statistics::ByteArray(links)) = group.column(1).statistics() else { panic!("no statistics of links") };
    assert_eq!((links.min_bytes_opt(), links.max_bytes_opt()), (Some(&b"a"[..]), Some(&b"b"[..])));
    assert_eq!(links.null_count_opt(), Some(1));
}

#[test]
fn empty_tables_keep_their_columns() {
    let schema = every_kind(Schema::optional);
    let no_rows = KINDS.map(|_| Column::required::<bool>([])).to_vec();
    for parts in [vec![], vec![no_rows]] {
        let folder = Folder::new();
        assert_eq!(folder.round_trip(&schema, &parts), Vec::<Vec<Field>>::new());
        assert!(row_counts(&folder.table()).is_empty());
        assert_eq!(reader(&folder.table()).metadata().file_metadata().schema_descr().num_columns(), KINDS.len());
    }
}

#[test]
fn rows_are_collected_into_row_groups() {
    // The second part is split; its second column has fewer values than rows.
    let schema = Schema::new().required("n", ColumnKind::UInt32).optional("name", ColumnKind::Text);
    let names: Vec<String> = (0..1000).map(|n| format!("name {n}")).collect();
    let name = |n: u32| n.is_multiple_of(3).then(|| names[n as usize % 1000].as_str());
    let part = |range: Range<u32>| vec![Column::required(range.clone()), Column::optional(range.map(name))];
    let all = ROW_GROUP_ROWS as u32 + 1234;
    let folder = Folder::new();
    let found = folder.round_trip(&schema, &[part(0..7), part(7..all - 100), part(all - 100..all)]);
    assert_eq!(row_counts(&folder.table()), [ROW_GROUP_ROWS as i64, 1234]);
    assert_eq!(found.len(), all as usize);
    for (n, row) in (0..all).zip(&found) {
        assert_eq!(*row, [Field::UInt(n), name(n).map_or(Field::Null, text)], "row {n}");
    }
}

#[test]
fn columns_that_do_not_match_the_schema_are_refused() {
    let schema = Schema::new().required("n", ColumnKind::UInt32).optional("x", ColumnKind::Float64);
    let n = || Column::required([1_u32, 2]);
    let x = || Column::required([0.5, 1.5]);
    for (columns, part) in [
        (vec![n()], "2 columns of equal length expected, 1 found"),
        (vec![n(), Column::required([0.5])], "2 columns of equal length expected"),
        (vec![Column::required([1_i64, 2]), x()], "column \"n\" has values of another type"),
        (vec![Column::optional([Some(1_u32), Some(2)]), x()], "column \"n\" must have a value in each row"),
    ] {
        let folder = Folder::new();
        let mut file = ParquetFile::create(&folder.run, "t.parquet", &schema).unwrap();
        let error = file.write(&columns).unwrap_err().to_string();
        assert!(error.contains(part) && error.contains("t.parquet"), "{error}");
    }
}

struct Squares;

impl BuildColumns<Range<u32>> for Squares {
    fn columns<'a>(&'a self, block: &'a Range<u32>) -> impl Iterator<Item = Column<'a>> {
        let roots = block.clone().map(|n| (n % 2 == 0).then(|| f64::from(n).sqrt()));
        let parity = block.clone().map(|n| if n % 2 == 0 { "even" } else { "odd" });
        once(Column::required(block.clone())).chain(once(Column::optional(roots))).chain(once(Column::required(parity)))
    }
}

fn squares(folder: &Folder, workers: usize) -> Vec<u8> {
    let schema = Schema::new()
        .required("n", ColumnKind::UInt32)
        .optional("root", ColumnKind::Float64)
        .required("parity", ColumnKind::Text);
    let size = PipelineSize::of_workers(workers);
    let mut file = ParallelParquetFile::create(&folder.run, "t.parquet", &schema, size, Squares).unwrap();
    for start in (0..10_000).step_by(1000) {
        file.send(start..start + 1000).unwrap();
    }
    file.finish().unwrap();
    std::fs::read(folder.table()).unwrap()
}

#[test]
fn row_groups_of_several_threads_are_in_order() {
    let folder = Folder::new();
    let bytes = squares(&folder, 3);
    assert_eq!(row_counts(&folder.table()), [1000; 10]);
    for (n, row) in (0_u32..).zip(rows(&folder.table())) {
        let expected = match n % 2 {
            0 => [Field::UInt(n), Field::Double(f64::from(n).sqrt()), text("even")],
            _ => [Field::UInt(n), Field::Null, text("odd")],
        };
        assert_eq!(row, expected);
    }
    assert!(squares(&Folder::new(), 1) == bytes, "one thread and three threads write different bytes");
}

/// Columns with different numbers of rows.
struct Uneven;

impl BuildColumns<usize> for Uneven {
    fn columns<'a>(&'a self, missing: &'a usize) -> impl Iterator<Item = Column<'a>> {
        once(Column::required(repeat_n(1_u32, 5))).chain(once(Column::required(repeat_n("a", 5 - missing))))
    }
}

#[test]
fn uneven_columns_of_a_thread_are_refused() {
    let folder = Folder::new();
    let schema = Schema::new().required("n", ColumnKind::UInt32).required("text", ColumnKind::Text);
    let size = PipelineSize::of_workers(1);
    let mut file = ParallelParquetFile::create(&folder.run, "t.parquet", &schema, size, Uneven).unwrap();
    file.send(0).unwrap();
    file.send(1).unwrap();
    let error = file.finish().unwrap_err().to_string();
    assert!(error.contains("t.parquet") && error.contains("rows"), "{error}");
}

#[test]
fn names_are_written_like_their_texts() {
    let mut table = IdTable::new();
    for n in 0..5000 {
        table.intern(&format!("name {n}")).unwrap();
    }
    // Runs, different values, and both again; a third is missing in the optional column.
    let index = |row: u32| if row % 1000 < 300 { row / 1000 } else { row * 7 % 5000 };
    let optional = |row: u32| if row % 30 < 10 { NONE } else { index(row) };
    let text = |index: u32| (index != NONE).then(|| table.name(index));
    let schema = Schema::new().required("a", ColumnKind::Text).optional("b", ColumnKind::Text);
    let file = |parts: [Vec<Column<'_>>; 2]| {
        let folder = Folder::new();
        let found = folder.round_trip(&schema, &parts);
        (std::fs::read(folder.table()).unwrap(), found)
    };
    let rows = |range: Range<u32>| range.map(index);
    // A part with few rows looks names up in a hash table.
    let parts = [0..7, 7..20_000];
    let names = |range: Range<u32>| {
        vec![Column::names(rows(range.clone()), &table), Column::optional_names(range.map(optional), &table)]
    };
    let texts = |range: Range<u32>| {
        let b = Column::optional(range.clone().map(|row| text(optional(row))));
        vec![Column::required(rows(range).map(|index| table.name(index))), b]
    };
    let ((named, found), (written, _)) = (file(parts.clone().map(names)), file(parts.map(texts)));
    assert!(named == written, "names and texts yield different bytes");
    for (row, fields) in (0..20_000).zip(&found) {
        let field = |value: Option<&str>| value.map_or(Field::Null, super::tests::text);
        assert_eq!(*fields, [field(text(index(row))), field(text(optional(row)))], "row {row}");
    }
}
