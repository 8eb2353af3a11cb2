//! The keys of a map file: the top level of a YAML document, with the line of each key.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput};
use throng_core::InputError;

/// A value of a map file, and its location.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed<T> {
    pub value: T,
    /// The line and the key, as shown in messages.
    pub place: String,
}

/// The keys of a file with their values as text. Keys unknown to map servers are included, but ignored.
pub(super) struct Keys<'t>(BTreeMap<Cow<'t, str>, Entry<'t>>);

struct Entry<'t> {
    /// Line of the key.
    line: usize,
    value: Value<'t>,
}

enum Value<'t> {
    /// Empty if the value is null.
    Scalar(Cow<'t, str>),
    /// The entries and their lines.
    List(Vec<(usize, Value<'t>)>),
    Mapping,
    /// A reference to a value elsewhere, `*NAME`.
    Alias,
}

/// Remedy for YAML files that are not mappings.
const EXPECTED: &str = "expected KEY: VALUE";

impl<'t> Keys<'t> {
    /// Reads the keys of the first document, as map servers do.
    pub(super) fn parse(text: &'t str) -> Result<Self, InputError> {
        // Some editors begin files with a byte order mark, which is not part of the text.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut events = Events { text, parser: Parser::new_from_str(text) };
        let mut entries = BTreeMap::new();
        loop {
            let (event, line) = events.next()?;
            match event {
                Event::MappingStart(..) => break,
                Event::StreamEnd => return Ok(Self(entries)),
                Event::StreamStart | Event::DocumentStart(_) => {}
                // An empty document.
                Event::Scalar(value, style, ..) if is_null(&value, style) => return Ok(Self(entries)),
                _ => return Err(InputError::one(format!("line {line}"), events.shown(line), EXPECTED)),
            }
        }
        loop {
            let (event, line) = events.next()?;
            let key = match event {
                // The parser reports the end of the file before the end of the mapping.
                Event::MappingEnd | Event::StreamEnd => return Ok(Self(entries)),
                Event::Scalar(key, ..) => Some(key),
                // Map servers have no keys that are lists or aliases.
                other => {
                    events.value(other)?;
                    None
                }
            };
            let (event, _) = events.next()?;
            let value = events.value(event)?;
            let Some(key) = key else { continue };
            match entries.entry(key) {
                btree_map::Entry::Vacant(place) => place.insert(Entry { line, value }),
                btree_map::Entry::Occupied(first) => {
                    let remedy = format!("keep one; the first is in line {}", first.get().line);
                    return Err(InputError::one(format!("line {line}, {}", first.key()), "is defined twice", remedy));
                }
            };
        }
    }

    fn find(&self, key: &str) -> Result<&Entry<'t>, InputError> {
        self.0.get(key).ok_or_else(|| {
            let remedy = "a map file has image, resolution, origin, negate, occupied_thresh and free_thresh";
            InputError::one(key, "is missing", remedy)
        })
    }

    pub(super) fn text(&self, key: &str) -> Result<Placed<&str>, InputError> {
        let Entry { line, value, .. } = self.find(key)?;
        let place = format!("line {line}, {key}");
        Ok(Placed { value: value.text(&place)?, place })
    }

    pub(super) fn optional_text(&self, key: &str) -> Result<Option<Placed<&str>>, InputError> {
        if self.0.contains_key(key) { self.text(key).map(Some) } else { Ok(None) }
    }

    pub(super) fn number(&self, key: &str) -> Result<Placed<f64>, InputError> {
        let Placed { value, place } = self.text(key)?;
        Ok(Placed { value: number(value, &place)?, place })
    }

    pub(super) fn numbers(&self, key: &str) -> Result<Placed<Vec<f64>>, InputError> {
        let Entry { line, value, .. } = self.find(key)?;
        let place = format!("line {line}, {key}");
        let Value::List(list) = value else {
            let value = value.text(&place)?;
            return Err(InputError::one(place, format!("\"{value}\""), "expected a list: [a, b]"));
        };
        let entry = |(line, value): &(usize, Value<'t>)| {
            let place = format!("line {line}, {key}");
            number(value.text(&place)?, &place)
        };
        Ok(Placed { value: list.iter().map(entry).collect::<Result<_, _>>()?, place })
    }

    pub(super) fn truth(&self, key: &str) -> Result<bool, InputError> {
        let Placed { value, place } = self.text(key)?;
        match value.to_ascii_lowercase().as_str() {
            "0" | "false" | "no" | "off" | "n" => Ok(false),
            "1" | "true" | "yes" | "on" | "y" => Ok(true),
            _ => Err(InputError::one(place, format!("\"{value}\""), "expected 0 or 1, false or true")),
        }
    }
}

impl Value<'_> {
    fn text(&self, place: &str) -> Result<&str, InputError> {
        let (value, remedy) = match self {
            Self::Scalar(text) => return Ok(text),
            Self::List(list) => (format!("a list of {}", list.len()), "expected one value"),
            Self::Mapping => ("a mapping".to_owned(), "expected one value"),
            Self::Alias => {
                ("an alias".to_owned(), "write the value itself here: references to others are not followed")
            }
        };
        Err(InputError::one(place, value, remedy))
    }
}

