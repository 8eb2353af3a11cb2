//! Writes records.

use std::fmt;

use throng_model::names::one_line;

use super::Record;
use crate::kalah::Side;

/// The first line of a record.
pub(in crate::kalah) const FIRST_LINE: &str = "kalah record 1";
/// The names of the rules, without and with empty captures.
pub(super) const RULES: [&str; 2] = ["standard", "empty capture"];
pub(super) const UNFINISHED: &str = "unfinished";

/// Number of moves per line.
const IN_A_LINE: usize = 20;

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (heading, game) = (&self.heading, self.game());
        writeln!(f, "{FIRST_LINE}")?;
        writeln!(f, "program: {}", one_line(&heading.program))?;
        writeln!(f, "pits: {}", game.pits())?;
        writeln!(f, "stones: {}", game.stones())?;
        writeln!(f, "rule: {}", RULES[usize::from(game.empty_capture())])?;
        writeln!(f, "bottom: {}", one_line(&heading.bottom))?;
        writeln!(f, "top: {}", one_line(&heading.top))?;
        writeln!(f, "seed: {}", heading.seed)?;
        writeln!(f, "game: {}", heading.number)?;
        let start = &self.boards[0];
        if *start != game.start(self.begins()) {
            writeln!(f, "position: {}", start.text_of_cells())?;
        }
        writeln!(f, "begins: {}", self.begins().name())?;
        let (opening, moves) = self.cells.split_at(self.opening_moves);
        for (key, cells) in [("opening", opening), ("moves", moves)] {
            for line in cells.chunks(IN_A_LINE) {
                let cells: Vec<String> = line.iter().map(u8::to_string).collect();
                writeln!(f, "{key}: {}", cells.join(" "))?;
            }
        }
        writeln!(f, "result: {}", self.result())
    }
}

impl Record {
    /// Formats the stones of both players; [`UNFINISHED`] if the game is not over.
    pub(super) fn result(&self) -> String {
        let board = self.board();
        if !board.is_over() {
            return UNFINISHED.to_owned();
        }
        format!("bottom {}, top {}", board.total(Side::Bottom), board.total(Side::Top))
    }

    /// Formats several records in one text, each like the `Display` of [`Record`].
    pub fn write_all<'r>(records: impl IntoIterator<Item = &'r Self>) -> String {
        records.into_iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }
}
