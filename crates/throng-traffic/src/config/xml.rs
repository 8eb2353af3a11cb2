//! The text of a config file as modules, parameter sets and parameters, each with its line.

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use throng_core::Problems;

/// Deeper nesting than any config has; a limit keeps recursion over sets shallow.
const MAX_DEPTH: usize = 16;

/// `<module name="...">`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Module {
    pub name: String,
    pub line: usize,
    pub content: Content,
}

/// `<param name="..." value="..."/>`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Param {
    pub name: String,
    pub value: String,
    pub line: usize,
}

/// `<parameterset type="...">`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ParamSet {
    pub kind: String,
    pub line: usize,
    pub content: Content,
}

/// What a module or a parameter set holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Content {
    pub params: Vec<Param>,
    pub sets: Vec<ParamSet>,
}

/// An element that is not closed yet.
enum Open {
    Config,
    Module(Module),
    Set(ParamSet),
    Param,
    Unknown,
}

/// Reads the modules of `text`; whatever is malformed goes to `problems`, at `<file>:<line>`.
pub(super) fn modules(text: &str, file: &str, problems: &mut Problems) -> Vec<Module> {
    let mut reader = Reader::from_str(text);
    // `<param .../>` and `<param ...></param>` then look the same.
    reader.config_mut().expand_empty_elements = true;
    let mut lines = Lines { text, byte: 0, line: 1 };
    let mut open: Vec<Open> = Vec::new();
    let mut done = Vec::new();
    let mut has_root = false;
    loop {
        // Before the event is read the position is behind the event before it, which may be several lines up.
        let start = reader.buffer_position() as usize;
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                has_root = true;
                let line = lines.at(start);
                let place = format!("{file}:{line}");
                let opened = if open.len() == MAX_DEPTH {
                    problems.push(place, format!("elements are nested more than {MAX_DEPTH} deep"), "mend the file");
                    Open::Unknown
                } else {
                    start_tag(&tag, open.last_mut(), &place, line, problems)
                };
                open.push(opened);
            }
            Ok(Event::End(_)) => close(&mut open, &mut done),
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                let line = lines.at(reader.error_position() as usize);
                problems.push(format!("{file}:{line}"), format!("not well-formed XML: {error}"), "mend the file");
                return done;
            }
        }
    }
    if !open.is_empty() {
        let line = lines.at(text.len());
        problems.push(format!("{file}:{line}"), "the file ends inside an element", "the file may be cut off");
    } else if !has_root {
        problems.push(file, "there is no <config> element", "expected a MATSim config file, version 2");
    }
    done
}

fn start_tag(
    tag: &BytesStart<'_>,
    parent: Option<&mut Open>,
    place: &str,
    line: usize,
    problems: &mut Problems,
) -> Open {
    let name = tag.name().0;
    match (name, parent) {
        ("config", None) => Open::Config,
        (_, None) => {
            problems.push(
                place,
                format!("the root element is <{name}>, expected <config>"),
                "give a MATSim config file; single input files go to --network, --plans, --vehicles, --facilities",
            );
            Open::Unknown
        }
        ("module", Some(Open::Config)) => match attribute(tag, "name", place, problems) {
            Some(name) => Open::Module(Module { name, line, content: Content::default() }),
            None => Open::Unknown,
        },
        ("parameterset", Some(Open::Module(_) | Open::Set(_))) => match attribute(tag, "type", place, problems) {
            Some(kind) => Open::Set(ParamSet { kind, line, content: Content::default() }),
            None => Open::Unknown,
        },
        ("param", Some(Open::Module(Module { content, .. }) | Open::Set(ParamSet { content, .. }))) => {
            let name = attribute(tag, "name", place, problems);
            let value = attribute(tag, "value", place, problems);
            if let (Some(name), Some(value)) = (name, value) {
                content.params.push(Param { name, value, line });
            }
            Open::Param
        }
        // The content of something unknown was reported with it.
        (_, Some(Open::Unknown)) => Open::Unknown,
        (_, Some(_)) => {
            problems.push(
                place,
                format!("element <{name}> is not expected here"),
                "a config holds <module>, which holds <param> and <parameterset>",
            );
            Open::Unknown
        }
    }
}

