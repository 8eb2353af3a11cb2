//! A record being read.

use std::str::FromStr;

use throng_core::{InputError, Problems};
use throng_model::names::shown;

use super::write::{FIRST_LINE, RULES, UNFINISHED};
use super::{Heading, Record, cell, pit_of};
use crate::kalah::board::{self, Board};
use crate::kalah::players::legal_pits;
use crate::kalah::{Game, Side};

/// The lines of a record read so far.
pub(super) struct Draft {
    /// Location of the first line.
    place: String,
    heading: Heading,
    pits: Option<u32>,
    stones: Option<u32>,
    empty_capture: Option<bool>,
    /// The cells of the first board, if it is not the standard one.
    position: Option<Vec<u8>>,
    begins: Option<Side>,
    /// The keys so far, each with the location of its line.
    given: Vec<(String, String)>,
    /// The game, once its first move has been read.
    record: Option<Record>,
    /// Whether a move or the heading is wrong, so that further moves cannot be checked.
    is_broken: bool,
}

impl Draft {
    pub fn new(place: String) -> Self {
        Self {
            place,
            heading: Heading::default(),
            pits: None,
            stones: None,
            empty_capture: None,
            position: None,
            begins: None,
            given: Vec::new(),
            record: None,
            is_broken: false,
        }
    }

    /// Adds a line with a known key.
    pub fn line(&mut self, key: &str, value: &str, place: &str, problems: &mut Problems) {
        if self.place_of(key).is_some() && !["opening", "moves"].contains(&key) {
            problems.push(place, format!("{key} is given twice"), "leave one of them out");
            return;
        }
        // The result was compared with the moves before it; later moves would not be checked against it.
        if self.place_of("result").is_some() {
            let found = format!("{key} \"{}\" after the result", shown(value));
            let remedy = format!("move the line before the result, or begin another record with: {FIRST_LINE}");
            problems.push(place, found, remedy);
            self.is_broken = true;
            return;
        }
        self.given.push((key.to_owned(), place.to_owned()));
        match key {
            "program" => value.clone_into(&mut self.heading.program),
            "bottom" => value.clone_into(&mut self.heading.bottom),
            "top" => value.clone_into(&mut self.heading.top),
            "seed" => self.heading.seed = number(key, value, place, problems).unwrap_or_default(),
            "game" => self.heading.number = number(key, value, place, problems).unwrap_or_default(),
            "pits" => self.pits = number(key, value, place, problems),
            "stones" => self.stones = number(key, value, place, problems),
            "rule" => {
                let position = RULES.iter().position(|&rule| rule == value);
                self.empty_capture = position.map(|position| position == 1);
                refuse_unknown(key, value, &RULES, self.empty_capture.is_some(), place, problems);
            }
            "position" => self.position(value, place, problems),
            "begins" => {
                self.begins = Side::of_name(value);
                refuse_unknown(key, value, &["bottom", "top"], self.begins.is_some(), place, problems);
            }
            "result" => self.result(value, place, problems),
            _ => self.moves(value, key == "opening", place, problems),
        }
    }

