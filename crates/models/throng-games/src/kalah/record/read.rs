//! Reads records and checks every move against the rules.

use throng_core::{InputError, Problems};
use throng_model::names::{known, shown};

use super::Record;
use super::draft::Draft;
use super::write::FIRST_LINE;

/// The keys of a record. Those of the heading precede the moves; the result comes last.
pub(super) const KEYS: [&str; 13] = [
    "program", "pits", "stones", "rule", "bottom", "top", "seed", "game", "position", "begins", "opening", "moves",
    "result",
];

impl Record {
    /// Reads all records of a text; `file` is its name in messages.
    ///
    /// # Errors
    /// All problems, each with its line: unknown keys, values out of range, an illegal move, a result that contradicts
    /// the moves, a line after the result. After an illegal move the rest of that record is not checked.
    pub fn read_all(text: &str, file: &str) -> Result<Vec<Self>, InputError> {
        let mut problems = Problems::new();
        let mut records = Vec::new();
        let mut draft: Option<Draft> = None;
        for (number, line) in text.lines().enumerate() {
            let place = format!("{file}:{}", number + 1);
            // A comment starts a line or follows a space, because a name may contain `#`.
            let line = line.split(" #").next().filter(|line| !line.starts_with('#')).unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            if line.starts_with("kalah record") {
                if line != FIRST_LINE {
                    problems.push(&place, format!("\"{}\"", shown(line)), format!("this program reads: {FIRST_LINE}"));
                }
                records.extend(draft.replace(Draft::new(place)).and_then(|draft| draft.finish(&mut problems)));
                continue;
            }
            let Some(draft) = draft.as_mut() else {
                let remedy = format!("begin each record with the line: {FIRST_LINE}");
                problems.push(place, format!("\"{}\" is not part of a record", shown(line)), remedy);
                return Err(InputError(problems));
            };
            let Some((key, value)) = line.split_once(':') else {
                problems.push(place, format!("\"{}\" has no colon", shown(line)), "write KEY: VALUE");
                continue;
            };
            let (key, value) = (key.trim(), value.trim());
            if KEYS.contains(&key) {
                draft.line(key, value, &place, &mut problems);
            } else {
                let remedy = known(key, KEYS.into_iter());
                problems.push(place, format!("unknown key \"{}\"", shown(key)), remedy);
            }
        }
        records.extend(draft.and_then(|draft| draft.finish(&mut problems)));
        if records.is_empty() && problems.is_empty() {
            problems.push(file, "no record of a game", format!("begin each record with the line: {FIRST_LINE}"));
        }
        problems.into_result()?;
        Ok(records)
    }
}
