//! A scenario file and the changes to it as one tree of values, each with the place where it was written.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use schemars::generate::SchemaGenerator;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use throng_core::{Change, InputError, Problems};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::reading;
use crate::assignment::{Part, as_toml, assignment, flat, key_parts};
use crate::names;
use crate::scenario_file::ScenarioFile;

/// Maximum number of names in the path of a key.
const MAX_NAMES: usize = 32;

/// The sources of a tree: the file, and a line per change. Each line is preceded by as many spaces as the total length
/// of all previous sources, so that a position identifies its source.
#[derive(Debug)]
pub struct Texts {
    model: &'static str,
    file: String,
    /// Offsets of the line starts of the file.
    lines: Vec<usize>,
    all: Vec<String>,
    changes: Vec<(Change, String)>,
}

impl Texts {
    /// Reads the scenario file of a model, and parses changes to it. A change without `=` is added to `problems`.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn new(
        model: &'static str,
        file: &ScenarioFile,
        changes: &[Change],
        problems: &mut Problems,
    ) -> Result<Self, InputError> {
        let mut texts = vec![file.text()?.to_owned()];
        let mut known = Vec::new();
        for change in changes {
            let Some((key, value)) = assignment(&change.assignment) else {
                problems.push(
                    &change.origin,
                    format!("\"{}\" has no value", names::one_line(&change.assignment)),
                    "write KEY=VALUE",
                );
                continue;
            };
            let before = " ".repeat(texts.last().map_or(0, String::len));
            texts.push(format!("{before}\nvalue = {}\n", as_toml(value)));
            known.push((change.clone(), key.trim().to_owned()));
        }
        let ends = texts[0].bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        let file = file.path().display().to_string();
        Ok(Self { model, file, lines, all: texts, changes: known })
    }

    /// Returns the name of the file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Builds the tree. Changes that do not fit into it are added to `problems`.
    pub fn tree<'t>(&'t self, problems: &mut Problems) -> Source<'t> {
        let mut root = match DeTable::parse(&self.all[0]) {
            Ok(root) => root.into_inner(),
            Err(error) => {
                let place = self.place(&error.span().unwrap_or(0..0));
                problems.push(
                    place,
                    names::one_line(error.message()),
                    "a scenario file is TOML: key = value, [table], [[list]]",
                );
                DeTable::default()
            }
        };
        for ((change, key), text) in self.changes.iter().zip(&self.all[1..]) {
            let value = DeTable::parse(text)
                .ok()
                .and_then(|table| table.into_inner().into_iter().next())
                .map(|(_, value)| value);
            let Some(value) = value else { continue };
            let path = key_parts(key);
            let done = if path.len() > MAX_NAMES {
                Err((format!("{} names", path.len()), format!("give a key of at most {MAX_NAMES} names")))
            } else {
                set(&mut root, &path, value)
            };
            if let Err((message, remedy)) = done {
                let place = format!("{}: {}", change.origin, names::one_line(key));
                problems.push(place, names::one_line(&message), names::one_line(&remedy));
            }
        }
        Source { texts: self, root }
    }

    /// Returns file and line of a position, or the change that contains it.
    pub(super) fn place(&self, at: &Range<usize>) -> String {
        match self.change_at(at) {
            Some(i) => self.change(i),
            None => format!("{}:{}", self.file, self.lines.partition_point(|&begin| begin <= at.start)),
        }
    }

    /// Returns the index of the change that contains a position.
    fn change_at(&self, at: &Range<usize>) -> Option<usize> {
        self.all.iter().zip(&self.changes).rposition(|(before, _)| at.start > before.len())
    }

    /// Returns a change as a place.
    fn change(&self, i: usize) -> String {
        let (Change { origin, assignment, .. }, key) = &self.changes[i];
        // Other flags imply the key, so only the value is shown.
        let value = self::assignment(assignment).map_or("", |(_, value)| value);
        let is_flag = origin.starts_with("--") && origin != "--set" && origin != "--vary" && !key.is_empty();
        format!("{origin} {}", names::one_line(if is_flag { value } else { assignment }))
    }

    /// Splits the place of a part into file and line, or the change, and the names of the part.
    pub(super) fn split<'p>(&self, place: &'p str) -> Option<(&'p str, &'p str)> {
        let in_file = || {
            let line = place.strip_prefix(&*self.file)?.strip_prefix(':')?;
            line.trim_start_matches(|letter: char| letter.is_ascii_digit()).strip_prefix(": ")
        };
        let in_change = |i| place.strip_prefix(&*self.change(i))?.strip_prefix(": ");
        let path = in_file().or_else(|| (0..self.changes.len()).find_map(in_change))?;
        Some((&place[..place.len() - path.len() - ": ".len()], path))
    }

    /// Whether a position is that of the whole value of a change, whose place names the key.
    fn is_whole_change(&self, at: &Range<usize>) -> bool {
        let change = self.change_at(at).map(|i| &self.all[i + 1]);
        change.and_then(|text| text.get(..at.start)).is_some_and(|before| before.trim() == "value =")
    }
}