fn close(open: &mut Vec<Open>, done: &mut Vec<Module>) {
    match open.pop() {
        Some(Open::Module(module)) => done.push(module),
        Some(Open::Set(set)) => {
            if let Some(Open::Module(Module { content, .. }) | Open::Set(ParamSet { content, .. })) = open.last_mut() {
                content.sets.push(set);
            }
        }
        Some(Open::Config | Open::Param | Open::Unknown) | None => {}
    }
}

fn attribute(tag: &BytesStart<'_>, wanted: &str, place: &str, problems: &mut Problems) -> Option<String> {
    for found in tag.attributes() {
        let value = found.map_err(|error| error.to_string()).and_then(|attribute| {
            if attribute.key.0 != wanted {
                return Ok(None);
            }
            let text = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| error.to_string())?;
            Ok(Some(text.into_owned()))
        });
        match value {
            Ok(None) => {}
            Ok(Some(text)) => return Some(text),
            Err(error) => {
                problems.push(place, format!("bad attribute: {error}"), "attributes are written name=\"value\"");
                return None;
            }
        }
    }
    problems.push(place, format!("attribute {wanted} is missing in <{}>", tag.name().0), "add it");
    None
}

/// Counts lines while the position moves forward.
struct Lines<'a> {
    text: &'a str,
    byte: usize,
    line: usize,
}

impl Lines<'_> {
    /// The line of the first `<` at or after `byte`: the position handed in lies behind the previous event, so white
    /// space may come before the tag.
    fn at(&mut self, byte: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = byte.min(bytes.len());
        while end < bytes.len() && bytes[end].is_ascii_whitespace() {
            end += 1;
        }
        if end > self.byte {
            self.line += bytes[self.byte..end].split(|b| *b == b'\n').count() - 1;
            self.byte = end;
        }
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Module>, Problems) {
        let mut problems = Problems::new();
        let modules = modules(text, "config.xml", &mut problems);
        (modules, problems)
    }

    #[test]
    fn modules_sets_and_lines() {
        let (modules, problems) = read(
            "<?xml version=\"1.0\" ?>\n<!DOCTYPE config SYSTEM \"config_v2.dtd\">\n<config>\n\
             <!-- two\n lines -->\n<module name=\"a\" >\n\n<param name = \"x\"\tvalue = \"1 &lt; 2\"/> <!-- why -->\n\
             <parameterset type=\"t\"><param name=\"y\" value=\"\"></param>\n<parameterset type=\"u\"/></parameterset>\n\
             </module>\n<module name=\"a\"/></config>",
        );
        assert!(problems.is_empty(), "{problems}");
        assert_eq!(modules.len(), 2);
        assert_eq!((modules[0].name.as_str(), modules[0].line), ("a", 6));
        let content = &modules[0].content;
        assert_eq!(content.params, [Param { name: "x".into(), value: "1 < 2".into(), line: 8 }]);
        assert_eq!((content.sets[0].kind.as_str(), content.sets[0].line), ("t", 9));
        assert_eq!(content.sets[0].content.params, [Param { name: "y".into(), value: String::new(), line: 9 }]);
        assert_eq!((content.sets[0].content.sets[0].kind.as_str(), content.sets[0].content.sets[0].line), ("u", 10));
        assert_eq!(modules[1].line, 12);
    }

    #[test]
    fn malformed_files_are_placed() {
        let (_, problems) = read("<config>\n<module name=\"a\">\n</config>");
        assert!(problems.to_string().starts_with("config.xml:3: not well-formed XML"), "{problems}");
        let (_, problems) = read("<network>\n<nodes/></network>");
        assert_eq!(problems.total(), 1);
        assert!(problems.to_string().contains("config.xml:1: the root element is <network>"), "{problems}");
        let (modules, problems) = read("<config>\n<module name=\"a\">\n<param name=\"x\"/>\n<foo/></module></config>");
        assert_eq!(modules.len(), 1);
        assert!(problems.to_string().contains("config.xml:3: attribute value is missing in <param>"), "{problems}");
        assert!(problems.to_string().contains("config.xml:4: element <foo> is not expected here"), "{problems}");
        let (_, problems) = read("<config>\n<module name=\"a\">\n");
        assert!(problems.to_string().contains("ends inside an element"), "{problems}");
        let (_, problems) =
            read(&format!("<config><module name=\"a\">{}", "<parameterset type=\"x\">".repeat(100_000)));
        assert!(problems.to_string().contains("nested more than 16 deep"), "{problems}");
        let (_, problems) = read("");
        assert!(problems.to_string().contains("no <config> element"), "{problems}");
    }
}
