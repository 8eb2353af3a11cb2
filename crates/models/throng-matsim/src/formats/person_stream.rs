//! Persons of a stream of XML, one after the other.

use std::io::{BufRead, Chain, Cursor};

use throng_core::{InputError, Problems, Warnings};

use super::person::PersonRecord;
use super::person_parser::{Next, PersonParser};
use super::population::PopulationVersion;
use super::xml::{Prolog, Token, Xml};
use crate::coordinates::InputCoordinates;

/// Properties of a plans file that determine how its persons are parsed.
#[derive(Debug, Clone)]
pub(super) struct PlansFile {
    /// Name of the file, for messages.
    pub(super) name: String,
    pub(super) version: PopulationVersion,
    /// Whether faults in plans that are not selected are problems.
    pub(super) every_plan: bool,
    /// The transformation of the coordinates of activities.
    pub(super) coordinates: InputCoordinates,
}

/// The persons of `input`, which begins inside the root element.
#[derive(Debug)]
pub(super) struct PersonStream<R> {
    xml: Xml<Chain<Cursor<Vec<u8>>, R>>,
}

impl<R: BufRead> PersonStream<R> {
    /// Starts reading `input`, which begins at `line` of the file.
    pub(super) fn new(file: &PlansFile, input: R, line: u64, prolog: Prolog) -> Result<Self, InputError> {
        Ok(Self { xml: Xml::inside_root(file.version.root(), input, &file.name, line, prolog)? })
    }

    /// Reads the next person. Returns false at the end of the file.
    pub(super) fn read(
        &mut self,
        file: &PlansFile,
        person: &mut PersonRecord,
        problems: &mut Problems,
        warnings: &mut Warnings,
    ) -> Result<bool, InputError> {
        let mut parser = PersonParser::new(file, person, problems, warnings);
        loop {
            let next = match self.xml.read()? {
                Token::Start(tag) => parser.start(&tag),
                Token::End(end) => parser.end(&end),
                Token::Eof => return Ok(false),
            };
            match next {
                Next::GoOn => {}
                Next::Skip => self.xml.skip()?,
                Next::Done => return Ok(true),
            }
        }
    }
}

impl PersonStream<&[u8]> {
    /// Whether the text has been consumed, and only the root element is open.
    pub(super) fn is_at_end(&self) -> bool {
        self.xml.depth() == 1 && self.xml.input().get_ref().1.is_empty()
    }
}
