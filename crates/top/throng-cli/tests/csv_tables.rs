//! The rules for all CSV tables, so that data tools need only the separator to read them.

use std::collections::BTreeSet;
use std::path::Path;

use throng_core::csv_fields;

/// Text columns whose values may look like numbers: ids, hashes and lists of numbers.
const TEXTS: [&str; 15] = [
    "components",
    "end_facility_id",
    "end_link",
    "error",
    "facility_id",
    "hash",
    "id",
    "link",
    "link_id",
    "person",
    "query",
    "start_facility_id",
    "start_link",
    "state_hash",
    "vehicle_id",
];

/// Checks all tables in a folder and returns their names.
pub fn check_tables(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.contains(".csv."), "{name} is compressed: not checked");
        if Path::new(&name).extension().is_some_and(|ending| ending == "csv") {
            let bytes = std::fs::read(folder.join(&name)).unwrap();
            check_table(&name, &String::from_utf8(bytes).unwrap_or_else(|_| panic!("{name} is not UTF-8")));
            names.push(name);
        }
    }
    names.sort();
    names
}

fn check_table(name: &str, text: &str) {
    assert!(text.ends_with("\r\n") && text.matches('\n').count() == text.matches("\r\n").count(), "{name}: line ends");
    let mut rows = text.lines().map(|line| csv_fields(line, ';'));
    let header = rows.next().unwrap();
    // There must be no byte order mark or comment.
    assert!(header[0].starts_with(|first: char| first.is_ascii_alphabetic()), "{name}: {header:?}");
    assert!(header.iter().all(|column| !column.is_empty() && number(column).is_none()), "{name}: {header:?}");
    let distinct: BTreeSet<&String> = header.iter().collect();
    assert_eq!(distinct.len(), header.len(), "{name}: columns with the same name: {header:?}");
    let mut are_numbers = vec![None; header.len()];
    for (row, line) in rows.zip(2..) {
        assert_eq!(row.len(), header.len(), "{name}:{line}: {row:?}");
        for ((field, column), is_numbers) in row.iter().zip(&header).zip(&mut are_numbers) {
            // Empty fields are missing values.
            if field.is_empty() || TEXTS.contains(&column.as_str()) {
                continue;
            }
            let is_number = number(field).is_some();
            let before = *is_numbers.get_or_insert(is_number);
            assert_eq!(is_number, before, "{name}:{line}: {column} has both numbers and texts: {field}");
            for not_finite in ["nan", "inf", "-inf", "infinity"] {
                assert!(!field.eq_ignore_ascii_case(not_finite), "{name}:{line}: {column}: {field}");
            }
        }
    }
}

/// Parses a finite number, with an optional decimal point and no sign except minus.
fn number(field: &str) -> Option<f64> {
    let is_plain = field.bytes().all(|byte| byte.is_ascii_digit() || b"-.e".contains(&byte));
    field.parse().ok().filter(|_| is_plain)
}

#[test]
fn faults_of_tables_are_detected() {
    let fault = |text: &str| {
        let text = text.to_owned();
        std::panic::catch_unwind(move || check_table("a.csv", &text)).is_err()
    };
    for sound in ["a;b\r\n1;x\r\n2;\r\n", "a\r\n", "a;hash\r\n1e-7;12\r\n-2;ab\r\n", "a\r\n\"x;y\"\r\n"] {
        assert!(!fault(sound), "{sound:?}");
    }
    for faulty in [
        "\u{feff}a;b\r\n1;2\r\n",
        "# a\r\na;b\r\n",
        "a;a\r\n",
        "a;\r\n",
        "a;b\n1;2\n",
        "a;b\r\n1\r\n",
        "a;b\r\n1;2;3\r\n",
        "a\r\n1\r\nx\r\n",
        "a\r\nNaN\r\n",
        "a\r\n0.5\r\n0,5\r\n",
    ] {
        assert!(fault(faulty), "{faulty:?}");
    }
}
