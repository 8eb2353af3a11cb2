//! A streaming pull parser for the XML that MATSim writes.
//!
//! [`Xml::read`] returns start and end tags in turn; an empty element gives both. An end tag has the text directly
//! before it: the text of `<a>text</a>` comes with the end of `a`. Nothing is allocated per tag.
//!
//! ```
//! use throng_matsim::formats::xml::{Token, Xml};
//!
//! let mut xml = Xml::new(&b"<plans><route dist=\"5\">1 6 15</route></plans>"[..], "plans.xml");
//! xml.root(&["plans", "population"], "plans")?;
//! while let token = xml.read()? {
//!     match token {
//!         Token::Start(tag) => assert_eq!(tag.get("dist"), Some("5")),
//!         Token::End(end) if end.name == "route" => assert_eq!(end.text, "1 6 15"),
//!         Token::End(_) => {}
//!         Token::Eof => break,
//!     }
//! }
//! # Ok::<(), throng_core::InputError>(())
//! ```

mod characters;
mod document_kind;
mod limited;

use std::io::{BufRead, Chain, Cursor, Read};

use memchr::memchr_iter;
use quick_xml::Reader;
use quick_xml::errors::Error;
use quick_xml::events::Event;
use throng_core::InputError;

pub(super) use self::characters::is_allowed;
use self::characters::{first_illegal, push_text};
pub use self::document_kind::Doctype;
use self::document_kind::{doctype, kind_of_root};
use self::limited::{Limited, MAX_TOKEN_BYTES, TOO_LONG};
use super::attributes::{self, Span};
use super::open::unreadable;
use super::references::{Entities, Fault, Place};
use super::value::{quoted, shortened};

/// Maximum nesting depth of elements. MATSim's files have up to ten; the limit bounds memory, which grows with each
/// level.
const MAX_DEPTH: usize = 256;

/// A result of [`Xml::read`].
#[derive(Debug, Clone, Copy)]
pub enum Token<'a> {
    /// Start tag of an element.
    Start(Tag<'a>),
    /// End tag of an element.
    End(End<'a>),
    /// End of a well-formed document.
    Eof,
}

/// A start tag with its attributes.
#[derive(Debug, Clone, Copy)]
pub struct Tag<'a> {
    /// Name of the element.
    pub name: &'a str,
    /// Line of the tag, starting at 1.
    pub line: u64,
    file: &'a str,
    token: &'a str,
    decoded: &'a str,
    spans: &'a [Span],
}

/// An end tag, with the text before it.
#[derive(Debug, Clone, Copy)]
pub struct End<'a> {
    /// Name of the element.
    pub name: &'a str,
    /// Text since the previous tag, with references replaced; for an element without children, all its text.
    pub text: &'a str,
    /// Line of the end tag, starting at 1.
    pub line: u64,
}

impl<'a> Tag<'a> {
    /// Returns the value of the attribute `name`, with references replaced.
    #[inline]
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.attributes().find_map(|(found, value)| (found == name).then_some(value))
    }

    /// Iterates over name and value of all attributes in file order.
    #[inline]
    pub fn attributes(&self) -> impl Iterator<Item = (&'a str, &'a str)> + Clone + use<'a> {
        let Self { token, decoded, spans, .. } = *self;
        spans.iter().map(move |span| (span.name(token), span.value(token, decoded)))
    }

    /// Returns file and line, for messages.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// Returns the tag as written, from `<` to `>`.
    pub(crate) fn written(&self) -> &'a str {
        self.token
    }
}

/// The parser; see the [module](self).
#[derive(Debug)]
pub struct Xml<R> {
    reader: Reader<Limited<R>>,
    file: String,
    /// Raw text of the current token, before references are replaced.
    token: String,
    /// The range of the element name in `token`.
    name: (usize, usize),
    spans: Vec<Span>,
    decoded: String,
    text: String,
    /// Line where the current token begins.
    line: u64,
    next_line: u64,
    /// Number of open elements.
    depth: usize,
    /// The current element is empty, so its end comes next.
    at_empty: bool,
    stage: Stage,
    prolog: Prolog,
}