/// The YAML events of a text.
struct Events<'t> {
    text: &'t str,
    parser: Parser<'t, StrInput<'t>>,
}

impl<'t> Events<'t> {
    /// Returns the next event and its line.
    fn next(&mut self) -> Result<(Event<'t>, usize), InputError> {
        let (event, span) = self
            .parser
            .next_event()
            .unwrap_or(Ok((Event::StreamEnd, Span::default())))
            .map_err(|error| self.not_yaml(&error))?;
        Ok((event, span.start.line()))
    }

    fn not_yaml(&self, error: &ScanError) -> InputError {
        let (line, column) = (error.marker().line(), error.marker().col() + 1);
        InputError::one(
            format!("line {line}, column {column}"),
            self.shown(line),
            format!("expected YAML: {}", error.info()),
        )
    }

    /// The beginning of a line, for messages.
    fn shown(&self, line: usize) -> String {
        let line = self.text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        format!("\"{}\"", line.trim().chars().take(60).collect::<String>())
    }

    /// Reads the value that begins with an event. The contents of list entries and of mappings are skipped.
    fn value(&mut self, first: Event<'t>) -> Result<Value<'t>, InputError> {
        if !matches!(first, Event::SequenceStart(..)) {
            return self.entry(first);
        }
        let mut list = Vec::new();
        loop {
            let (event, line) = self.next()?;
            if matches!(event, Event::SequenceEnd | Event::StreamEnd) {
                return Ok(Value::List(list));
            }
            list.push((line, self.entry(event)?));
        }
    }

    /// The same as [`Self::value`], but skips the entries of a list. Not recursive, because third-party files can be
    /// nested deeply.
    fn entry(&mut self, first: Event<'t>) -> Result<Value<'t>, InputError> {
        let value = match first {
            Event::Scalar(text, style, ..) if is_null(&text, style) => return Ok(Value::Scalar("".into())),
            Event::Scalar(text, ..) => return Ok(Value::Scalar(text)),
            Event::Alias(_) => return Ok(Value::Alias),
            Event::SequenceStart(..) => Value::List(Vec::new()),
            _ => Value::Mapping,
        };
        let mut depth = 1;
        while depth > 0 {
            match self.next()?.0 {
                Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
                Event::SequenceEnd | Event::MappingEnd => depth -= 1,
                Event::StreamEnd => break,
                _ => {}
            }
        }
        Ok(value)
    }
}

/// Whether a scalar represents null.
fn is_null(text: &str, style: ScalarStyle) -> bool {
    style == ScalarStyle::Plain && matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn number(text: &str, place: &str) -> Result<f64, InputError> {
    let found = text.parse::<f64>().ok().filter(|number| number.is_finite());
    found.ok_or_else(|| InputError::one(place, format!("\"{text}\""), "expected a finite number"))
}
