//! Stamps of a scenario file: tables of values in the file itself, or in separate files.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_core::checks::positive;
use throng_fields_core::Stamp;
use throng_model::scenario_file::At;
use throng_pictures::files::npy;

use crate::inputs::{open, shown};
use crate::key_rules::{Presence, check_keys};
use crate::value_checks::{accept, refused};

/// An entry of `[stamps]`.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Stamp")]
pub struct StampTable {
    /// The distance between neighbouring values, units of length.
    pub side: f32,
    /// Rows of values, the one with the lowest y first.
    pub values: Option<Vec<Vec<f32>>>,
    /// A NumPy array in place of values; its path is relative to the scenario file.
    pub file: Option<PathBuf>,
}

impl StampTable {
    /// The lengths of the stamp, which [`check_lengths`](crate::value_checks::check_lengths) limits.
    pub(crate) fn lengths(&self) -> [(&'static str, Option<f32>); 1] {
        [("side", Some(self.side))]
    }
}

/// Reads a stamp; also returns the file that it was read from, with its size in bytes.
pub(crate) fn stamp(
    written: &At<StampTable>,
    folder: &Path,
    problems: &mut Problems,
) -> Option<(Stamp, Option<(PathBuf, u64)>)> {
    let StampTable { side, values, file } = &written.value;
    let keys = [("values", values.is_some(), Presence::when(file.is_none()))];
    let choice = format!("a stamp with{} a file", if file.is_some() { "" } else { "out" });
    if !check_keys(&written.place, &choice, &keys, problems) {
        return None;
    }
    accept(&written.place, positive("side", *side), problems)?;
    if let Some(file) = file {
        if file.as_os_str().is_empty() {
            problems.push(written.part("file"), "\"\"", "name the file of a stamp, or give values instead");
            return None;
        }
        let (stamp, input) = read(&folder.join(file), *side, &written.place, problems)?;
        return Some((stamp, Some(input)));
    }
    let rows = values.as_deref().unwrap_or_default();
    let columns = rows.first().map_or(0, Vec::len);
    if let Some(i) = rows.iter().position(|row| row.len() != columns) {
        let place = written.part(&format!("values, row {}", i + 1));
        problems.push(place, format!("{} values", rows[i].len()), format!("the first row has {columns}"));
        return None;
    }
    let stamp = Stamp::new(columns as u32, rows.len() as u32, *side, &rows.concat());
    Some((accept(&written.place, stamp, problems)?, None))
}

fn read(path: &Path, side: f32, place: &str, problems: &mut Problems) -> Option<(Stamp, (PathBuf, u64))> {
    let name = shown(path);
    let remedy = format!("check file of {place}; its path is relative to the scenario file");
    let (file, bytes) = open(path, &remedy, problems)?;
    let array = match npy::read(file) {
        Ok(array) => array,
        Err(error) => {
            refused(&name, &error, problems);
            return None;
        }
    };
    let stamp = accept(&name, Stamp::from_array(array, side), problems)?;
    Some((stamp, (path.to_owned(), bytes)))
}
