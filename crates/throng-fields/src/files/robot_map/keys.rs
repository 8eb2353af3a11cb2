//! The keys of a map file: the part of YAML that map servers and their users write. A key and its value are on a line
//! of their own; a list is in brackets, or has an entry on each of the following lines. Quotes and comments are
//! understood.

use std::borrow::Cow;

use crate::error::FieldError;

/// The keys that map servers have. All others are left alone, with everything that is indented below them.
const KEYS: [&str; 7] = ["image", "resolution", "origin", "negate", "occupied_thresh", "free_thresh", "mode"];

/// A value and where it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed<T> {
    pub value: T,
    /// The line and the key.
    pub place: String,
}

/// The keys of a file with their values as text.
pub(super) struct Keys<'t>(Vec<Entry<'t>>);

struct Entry<'t> {
    line: usize,
    key: &'t str,
    value: Value<'t>,
}

/// A value as it is written.
enum Value<'t> {
    Scalar(&'t str),
    List(Vec<&'t str>),
}

impl<'t> Keys<'t> {
    pub(super) fn parse(text: &'t str) -> Result<Self, FieldError> {
        let mut entries: Vec<Entry<'t>> = Vec::new();
        let mut indent = None;
        for (number, line) in (1..).zip(text.lines()) {
            let content = without_comment(line).trim();
            if content.is_empty() || content == "---" || content == "..." {
                continue;
            }
            let before = line.len() - line.trim_start().len();
            let is_nested = before > *indent.get_or_insert(before);
            // What is within a key that map servers do not have is not for them, even if it has the name of a key.
            if is_nested && entries.last().is_some_and(|entry| !KEYS.contains(&entry.key)) {
                continue;
            }
            if let Some(item) = content.strip_prefix("- ") {
                match entries.last_mut() {
                    Some(Entry { value: Value::List(list), .. }) => list.push(item.trim()),
                    Some(Entry { value: value @ Value::Scalar(""), .. }) => *value = Value::List(vec![item.trim()]),
                    _ => return Err(unreadable(number, line)),
                }
                continue;
            }
            if is_nested {
                let remedy = "write the key at the start of the line, and its value in the same line";
                return Err(FieldError::new(format!("line {number}"), shown(line), remedy));
            }
            if content.starts_with('{') {
                let remedy = "write each key in a line of its own, without braces: KEY: VALUE";
                return Err(FieldError::new(format!("line {number}"), shown(line), remedy));
            }
            let Some((key, value)) = content.split_once(':') else { return Err(unreadable(number, line)) };
            let (key, value) = (without_quotes(key.trim()).unwrap_or(key.trim()), value.trim());
            let place = || format!("line {number}, {key}");
            if let Some(first) = entries.iter().find(|entry| entry.key == key) {
                return Err(FieldError::new(
                    place(),
                    "twice",
                    format!("keep one; the first is in line {}", first.line),
                ));
            }
            if value.starts_with('{') && (KEYS.contains(&key) || !value.ends_with('}')) {
                let remedy = "expected no braces, or for a key that map servers do not have, } in the same line";
                return Err(FieldError::new(place(), format!("\"{value}\""), remedy));
            }
            let value = match value.strip_prefix('[').map(|list| list.strip_suffix(']')) {
                None => Value::Scalar(value),
                Some(Some(list)) if list.trim().is_empty() => Value::List(Vec::new()),
                Some(Some(list)) => Value::List(list.split(',').map(str::trim).collect()),
                Some(None) => {
                    let remedy = "end the list with ] in the same line";
                    return Err(FieldError::new(place(), format!("\"{value}\""), remedy));
                }
            };
            entries.push(Entry { line: number, key, value });
        }
        Ok(Self(entries))
    }

    fn find(&self, key: &str) -> Result<&Entry<'t>, FieldError> {
        self.0.iter().find(|entry| entry.key == key).ok_or_else(|| {
            let remedy = "a map file has image, resolution, origin, negate, occupied_thresh and free_thresh";
            FieldError::new(key, "is missing", remedy)
        })
    }

    fn scalar(&self, key: &str) -> Result<Placed<Cow<'t, str>>, FieldError> {
        let Entry { line, value, .. } = self.find(key)?;
        let place = format!("line {line}, {key}");
        match value {
            Value::Scalar(value) => Ok(Placed { value: unquoted(value), place }),
            Value::List(list) => Err(FieldError::new(place, format!("a list of {}", list.len()), "expected one value")),
        }
    }

    pub(super) fn text(&self, key: &str) -> Result<Placed<String>, FieldError> {
        let Placed { value, place } = self.scalar(key)?;
        Ok(Placed { value: value.into_owned(), place })
    }

    pub(super) fn optional_text(&self, key: &str) -> Result<Option<Placed<String>>, FieldError> {
        if self.0.iter().any(|entry| entry.key == key) { self.text(key).map(Some) } else { Ok(None) }
    }

    pub(super) fn number(&self, key: &str) -> Result<Placed<f64>, FieldError> {
        let Placed { value, place } = self.scalar(key)?;
        Ok(Placed { value: number(&value, &place)?, place })
    }

    pub(super) fn numbers(&self, key: &str) -> Result<Placed<Vec<f64>>, FieldError> {
        let Entry { line, value, .. } = self.find(key)?;
        let place = format!("line {line}, {key}");
        let Value::List(list) = value else {
            let Placed { value, .. } = self.scalar(key)?;
            return Err(FieldError::new(place, format!("\"{value}\""), "expected a list: [a, b]"));
        };
        let value = list.iter().map(|text| number(&unquoted(text), &place)).collect::<Result<_, _>>()?;
        Ok(Placed { value, place })
    }

    pub(super) fn truth(&self, key: &str) -> Result<bool, FieldError> {
        let Placed { value, place } = self.scalar(key)?;
        match value.to_ascii_lowercase().as_str() {
            "0" | "false" | "no" | "off" => Ok(false),
            "1" | "true" | "yes" | "on" => Ok(true),
            _ => Err(FieldError::new(place, format!("\"{value}\""), "expected 0 or 1, false or true")),
        }
    }
}

fn number(text: &str, place: &str) -> Result<f64, FieldError> {
    let found = text.parse::<f64>().ok().filter(|number| number.is_finite());
    found.ok_or_else(|| FieldError::new(place, format!("\"{text}\""), "expected a finite number"))
}

fn unreadable(number: usize, line: &str) -> FieldError {
    FieldError::new(format!("line {number}"), shown(line), "expected KEY: VALUE")
}

/// The beginning of a line in a message.
fn shown(line: &str) -> String {
    let shown: String = line.trim().chars().take(60).collect();
    format!("\"{shown}\"")
}

/// A line up to a comment, which begins at `#` at the start of the line or after a space, outside quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, letter) in line.char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            // A quote after the one that has ended the text belongs to it: '' stands for a quote.
            (None, '\'' | '"') if before.is_whitespace() || matches!(before, '[' | ',' | '\'') => quote = Some(letter),
            (None, '#') if before.is_whitespace() => return &line[..at],
            _ => {}
        }
        before = letter;
    }
    line
}

fn without_quotes(text: &str) -> Option<&str> {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\''))
}

/// A text without its quotes. In single quotes, two of them stand for one.
fn unquoted(text: &str) -> Cow<'_, str> {
    match without_quotes(text) {
        Some(inside) if text.starts_with('\'') => inside.replace("''", "'").into(),
        Some(inside) => inside.into(),
        None => text.into(),
    }
}
