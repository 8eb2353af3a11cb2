//! The commands of a game.

use throng_core::InputError;
use throng_model::names::{known, shown};

/// A line typed by the user, parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    /// Sow the stones of this pit, counted from 1.
    Pit(u32),
    Hint,
    Undo,
    Redo,
    /// The level of the computer, as a string.
    Level(String),
    Moves,
    Eval,
    New,
    /// Set up a board given as text, or show the current board as text if there is none.
    Position(Option<String>),
    Save(String),
    /// A file, and optionally the number of a record in it.
    Load(String, Option<usize>),
    Swap,
    Help,
    Quit,
    /// An empty line.
    Nothing,
}

/// The names of the commands, with their arguments.
pub(super) const COMMANDS: [(&str, &str); 13] = [
    ("hint", ""),
    ("undo", ""),
    ("redo", ""),
    ("level", "LEVEL"),
    ("moves", ""),
    ("eval", ""),
    ("new", ""),
    ("position", "[BOARD]"),
    ("save", "FILE"),
    ("load", "FILE"),
    ("swap", ""),
    ("help", ""),
    ("quit", ""),
];

impl Command {
    /// Parses a line.
    ///
    /// # Errors
    /// If the command is unknown, or an argument is missing or superfluous.
    pub fn read(line: &str) -> Result<Self, InputError> {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(name, rest)| (name, rest.trim()));
        let name = name.to_lowercase();
        if let Ok(pit) = name.parse() {
            return nothing_after(Self::Pit(pit), &name, rest);
        }
        match name.as_str() {
            "" => Ok(Self::Nothing),
            "level" => {
                something_after(rest, "level", "such as `level 8`, `level 2s` or `level greedy`").map(Self::Level)
            }
            "save" => something_after(rest, "save", "such as `save game.txt`").map(Self::Save),
            "load" => something_after(rest, "load", "such as `load game.txt`").map(|rest| of_load(&rest)),
            "position" => Ok(Self::Position(Some(rest.to_owned()).filter(|rest| !rest.is_empty()))),
            "hint" => nothing_after(Self::Hint, &name, rest),
            "undo" => nothing_after(Self::Undo, &name, rest),
            "redo" => nothing_after(Self::Redo, &name, rest),
            "moves" => nothing_after(Self::Moves, &name, rest),
            "eval" => nothing_after(Self::Eval, &name, rest),
            "new" => nothing_after(Self::New, &name, rest),
            "swap" => nothing_after(Self::Swap, &name, rest),
            "help" | "?" => nothing_after(Self::Help, &name, rest),
            "quit" | "exit" | "q" => nothing_after(Self::Quit, &name, rest),
            _ => {
                let remedy = known(&name, COMMANDS.iter().map(|(name, _)| *name));
                Err(InputError::one(shown(&name), "no such command", format!("type the number of a pit; {remedy}")))
            }
        }
    }
}

fn nothing_after(command: Command, name: &str, rest: &str) -> Result<Command, InputError> {
    if rest.is_empty() {
        return Ok(command);
    }
    Err(InputError::one(name, format!("followed by \"{}\"", shown(rest)), format!("type {name} alone")))
}

fn something_after(rest: &str, name: &str, such_as: &str) -> Result<String, InputError> {
    if rest.is_empty() {
        return Err(InputError::one(name, "its argument is missing", such_as));
    }
    Ok(rest.to_owned())
}

/// Parses the argument of `load`. A number after a space at the end is the number of a record.
fn of_load(rest: &str) -> Command {
    let number = rest.rsplit_once(char::is_whitespace).and_then(|(file, number)| Some((file, number.parse().ok()?)));
    match number {
        Some((file, number)) => Command::Load(file.trim().to_owned(), Some(number)),
        None => Command::Load(rest.to_owned(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        for (line, command) in [
            (" 3 ", Command::Pit(3)),
            ("Hint", Command::Hint),
            ("level 2s", Command::Level("2s".to_owned())),
            ("save a b.txt", Command::Save("a b.txt".to_owned())),
            ("load a b.txt", Command::Load("a b.txt".to_owned(), None)),
            ("load a b.txt 7", Command::Load("a b.txt".to_owned(), Some(7))),
            ("position", Command::Position(None)),
            ("position 1 0 | 1 0 top", Command::Position(Some("1 0 | 1 0 top".to_owned()))),
            ("?", Command::Help),
            ("", Command::Nothing),
        ] {
            assert_eq!(Command::read(line), Ok(command), "{line}");
        }
        for (name, after) in COMMANDS {
            let needs_more = !after.is_empty() && !after.starts_with('[');
            assert_eq!(Command::read(name).is_err(), needs_more, "{name}");
            assert_eq!(Command::read(&format!("{name} x")).is_ok(), !after.is_empty(), "{name}");
        }
    }

    #[test]
    fn unknown_commands_are_refused_with_a_remedy() {
        for (line, expected) in [
            ("unod", "unod: no such command\n    type the number of a pit; did you mean \"undo\"?"),
            ("3 4", "3: followed by \"4\"\n    type 3 alone"),
            ("save", "save: its argument is missing\n    such as `save game.txt`"),
            ("-1", "-1: no such command"),
        ] {
            let error = Command::read(line).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
