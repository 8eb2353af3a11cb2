//! Reads event files one event at a time, whatever its type.

use std::io::BufRead;
use std::path::Path;

use throng_core::InputError;

use super::open::TextInput;
use super::value::{number, quoted};
use super::xml::{Tag, Token, Xml};

/// Reads the `<event>` elements of an event file in the order of the file.
///
/// Types and attributes need not be known: transit events, events in the format of 2013 (`wait2link`, `person` on link
/// events) and events of your own modules are read like all others. The only required attributes are `time`, in
/// seconds, and `type`. Only one event is in memory.
///
/// ```
/// use throng_matsim::formats::events_reader::EventsReader;
/// let file = br#"<events version="1.0"><event time="5.0" type="left link" link="1" vehicle="a"/></events>"#;
/// let mut events = EventsReader::new(&file[..], "events.xml");
/// let event = events.read()?.expect("the file has one event");
/// assert_eq!((event.time_s, event.get("vehicle")), (5.0, Some("a")));
/// assert!(events.read()?.is_none());
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct EventsReader<R> {
    xml: Xml<R>,
    depth: u32,
    time: LastTime,
}

/// One event of the file.
#[derive(Debug, Clone, Copy)]
pub struct EventTag<'a> {
    /// Time of day in seconds; never NaN or infinite.
    pub time_s: f64,
    tag: Tag<'a>,
}

impl<'a> EventTag<'a> {
    /// Iterates over names and values in file order, including `time` and `type`. Names do not repeat.
    #[inline]
    pub fn attributes(&self) -> impl Iterator<Item = (&'a str, &'a str)> + Clone + use<'a> {
        self.tag.attributes()
    }

    /// Returns the value of an attribute.
    #[inline]
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.tag.get(name)
    }

    /// Returns the file and the line where the event begins.
    pub fn place(&self) -> String {
        self.tag.place()
    }
}

impl EventsReader<TextInput> {
    /// Opens an event file: plain, gzip or zstd.
    ///
    /// # Errors
    /// If the file cannot be opened; see [`TextInput::open`].
    pub fn open(path: &Path) -> Result<Self, InputError> {
        let input = TextInput::open(path)?;
        let name = input.name().to_owned();
        Ok(Self::new(input, name))
    }
}

impl<R: BufRead> EventsReader<R> {
    /// Creates a reader of `input`; `file` is its name in messages.
    pub fn new(input: R, file: impl Into<String>) -> Self {
        Self { xml: Xml::new(input, file), depth: 0, time: LastTime::default() }
    }

    /// Returns the next event; `None` after the last one.
    ///
    /// # Errors
    /// With the place, if the file is broken, truncated or not of events, or an event lacks a valid `time` or a `type`.
    pub fn read(&mut self) -> Result<Option<EventTag<'_>>, InputError> {
        if self.depth == 0 {
            self.xml.root(&["events"], "a file of events")?;
            self.depth = 1;
        }
        let time_s = loop {
            match self.xml.read()? {
                Token::Start(tag) => {
                    self.depth += 1;
                    // Other elements, and the content of an event, are ignored.
                    if self.depth == 2 && tag.name == "event" {
                        break self.time.of(&tag)?;
                    }
                }
                // The parser checks that tags are balanced.
                Token::End(_) => self.depth = self.depth.saturating_sub(1).max(1),
                Token::Eof => return Ok(None),
            }
        };
        Ok(Some(EventTag { time_s, tag: self.xml.tag() }))
    }
}

/// Cache of the last parsed time: most events have the same time as the previous one.
#[derive(Debug, Default)]
struct LastTime {
    text: String,
    time_s: f64,
}