/// Inserts a value into a tree at a key path.
fn set<'t>(table: &mut DeTable<'t>, path: &[Part], value: Spanned<DeValue<'t>>) -> Result<(), (String, String)> {
    let [Part { name, .. }, rest @ ..] = path else { return Ok(()) };
    // Keys are compared without their position.
    let key = Spanned::new(value.span(), name.clone().into());
    if rest.is_empty() {
        table.insert(key, value);
        return Ok(());
    }
    let empty = Spanned::new(value.span(), DeValue::Table(DeTable::default()));
    match table.entry(key).or_insert(empty).get_mut() {
        DeValue::Table(next) => set(next, rest, value),
        DeValue::Array(list) => set_in_list(list, name, rest, value),
        _ => Err((format!("\"{name}\" is not a table"), "name a key of a table: TABLE.KEY".into())),
    }
}

/// Inserts a value into an entry of the list `name`. The path starts with the number of the entry or with its name,
/// which must be quoted if it is also the number of another entry.
fn set_in_list<'t>(
    list: &mut toml::de::DeArray<'t>,
    name: &str,
    path: &[Part],
    value: Spanned<DeValue<'t>>,
) -> Result<(), (String, String)> {
    let [Part { name: entry, is_quoted }, rest @ ..] = path else { return Ok(()) };
    let count = list.len();
    let is_named = |value: &Spanned<DeValue<'_>>| {
        value.get_ref().get("name").and_then(|name| name.get_ref().as_str()) == Some(entry.as_str())
    };
    let number = entry.parse::<usize>().ok().map(|number| number.wrapping_sub(1));
    let numbered = number.filter(|&number| number < count && !is_quoted);
    let found = numbered.or_else(|| list.iter().position(is_named));
    let table = found.and_then(|i| list.get_mut(i)).and_then(|value| match value.get_mut() {
        DeValue::Table(table) => Some(table),
        _ => None,
    });
    match table {
        Some(table) if !rest.is_empty() => set(table, rest, value),
        _ => Err((
            format!("\"{entry}\" is not an entry of {name}"),
            format!("give its number, from 1 to {count}, or its name, and a key: {name}.1.KEY"),
        )),
    }
}

/// A tree of values.
pub struct Source<'t> {
    texts: &'t Texts,
    root: DeTable<'t>,
}

/// A value of the file and its place: `scenario.toml:12: entities "tower"`.
#[derive(Debug, Clone)]
pub struct At<T> {
    /// The deserialized value.
    pub value: T,
    /// Place of the value: file, line, and name.
    pub place: String,
}

impl<T> At<T> {
    /// Returns the place of a part of the value, with file and line of the value. [`Texts::locate`] finds the line of
    /// the part.
    pub fn part(&self, key: &str) -> String {
        format!("{}, {key}", self.place)
    }
}

/// Serializes as its value.
impl<T: Serialize> Serialize for At<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

/// A nested value has no place: values that need one are first extracted with a [`Source`].
impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { value: T::deserialize(deserializer)?, place: String::new() })
    }
}

