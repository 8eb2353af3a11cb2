//! Faults of an input, all collected in one report.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use thiserror::Error;

use crate::long_numbers::with_short_numbers;
use crate::printable::printable;

/// Maximum number of problems that a report shows in full; the rest are only counted.
pub const SHOWN_PROBLEMS: usize = 20;

/// A mistake in an input: its location, the fault and the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// File and line, for example `network.xml.gz:1042`, or the name of a setting.
    pub place: String,
    /// The fault, with the offending value.
    pub message: String,
    /// How to correct it.
    pub remedy: String,
}

/// Escapes control characters and abbreviates numbers with hundreds of digits.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [place, message, remedy] =
            [&self.place, &self.message, &self.remedy].map(|text| with_short_numbers(&printable(text)).into_owned());
        write!(f, "{place}: {message}")?;
        if !remedy.is_empty() {
            write!(f, "\n    {remedy}")?;
        }
        Ok(())
    }
}

/// Collects problems: the first [`SHOWN_PROBLEMS`] in full, the rest as a count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    shown: Vec<Problem>,
    total: usize,
    /// The number of problems of each kind in [`InputErrorKind::ALL`].
    kinds: [usize; InputErrorKind::ALL.len()],
    /// Names of the parts that could not be read.
    unread: BTreeSet<String>,
    /// Whether there are parts with an unknown name, which may be misspelt names of any part.
    has_unknown_part: bool,
}

impl Problems {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem.
    pub fn push(&mut self, place: impl Into<String>, message: impl Into<String>, remedy: impl Into<String>) {
        self.push_kind(InputErrorKind::Invalid, place, message, remedy);
    }

    /// Adds the problem that the machine has too little memory for a valid input.
    pub fn push_out_of_memory(
        &mut self,
        place: impl Into<String>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.push_kind(InputErrorKind::OutOfMemory, place, message, remedy);
    }

    /// Adds a problem of any kind.
    pub fn push_kind(
        &mut self,
        kind: InputErrorKind,
        place: impl Into<String>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.total += 1;
        self.kinds[kind as usize] += 1;
        if self.shown.len() < SHOWN_PROBLEMS {
            self.shown.push(Problem { place: place.into(), message: message.into(), remedy: remedy.into() });
        }
    }

    /// Records that `part` of the input could not be read, such as a table with an unknown key. Its definitions are
    /// unknown.
    pub fn push_unread(
        &mut self,
        part: &str,
        place: impl Into<String>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.unread.insert(part.to_owned());
        self.push(place, message, remedy);
    }

    /// Adds a problem with a part whose name is unknown; it may be a misspelling of any part's name.
    pub fn push_unknown(&mut self, place: impl Into<String>, message: impl Into<String>, remedy: impl Into<String>) {
        self.has_unknown_part = true;
        self.push(place, message, remedy);
    }

    /// Adds the problem that a definition is missing from all `parts`. Ignored if one of these parts could not be
    /// read, since it may contain the definition.
    pub fn push_missing(
        &mut self,
        parts: &[&str],
        place: impl Into<String>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        if !self.has_unknown_part && !parts.iter().any(|part| self.unread.contains(*part)) {
            self.push(place, message, remedy);
        }
    }

    /// The kind of the problems. An invalid input takes precedence over everything that the machine lacks.
    pub fn kind(&self) -> InputErrorKind {
        let has = |kind: &InputErrorKind| self.kinds[*kind as usize] > 0;
        InputErrorKind::ALL.into_iter().find(has).unwrap_or(InputErrorKind::Invalid)
    }

    /// Appends all problems of `other`.
    pub fn append(&mut self, other: Problems) {
        self.total += other.total;
        for (count, others) in self.kinds.iter_mut().zip(other.kinds) {
            *count += others;
        }
        self.has_unknown_part |= other.has_unknown_part;
        self.unread.extend(other.unread);
        let room = SHOWN_PROBLEMS - self.shown.len();
        self.shown.extend(other.shown.into_iter().take(room));
    }

    /// Sorts the shown problems by line number, for parsers that do not read a file in order. Problems without a line
    /// come first.
    pub fn sort_by_line(&mut self) {
        let line = |place: &str| place.split(':').find_map(|part| part.parse::<u64>().ok());
        self.shown.sort_by_key(|problem| line(&problem.place));
    }

