//! A design from a file whose columns are keys and whose rows are parameter sets.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::BufReader;
use std::path::Path;

use throng_core::{InputError, Problems, checksum, open_input, unreadable_input};

use super::csv_records::{BadCsv, CsvRecords};
use super::design::MAX_SETS;
use super::vary::{Conflict, conflict};
use crate::assignment::{assignment, key_parts};
use crate::names::shown;

/// The flag that names the file, for messages.
pub(super) const DESIGN: &str = "--design";

/// Maximum number of columns.
const MAX_KEYS: usize = 1000;
/// Maximum number of values, which are stored as text.
const MAX_VALUES: usize = 10_000_000;
/// Maximum size of a file, bytes.
const MAX_BYTES: u64 = 1 << 28;

/// The parameter sets of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct DesignFile {
    /// The file as typed.
    pub file: String,
    pub keys: Vec<String>,
    /// Line number and values of each parameter set.
    pub rows: Vec<(u64, Vec<String>)>,
}

impl DesignFile {
    /// Reads a design. Fields are separated by semicolons if the header contains one, else by commas; empty lines are
    /// skipped.
    ///
    /// # Errors
    /// When the file cannot be read as a table, or has other problems; the error lists these with line and column.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        let file = path.display().to_string();
        let place = format!("{DESIGN} {}", shown(&file));
        let opened = open_input(path).map_err(|error| unreadable_input(path, &error).with_places(|_| place.clone()))?;
        let bytes = opened.metadata().map_or(0, |data| data.len());
        if bytes > MAX_BYTES {
            return Err(InputError::one(
                place,
                format!("{bytes} bytes"),
                format!("give a file of at most {MAX_BYTES} bytes"),
            ));
        }
        let bad = |BadCsv { line, message }: BadCsv| {
            InputError::one(format!("{}:{line}", shown(&file)), message, "write the table as CSV, in UTF-8")
        };
        let (mut records, header) = CsvRecords::with_header(BufReader::new(opened)).map_err(bad)?;
        let Some((line, keys)) = header else {
            return Err(InputError::one(
                place,
                "is empty",
                "give a line of keys, and a line of values for each parameter set",
            ));
        };
        if keys.len() > MAX_KEYS {
            let message = format!("{} columns", keys.len());
            return Err(InputError::one(
                format!("{}:{line}", shown(&file)),
                message,
                format!("give at most {MAX_KEYS}"),
            ));
        }
        let mut problems = Problems::new();
        let mut design = Self { file: file.clone(), keys, rows: Vec::new() };
        design.check_keys(line, &mut problems);
        let mut seen: HashMap<u64, u64> = HashMap::new();
        while let Some((line, values)) = records.next_record().map_err(bad)? {
            let max_rows = (MAX_SETS as usize).min(MAX_VALUES / design.keys.len());
            if design.rows.len() == max_rows {
                let message =
                    format!("more than {max_rows} parameter sets; number of values in each: {}", design.keys.len());
                problems.push(format!("{}:{line}", shown(&file)), message, "give fewer");
                break;
            }
            if !design.check_row(line, &values, &mut problems) {
                continue;
            }
            // Detects equal rows; a checksum collision of different rows is practically impossible.
            let sum = checksum::of_bytes(values.join("\0").as_bytes());
            match seen.entry(sum) {
                Entry::Occupied(first) => {
                    let remedy = "remove it; --seeds N repeats each parameter set";
                    let message = format!("repeats the parameter set of line {}", first.get());
                    problems.push(format!("{}:{line}", shown(&file)), message, remedy);
                }
                Entry::Vacant(place) => {
                    place.insert(line);
                    design.rows.push((line, values));
                }
            }
        }
        if design.rows.is_empty() && problems.is_empty() {
            problems.push(place, "has no parameter set", "give a line of values for each, below the keys");
        }
        problems.into_result().map(|()| design)
    }

    /// Returns the place of a value, for messages; columns are numbered from 1.
    pub fn place(&self, line: u64, column: usize) -> String {
        format!("{}:{line}, column {}", shown(&self.file), column + 1)
    }

    fn check_keys(&self, line: u64, problems: &mut Problems) {
        let mut paths = Vec::new();
        for (column, key) in self.keys.iter().enumerate() {
            let place = || self.place(line, column);
            if key.is_empty() {
                problems.push(place(), "has no key", "name the parameter, as for --set");
            } else if assignment(key).is_some() {
                let remedy = "the first line contains only keys; the values are below";
                problems.push(place(), format!("\"{}\" is not a key", shown(key)), remedy);
            } else {
                let path = key_parts(key);
                if let Some(Conflict { message, .. }) = conflict(key, &path, &paths) {
                    problems.push(place(), message, "remove one of the columns");
                }
                paths.push((key.clone(), path));
            }
        }
    }

    /// Whether a row has a value for each key.
    fn check_row(&self, line: u64, values: &[String], problems: &mut Problems) -> bool {
        if values.len() != self.keys.len() {
            let value = if values.len() == 1 { "value" } else { "values" };
            let key = if self.keys.len() == 1 { "key" } else { "keys" };
            let message = format!("{} {value}, and the first line has {} {key}", values.len(), self.keys.len());
            let remedy = "give a value for each key; put a value that contains the separator in quotation marks";
            problems.push(format!("{}:{line}", shown(&self.file)), message, remedy);
            return false;
        }
        for (column, value) in values.iter().enumerate() {
            // A column without a key is reported separately.
            if value.is_empty() && !self.keys[column].is_empty() {
                let message = format!("{} has no value", shown(&self.keys[column]));
                problems.push(self.place(line, column), message, "give one; an empty text is written \"\"\"\"\"\"");
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<DesignFile, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("d.csv");
        std::fs::write(&path, text).unwrap();
        let shorter = |text: String| text.replace(&format!("{}/", dir.path().display()), "");
        let design = DesignFile::read(&path).map_err(|error| shorter(error.to_string()))?;
        Ok(DesignFile { file: shorter(design.file), ..design })
    }

    #[test]
    fn rows_are_parameter_sets() {
        let expected = DesignFile {
            file: "d.csv".into(),
            keys: vec!["agents".into(), "players".into()],
            rows: vec![(2, vec!["3".into(), "[1, 2]".into()]), (4, vec!["5".into(), "\"\"".into()])],
        };
        assert_eq!(read("agents,players\n3,\"[1, 2]\"\n\n5,\"\"\"\"\"\"\n").unwrap(), expected);
        assert_eq!(read("agents;players\r\n3;[1, 2]\r\n\r\n5;\"\"\"\"\"\"").unwrap(), expected);
    }

    #[test]
    fn all_problems_are_located_by_line_and_column() {
        let error = read("a,a,,b=1\n1,2,3,4\n1,2,3\n1,,3,4\n1,2,3,4\n").unwrap_err();
        for part in [
            "d.csv:1, column 2: a is varied twice\n    remove one",
            "d.csv:1, column 3: has no key\n    name the parameter",
            "d.csv:1, column 4: \"b=1\" is not a key",
            "d.csv:3: 3 values, and the first line has 4 keys\n    give a value for each key",
            "d.csv:4, column 2: a has no value\n    give one",
            "d.csv:5: repeats the parameter set of line 2\n    remove it; --seeds N",
        ] {
            assert!(error.contains(part), "{part}: {error}");
        }
        for (text, part) in [
            ("", "--design d.csv: is empty\n    give a line of keys"),
            ("a\n", "--design d.csv: has no parameter set"),
            ("a,\"\"\"a\"\"\"\n1,2\n", "d.csv:1, column 2: \"a\" is varied twice"),
            ("a.b,a\n1,2\n", "d.csv:1, column 2: a.b is varied, too, and one is a part of the other"),
            (&format!("{}\n", ",".repeat(MAX_KEYS)), "d.csv:1: 1001 columns\n    give at most 1000"),
            ("a,b\n1\n", "d.csv:2: 1 value, and the first line has 2 keys"),
            ("a\n1,2\n", "d.csv:2: 2 values, and the first line has 1 key\n"),
            ("a\n\"1\n", "d.csv:2: a quotation mark is not closed"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{part}: {error}");
        }
        let error = DesignFile::read(Path::new("nowhere.csv")).unwrap_err().to_string();
        assert!(error.contains("--design nowhere.csv: cannot be read: "), "{error}");
        let error = DesignFile::read(Path::new("/")).unwrap_err().to_string();
        assert!(error.contains("--design /: cannot be read: "), "{error}");
    }
}