/// Has the schema of its value.
impl<T: JsonSchema> JsonSchema for At<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<'t> Source<'t> {
    pub(super) fn texts(&self) -> &'t Texts {
        self.texts
    }

    pub(super) fn root(&self) -> &DeTable<'t> {
        &self.root
    }

    /// Removes and returns a value of the root; `None` if it is missing or, reported as a problem, has another type.
    pub fn take<T: DeserializeOwned>(&mut self, key: &str, problems: &mut Problems) -> Option<At<T>> {
        let value = self.remove(key)?;
        self.read(key, key, value, problems)
    }

    /// Removes and returns a list of tables. Invalid tables are reported as problems and omitted.
    pub fn take_list<T: DeserializeOwned>(&mut self, key: &str, problems: &mut Problems) -> Vec<At<T>> {
        let value = self.remove(key);
        self.list(key, value, problems)
    }

    /// Removes and returns a list inside a table, whose other keys remain.
    pub fn take_list_of<T: DeserializeOwned>(&mut self, table: &str, key: &str, problems: &mut Problems) -> Vec<At<T>> {
        let value = match self.root.get_mut(&key_of(table)).map(Spanned::get_mut) {
            Some(DeValue::Table(table)) => table.remove(&key_of(key)),
            _ => None,
        };
        self.list(&format!("{table}.{key}"), value, problems)
    }

    fn list<T: DeserializeOwned>(
        &self,
        key: &str,
        value: Option<Spanned<DeValue<'t>>>,
        problems: &mut Problems,
    ) -> Vec<At<T>> {
        let Some(value) = value else { return Vec::new() };
        let span = value.span();
        let DeValue::Array(list) = value.into_inner() else {
            let place = format!("{}: {key}", self.texts.place(&span));
            problems.push_unread(key, place, "not a list", format!("begin each entry with [[{key}]]"));
            return Vec::new();
        };
        let entries = list.into_iter().enumerate();
        let read =
            entries.filter_map(|(i, value)| self.read(key, &entry_name(key, i, value.get_ref()), value, problems));
        read.collect()
    }

    /// Removes and returns a table of named tables.
    pub fn take_named<T: DeserializeOwned>(&mut self, key: &str, problems: &mut Problems) -> BTreeMap<String, At<T>> {
        let Some(value) = self.remove(key) else { return BTreeMap::new() };
        let span = value.span();
        let DeValue::Table(table) = value.into_inner() else {
            let place = format!("{}: {key}", self.texts.place(&span));
            problems.push_unread(key, place, "not a table", format!("write [{key}.NAME] for each"));
            return BTreeMap::new();
        };
        let mut tables = BTreeMap::new();
        for (name, value) in table {
            let name = name.into_inner().into_owned();
            if let Some(read) = self.read(key, &named(key, &name), value, problems) {
                tables.insert(name, read);
            }
        }
        tables
    }

    /// Reports all remaining keys as unknown; `known` are the valid keys.
    pub fn finish(self, known: &[String], problems: &mut Problems) {
        for key in self.root.keys() {
            self.unknown(key, known, problems);
        }
    }

    fn unknown(&self, key: &Spanned<DeString<'_>>, known: &[String], problems: &mut Problems) {
        let remedy = names::known(key.get_ref(), known.iter().map(String::as_str));
        let what = format!("unknown key \"{}\"", names::shown(key.get_ref()));
        problems.push_unknown(self.texts.place(&key.span()), what, remedy);
    }

    /// Returns the name of the file.
    pub fn file(&self) -> &str {
        self.texts.file()
    }

    /// Reports and removes the keys of the root that are not in `known`.
    pub fn refuse_unknown(&mut self, known: &[String], problems: &mut Problems) {
        for key in self.root.keys().filter(|key| !known.iter().any(|known| known == key.get_ref())) {
            self.unknown(key, known, problems);
        }
        let root = std::mem::take(&mut self.root);
        let is_known = |key: &str| known.iter().any(|known| known == key);
        self.root = root.into_iter().filter(|(key, _)| is_known(key.get_ref())).collect();
    }

    /// Removes and returns the rest as one value. `None` only if problems were reported.
    pub fn take_rest<T: DeserializeOwned>(&mut self, problems: &mut Problems) -> Option<T> {
        let rest = DeValue::Table(std::mem::take(&mut self.root));
        self.read("", "", Spanned::new(0..0, rest), problems).map(|at| at.value)
    }

    /// Returns every setting by its full name, as text.
    pub fn flat(&self) -> Vec<(String, String)> {
        flat(&self.root)
    }

    fn remove(&mut self, key: &str) -> Option<Spanned<DeValue<'t>>> {
        self.root.remove(&key_of(key))
    }

    fn read<T: DeserializeOwned>(
        &self,
        part: &str,
        what: &str,
        value: Spanned<DeValue<'_>>,
        problems: &mut Problems,
    ) -> Option<At<T>> {
        let span = value.span();
        match reading::read(value) {
            Ok(value) => Some(At { value, place: format!("{}: {what}", self.texts.place(&span)) }),
            Err(error) => {
                let span = error.span.unwrap_or(span);
                let place = self.texts.place(&span);
                let key = names::one_line(&error.key);
                let place = match (what, &*key) {
                    ("", _) if self.texts.is_whole_change(&span) => place,
                    ("", "") => place,
                    ("", part) | (part, "") => format!("{place}: {part}"),
                    // The number of a value of a list.
                    (what, part) if part.starts_with(' ') => format!("{place}: {what}{part}"),
                    (what, part) => format!("{place}: {what}, {part}"),
                };
                let (message, remedy) = in_words(&error.message, self.texts.model);
                problems.push_unread(part, place, message, remedy);
                None
            }
        }
    }
}

