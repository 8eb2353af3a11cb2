//! Settings as `KEY=VALUE`: parses changes, and writes all settings of a tree so that they can be parsed again.
//!
//! A key is a path of names separated by dots. A name that contains a dot, an equals sign or a quotation mark must be
//! quoted as in TOML; other names may be quoted. A value is a TOML value; a string needs quotes only if it would be
//! parsed as something else.

use std::borrow::Cow;
use std::fmt::Write as _;

use toml::de::{DeTable, DeValue};

/// Splits `KEY=VALUE` into key and value; `None` without an equals sign outside quotes.
pub(crate) fn assignment(typed: &str) -> Option<(&str, &str)> {
    let at = unquoted(typed, '=').next()?;
    Some((&typed[..at], &typed[at + 1..]))
}

/// A name in a key path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub name: String,
    /// An unquoted number is the index of a list entry.
    pub is_quoted: bool,
}

/// Splits a key into the names of its path.
pub(crate) fn key_parts(key: &str) -> Vec<Part> {
    let ends = unquoted(key, '.').chain([key.len()]);
    let parts = ends.scan(0, |begin, end| {
        let part = &key[*begin..end];
        *begin = end + 1;
        Some(part)
    });
    let part = |part: &str| match quoted_text(part) {
        Some(name) => Part { name, is_quoted: true },
        None => Part { name: part.to_owned(), is_quoted: false },
    };
    parts.map(part).collect()
}

/// Relation between two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The same key, possibly written differently.
    Same,
    /// One key contains the other, like `economy` and `economy.elasticity`.
    Part,
    Apart,
}

/// Returns the relation between two keys, given as paths.
pub(crate) fn relation(a: &[Part], b: &[Part]) -> Relation {
    let is_shared = a.iter().zip(b).all(|(a, b)| a.name == b.name);
    match (is_shared, a.len() == b.len()) {
        (true, true) => Relation::Same,
        (true, false) => Relation::Part,
        (false, _) => Relation::Apart,
    }
}

/// Returns the positions of a character outside quotes. An apostrophe within a name is not a quote.
fn unquoted(text: &str, character: char) -> impl Iterator<Item = usize> {
    let (mut quote, mut is_escaped, mut before) = (None, false, '.');
    text.char_indices().filter_map(move |(at, found)| {
        let is_after_backslash = std::mem::take(&mut is_escaped);
        match (quote, found) {
            (Some('"'), '\\') => is_escaped = !is_after_backslash,
            (Some(open), _) if open == found && !is_after_backslash => quote = None,
            (None, '"') => quote = Some(found),
            (None, '\'') if before == '.' => quote = Some(found),
            _ => {}
        }
        before = found;
        (found == character && quote.is_none()).then_some(at)
    })
}

/// Returns a typed value as a TOML value; anything that is not valid TOML becomes a string.
pub(crate) fn as_toml(typed: &str) -> Cow<'_, str> {
    let line = format!("value = {typed}\n");
    // A line break could start another key.
    let is_value = DeTable::parse(&line).is_ok_and(|table| table.get_ref().len() == 1);
    if is_value { typed.into() } else { quoted(typed.trim()).into() }
}

/// Quotes a string, on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            character if character.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(character));
            }
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// Returns the content of a string in single or double quotes; `None` for anything else.
pub(crate) fn quoted_text(text: &str) -> Option<String> {
    if !text.starts_with(['"', '\'']) {
        return None;
    }
    match DeTable::parse(&format!("value = {text}\n")).ok()?.into_inner().into_iter().next()?.1.into_inner() {
        DeValue::String(text) => Some(text.into_owned()),
        _ => None,
    }
}

/// Returns all settings of a tree: full names and values, as typed on the command line.
pub(crate) fn flat(root: &DeTable<'_>) -> Vec<(String, String)> {
    let mut settings = Vec::new();
    for (name, value) in root {
        flatten(&key_part(name.get_ref()), value.get_ref(), &mut settings);
    }
    settings
}

/// Returns a name for use in a key path, quoted if necessary.
fn key_part(name: &str) -> Cow<'_, str> {
    let is_plain =
        !name.is_empty() && name.trim() == name && !name.contains(['.', '=', '"']) && !name.starts_with('\'');
    if is_plain { name.into() } else { quoted(name).into() }
}

/// Collects the settings below a key.
fn flatten(key: &str, value: &DeValue<'_>, settings: &mut Vec<(String, String)>) {
    match value {
        DeValue::Table(table) => {
            for (name, value) in table {
                flatten(&format!("{key}.{}", key_part(name.get_ref())), value.get_ref(), settings);
            }
        }
        DeValue::Array(list) if !list.is_empty() && list.iter().all(|value| value.get_ref().is_table()) => {
            // This entry comes first, so that the list gets exactly these entries, regardless of the file.
            settings.push((key.to_owned(), format!("[{}]", vec!["{}"; list.len()].join(", "))));
            for (i, value) in list.iter().enumerate() {
                flatten(&format!("{key}.{}", i + 1), value.get_ref(), settings);
            }
        }
        DeValue::String(text) if as_toml(text) == quoted(text) => settings.push((key.to_owned(), text.to_string())),
        value => settings.push((key.to_owned(), toml_text(value))),
    }
}

