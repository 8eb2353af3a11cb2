//! Reads discs from a CSV file with the separator `,` or `;`.

use std::collections::HashMap;
use std::path::Path;

use throng_core::{InputError, Problems, csv_fields, nearest, read_input_text, unreadable_input};

/// Columns that a file may have.
const COLUMNS: [&str; 6] = ["id", "x_m", "y_m", "radius_m", "goal_x_m", "goal_y_m"];

/// Maximum size of a file, bytes: enough for a hundred million discs.
const MAX_BYTES: u64 = 4 << 30;

/// A disc of a file, m.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::struct_field_names, reason = "the names of the columns")]
pub struct Row {
    /// Line in the file, from 1.
    pub line: usize,
    /// Id of the disc: the index of the row, from 0, in a file without the column.
    pub id: String,
    pub x_m: f64,
    pub y_m: f64,
    pub radius_m: Option<f64>,
    pub goal_m: [f64; 2],
}

/// Reads the discs of a file: columns `x_m` and `y_m`, optionally `id` and `radius_m`, and `goal_x_m` and `goal_y_m` if
/// they are needed, in any order; other columns are ignored. The separator is `,` or `;`, whichever is more frequent in
/// the first line; tables of runs have `;`. Fields that contain the separator are quoted.
///
/// # Errors
/// When the file cannot be read, lacks a column, or has misspelt or duplicate ones, no discs, duplicate ids, lines with
/// too few or too many fields, or values that are not finite numbers; all such values are reported.
pub fn read_discs(file: &Path, needs_goals: bool) -> Result<Vec<Row>, InputError> {
    let place = file.display().to_string();
    let text = read_input_text(file, MAX_BYTES).map_err(|error| unreadable_input(file, &error))?;
    parse(&place, &text, needs_goals)
}

fn parse(place: &str, text: &str, needs_goals: bool) -> Result<Vec<Row>, InputError> {
    let mut lines = text.trim_start_matches('\u{feff}').lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let Some((header, header_line)) = lines.next() else {
        return Err(InputError::one(place, "is empty", "the first line names the columns, such as x_m,y_m"));
    };
    let count = |separator: char| header.matches(separator).count();
    let separator = if count(';') > count(',') { ';' } else { ',' };
    let header = csv_fields(header, separator);
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    check_header(&format!("{place}:{header_line}"), &header, needs_goals)?;
    let columns = COLUMNS.map(|name| header.iter().position(|found| *found == name));
    let mut problems = Problems::new();
    let mut rows = Vec::new();
    for (number, (line, line_number)) in lines.enumerate() {
        let fields = csv_fields(line, separator);
        if fields.len() != header.len() {
            let remedy = format!("give the {} fields that the first line names", header.len());
            problems.push(format!("{place}:{line_number}"), format!("{} fields", fields.len()), remedy);
            continue;
        }
        let id = columns[0].map_or_else(|| number.to_string(), |column| fields[column].clone());
        let mut value = |column: usize| {
            let field = &fields[columns[column]?];
            let parsed = field.parse::<f64>().ok().filter(|value| value.is_finite());
            if parsed.is_none() {
                let place = format!("{place}:{line_number}, {}", COLUMNS[column]);
                problems.push(place, format!("\"{field}\""), "give a finite number of metres");
            }
            parsed
        };
        let [x_m, y_m] = [1, 2].map(|column| value(column).unwrap_or_default());
        let radius_m = value(3);
        let goal_m = if needs_goals { [4, 5].map(|column| value(column).unwrap_or_default()) } else { [0.0; 2] };
        rows.push(Row { line: line_number, id, x_m, y_m, radius_m, goal_m });
    }
    problems.into_result()?;
    if rows.is_empty() {
        return Err(InputError::one(place, "has no discs", "add a line for each disc"));
    }
    let mut problems = Problems::new();
    let mut lines_of_ids = HashMap::new();
    for row in &rows {
        if let Some(line) = lines_of_ids.insert(&row.id, row.line) {
            let remedy = format!("line {line} has the same id; give each disc a unique id");
            problems.push(format!("{place}:{}, id", row.line), format!("\"{}\"", row.id), remedy);
        }
    }
    problems.into_result()?;
    Ok(rows)
}

fn check_header(place: &str, header: &[&str], needs_goals: bool) -> Result<(), InputError> {
    let mut problems = Problems::new();
    for (at, name) in header.iter().enumerate() {
        if COLUMNS.contains(name) {
            if header[..at].contains(name) {
                problems.push(place, format!("column {name} occurs twice"), "remove one of them");
            }
        } else if let Some(meant) = nearest(name, COLUMNS) {
            let remedy = format!("write {meant}, or rename the column if it means something else");
            problems.push(place, format!("unknown column \"{name}\""), remedy);
        }
    }
    let needed = if needs_goals { &["x_m", "y_m", "goal_x_m", "goal_y_m"][..] } else { &["x_m", "y_m"] };
    for name in needed.iter().filter(|name| !header.contains(name)) {
        let message = format!("has no column {name}; its columns are {}", header.join(", "));
        problems.push(place, message, "add the column, and its name in the first line");
    }
    problems.into_result()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_in_any_order_and_others_are_ignored() {
        let rows = parse("f", "\u{feff}y_m,id,x_m,height\r\n2,b,1.5,1\r\n\r\n4,a,-1e1,2\r\n", false).unwrap();
        let found: Vec<_> = rows.iter().map(|row| (row.id.as_str(), row.line, row.x_m, row.y_m)).collect();
        assert_eq!(found, [("b", 2, 1.5, 2.0), ("a", 4, -10.0, 4.0)]);
        assert!(rows.iter().all(|row| row.radius_m.is_none()));
    }

    #[test]
    fn the_first_line_determines_the_separator() {
        let rows = parse("f", "id;x_m;y_m;note,s\r\n\"a;b \"\"c\"\"\";1.5;2;x,y\r\n d ;3;4;\r\n", false).unwrap();
        let found: Vec<_> = rows.iter().map(|row| (row.id.as_str(), row.x_m, row.y_m)).collect();
        assert_eq!(found, [("a;b \"c\"", 1.5, 2.0), ("d", 3.0, 4.0)]);
        let rows = parse("f", "id,x_m,y_m\n\"a,b\",1.5,2\na;b,1,2\n", false).unwrap();
        assert_eq!(rows.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(), ["a,b", "a;b"]);
    }

    #[test]
    fn problems_are_reported_with_line_value_and_remedy() {
        for (text, needs_goals, expected) in [
            ("", false, "f: is empty\n    the first line names"),
            ("id,x_m,y_m\n", false, "f: has no discs\n    add a line"),
            ("id,x_m\n1,2\n", false, "f:1: has no column y_m; its columns are id, x_m\n    add the column"),
            ("x_m,y_m,raduis_m\n", false, "f:1: unknown column \"raduis_m\"\n    write radius_m"),
            ("id,x_m,x_m,y_m\n", false, "f:1: column x_m occurs twice\n    remove"),
            ("x_m,y_m\n2,3\n", true, "f:1: has no column goal_x_m; its columns"),
            ("x_m,y_m\n1\n", false, "f:2: 1 fields\n    give the 2 fields"),
            ("x_m,y_m\n\nNaN,3\n", false, "f:3, x_m: \"NaN\"\n    give a finite number"),
            ("id,x_m,y_m\n1,2,3\n2,3,4\n1,5,6\n", false, "f:4, id: \"1\"\n    line 2 has the same id"),
        ] {
            let found = parse("f", text, needs_goals).unwrap_err().to_string();
            assert!(found.contains(expected), "{text}: {found}");
        }
    }
}