    /// Number of problems, shown or not.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Returns the first problems, at most [`SHOWN_PROBLEMS`].
    pub fn shown(&self) -> &[Problem] {
        &self.shown
    }

    /// Returns `Ok` if there are no problems, else all problems as an error.
    ///
    /// # Errors
    /// [`InputError`] with everything collected so far.
    pub fn into_result(self) -> Result<(), InputError> {
        if self.is_empty() { Ok(()) } else { Err(InputError(self)) }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.shown.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        if self.total > self.shown.len() {
            write!(f, "\n... and {} more problems ({} in total)", self.total - self.shown.len(), self.total)?;
        }
        Ok(())
    }
}

/// The kind of an [`InputError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputErrorKind {
    /// A value or the syntax of the input is wrong.
    Invalid,
    /// The input is valid, but the machine has too little memory for it.
    OutOfMemory,
    /// The machine lacks something else: a thread, a program, or space on the disk.
    Resource,
}

impl InputErrorKind {
    /// All kinds, in order of precedence.
    pub(crate) const ALL: [Self; 3] = [Self::Invalid, Self::OutOfMemory, Self::Resource];
}

/// An input that cannot be used: all its problems, each with location, value and remedy.
///
/// ```
/// use throng_core::{InputError, InputErrorKind};
///
/// let error = InputError::one("radius", -1, "give a number of metres above 0").within("entity 7");
/// assert_eq!(error.to_string(), "entity 7, radius: -1\n    give a number of metres above 0");
/// assert_eq!((error.place(), error.kind()), ("entity 7, radius", InputErrorKind::Invalid));
/// ```
#[derive(Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct InputError(pub Problems);

crate::debug_is_message!(InputError);

impl InputError {
    /// The kind of the problems; lack of memory and lack of another resource are separate kinds.
    pub fn kind(&self) -> InputErrorKind {
        self.0.kind()
    }

    /// Returns the location of the first problem.
    pub fn place(&self) -> &str {
        self.0.shown.first().map_or("", |problem| &problem.place)
    }

    /// Returns the fault of the first problem, with the offending value.
    pub fn message(&self) -> &str {
        self.0.shown.first().map_or("", |problem| &problem.message)
    }

    /// Returns the remedy for the first problem.
    pub fn remedy(&self) -> &str {
        self.0.shown.first().map_or("", |problem| &problem.remedy)
    }

    /// Returns the same error as part of a larger input: puts `entity 7` before `radius`.
    #[must_use]
    pub fn within(self, outer: &str) -> Self {
        self.with_places(|place| format!("{outer}, {place}"))
    }

    /// Replaces the location of each problem by `name(location)`.
    #[must_use]
    pub fn with_places(mut self, name: impl Fn(&str) -> String) -> Self {
        for problem in &mut self.0.shown {
            problem.place = name(&problem.place);
        }
        self
    }

    /// Creates an error with a single problem: its location, the offending value or a message with it, and the remedy.
    pub fn one(place: impl Into<String>, message: impl fmt::Display, remedy: impl Into<String>) -> Self {
        Self::of_kind(InputErrorKind::Invalid, place, message, remedy)
    }

    /// Creates an error whose only cause is lack of memory.
    pub fn out_of_memory(place: impl Into<String>, message: impl fmt::Display, remedy: impl Into<String>) -> Self {
        Self::of_kind(InputErrorKind::OutOfMemory, place, message, remedy)
    }

    /// An error whose only cause is that the machine lacks something other than memory.
    pub fn resource(place: impl Into<String>, message: impl fmt::Display, remedy: impl Into<String>) -> Self {
        Self::of_kind(InputErrorKind::Resource, place, message, remedy)
    }

    /// The error for an output that cannot be written, for example because the disk is full.
    pub fn not_written(place: &str, error: impl fmt::Display) -> Self {
        let remedy = "check that the target is writable and has free space";
        Self::resource(place, format_args!("not written: {error}"), remedy)
    }

