//! Discs from a CSV file, and the table of all discs.

use std::fs;
use std::path::Path;

use throng_core::{InputError, Problems};
use throng_model::Failure;
use throng_output::csv::{Row as CsvRow, push_header};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::walkers::Walkers;

/// The name of the table.
pub const DISCS: &str = "discs.csv";

/// A disc of a file, m.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(clippy::struct_field_names, reason = "the names of the columns")]
pub struct Row {
    pub x_m: f64,
    pub y_m: f64,
    pub radius_m: Option<f64>,
    pub goal_m: [f64; 2],
}

/// Reads the discs of a file: columns `x_m`, `y_m`, `radius_m` if it is there, and `goal_x_m` and `goal_y_m` if they
/// are needed, in any order; others are ignored.
///
/// # Errors
/// When the file cannot be read, lacks a column, or has no discs or values that are not finite numbers: all such values.
pub fn read_discs(file: &Path, needs_goals: bool) -> Result<Vec<Row>, InputError> {
    let place = file.display().to_string();
    let text = fs::read_to_string(file)
        .map_err(|error| InputError::one(&*place, error.to_string(), "name a readable CSV file in discs_file"))?;
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let header: Vec<&str> = lines.next().map(|(_, line)| line.split(',').map(str::trim).collect()).unwrap_or_default();
    let column = |name: &str| header.iter().position(|found| *found == name);
    let mut problems = Problems::new();
    let needed: &[&str] = if needs_goals { &["x_m", "y_m", "goal_x_m", "goal_y_m"] } else { &["x_m", "y_m"] };
    for name in needed.iter().filter(|name| column(name).is_none()) {
        let message = format!("has no column {name}; its columns are {}", header.join(", "));
        problems.push(&*place, message, "add the column, and its name in the first line");
    }
    problems.into_result()?;
    let mut problems = Problems::new();
    let mut rows = Vec::new();
    for (number, line) in lines {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let mut value = |name: &str| {
            let field = column(name).and_then(|column| fields.get(column)).copied().unwrap_or_default();
            let parsed = field.parse::<f64>().ok().filter(|value| value.is_finite());
            if parsed.is_none() {
                let place = format!("{place}, line {}, {name}", number + 1);
                problems.push(place, format!("\"{field}\""), "give a finite number of metres");
            }
            parsed.unwrap_or_default()
        };
        let (x_m, y_m) = (value("x_m"), value("y_m"));
        let radius_m = column("radius_m").map(|_| value("radius_m"));
        let goal_m = if needs_goals { [value("goal_x_m"), value("goal_y_m")] } else { [0.0; 2] };
        rows.push(Row { x_m, y_m, radius_m, goal_m });
    }
    problems.into_result()?;
    if rows.is_empty() {
        return Err(InputError::one(place, "has no discs", "add a line for each disc"));
    }
    Ok(rows)
}

/// Writes a row for each disc: place, radius, and whether it moved as it wished in the last step.
pub fn write_discs(walkers: &Walkers, folder: &RunFolder) -> Result<WrittenFile, Failure> {
    let mut table = TextFile::create(folder, DISCS, Codec::None)?;
    push_header(table.text(), &["disc", "x_m", "y_m", "radius_m", "accepted"]);
    let (lattice, radii) = (walkers.prepared.lattice, &walkers.prepared.scene.radii);
    let [xs, ys, _, refused] = &walkers.columns;
    for (disc, ((&x, &y), &refused)) in xs.iter().zip(ys).zip(refused).enumerate() {
        let mut row = CsvRow::new(table.text());
        row.integer(disc as i64).decimal(lattice.metres(x), 5).decimal(lattice.metres(y), 5);
        row.decimal(lattice.metres(radii.of(disc)), 5).integer(i64::from(refused == 0)).end();
        table.flush_full()?;
    }
    Ok(table.finish()?)
}
