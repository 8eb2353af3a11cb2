//! Reading network change events.

use std::io::BufRead;
use std::path::Path;

use throng_core::{IdTable, InputError, Problems, Warnings};

use super::check::{Element, Rule, report};
use super::open::TextInput;
use super::value::{quoted, shortened};
use super::xml::{Tag, Token, Xml};
use throng_traffic_scenario::{ChangeKind, ChangeValue, NetworkChangeEvent};

/// Reads the network change events in `path` (`.xml`, `.xml.gz` or `.xml.zst`); `links` are the link ids of the
/// network.
///
/// An event that changes several attributes becomes several events, each with the line of its change. The result is
/// sorted by time; events at the same time keep the order of the file. Unknown links are skipped with a warning, as in
/// MATSim.
///
/// # Errors
/// All problems of the file: times and values that cannot be parsed or are out of range, unknown kinds of change,
/// malformed XML.
pub fn read_change_events(
    path: &Path,
    links: &IdTable,
    warnings: &mut Warnings,
) -> Result<Vec<(u64, NetworkChangeEvent)>, InputError> {
    let input = TextInput::open(path)?;
    let name = input.name().to_owned();
    read_with_lines(input, &name, links, warnings)
}

/// Like [`read_change_events`], but from any reader and without lines; `file` is its name in messages.
///
/// # Errors
/// See [`read_change_events`].
pub fn read_change_events_from(
    input: impl BufRead,
    file: &str,
    links: &IdTable,
    warnings: &mut Warnings,
) -> Result<Vec<NetworkChangeEvent>, InputError> {
    let events = read_with_lines(input, file, links, warnings)?;
    Ok(events.into_iter().map(|(_, event)| event).collect())
}

fn read_with_lines(
    input: impl BufRead,
    file: &str,
    links: &IdTable,
    warnings: &mut Warnings,
) -> Result<Vec<(u64, NetworkChangeEvent)>, InputError> {
    let mut reader = Reader { file, links, events: Vec::new(), current: Current::default() };
    let mut problems = Problems::new();
    let read = reader.walk(&mut Xml::new(input, file), warnings, &mut problems);
    report(problems, read)?;
    let mut events = reader.events;
    events.sort_by(|(_, a), (_, b)| a.time_s.total_cmp(&b.time_s));
    Ok(events)
}

struct Reader<'a> {
    file: &'a str,
    links: &'a IdTable,
    // Each event has the line of its change.
    events: Vec<(u64, NetworkChangeEvent)>,
    current: Current,
}

/// Data of the change event that is being read.
#[derive(Default)]
struct Current {
    line: u64,
    time_s: f64,
    links: Vec<u32>,
    changes: Vec<(u64, ChangeKind, ChangeValue)>,
}

impl<'a> Reader<'a> {
    fn walk<R: BufRead>(
        &mut self,
        xml: &mut Xml<R>,
        warnings: &mut Warnings,
        problems: &mut Problems,
    ) -> Result<(), InputError> {
        xml.root(&["networkChangeEvents"], "a file of network change events")?;
        xml.check_doctype("networkChangeEvents", &[], "network change events")?;
        loop {
            let example = match xml.read()? {
                Token::Start(tag) => match tag.name {
                    "networkChangeEvent" => {
                        let time_s =
                            self.element(&tag, "networkChangeEvent").time("startTime", tag.get("startTime"), problems);
                        self.current = Current { line: tag.line, time_s, ..Current::default() };
                        continue;
                    }
                    "link" => {
                        self.link(&tag, warnings, problems);
                        continue;
                    }
                    "flowCapacity" => {
                        self.change(&tag, ChangeKind::FlowCapacity, problems);
                        continue;
                    }
                    "freespeed" => {
                        self.change(&tag, ChangeKind::Freespeed, problems);
                        continue;
                    }
                    "lanes" => {
                        self.change(&tag, ChangeKind::Lanes, problems);
                        continue;
                    }
                    name => format!("{}: <{}>", tag.place(), shortened(name)),
                },
                Token::End(end) => {
                    if end.name == "networkChangeEvent" {
                        self.end_event(warnings);
                    }
                    continue;
                }
                Token::Eof => return Ok(()),
            };
            warnings.add("unknown elements in files of change events; skipped", || example);
            xml.skip()?;
        }
    }