    fn of_kind(
        kind: InputErrorKind,
        place: impl Into<String>,
        message: impl fmt::Display,
        remedy: impl Into<String>,
    ) -> Self {
        let mut problems = Problems::new();
        problems.push_kind(kind, place, message.to_string(), remedy);
        Self(problems)
    }
}

/// An unusual condition that does not stop the run: a count, and either an example or a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Number of occurrences.
    pub count: u64,
    /// The first case, with its location; empty if there is a note.
    pub example: String,
    /// A note about all cases; empty if there is an example.
    pub note: String,
}

impl Warning {
    /// Returns the note if there is one, else the example.
    pub fn detail(&self) -> &str {
        if self.note.is_empty() { &self.example } else { &self.note }
    }
}

/// Warnings by kind. The kind is the sentence shown to the user, for example `links shorter than one cell; storage
/// capacity raised to the flow capacity`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Warnings {
    by_kind: BTreeMap<String, Warning>,
}

impl Warnings {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts one case of `kind`; `example` is called for the first case only.
    pub fn add(&mut self, kind: &str, example: impl FnOnce() -> String) {
        self.add_many(1, kind, example);
    }

    /// Counts `count` cases of `kind` at once; does nothing if `count` is 0.
    pub fn add_many(&mut self, count: u64, kind: &str, example: impl FnOnce() -> String) {
        self.count_in(count, kind, || Warning { count, example: example(), note: String::new() });
    }

    /// Counts `count` cases of `kind` without an example; `note` gives details about all of these cases.
    pub fn add_noted(&mut self, count: u64, kind: &str, note: impl Into<String>) {
        self.count_in(count, kind, || Warning { count, example: String::new(), note: note.into() });
    }

    fn count_in(&mut self, count: u64, kind: &str, first: impl FnOnce() -> Warning) {
        if count == 0 {
            return;
        }
        if let Some(warning) = self.by_kind.get_mut(kind) {
            warning.count += count;
        } else {
            self.by_kind.insert(kind.to_owned(), first());
        }
    }

    /// Returns the warnings whose kind does not occur in `known`.
    pub fn without(&self, known: &Warnings) -> Self {
        let new = self.by_kind.iter().filter(|(kind, _)| !known.by_kind.contains_key(*kind));
        Self { by_kind: new.map(|(kind, warning)| (kind.clone(), warning.clone())).collect() }
    }