/// Declarations before the root element.
#[derive(Debug, Clone, Default)]
pub(super) struct Prolog {
    doctype: Option<Doctype>,
    entities: Entities,
}

/// A document from a start tag on.
#[derive(Debug)]
pub(super) struct Remainder<R> {
    /// The start tag that was read last.
    pub(super) tag: String,
    /// Line of the tag.
    pub(super) line: u64,
    /// The text after it.
    pub(super) input: R,
    pub(super) prolog: Prolog,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begin,
    BeforeRoot,
    InRoot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Start,
    Empty,
    End,
    Other,
    Eof,
}

impl<R: BufRead> Xml<R> {
    /// Creates a parser for `input`; `file` is its name in messages.
    pub fn new(input: R, file: impl Into<String>) -> Self {
        Self {
            reader: Reader::from_reader(Limited::new(input)),
            file: file.into(),
            token: String::new(),
            name: (0, 0),
            spans: Vec::new(),
            decoded: String::new(),
            text: String::new(),
            line: 1,
            next_line: 1,
            depth: 0,
            at_empty: false,
            stage: Stage::Begin,
            prolog: Prolog::default(),
        }
    }

    /// Ends parsing after a start tag, and returns the rest of the document from this tag on.
    pub(super) fn into_remainder(self) -> Remainder<R> {
        let Self { reader, token, line, prolog, .. } = self;
        Remainder { tag: token, line, input: reader.into_inner().into_inner(), prolog }
    }