    fn element(&self, tag: &Tag<'_>, kind: &'static str) -> Element<'a> {
        Element { file: self.file, line: tag.line, kind, id: "" }
    }

    fn link(&mut self, tag: &Tag<'_>, warnings: &mut Warnings, problems: &mut Problems) {
        let name = self.element(tag, "link").required("refId", tag.get("refId"), problems);
        match self.links.get(name) {
            Some(link) => self.current.links.push(link),
            None => warnings.add("changes of links that the network does not have; skipped", || {
                format!("{}: link {}", tag.place(), quoted(name))
            }),
        }
    }

    fn change(&mut self, tag: &Tag<'_>, kind: ChangeKind, problems: &mut Problems) {
        let element = self.element(tag, kind.name());
        let how = element.required("type", tag.get("type"), problems);
        let text = tag.get("value");
        let mut number = |rule| element.number("value", text, rule, "", problems);
        let is = |name: &str| how.eq_ignore_ascii_case(name);
        let value = if is("absolute") {
            ChangeValue::Absolute(number(Rule::NotNegativeFinite))
        } else if is("scaleFactor") {
            ChangeValue::Factor(number(Rule::NotNegativeFinite))
        } else if is("offset") || is("offsetInSIUnits") {
            ChangeValue::Offset(number(Rule::Finite))
        } else {
            if !how.is_empty() {
                element.bad("type", Some(how), "Expected absolute, scaleFactor or offset.", problems);
            }
            return;
        };
        // An event has at most one change per kind; as in MATSim, the last one counts.
        self.current.changes.retain(|(_, other, _)| *other != kind);
        self.current.changes.push((tag.line, kind, value));
    }

    fn end_event(&mut self, warnings: &mut Warnings) {
        let Current { line, time_s, links, changes } = std::mem::take(&mut self.current);
        if links.is_empty() || changes.is_empty() {
            let what = "network change events without any link or change; ignored";
            warnings.add(what, || format!("{}:{line}", self.file));
            return;
        }
        let event = |(line, kind, value)| (line, NetworkChangeEvent { time_s, links: links.clone(), kind, value });
        self.events.extend(changes.into_iter().map(event));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &str, warnings: &mut Warnings) -> Result<Vec<NetworkChangeEvent>, InputError> {
        let mut links = IdTable::new();
        for id in ["a", "b", "c"] {
            links.intern(id).unwrap();
        }
        let text =
            format!("<networkChangeEvents xmlns=\"http://www.matsim.org/files/dtd\">\n{content}</networkChangeEvents>");
        read_change_events_from(text.as_bytes(), "c.xml", &links, warnings)
    }

    fn problems(content: &str) -> String {
        read(content, &mut Warnings::new()).unwrap_err().to_string()
    }

    fn event(time_s: f64, links: &[u32], kind: ChangeKind, value: ChangeValue) -> NetworkChangeEvent {
        NetworkChangeEvent { time_s, links: links.to_vec(), kind, value }
    }

    #[test]
    fn events_are_split_and_sorted_by_time() {
        let text = r#"<networkChangeEvent startTime="08:00:00"><link refId="b"/><link refId="a"/>
                <freespeed type="absolute" value="5.5"/></networkChangeEvent>
            <networkChangeEvent startTime="07:00"><link refId="c"/><flowCapacity type="scaleFactor" value="0.5"/>
                <freespeed type="offset" value="-2"/><lanes type="absolute" value="0"/></networkChangeEvent>
            <networkChangeEvent startTime="25200"><link refId="c"/><flowCapacity type="absolute" value="2"/>
            </networkChangeEvent>"#;
        let expected = [
            event(25_200.0, &[2], ChangeKind::FlowCapacity, ChangeValue::Factor(0.5)),
            event(25_200.0, &[2], ChangeKind::Freespeed, ChangeValue::Offset(-2.0)),
            event(25_200.0, &[2], ChangeKind::Lanes, ChangeValue::Absolute(0.0)),
            event(25_200.0, &[2], ChangeKind::FlowCapacity, ChangeValue::Absolute(2.0)),
            event(28_800.0, &[1, 0], ChangeKind::Freespeed, ChangeValue::Absolute(5.5)),
        ];
        let mut warnings = Warnings::new();
        assert_eq!(read(text, &mut warnings).unwrap(), expected);
        assert!(warnings.is_empty(), "{warnings:?}");
    }

    #[test]
    fn bad_events_are_reported_together() {
        let text = problems(
            "<networkChangeEvent startTime='25:61:00'><link refId='a'/>\n<lanes type='absolute' value='-1'/>\n\
             <freespeed type='half' value='1'/>\n<flowCapacity type='scaleFactor' value='NaN'/>\n\
             <flowCapacity value='1'/>\n<link/></networkChangeEvent>\n<networkChangeEvent/>\n\
             <lanes type='offset' value='-Infinity'/>\n<lanes type='scaleFactor' value='Infinity'/>\n\
             <lanes type='absolute' value='Infinity'/>",
        );
        let found: Vec<_> = text.lines().filter(|line| !line.starts_with(' ')).collect();
        let expected = [
            "c.xml:2: networkChangeEvent has startTime \"25:61:00\"",
            "c.xml:3: lanes has value \"-1\"",
            "c.xml:4: freespeed has type \"half\"",
            "c.xml:5: flowCapacity has value \"NaN\"",
            "c.xml:6: flowCapacity has no type",
            "c.xml:7: link has no refId",
            "c.xml:8: networkChangeEvent has no startTime",
            "c.xml:9: lanes has value \"-Infinity\"",
            "c.xml:10: lanes has value \"Infinity\"",
            "c.xml:11: lanes has value \"Infinity\"",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn links_that_do_not_exist_are_skipped_with_a_warning() {
        let mut warnings = Warnings::new();
        let text = "<networkChangeEvent startTime='1'><link refId='x'/><lanes type='absolute' value='1'/>\
            </networkChangeEvent><other/>";
        assert_eq!(read(text, &mut warnings).unwrap(), []);
        assert_eq!(warnings.count("changes of links that the network does not have; skipped"), 1);
        assert_eq!(warnings.count("network change events without any link or change; ignored"), 1);
        assert_eq!(warnings.iter().count(), 3);
    }

    #[test]
    fn files_of_another_kind_are_refused() {
        let error = read_change_events_from(&b"<plans/>"[..], "c.xml", &IdTable::new(), &mut Warnings::new());
        assert!(error.unwrap_err().to_string().contains("not a file of network change events"));
    }

    proptest::proptest! {
        #[test]
        fn damaged_files_never_panic(at in 0_usize..150, byte: u8, cut in 0_usize..150) {
            let mut bytes = b"<networkChangeEvents><networkChangeEvent startTime='1'><link refId='a'/>\
                <lanes type='absolute' value='1'/></networkChangeEvent></networkChangeEvents>".to_vec();
            bytes.truncate(cut.max(30));
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            let _ = read_change_events_from(&bytes[..], "c.xml", &IdTable::new(), &mut Warnings::new());
        }
    }
}