    /// Formats one line per kind, as shown to the user.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.messages().map(|message| format!("warning: {message}"))
    }

    /// Formats one line per kind, without the word `warning`, for [`Progress::warn`](crate::Progress::warn) and logs.
    pub fn messages(&self) -> impl Iterator<Item = String> {
        self.iter().map(|(kind, warning)| {
            let Warning { count, example, note } = warning;
            let text = match (count, note.as_str()) {
                (1, "") => format!("{kind} ({example})"),
                (1, note) => format!("{kind} ({note})"),
                (count, "") => format!("{count} times: {kind} (first: {example})"),
                (count, note) => format!("{count} times: {kind} ({note})"),
            };
            printable(&text).into_owned()
        })
    }

    /// Adds all warnings of `other`, keeping the first example.
    pub fn append(&mut self, other: Warnings) {
        for (kind, warning) in other.by_kind {
            self.by_kind.entry(kind).and_modify(|w| w.count += warning.count).or_insert(warning);
        }
    }

    /// Whether there are no warnings.
    pub fn is_empty(&self) -> bool {
        self.by_kind.is_empty()
    }

    /// Iterates over kinds and warnings, sorted by kind.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Warning)> {
        self.by_kind.iter().map(|(kind, warning)| (kind.as_str(), warning))
    }

    /// Number of times `kind` was counted.
    pub fn count(&self, kind: &str) -> u64 {
        self.by_kind.get(kind).map_or(0, |w| w.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_twenty_are_shown_and_all_are_counted() {
        let mut problems = Problems::new();
        for i in 0..25 {
            problems.push(format!("network.xml:{i}"), "length is 0", "lengths are in metres and positive");
        }
        assert_eq!(problems.shown().len(), SHOWN_PROBLEMS);
        let text = problems.into_result().unwrap_err().to_string();
        assert!(text.starts_with("network.xml:0: length is 0\n    lengths are"), "{text}");
        assert!(text.ends_with("... and 5 more problems (25 in total)"), "{text}");
    }

    #[test]
    fn problems_are_sorted_by_line() {
        let mut problems = Problems::new();
        for place in ["a.toml:12: grid, size", "a.toml:9: walls", "--set run.steps", "a.toml:9: agents"] {
            problems.push(place, "", "");
        }
        problems.sort_by_line();
        let places: Vec<&str> = problems.shown().iter().map(|problem| problem.place.as_str()).collect();
        assert_eq!(places, ["--set run.steps", "a.toml:9: walls", "a.toml:9: agents", "a.toml:12: grid, size"]);
    }

    #[test]
    fn names_of_unread_parts_are_not_reported_missing() {
        let missing = |problems: &mut Problems| {
            let before = problems.total();
            problems.push_missing(&["goals", "agents"], "agents, goals", "no goal \"a\"", "name another");
            problems.total() > before
        };
        let mut problems = Problems::new();
        assert!(missing(&mut problems));
        problems.push_unread("walls", "file:3", "unknown key", "known: others");
        assert!(missing(&mut problems));
        let mut others = Problems::new();
        others.push_unread("agents", "file:4", "unknown key", "known: others");
        assert!(!missing(&mut others));
        problems.append(others);
        assert!(!missing(&mut problems));
        assert_eq!(problems.total(), 4);
        let mut unknown = Problems::new();
        unknown.push_unknown("file:1", "unknown key \"goal\"", "did you mean \"goals\"?");
        assert!(!missing(&mut unknown));
    }

    #[test]
    fn invalid_input_takes_precedence_over_missing_memory() {
        let mut problems = Problems::new();
        assert_eq!(problems.kind(), InputErrorKind::Invalid);
        problems.push_out_of_memory("grid", "1 TiB", "use larger cells");
        assert_eq!(problems.kind(), InputErrorKind::OutOfMemory);
        let mut wrong = Problems::new();
        wrong.push("grid", "-1", "give a positive number");
        problems.append(wrong);
        assert!(problems.kind() == InputErrorKind::Invalid && problems.total() == 2);
    }

    #[test]
    fn warnings_keep_the_first_example() {
        let mut warnings = Warnings::new();
        warnings.add("links without length", || "link 1".into());
        warnings.add("links without length", || unreachable!());
        assert_eq!(warnings.count("links without length"), 2);
        assert_eq!(warnings.iter().next().unwrap().1.example, "link 1");
    }

    #[test]
    fn warning_lines_mark_the_first_of_several_examples() {
        let mut warnings = Warnings::new();
        warnings.add("a", || "x:1".into());
        warnings.add("b", || "y:1".into());
        warnings.add("b", || "y:2".into());
        warnings.add_noted(12, "c", "2.8 % of all");
        warnings.add_noted(1, "d", "see the list");
        warnings.add_noted(0, "e", "never");
        let expected = [
            "warning: a (x:1)",
            "warning: 2 times: b (first: y:1)",
            "warning: 12 times: c (2.8 % of all)",
            "warning: d (see the list)",
        ];
        assert_eq!(warnings.lines().collect::<Vec<_>>(), expected);
        let mut known = Warnings::new();
        known.add("b", || "earlier".into());
        known.add_noted(1, "d", "earlier");
        assert_eq!(warnings.without(&known).lines().collect::<Vec<_>>(), [expected[0], expected[2]]);
    }

    #[test]
    fn control_characters_of_an_input_do_not_reach_the_terminal() {
        let id = "\u{1b}[2J";
        let error = InputError::one(format!("{id}.xml:1"), format!("no link {id}, \u{9b}2J"), format!("define {id}"));
        let expected = "\\u{1b}[2J.xml:1: no link \\u{1b}[2J, \\u{9b}2J\n    define \\u{1b}[2J";
        assert_eq!(error.to_string(), expected);
        let mut warnings = Warnings::new();
        warnings.add(&format!("mode {id}"), || format!("person Zoë{id}"));
        assert_eq!(warnings.lines().collect::<Vec<_>>(), ["warning: mode \\u{1b}[2J (person Zoë\\u{1b}[2J)"]);
    }
}