/// Creates a key for lookup; keys are compared without their position.
fn key_of(key: &str) -> Spanned<DeString<'static>> {
    Spanned::new(0..0, key.to_owned().into())
}

/// Returns the name of a list entry, from its key `name` or its number.
fn entry_name(key: &str, number: usize, entry: &DeValue<'_>) -> String {
    let name = entry.get("name").and_then(|name| name.get_ref().as_str());
    name.map_or_else(|| format!("{key} {}", number + 1), |name| named(key, name))
}

/// Returns the name of a named list entry, or of a named table.
fn named(key: &str, name: &str) -> String {
    format!("{key} \"{}\"", names::shown(name))
}

/// Translates a `serde` message about a value to the terms of scenario files: the fault, and the remedy.
fn in_words(message: &str, model: &str) -> (String, String) {
    let (message, expected) = message.split_once(", expected ").unwrap_or((message, ""));
    let unknown = [("unknown field `", "unknown key"), ("unknown variant `", "unknown value")];
    for (prefix, what) in unknown {
        if let Some(name) = message.strip_prefix(prefix) {
            let name = name.trim_end_matches('`');
            // Every other piece between backticks is a name.
            let all = expected.split('`').skip(1).step_by(2);
            return (format!("{what} \"{}\"", names::shown(name)), names::known(name, all));
        }
    }
    if let Some(name) = message.strip_prefix("missing field `") {
        return (format!("{} is missing", name.trim_end_matches('`')), "add it".to_owned());
    }
    let expected = match expected {
        "" => {
            let remedy = format!("`throng config --schema --model {model}` lists all keys");
            return (names::one_line(message), remedy);
        }
        "f32" | "f64" => "a number",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0 to 18446744073709551615",
        "i8" => "a whole number from -128 to 127",
        "i16" => "a whole number from -32768 to 32767",
        "i32" => "a whole number from -2147483648 to 2147483647",
        "i64" | "isize" => "a whole number from -9223372036854775808 to 9223372036854775807",
        "a string" | "path string" => "a text in quotes",
        "a boolean" => "true or false",
        "a sequence" => "a list: [a, b]",
        "a map" => "a table: { key = value }",
        other if other.starts_with("struct ") => "a table: { key = value }",
        other => match other.strip_prefix("an array of length ").or_else(|| other.strip_prefix("a tuple of size ")) {
            Some("2") => "a list of 2 values: [a, b]",
            Some("3") => "a list of 3 values: [a, b, c]",
            Some(length) => return (names::one_line(message), format!("expected a list of {length} values")),
            None => other,
        },
    };
    (names::one_line(message), format!("expected {expected}"))
}