/// Returns a value as TOML.
fn toml_text(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => quoted(text),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(list) => {
            let texts: Vec<String> = list.iter().map(|value| toml_text(value.get_ref())).collect();
            format!("[{}]", texts.join(", "))
        }
        DeValue::Table(table) => {
            let entry = |(name, value): (&toml::Spanned<Cow<'_, str>>, &toml::Spanned<DeValue<'_>>)| {
                format!("{} = {}", quoted(name.get_ref()), toml_text(value.get_ref()))
            };
            format!("{{{}}}", table.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_equals_sign_is_part_of_the_key() {
        assert_eq!(assignment("a.b=c=d"), Some(("a.b", "c=d")));
        assert_eq!(assignment(r#"goals."a=b\"=".at = [1]"#), Some((r#"goals."a=b\"=".at "#, " [1]")));
        assert_eq!(assignment("goals.'a=b\\'.at=1"), Some(("goals.'a=b\\'.at", "1")));
        assert_eq!(assignment("a.b"), None);
    }

    #[test]
    fn quoted_names_may_contain_dots() {
        let names = |key: &str| key_parts(key).into_iter().map(|part| part.name).collect::<Vec<_>>();
        assert_eq!(names("flows.wary of guards.danger"), ["flows", "wary of guards", "danger"]);
        assert_eq!(names(r#"flows."v1.5 \"new\"".danger"#), ["flows", r#"v1.5 "new""#, "danger"]);
        assert_eq!(names("goals.'v1.5 \"red\" flag'.owner"), ["goals", "v1.5 \"red\" flag", "owner"]);
        assert_eq!(names("agents.O'Brien's.count"), ["agents", "O'Brien's", "count"]);
        assert_eq!(names("a"), ["a"]);
        assert_eq!(names("a..b"), ["a", "", "b"]);
        for (a, b, expected) in [
            ("a.b", "\"a\".'b'", Relation::Same),
            ("a.b", "a", Relation::Part),
            ("a", "a.\"b.c\"", Relation::Part),
            ("ab", "a", Relation::Apart),
            ("a.b", "\"a.b\"", Relation::Apart),
        ] {
            assert_eq!(relation(&key_parts(a), &key_parts(b)), expected, "{a} {b}");
        }
    }

    #[test]
    fn a_typed_value_is_a_single_toml_value() {
        for (typed, value) in [
            (" 7", " 7"),
            ("[1, 2]", "[1, 2]"),
            ("'a b'", "'a b'"),
            ("a b ", r#""a b""#),
            ("1\nother = 2", r#""1\u000Aother = 2""#),
            (r"a\b", r#""a\\b""#),
        ] {
            assert_eq!(as_toml(typed), value);
        }
    }

    /// Each setting is written so that it is parsed as the same value.
    #[test]
    fn settings_are_parsed_back_unchanged() {
        let text = r##"
            plain = "a b"
            number = "12"
            list = "[1"
            spaces = " a "
            lines = "a\nb"
            empty = ""
            quotes = "\"a\""
            hash = "#1f77b4"
            texts = ["random", "minimax:3", "a, b", "]"]
            nested = [["a"], [1.5, 2]]
            time = "06:30:00"
            flag = true
            ["a.b"."c = d"]
            x = -0.0
            ["'tis"."O'Brien"]
            y = 1
            [names.17]
            z = 2
            [[rooms]]
            name = "hall"
            size = [1, 2]
            [[rooms]]
            door = { at = 3 }
        "##;
        let tree = DeTable::parse(text).unwrap();
        let settings = flat(tree.get_ref());
        let of = |key: &str| settings.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
        assert_eq!(of("plain"), Some("a b"));
        assert_eq!(of("number"), Some(r#""12""#));
        assert_eq!(of("texts"), Some(r#"["random", "minimax:3", "a, b", "]"]"#));
        assert_eq!(of(r#""a.b"."c = d".x"#), Some("-0.0"));
        assert_eq!(of(r#""'tis".O'Brien.y"#), Some("1"));
        assert_eq!((of("names.17.z"), of("rooms")), (Some("2"), Some("[{}, {}]")));
        assert_eq!((of("rooms.1.name"), of("rooms.2.door.at")), (Some("hall"), Some("3")));
        assert_eq!(of("hash"), Some("#1f77b4"));
        let original = text.parse::<toml::Table>().unwrap();
        for (key, value) in settings.iter().filter(|(key, _)| key != "rooms") {
            let typed = format!("{key}={value}");
            let (key, value) = assignment(&typed).unwrap();
            let read: toml::Table = format!("value = {}", as_toml(value)).parse().unwrap();
            let mut found = Some(&toml::Value::Table(original.clone())).cloned();
            for Part { name, .. } in key_parts(key) {
                found = found.and_then(|value| match name.parse::<usize>() {
                    Ok(number) if value.is_array() => value.get(number - 1).cloned(),
                    _ => value.get(&name).cloned(),
                });
            }
            assert_eq!(Some(&read["value"]), found.as_ref(), "{typed}");
        }
    }
}
