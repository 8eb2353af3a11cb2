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
    fn place(&self, at: &Range<usize>) -> String {
        let of_change = self.all.iter().zip(&self.changes).rposition(|(before, _)| at.start > before.len());
        if let Some(i) = of_change {
            let (Change { origin, assignment, .. }, key) = &self.changes[i];
            // Other flags imply the key, so only the value is shown.
            let value = self::assignment(assignment).map_or("", |(_, value)| value);
            let is_flag = origin.starts_with("--") && origin != "--set" && origin != "--vary" && !key.is_empty();
            return format!("{origin} {}", names::one_line(if is_flag { value } else { assignment }));
        }
        format!("{}:{}", self.file, self.lines.partition_point(|&begin| begin <= at.start))
    }

    /// Whether a position is in the file, and not in a change, whose place contains its key.
    fn is_in_file(&self, at: &Range<usize>) -> bool {
        at.start <= self.all[0].len()
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

/// The keys that changes have set in tables of the file, by their names in error messages, such as `flow, order`; each
/// with the change.
#[derive(Debug)]
pub struct ChangedKeys(Vec<(String, String)>);

impl ChangedKeys {
    /// Replaces file and line of a place by the change that has set its key: `s.toml:12: flow, order` becomes
    /// `--set flow.order=first: flow, order`. Other places are kept.
    pub fn locate(&self, place: &str) -> String {
        let is_in = |name: &str, key: &str| {
            name.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with(", "))
        };
        let name = place.split_once(": ").map_or("", |(_, name)| name);
        let found = self.0.iter().find(|(key, _)| is_in(name, key));
        found.map_or_else(|| place.to_owned(), |(_, change)| format!("{change}: {name}"))
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
    /// Returns the place of a part of the value.
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

    /// Returns the place of every key by its full name, and of list entries, such as `rooms 1` or `rooms "hall"`, with
    /// their keys, such as `rooms "hall", size`.
    pub fn places(&self) -> BTreeMap<String, String> {
        let mut places = BTreeMap::new();
        for (key, value) in &self.root {
            self.add_places(key.get_ref(), value, &mut places);
        }
        places
    }

    /// Adds the places of a key and of those below it.
    fn add_places(&self, key: &str, value: &Spanned<DeValue<'_>>, places: &mut BTreeMap<String, String>) {
        places.insert(key.to_owned(), self.texts.place(&value.span()));
        for (name, value) in value.get_ref().as_table().into_iter().flatten() {
            self.add_places(&format!("{key}.{}", name.get_ref()), value, places);
        }
        for (i, entry) in value.get_ref().as_array().into_iter().flatten().enumerate() {
            let entry_name = entry_name(key, i, entry.get_ref());
            for (name, value) in entry.get_ref().as_table().into_iter().flatten() {
                places.insert(format!("{entry_name}, {}", name.get_ref()), self.texts.place(&value.span()));
            }
            places.insert(entry_name, self.texts.place(&entry.span()));
        }
    }

    /// Returns the keys that changes have set in tables of the file.
    pub fn changed_keys(&self) -> ChangedKeys {
        let mut changed = ChangedKeys(Vec::new());
        for (key, value) in &self.root {
            let key: &str = key.get_ref();
            self.add_changed(key, value, &mut changed);
            for (name, value) in value.get_ref().as_table().into_iter().flatten() {
                let name: &str = name.get_ref();
                self.add_changed(&named(key, name), value, &mut changed);
                self.add_changed_entries(&format!("{key}.{name}"), value, &mut changed);
            }
            self.add_changed_entries(key, value, &mut changed);
        }
        changed
    }

    fn add_changed_entries(&self, key: &str, list: &Spanned<DeValue<'_>>, changed: &mut ChangedKeys) {
        for (i, entry) in list.get_ref().as_array().into_iter().flatten().enumerate() {
            self.add_changed(&entry_name(key, i, entry.get_ref()), entry, changed);
        }
    }

    /// Adds the changed keys below a key, and then the key itself, if a change has set it: a table that is not in the
    /// file begins with one of its changed keys.
    fn add_changed(&self, name: &str, value: &Spanned<DeValue<'_>>, changed: &mut ChangedKeys) {
        for (key, value) in value.get_ref().as_table().into_iter().flatten() {
            self.add_changed(&format!("{name}, {}", key.get_ref()), value, changed);
        }
        if !self.texts.is_in_file(&value.span()) {
            changed.0.push((name.to_owned(), self.texts.place(&value.span())));
        }
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
                // Messages about unknown and missing keys name them.
                let names_key = ["unknown ", "missing "].iter().any(|start| error.message.starts_with(start));
                let key = if names_key || !self.texts.is_in_file(&span) { "" } else { &*error.key };
                let key = names::one_line(key);
                let place = match (what, &*key) {
                    ("", "") => place,
                    ("", part) | (part, "") => format!("{place}: {part}"),
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
        "u32" => "a whole number from 0 to 4294967295",
        "i64" => "a whole number",
        "a string" | "path string" => "a text in quotes",
        "a boolean" => "true or false",
        "a sequence" => "a list: [a, b]",
        "a map" => "a table: { key = value }",
        other if other.starts_with("struct ") => "a table: { key = value }",
        "an array of length 2" => "two numbers: [x, y]",
        "an array of length 3" => "three numbers: [x, y, z]",
        other => other,
    };
    (names::one_line(message), format!("expected {expected}"))
}