    /// Returns the next start or end of an element.
    ///
    /// # Errors
    /// If the document cannot be read, is not well-formed XML in UTF-8, or exceeds a limit. Do not read on after that.
    #[inline]
    pub fn read(&mut self) -> Result<Token<'_>, InputError> {
        let found = self.advance()?;
        if matches!(found, Found::Start | Found::Empty) {
            self.scan_attributes(found)?;
        }
        Ok(match found {
            Found::Start | Found::Empty => Token::Start(self.tag()),
            Found::End => Token::End(End { name: self.element(), text: &self.text, line: self.line }),
            Found::Other | Found::Eof => Token::Eof,
        })
    }

    /// Skips the rest of the element whose [`Token::Start`] was read last, including its end.
    ///
    /// # Errors
    /// See [`Xml::read`].
    pub fn skip(&mut self) -> Result<(), InputError> {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside {
            if self.advance()? == Found::Eof {
                break;
            }
        }
        Ok(())
    }

    /// Reads up to the root element, which must be one of `expected`; `what` names the expected kind of file in
    /// messages, for example `a network`.
    ///
    /// # Errors
    /// See [`Xml::read`]; also if the root element is not one of `expected`.
    pub fn root(&mut self, expected: &[&str], what: &str) -> Result<Tag<'_>, InputError> {
        if self.advance()? == Found::Eof {
            return Err(self.error("there is no XML element in this file", format!("Expected {what}.")));
        }
        if !expected.contains(&self.element()) {
            return Err(self.wrong_root(expected, what));
        }
        self.scan_attributes(if self.at_empty { Found::Empty } else { Found::Start })?;
        Ok(self.tag())
    }

    /// Checks the `<!DOCTYPE ...>`, if any: it must name `root`, and its DTD must be one of `known`. `what` names the
    /// kind of file in messages, for example `networks`. Call it after [`Xml::root`].
    ///
    /// # Errors
    /// If it belongs to another kind of file, or to an unknown version.
    pub fn check_doctype(&self, root: &str, known: &[&str], what: &str) -> Result<(), InputError> {
        let Some(Doctype { root: declared, dtd, .. }) = self.doctype() else { return Ok(()) };
        if declared != root {
            let message = format!("the DOCTYPE names <{}>, but the root element is <{root}>", shortened(declared));
            return Err(self.error(message, "Correct the DOCTYPE."));
        }
        if dtd.is_empty() || known.contains(&dtd.as_str()) {
            return Ok(());
        }
        let message = format!("the DTD {} is not known for {what}", quoted(dtd));
        let remedy = if known.is_empty() {
            "They have no DTD: correct the DOCTYPE, or leave it out.".to_owned()
        } else {
            format!("Known: {}. Convert the file, or omit the DOCTYPE if the file has one of these.", known.join(", "))
        };
        Err(self.error(message, remedy))
    }

    /// Checks the `xsi:schemaLocation` of the root element, if any: a schema whose name begins with `prefix` must be
    /// one of `known`. Call it right after [`Xml::root`].
    ///
    /// # Errors
    /// If the version is unknown.
    pub fn check_schema(&self, prefix: &str, known: &[&str], what: &str) -> Result<(), InputError> {
        let Some(location) = self.tag().get("xsi:schemaLocation") else { return Ok(()) };
        let mut names = location.split_ascii_whitespace().filter_map(|part| part.rsplit('/').next());
        match names.find(|name| name.starts_with(prefix) && !known.contains(name)) {
            None => Ok(()),
            Some(name) => {
                let message = format!("the schema {} is not known for {what}", quoted(name));
                Err(self.error(message, format!("Known: {}. Convert the file.", known.join(", "))))
            }
        }
    }

    /// Returns the document type, once the root element has been read.
    pub fn doctype(&self) -> Option<&Doctype> {
        self.prolog.doctype.as_ref()
    }

    /// Returns the number of open elements.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the input, of which all tokens so far have been consumed.
    pub(crate) fn input(&self) -> &R {
        self.reader.get_ref().get_ref()
    }

    /// Returns the input, of which all tokens so far have been consumed.
    pub(crate) fn input_mut(&mut self) -> &mut R {
        self.reader.get_mut().get_mut()
    }

    /// Returns the line of the most recent token.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Returns file and line of the most recent token.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// Returns the name of the file.
    pub fn file(&self) -> &str {
        &self.file
    }

    fn error(&self, message: impl std::fmt::Display, remedy: impl Into<String>) -> InputError {
        InputError::one(self.place(), message, remedy)
    }

    #[inline]
    fn element(&self) -> &str {
        self.token.get(self.name.0..self.name.1).unwrap_or_default()
    }

    /// Returns the start tag that was read last; call it before reading on.
    #[inline]
    pub fn tag(&self) -> Tag<'_> {
        let token = self.token.as_str();
        Tag {
            name: token.get(self.name.0..self.name.1).unwrap_or_default(),
            line: self.line,
            file: &self.file,
            token,
            decoded: &self.decoded,
            spans: &self.spans,
        }
    }

    fn scan_attributes(&mut self, found: Found) -> Result<(), InputError> {
        let tag = self.token.as_str();
        let to = tag.len().saturating_sub(if found == Found::Empty { 2 } else { 1 });
        let entities = &mut self.prolog.entities;
        attributes::scan(tag, self.name.1, to, entities, &mut self.spans, &mut self.decoded)
            .map_err(|fault| self.fault(fault))
    }

    /// Advances to the next start tag, end tag or end of file, and checks the nesting.
    fn advance(&mut self) -> Result<Found, InputError> {
        self.text.clear();
        if self.at_empty {
            self.at_empty = false;
            self.depth -= 1;
            return Ok(Found::End);
        }
        if self.stage == Stage::Begin {
            self.check_start()?;
        }
        loop {
            let found = self.next_event()?;
            match found {
                Found::Start | Found::Empty => {
                    if self.depth == 0 && self.stage == Stage::InRoot {
                        let fault = format!("a second root element <{}>", shortened(self.element()));
                        return Err(self.malformed(&fault));
                    }
                    self.stage = Stage::InRoot;
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        return Err(self.error(
                            format!("more than {MAX_DEPTH} nested elements"),
                            "This is not a MATSim file, or end tags are missing: correct it or name another.",
                        ));
                    }
                    self.at_empty = found == Found::Empty;
                }
                Found::End => self.depth = self.depth.saturating_sub(1),
                Found::Eof if self.depth > 0 => {
                    return Err(self.error(
                        format!("the file ends inside an element (number of unclosed elements: {})", self.depth),
                        "The file is incomplete: copy or write it again.",
                    ));
                }
                Found::Eof => {}
                Found::Other => {
                    if self.depth == 0 && !self.text.is_empty() {
                        self.check_outer_text()?;
                    }
                    continue;
                }
            }
            return Ok(found);
        }
    }

    /// Reads one event of the underlying parser; text is appended to `self.text`.
    fn next_event(&mut self) -> Result<Found, InputError> {
        let mut token = std::mem::take(&mut self.token).into_bytes();
        token.clear();
        self.line = self.next_line;
        self.reader.get_mut().begin_token();
        let event = match self.reader.read_event_into(&mut token) {
            Ok(event) => event,
            Err(error) => return Err(self.failure(&error, &token)),
        };
        // A fault, with the number of bytes after its position.
        let mut fault = None;
        let found = match event {
            Event::Start(tag) => {
                self.name = (1, 1 + tag.name().as_ref().len());
                Found::Start
            }
            Event::Empty(tag) => {
                self.name = (1, 1 + tag.name().as_ref().len());
                Found::Empty
            }
            Event::End(tag) => {
                self.name = (2, 2 + tag.name().as_ref().len());
                Found::End
            }
            Event::Text(text) => {
                push_text(&mut self.text, &text);
                Found::Other
            }
            Event::CData(text) => {
                push_text(&mut self.text, &text);
                Found::Other
            }
            Event::GeneralRef(reference) => {
                let pushed = self.prolog.entities.push(&reference, Place::Text, &mut self.text);
                fault = pushed.err().map(|fault| (0, fault));
                Found::Other
            }
            Event::DocType(text) => {
                self.prolog.doctype = Some(doctype(&text));
                match Entities::of_doctype(&text) {
                    Ok(entities) => self.prolog.entities = entities,
                    Err((at, found)) => fault = Some((text.len() - at, found)),
                }
                Found::Other
            }
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) => Found::Other,
            Event::Eof => Found::Eof,
        };
        let suspicious = self.reader.get_ref().is_suspicious();
        let illegal = if suspicious { first_illegal(&token) } else { None };
        let illegal = illegal.map(|at| (self.line_within(&token, at), token.get(at).copied()));
        self.next_line += memchr_iter(b'\n', &token).count() as u64;
        // The underlying parser has already checked that it is UTF-8.
        self.token = String::from_utf8(token).unwrap_or_default();
        if let Some((line, byte)) = illegal {
            let (shown, remedy) = match byte {
                Some(control @ ..0x20) => {
                    let remedy = "Remove it, for example with: tr -d '\\000-\\010\\013\\014\\016-\\037'.";
                    (format!("U+{control:04X}"), remedy)
                }
                _ => ("U+FFFE or U+FFFF".to_owned(), "Remove it."),
            };
            let message = format!("not well-formed XML: the character {shown}, which XML does not allow");
            return Err(InputError::one(format!("{}:{line}", self.file), message, remedy));
        }
        if let Some((after, fault)) = fault {
            self.line = self.line_within(self.token.as_bytes(), self.token.len().saturating_sub(after));
            return Err(self.fault(fault));
        }
        // Text split by comments or references counts as one text.
        if self.text.len() > MAX_TOKEN_BYTES {
            return Err(self.error(TOO_LONG, "Name a MATSim file."));
        }
        if matches!(found, Found::Start | Found::Empty) && self.name.1 == 1 {
            return Err(self.malformed("a tag without a name"));
        }
        Ok(found)
    }

    /// Detects a file of another kind before searching it for a first tag.
    fn check_start(&mut self) -> Result<(), InputError> {
        self.stage = Stage::BeforeRoot;
        let place = self.place();
        let start = self.reader.get_mut().fill_buf().map_err(|error| unreadable(&place, &error))?;
        let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
        match start.first() {
            None | Some(b'<') => Ok(()),
            Some(_) => {
                let shown = String::from_utf8_lossy(start.get(..40).unwrap_or(start)).into_owned();
                Err(not_xml(&place, &shown))
            }
        }
    }

    /// Rejects anything but whitespace outside the root element.
    fn check_outer_text(&mut self) -> Result<(), InputError> {
        if self.text.trim_ascii().is_empty() {
            self.text.clear();
            return Ok(());
        }
        let shown = quoted(self.text.trim_ascii());
        Err(match self.stage {
            Stage::InRoot => self.malformed(&format!("text after the root element: {shown}")),
            _ => self.malformed(&format!("text before the root element: {shown}")),
        })
    }

    fn malformed(&self, message: &str) -> InputError {
        self.fault(Fault::malformed(message))
    }

    fn fault(&self, Fault { message, remedy }: Fault) -> InputError {
        self.error(message, remedy)
    }

    /// Returns the line of the byte at `end` of a token that begins on the current line.
    fn line_within(&self, token: &[u8], end: usize) -> u64 {
        let read = token.get(..end).unwrap_or(token);
        self.line + memchr_iter(b'\n', read).count() as u64
    }

    fn failure(&self, error: &Error, token: &[u8]) -> InputError {
        let lines_before = |end: usize| self.line_within(token, end);
        match error {
            Error::Io(error) => unreadable(&format!("{}:{}", self.file, lines_before(usize::MAX)), error),
            Error::Encoding(_) => {
                let good = std::str::from_utf8(token).err().map_or(usize::MAX, |bad| bad.valid_up_to());
                let place = format!("{}:{}", self.file, lines_before(good));
                let remedy = "Declare its encoding in the first line, such as `<?xml version=\"1.0\" \
                    encoding=\"ISO-8859-1\"?>`, or convert it: iconv -f ISO-8859-1 -t UTF-8.";
                InputError::one(place, "the text is not UTF-8", remedy)
            }
            error => {
                self.malformed(&error.to_string().replace("ill-formed document: ", "").replace("syntax error: ", ""))
            }
        }
    }

    fn wrong_root(&self, expected: &[&str], what: &str) -> InputError {
        let root = shortened(self.element());
        if let Some((prefix, local)) = self.element().split_once(':')
            && expected.contains(&local)
        {
            return self.error(
                format!("the root element is <{root}>: element names with a namespace prefix are not supported"),
                format!("Write the elements without \"{}:\"; a plain xmlns=\"...\" may stay.", shortened(prefix)),
            );
        }
        let dtd = self.doctype().map_or("", |doctype| doctype.dtd.as_str());
        let dtd = if dtd.is_empty() { String::new() } else { format!(" with DTD {dtd}") };
        let found = match kind_of_root(&root) {
            Some(kind) => format!("this is {kind} (<{root}>{dtd})"),
            None => format!("the root element is <{root}>{dtd}"),
        };
        let expected: Vec<_> = expected.iter().map(|name| format!("<{name}>")).collect();
        self.error(
            format!("{found}, not {what}"),
            format!("Name a file whose root element is {}.", expected.join(" or ")),
        )
    }
}

impl<R: BufRead> Xml<Chain<Cursor<Vec<u8>>, R>> {
    /// Creates a parser inside the element `root`, which has no parent; `input` begins at `line` of `file`.
    pub(super) fn inside_root(root: &str, input: R, file: &str, line: u64, prolog: Prolog) -> Result<Self, InputError> {
        let start = Cursor::new(format!("<{root}>").into_bytes());
        let mut xml = Self::new(start.chain(input), file);
        xml.root(&[root], "its root element")?;
        (xml.line, xml.next_line, xml.prolog) = (line, line, prolog);
        Ok(xml)
    }
}

fn not_xml(place: &str, start: &str) -> InputError {
    InputError::one(place, format!("this is not XML: it begins with {}", quoted(start)), "Name an XML file.")
}

#[cfg(test)]
mod tests;
