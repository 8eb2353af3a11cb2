//! Renders tournament games: the board and the stones after each move.
//!
//! Shows the first record of `games.txt`; to see another game, move its record to the front of the file. A record
//! contains moves, and the rules give the boards. The paths of individual stones are derived from the boards alone
//! (`stones`), so the rules are not implemented a second time.

mod board;
mod recording;
mod stones;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use throng_core::InputError;
use throng_model::replay::StoredRun;
use throng_model::{Failure, Replay};
use throng_scene::Recording;

use self::recording::GameRecording;
use super::Record;
use super::record::FIRST_LINE;
use super::tournament::RECORDS;

/// Names and descriptions of the colourings.
const COLOURINGS: [(&str, &str); 2] = [
    ("player", "the player in whose row a stone lay at the start"),
    ("pit", "the pit in which a stone lay at the start"),
];

/// Shows the first game of a tournament.
#[derive(Debug, Clone, Copy)]
pub(super) struct KalahReplay;

impl Replay for KalahReplay {
    fn colourings(&self) -> &'static [(&'static str, &'static str)] {
        &COLOURINGS
    }

    fn open(&self, run: &StoredRun, colouring: &str) -> Result<Box<dyn Recording>, Failure> {
        let colouring = match colouring {
            "player" => Colouring::Player,
            "pit" => Colouring::Pit,
            other => {
                let remedy = format!("give one of {}", COLOURINGS.map(|(name, _)| name).join(", "));
                return Err(Failure::input("colouring", format!("\"{other}\""), remedy));
            }
        };
        let path = run.file(RECORDS, "repeat the run: it always writes this file")?;
        Ok(Box::new(GameRecording::new(first_record(&path)?, colouring)))
    }
}

/// The meaning of the stones' colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Colouring {
    Player,
    Pit,
}

/// Returns the first record of a file. The rest, perhaps millions of records, is not read.
fn first_record(path: &Path) -> Result<Record, InputError> {
    let place = path.display().to_string();
    let text = first_lines(path).map_err(|error| InputError::one(&place, error.to_string(), "repeat the run"))?;
    let records = Record::read_all(&text, &place)?;
    // A successful parse always gives a record.
    records.into_iter().next().ok_or_else(|| InputError::one(place, "no record of a game", "repeat the run"))
}

/// Returns the lines before the second record.
fn first_lines(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    for line in BufReader::new(File::open(path)?).lines() {
        let line = line?;
        if line == FIRST_LINE && text.contains(FIRST_LINE) {
            break;
        }
        text.push_str(&line);
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kalah::{Game, Side};

    #[test]
    fn only_the_first_record_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.txt");
        let mut record = Record::new(Game::new(2, 1).unwrap(), Side::Bottom);
        record.play(1).unwrap();
        std::fs::write(&path, format!("# A comment\n{record}\n{FIRST_LINE}\npits: many\n")).unwrap();
        assert_eq!(first_record(&path).unwrap(), record);
        std::fs::write(&path, "").unwrap();
        let error = first_record(&path).unwrap_err().to_string();
        assert!(error.contains("games.txt: no record of a game"), "{error}");
    }
}