impl LastTime {
    fn of(&mut self, tag: &Tag<'_>) -> Result<f64, InputError> {
        const REMEDY: &str = "`time` is in seconds of the day, for example 21510.0.";
        if tag.get("type").is_none() {
            return Err(InputError::one(tag.place(), "this event has no type", "Give it an attribute `type`."));
        }
        let Some(text) = tag.get("time") else {
            return Err(InputError::one(tag.place(), "this event has no time", REMEDY));
        };
        if text != self.text || text.is_empty() {
            let Some(time_s) = number(text).filter(|time_s| time_s.is_finite()) else {
                let message = format!("time {} is not a number of seconds", quoted(text));
                return Err(InputError::one(tag.place(), message, REMEDY));
            };
            self.time_s = time_s;
            self.text.clear();
            self.text.push_str(text);
        }
        Ok(self.time_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_testing::reference_data;

    type Attributes = Vec<(String, String)>;

    fn read_all(text: &str) -> Result<Vec<(f64, String, Attributes)>, String> {
        let mut reader = EventsReader::new(text.as_bytes(), "e.xml");
        let mut events = Vec::new();
        while let Some(event) = reader.read().map_err(|error| error.to_string())? {
            let attributes = event.attributes().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            events.push((event.time_s, event.place(), attributes));
        }
        assert!(reader.read().unwrap().is_none(), "nothing follows the end");
        Ok(events)
    }

    #[test]
    fn attributes_are_read_in_order_with_references_resolved() {
        let events = read_all(concat!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- a comment\n -->\n<events version=\"1.0\">\n",
            "\t<event time=\"1.5\" type=\"wait2link\" person='a&lt;b&#38;\"c\"'\n link = \"\"  />\n",
            "<unknown/><event type=\"x\" time=\"1.5\"><event time=\"bad\"/></event></events>\n<!-- end -->"
        ))
        .unwrap();
        let expected = [
            (1.5, "e.xml:5", vec![("time", "1.5"), ("type", "wait2link"), ("person", "a<b&\"c\""), ("link", "")]),
            (1.5, "e.xml:7", vec![("type", "x"), ("time", "1.5")]),
        ];
        let expected = expected.map(|(time_s, place, attributes)| {
            let owned = attributes.into_iter().map(|(n, v)| (n.to_owned(), v.to_owned())).collect::<Attributes>();
            (time_s, place.to_owned(), owned)
        });
        assert_eq!(events, expected);
        assert_eq!(read_all("<events/>").unwrap(), []);
    }

    #[test]
    fn bad_events_are_reported_with_their_line() {
        let event = |attributes: &str| format!("<events>\n<event {attributes}/>\n</events>");
        for (text, message) in [
            (event("type=\"a\""), "e.xml:2: this event has no time"),
            (event("time=\"1\""), "e.xml:2: this event has no type"),
            (event("time=\"07:30\" type=\"a\""), "time \"07:30\" is not a number of seconds"),
            (event("time=\"\" type=\"a\""), "time \"\" is not a number"),
            (event("time=\"NaN\" type=\"a\""), "time \"NaN\" is not a number"),
            (event("time=\"1\" type=\"a\" time=\"1\""), "e.xml:2: not well-formed"),
            ("<events>\n<event time=\"1\" type=\"a\"/>\n".into(), "e.xml:3: the file ends"),
            ("<network/>".into(), "this is a network"),
            ("<events/>\n<events/>".into(), "e.xml:2: not well-formed XML: a second root"),
        ] {
            let error = read_all(&text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn the_format_of_2013_is_read() {
        let Some(path) = reference_data("format_samples/pt_0.events_OLD_FORMAT_2013.xml") else { return };
        let mut reader = EventsReader::open(&path).unwrap();
        let mut types = std::collections::BTreeMap::new();
        while let Some(event) = reader.read().unwrap() {
            *types.entry(event.get("type").unwrap().to_owned()).or_insert(0) += 1;
        }
        assert_eq!(types["wait2link"], 1);
        assert_eq!(types["waitingForPt"], 1);
    }

    /// The largest file: its event count is known; the time is printed as a measure of the reader's speed.
    #[test]
    fn all_events_of_berlin_are_read() {
        let Some(path) = reference_data("berlin_1pct_10s/events_deterministic_nodes.xml.zst") else { return };
        let begin = std::time::Instant::now();
        let mut reader = EventsReader::open(&path).unwrap();
        let mut count = 0;
        while reader.read().unwrap().is_some() {
            count += 1;
        }
        let seconds = begin.elapsed().as_secs_f64();
        println!("{count} events in {seconds:.2} s, {:.0} MB/s", 132.1 / seconds);
        assert_eq!(count, 1_645_689);
    }
}
