//! Reading event files: one event at a time, whatever its type.

use std::io::BufRead;
use std::ops::Range;
use std::path::Path;

use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use throng_core::InputError;

use super::open::{TextInput, unreadable};

/// Reads the `<event>` elements of an event file in the order of the file.
///
/// Types and attributes need not be known: transit events, events of the format of 2013 (`wait2link`, `person` on link
/// events) and of modules of one's own are read like all others. Required are `time`, a number of seconds, and `type`.
/// Memory is that of one event.
///
/// ```
/// use throng_traffic::matsim::events_reader::EventsReader;
/// let file = br#"<events version="1.0"><event time="5.0" type="left link" link="1" vehicle="a"/></events>"#;
/// let mut events = EventsReader::new("events.xml", &file[..]);
/// let event = events.read()?.expect("one event is there");
/// assert_eq!((event.time_s(), event.get("vehicle")), (5.0, Some("a")));
/// assert!(events.read()?.is_none());
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct EventsReader<R> {
    xml: quick_xml::Reader<R>,
    name: String,
    buffer: Vec<u8>,
    event: EventRecord,
    /// Line where the next token begins, from 1.
    line: u64,
    depth: u32,
    inside: Inside,
}

/// Where in the document the reader stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Prologue,
    Events,
    End,
}

impl EventsReader<TextInput> {
    /// Opens an event file: plain, gzip or zstd.
    ///
    /// # Errors
    /// When the file cannot be opened, see [`TextInput::open`].
    pub fn open(path: &Path) -> Result<Self, InputError> {
        let input = TextInput::open(path)?;
        let name = input.name().to_owned();
        Ok(Self::new(name, input))
    }
}

impl<R: BufRead> EventsReader<R> {
    /// Reads `input`, which messages call `name`.
    pub fn new(name: impl Into<String>, input: R) -> Self {
        Self {
            xml: quick_xml::Reader::from_reader(input),
            name: name.into(),
            buffer: Vec::new(),
            event: EventRecord::default(),
            line: 1,
            depth: 0,
            inside: Inside::Prologue,
        }
    }

    /// What messages call this file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next event; `None` after `</events>`.
    ///
    /// # Errors
    /// With file and line when the XML is broken, the file ends early, or an event lacks `time` or `type`.
    pub fn read(&mut self) -> Result<Option<&EventRecord>, InputError> {
        loop {
            let line = self.line;
            self.buffer.clear();
            let token = match self.xml.read_event_into(&mut self.buffer) {
                Ok(token) => token,
                Err(error) => return Err(xml_problem(&format!("{}:{line}", self.name), &error)),
            };
            self.line += newlines(&token);
            match token {
                Event::Start(tag) => {
                    self.depth += 1;
                    if begin(&tag, self.depth, &mut self.inside, &mut self.event)
                        .map_err(|what| what.at(&self.name, line))?
                    {
                        self.event.line = line;
                        return Ok(Some(&self.event));
                    }
                }
                Event::Empty(tag) => {
                    let is_event = begin(&tag, self.depth + 1, &mut self.inside, &mut self.event)
                        .map_err(|what| what.at(&self.name, line))?;
                    if self.depth == 0 {
                        self.inside = Inside::End;
                    }
                    if is_event {
                        self.event.line = line;
                        return Ok(Some(&self.event));
                    }
                }
                Event::End(_) => {
                    // An end without a beginning is an error of the parser, so this cannot go below zero.
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        self.inside = Inside::End;
                    }
                }
                Event::Eof if self.inside == Inside::End => return Ok(None),
                Event::Eof => return Err(self.ends_early()),
                _ => {}
            }
        }
    }

    fn ends_early(&self) -> InputError {
        let place = format!("{}:{}", self.name, self.line);
        if self.inside == Inside::Prologue {
            return InputError::one(place, "no <events> element in this file", "Name an event file.");
        }
        InputError::one(
            place,
            "the file ends before </events>",
            "It is incomplete, perhaps of a run that was stopped: make or copy it again.",
        )
    }
}

/// Takes in the start tag of an element at `depth`; true when it is an event.
fn begin(tag: &BytesStart<'_>, depth: u32, inside: &mut Inside, event: &mut EventRecord) -> Result<bool, Mistake> {
    let name = tag.name();
    let name: &str = name.as_ref();
    match (*inside, depth) {
        (Inside::Prologue, 1) if name == "events" => *inside = Inside::Events,
        (Inside::Prologue, _) => {
            return Err(Mistake {
                what: format!("the file begins with <{name}>, not <events>"),
                remedy: "Name an event file.",
            });
        }
        (Inside::End, _) => {
            return Err(Mistake {
                what: format!("<{name}> after the end of <events>"),
                remedy: "A file holds one <events> element; split it.",
            });
        }
        // Other elements, and anything within an event, are no concern of ours.
        (Inside::Events, 2) if name == "event" => {
            event.parse(tag.attributes_raw())?;
            return Ok(true);
        }
        (Inside::Events, _) => {}
    }
    Ok(false)
}

