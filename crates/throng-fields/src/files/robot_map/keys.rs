//! The keys of a map file: the part of YAML that map servers and their users write. A key and its value are on a line of
//! their own; a list is in brackets, or has an entry on each of the following lines. Quotes and comments are understood.

use crate::error::FieldError;

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
        for (number, line) in (1..).zip(text.lines()) {
            let content = without_comment(line).trim();
            if content.is_empty() || content == "---" || content == "..." {
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
            let Some((key, value)) = content.split_once(':') else { return Err(unreadable(number, line)) };
            let (key, value) = (unquoted(key.trim()), value.trim());
            if let Some(first) = entries.iter().find(|entry| entry.key == key) {
                let place = format!("line {number}, {key}");
                return Err(FieldError::new(place, "twice", format!("keep one; the first is in line {}", first.line)));
            }
            let value = match value.strip_prefix('[').map(|list| list.strip_suffix(']')) {
                None => Value::Scalar(value),
                Some(Some(list)) if list.trim().is_empty() => Value::List(Vec::new()),
                Some(Some(list)) => Value::List(list.split(',').map(str::trim).collect()),
                Some(None) => {
                    let place = format!("line {number}, {key}");
                    return Err(FieldError::new(place, format!("\"{value}\""), "end the list with ] in the same line"));
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

    fn scalar(&self, key: &str) -> Result<Placed<&'t str>, FieldError> {
        let Entry { line, value, .. } = self.find(key)?;
        let place = format!("line {line}, {key}");
        match value {
            Value::Scalar(value) => Ok(Placed { value: unquoted(value), place }),
            Value::List(list) => Err(FieldError::new(place, format!("a list of {}", list.len()), "expected one value")),
        }
    }

    pub(super) fn text(&self, key: &str) -> Result<Placed<String>, FieldError> {
        let Placed { value, place } = self.scalar(key)?;
        Ok(Placed { value: value.to_owned(), place })
    }

    pub(super) fn optional_text(&self, key: &str) -> Result<Option<Placed<String>>, FieldError> {
        if self.0.iter().any(|entry| entry.key == key) { self.text(key).map(Some) } else { Ok(None) }
    }

    pub(super) fn number(&self, key: &str) -> Result<Placed<f64>, FieldError> {
        let Placed { value, place } = self.scalar(key)?;
        Ok(Placed { value: number(value, &place)?, place })
    }

    pub(super) fn numbers(&self, key: &str) -> Result<Placed<Vec<f64>>, FieldError> {
        let Entry { line, value, .. } = self.find(key)?;
        let place = format!("line {line}, {key}");
        let Value::List(list) = value else {
            let Placed { value, .. } = self.scalar(key)?;
            return Err(FieldError::new(place, format!("\"{value}\""), "expected a list: [a, b]"));
        };
        let value = list.iter().map(|text| number(unquoted(text), &place)).collect::<Result<_, _>>()?;
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
    let shown: String = line.trim().chars().take(60).collect();
    FieldError::new(format!("line {number}"), format!("\"{shown}\""), "expected KEY: VALUE")
}

/// A line up to a comment, which begins at `#` at the start of the line or after a space, outside quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, letter) in line.char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"') if before.is_whitespace() || before == '[' || before == ',' => quote = Some(letter),
            (None, '#') if before.is_whitespace() => return &line[..at],
            _ => {}
        }
        before = letter;
    }
    line
}

fn unquoted(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}
