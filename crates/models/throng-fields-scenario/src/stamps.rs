//! Stamps of a scenario file: tables of values in it, or in separate files.

use std::path::{Path, PathBuf};

use throng_core::Problems;
use throng_fields_core::Stamp;
use throng_model::At;
use throng_pictures::files::npy;

use super::written;
use crate::given::{Given, Need, accept, refused};
use crate::inputs::{open, shown};

/// A stamp, and the file that it was read from with its size in bytes.
pub fn stamp(
    written: &At<written::Stamp>,
    folder: &Path,
    problems: &mut Problems,
) -> Option<(Stamp, Option<(PathBuf, u64)>)> {
    let written::Stamp { side, values, file } = &written.value;
    let given = Given {
        place: &written.place,
        choice: format!("a stamp with{} a file", if file.is_some() { "" } else { "out" }),
        keys: vec![("values", values.is_some(), Need::when(file.is_none()))],
    };
    if !given.check(problems) {
        return None;
    }
    if let Some(file) = file {
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