/// One event as it stands in the file.
#[derive(Debug, Clone, Default)]
pub struct EventRecord {
    time_s: f64,
    /// The text that gave `time_s`: most events have the time of the one before.
    time_text: String,
    line: u64,
    /// The attributes as in the file.
    text: String,
    spans: Vec<Span>,
    /// Values in which references such as `&amp;` were resolved.
    resolved: String,
}

/// Where an attribute lies in [`EventRecord::text`].
#[derive(Debug, Clone)]
struct Span {
    name: Range<usize>,
    value: Range<usize>,
    /// The value lies in [`EventRecord::resolved`].
    is_resolved: bool,
}

impl EventRecord {
    /// Time, seconds of the day; never NaN or infinite.
    pub fn time_s(&self) -> f64 {
        self.time_s
    }

    /// Line of the file on which the event begins.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The attributes as they stand in the file, without `<event` and `/>`.
    pub fn text(&self) -> &str {
        self.text.trim_ascii()
    }

    /// Names and values in the order of the file, `time` and `type` included. Names do not repeat.
    pub fn attributes(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.spans.iter().map(|span| (&self.text[span.name.clone()], self.value(span)))
    }

    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes().find(|&(n, _)| n == name).map(|(_, value)| value)
    }

    fn value(&self, span: &Span) -> &str {
        let text = if span.is_resolved { &self.resolved } else { &self.text };
        &text[span.value.clone()]
    }

    /// Takes over the attributes in `text`, the part of a tag behind its name.
    pub(crate) fn parse(&mut self, text: &str) -> Result<(), Mistake> {
        self.text.clear();
        self.text.push_str(text);
        self.spans.clear();
        self.resolved.clear();

        let mut position = 0;
        while let Some((name, value)) = next_attribute(&self.text, position).map_err(Mistake::syntax)? {
            position = value.end + 1;
            if self.spans.iter().any(|span| self.text[span.name.clone()] == self.text[name.clone()]) {
                return Err(Mistake::syntax(format!("attribute \"{}\" appears twice", &self.text[name])));
            }
            let raw = &self.text[value.clone()];
            if raw.contains('&') {
                let start = self.resolved.len();
                self.resolved.push_str(&unescape(raw).map_err(|error| Mistake::syntax(error.to_string()))?);
                self.spans.push(Span { name, value: start..self.resolved.len(), is_resolved: true });
            } else {
                self.spans.push(Span { name, value, is_resolved: false });
            }
        }
        if self.get("type").is_none() {
            return Err(Mistake { what: "this event has no type".into(), remedy: "Give it an attribute `type`." });
        }
        self.read_time()
    }

    fn read_time(&mut self) -> Result<(), Mistake> {
        const REMEDY: &str = "`time` is in seconds of the day, for example 21510.0.";
        let Some(text) = self.get("time") else {
            return Err(Mistake { what: "this event has no time".into(), remedy: REMEDY });
        };
        if text == self.time_text && !text.is_empty() {
            return Ok(());
        }
        match text.trim_ascii().parse::<f64>() {
            Ok(time) if time.is_finite() => {
                self.time_text = text.to_owned();
                self.time_s = time;
                Ok(())
            }
            _ => Err(Mistake { what: format!("time=\"{text}\" is not a number of seconds"), remedy: REMEDY }),
        }
    }
}

/// The places of name and value of the attribute that follows `position`; `None` when there is none.
fn next_attribute(text: &str, position: usize) -> Result<Option<(Range<usize>, Range<usize>)>, String> {
    let rest = text.get(position..).unwrap_or_default();
    let name_start = position + (rest.len() - rest.trim_ascii_start().len());
    let rest = &text[name_start..];
    if rest.is_empty() {
        return Ok(None);
    }
    if name_start == position && position > 0 {
        return Err(format!("no blank before `{}`", start_of(rest)));
    }
    let equals = rest.find('=').ok_or_else(|| format!("attribute `{}` has no value", start_of(rest)))?;
    let name = rest[..equals].trim_ascii_end();
    if name.is_empty() || name.contains(|c: char| c.is_ascii_whitespace() || matches!(c, '"' | '\'' | '<')) {
        return Err(format!("`{}` is not the name of an attribute", start_of(&rest[..equals])));
    }
    let after = rest[equals + 1..].trim_ascii_start();
    let quote = match after.bytes().next() {
        Some(quote @ (b'"' | b'\'')) => char::from(quote),
        _ => return Err(format!("the value of attribute \"{name}\" is not in quotes")),
    };
    let value_start = text.len() - after.len() + 1;
    let value_len = text[value_start..]
        .find(quote)
        .ok_or_else(|| format!("the value of attribute \"{name}\" has no closing quote"))?;
    Ok(Some((name_start..name_start + name.len(), value_start..value_start + value_len)))
}

