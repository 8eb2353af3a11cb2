//! Saves and loads games.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use throng_core::{InputError, read_input_text, unreadable_input};
use throng_model::Failure;
use throng_model::names::shown;
use throng_output::PendingFile;

use crate::kalah::Record;

/// Maximum size of a file in bytes, enough for a million games.
const MAX_BYTES: u64 = 1 << 30;

/// Writes games to a file, atomically replacing an older one.
pub(super) fn write<'r>(file: &Path, records: impl IntoIterator<Item = &'r Record>) -> Result<(), Failure> {
    let mut pending = PendingFile::create(file)?;
    let text = Record::write_all(records);
    pending.write_all(text.as_bytes()).map_err(|error| pending.error(error))?;
    pending.complete()?;
    Ok(())
}

/// Writes a game to a new file.
pub(super) fn save(file: &str, record: &Record) -> Result<(), Failure> {
    if Path::new(file).exists() {
        return Err(Failure::input("save", format!("{} exists", shown(file)), "name a new file"));
    }
    // Every failure is reported as a problem with the typed name, so that the session continues.
    write(Path::new(file), [record]).map_err(|failure| Failure::input("save", failure.to_string(), "name another file"))
}

/// Reads a game from a file, by its number starting at 1; the first one by default. Also returns the number of games.
pub(super) fn load(file: &str, number: Option<usize>) -> Result<(Record, usize), InputError> {
    let path = PathBuf::from(file);
    let text = read_input_text(&path, MAX_BYTES).map_err(|error| unreadable_input(&path, &error))?;
    let mut records = Record::read_all(&text, file)?;
    let (count, number) = (records.len(), number.unwrap_or(1));
    if !(1..=count).contains(&number) {
        let remedy =
            if count == 1 { "the file holds one game".to_owned() } else { format!("give a number from 1 to {count}") };
        return Err(InputError::one(file, format!("no game {number}"), remedy));
    }
    Ok((records.swap_remove(number - 1), count))
}
