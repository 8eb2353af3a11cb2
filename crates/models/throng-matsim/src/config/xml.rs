//! Parses a config file into modules, parameter sets and parameters, each with its line.

use std::io::BufRead;

use throng_core::{InputError, Problems};

use crate::formats::xml::{Tag, Token, Xml};

/// Maximum nesting depth, more than any real config has; it bounds the recursion over sets.
const MAX_DEPTH: usize = 16;

/// `<module name="...">`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Module {
    pub name: String,
    pub line: u64,
    pub content: Content,
}

/// `<param name="..." value="..."/>`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Param {
    pub name: String,
    pub value: String,
    pub line: u64,
}

/// `<parameterset type="...">`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ParamSet {
    pub kind: String,
    pub line: u64,
    pub content: Content,
}

/// The content of a module or a parameter set.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Content {
    pub params: Vec<Param>,
    pub sets: Vec<ParamSet>,
}

/// An element whose end tag has not been read yet.
enum Open {
    Config,
    Module(Module),
    Set(ParamSet),
    Param,
    Unknown,
}

/// Parses the modules of a config file; unexpected elements are reported to `problems`, at `<file>:<line>`.
///
/// # Errors
/// If the text is not XML, or is the XML of another kind of file.
pub(super) fn modules<R: BufRead>(xml: &mut Xml<R>, problems: &mut Problems) -> Result<Vec<Module>, InputError> {
    xml.root(&["config"], "a config file, version 2 (single input files go to --network, --plans and so on)")?;
    let mut open: Vec<Open> = vec![Open::Config];
    let mut done = Vec::new();
    loop {
        match xml.read()? {
            Token::Start(tag) => {
                let opened = if open.len() == MAX_DEPTH {
                    let message = format!("elements are nested more than {MAX_DEPTH} deep");
                    problems.push(tag.place(), message, "correct the file");
                    Open::Unknown
                } else {
                    start_tag(&tag, open.last_mut(), problems)
                };
                open.push(opened);
            }
            Token::End(_) => close(&mut open, &mut done),
            Token::Eof => return Ok(done),
        }
    }
}

fn start_tag(tag: &Tag<'_>, parent: Option<&mut Open>, problems: &mut Problems) -> Open {
    let line = tag.line;
    match (tag.name, parent) {
        ("module", Some(Open::Config)) => match attribute(tag, "name", problems) {
            Some(name) => Open::Module(Module { name, line, content: Content::default() }),
            None => Open::Unknown,
        },
        ("parameterset", Some(Open::Module(_) | Open::Set(_))) => match attribute(tag, "type", problems) {
            Some(kind) => Open::Set(ParamSet { kind, line, content: Content::default() }),
            None => Open::Unknown,
        },
        ("param", Some(Open::Module(Module { content, .. }) | Open::Set(ParamSet { content, .. }))) => {
            let name = attribute(tag, "name", problems);
            let value = attribute(tag, "value", problems);
            if let (Some(name), Some(value)) = (name, value) {
                content.params.push(Param { name, value, line });
            }
            Open::Param
        }
        // An unknown element has been reported together with its content.
        (_, Some(Open::Unknown)) => Open::Unknown,
        (name, _) => {
            problems.push(
                tag.place(),
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

fn attribute(tag: &Tag<'_>, wanted: &str, problems: &mut Problems) -> Option<String> {
    let found = tag.get(wanted).map(str::to_owned);
    if found.is_none() {
        problems.push(tag.place(), format!("attribute {wanted} is missing in <{}>", tag.name), "add it");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Module>, Problems) {
        let mut problems = Problems::new();
        match modules(&mut Xml::new(text.as_bytes(), "config.xml"), &mut problems) {
            Ok(modules) => (modules, problems),
            Err(error) => (Vec::new(), error.0),
        }
    }

    #[test]
    fn modules_and_sets_are_read_with_their_lines() {
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
    fn malformed_files_are_reported_with_their_line() {
        let (_, problems) = read("<config>\n<module name=\"a\">\n</config>");
        assert!(problems.to_string().starts_with("config.xml:3: not well-formed XML"), "{problems}");
        let (_, problems) = read("<network>\n<nodes/></network>");
        assert_eq!(problems.total(), 1);
        assert!(
            problems.to_string().starts_with("config.xml:1: ") && problems.to_string().contains("<network>"),
            "{problems}"
        );
        let (modules, problems) = read("<config>\n<module name=\"a\">\n<param name=\"x\"/>\n<foo/></module></config>");
        assert_eq!(modules.len(), 1);
        assert!(problems.to_string().contains("config.xml:3: attribute value is missing in <param>"), "{problems}");
        assert!(problems.to_string().contains("config.xml:4: element <foo> is not expected here"), "{problems}");
        let (_, problems) = read("<config>\n<module name=\"a\">\n");
        assert_eq!(problems.total(), 1, "{problems}");
        let depth = 100;
        let (open, close) = ("<parameterset type=\"x\">".repeat(depth), "</parameterset>".repeat(depth));
        let (_, problems) = read(&format!("<config><module name=\"a\">{open}{close}</module></config>"));
        assert!(problems.to_string().contains("nested more than 16 deep"), "{problems}");
        let (_, problems) = read("");
        assert_eq!(problems.total(), 1, "{problems}");
        let (_, problems) = read("<config/><config/>");
        assert_eq!(problems.total(), 1, "{problems}");
    }
}