    /// Returns the location of a key; the first one if the key has several lines.
    fn place_of(&self, key: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| given == key).map(|(_, place)| place.as_str())
    }

    /// Returns the game so far; `None` if the heading is incomplete or a line was wrong, which is reported once.
    fn record(&mut self, problems: &mut Problems) -> Option<&mut Record> {
        if self.is_broken {
            return None;
        }
        if self.record.is_none() {
            let made = self.start(problems);
            self.is_broken = made.is_none();
            self.record = made;
        }
        self.record.as_mut()
    }

    fn start(&self, problems: &mut Problems) -> Option<Record> {
        for key in ["pits", "stones", "rule", "begins"] {
            if self.place_of(key).is_none() {
                problems.push(&self.place, format!("{key} is missing"), format!("add `{key}: ...` before the moves"));
            }
        }
        let game = Game::new(self.pits?, self.stones?);
        let game = game.map_err(|InputError(wrong)| {
            // The error of `Game` names the key that is wrong.
            let at = |key: &str| format!("{}: {key}", self.place_of(key).unwrap_or(&self.place));
            problems.append(InputError(wrong).with_places(at).0);
        });
        let (game, begins) = (game.ok()?.with_empty_capture(self.empty_capture?), self.begins?);
        let Some(cells) = &self.position else {
            // A malformed position has already been reported.
            return self.place_of("position").is_none().then(|| Record::new(game, begins));
        };
        let board = Board::new(game, cells, begins);
        let at = || format!("{}: position", self.place_of("position").unwrap_or(&self.place));
        board.map_err(|error| problems.append(error.with_places(|_| at()).0)).ok().map(Record::of_board)
    }

    fn position(&mut self, value: &str, place: &str, problems: &mut Problems) {
        if self.record.is_some() {
            problems.push(place, "the position comes after moves", "write it before them");
            self.is_broken = true;
            return;
        }
        let cells = board::cells(value);
        let at = |_: &str| format!("{place}: position");
        self.position = cells.map_err(|error| problems.append(error.with_places(at).0)).ok();
    }

    fn moves(&mut self, cells: &str, of_opening: bool, place: &str, problems: &mut Problems) {
        let Some(record) = self.record(problems) else { return };
        if of_opening && record.opening_moves() < record.cells().len() {
            problems.push(place, "the opening comes after moves", "write it before them");
            self.is_broken = true;
            return;
        }
        for text in cells.split_whitespace() {
            let place = format!("{place}, move {}", record.cells().len() + 1);
            let board = record.board();
            let pit = text.parse().ok().map(|cell| pit_of(board, cell));
            let legal: Vec<String> = legal_pits(board).iter().map(|&pit| cell(board, pit).to_string()).collect();
            let side = board.to_move().name();
            if pit.is_none_or(|pit| record.play(pit).is_err()) {
                let remedy = match legal.as_slice() {
                    [] => "the game is over before this move".to_owned(),
                    legal => format!("{side} is to move and may play the cells {}", legal.join(", ")),
                };
                problems.push(place, format!("\"{}\" is not a legal move", shown(text)), remedy);
                self.is_broken = true;
                return;
            }
        }
        if of_opening {
            record.end_opening();
        }
    }

    fn result(&mut self, value: &str, place: &str, problems: &mut Problems) {
        let Some(record) = self.record(problems) else { return };
        let result = record.result();
        if value != result {
            let remedy = if result == UNFINISHED {
                format!("the game is not over after these moves: write {UNFINISHED}, or add the other moves")
            } else {
                format!("the moves give: {result}")
            };
            problems.push(place, format!("result is \"{}\"", shown(value)), remedy);
        }
    }

    /// Completes the record. Without a result the text may have been cut short.
    pub fn finish(mut self, problems: &mut Problems) -> Option<Record> {
        if self.place_of("result").is_none() {
            let remedy = format!("end each record with its result, or `result: {UNFINISHED}`");
            problems.push(&self.place, "the record has no result", remedy);
        }
        let heading = self.heading.clone();
        let record = self.record(problems)?;
        record.heading = heading;
        self.record.take_if(|_| !self.is_broken)
    }
}

fn number<T: FromStr>(key: &str, value: &str, place: &str, problems: &mut Problems) -> Option<T> {
    let number = value.parse().ok();
    if number.is_none() {
        problems.push(place, format!("{key} is \"{}\"", shown(value)), "give a whole number");
    }
    number
}

fn refuse_unknown(key: &str, value: &str, all: &[&str], is_known: bool, place: &str, problems: &mut Problems) {
    if !is_known {
        problems.push(place, format!("{key} is \"{}\"", shown(value)), format!("give one of: {}", all.join(", ")));
    }
}