/// The first characters of a text that may be long.
fn start_of(text: &str) -> String {
    text.trim_ascii().chars().take(40).collect()
}

/// What is wrong with an event; the reader adds the place.
#[derive(Debug)]
pub(crate) struct Mistake {
    what: String,
    remedy: &'static str,
}

impl Mistake {
    fn syntax(what: String) -> Self {
        Self { what, remedy: "Attributes are written name=\"value\", each name once." }
    }

    fn at(self, name: &str, line: u64) -> InputError {
        InputError::one(format!("{name}:{line}"), self.what, self.remedy)
    }
}

fn xml_problem(place: &str, error: &quick_xml::Error) -> InputError {
    match error {
        quick_xml::Error::Io(error) => unreadable(place, error),
        _ => InputError::one(place, format!("not well-formed XML: {error}"), "Mend the file, or make it again."),
    }
}

fn newlines(text: &str) -> u64 {
    text.bytes().filter(|&byte| byte == b'\n').count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> Result<Vec<EventRecord>, String> {
        let mut reader = EventsReader::new("e.xml", text.as_bytes());
        let mut events = Vec::new();
        while let Some(event) = reader.read().map_err(|error| error.to_string())? {
            events.push(event.clone());
        }
        Ok(events)
    }

    #[test]
    fn attributes_come_in_order_with_references_resolved() {
        let events = read_all(concat!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- a comment\n -->\n<events version=\"1.0\">\n",
            "\t<event time=\"1.5\" type=\"wait2link\" person='a&lt;b&#38;\"c\"'\n link = \"\"  />\n",
            "<unknown/><event type=\"x\" time=\"1.5\"><event time=\"bad\"/></event></events>\n<!-- end -->"
        ))
        .unwrap();
        assert_eq!(events.len(), 2);
        let attributes: Vec<_> = events[0].attributes().collect();
        assert_eq!(attributes, [("time", "1.5"), ("type", "wait2link"), ("person", "a<b&\"c\""), ("link", "")]);
        assert_eq!((events[0].time_s(), events[0].line()), (1.5, 5));
        assert_eq!((events[1].time_s(), events[1].line()), (1.5, 7));
        assert_eq!(events[1].text(), "type=\"x\" time=\"1.5\"");
        assert_eq!(events[1].get("person"), None);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let event = |attributes: &str| format!("<events>\n<event {attributes}/>\n</events>");
        for (text, message) in [
            (event("type=\"a\""), "e.xml:2: this event has no time"),
            (event("time=\"1\""), "e.xml:2: this event has no type"),
            (event("time=\"07:30\" type=\"a\""), "time=\"07:30\" is not a number of seconds"),
            (event("time=\"\" type=\"a\""), "time=\"\" is not a number"),
            (event("time=\"NaN\" type=\"a\""), "time=\"NaN\" is not a number"),
            (event("time=\"1\" type=\"a\" time=\"1\""), "\"time\" appears twice"),
            (event("time=\"1\" type=\"a\" b"), "attribute `b` has no value"),
            (event("time=\"1\" type=a"), "\"type\" is not in quotes"),
            (event("time=\"1\"type=\"a\""), "no blank before `type=\"a\"`"),
            (event("time=\"1\" ty pe=\"a\""), "`ty pe` is not the name"),
            (event("time=\"1\" type=\"&nosuch;\""), "nosuch"),
            ("<events>\n<event time=\"1\" type=\"a\"/>\n".into(), "e.xml:3: the file ends before </events>"),
            ("<events>\n<event time=\"1\" type=\"a".into(), "e.xml:2: not well-formed"),
            ("<events>\n</event>".into(), "e.xml:2: not well-formed"),
            ("<network/>".into(), "e.xml:1: the file begins with <network>"),
            ("\n".into(), "no <events> element"),
            ("<events/>\n<events/>".into(), "e.xml:2: <events> after the end"),
        ] {
            let error = read_all(&text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
        assert_eq!(read_all("<events/>").unwrap().len(), 0);
    }
}
