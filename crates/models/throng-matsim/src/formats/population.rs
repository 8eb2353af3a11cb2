//! Reader for plans files of versions 4, 5 and 6, person by person.

use std::io::BufRead;
use std::path::Path;

use throng_core::{InputError, Problems, Warnings};

use super::open::TextInput;
use super::person::PersonRecord;
use super::person_parser::{BETWEEN_PERSONS, Next, PersonParser};
use super::value::{quoted, shortened};
use super::xml::{Token, Xml};

/// Version of MATSim's plans format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PopulationVersion {
    /// `plans_v4.dtd`: routes are lists of nodes.
    V4,
    /// `population_v5.dtd`: routes are lists of links.
    V5,
    /// `population_v6.dtd`: persons, plans, activities and legs may have attributes.
    V6,
}

impl PopulationVersion {
    const ALL: [Self; 3] = [Self::V4, Self::V5, Self::V6];

    /// Returns the version number: 4, 5 or 6.
    pub fn number(self) -> u8 {
        match self {
            Self::V4 => 4,
            Self::V5 => 5,
            Self::V6 => 6,
        }
    }

    /// Returns the file name of the document type definition.
    pub fn dtd(self) -> &'static str {
        match self {
            Self::V4 => "plans_v4.dtd",
            Self::V5 => "population_v5.dtd",
            Self::V6 => "population_v6.dtd",
        }
    }

    /// Returns the name of the root element.
    pub fn root(self) -> &'static str {
        if self == Self::V4 { "plans" } else { "population" }
    }
}

/// Version, name and attributes at the start of a plans file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PopulationHeader {
    /// Version of the format.
    pub version: PopulationVersion,
    /// `desc` of the population; in version 4, `name` of the plans.
    pub name: Option<String>,
    /// Attributes of the population: name, Java class and value.
    pub attributes: Vec<(String, String, String)>,
}

impl PopulationHeader {
    /// Returns the value of the attribute called `name`.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, ..)| n == name).map(|(.., value)| value.as_str())
    }
}

/// Reads a plans file of any size, one person at a time.
///
/// ```
/// use throng_core::{Problems, Warnings};
/// use throng_matsim::formats::person::PersonRecord;
/// use throng_matsim::formats::population::PopulationReader;
///
/// let file = br#"<!DOCTYPE population SYSTEM "http://www.matsim.org/files/dtd/population_v6.dtd">
/// <population><person id="ann"><plan selected="yes">
///   <activity type="h" link="1" end_time="06:00:00"/>
///   <leg mode="car"><route type="links" start_link="1" end_link="20">1 6 15 20</route></leg>
///   <activity type="w" link="20"/>
/// </plan></person></population>"#;
/// let mut reader = PopulationReader::new(&file[..], "plans.xml")?;
/// let (mut person, mut problems, mut warnings) = (PersonRecord::new(), Problems::new(), Warnings::new());
/// assert!(reader.read_person(&mut person, &mut problems, &mut warnings));
/// assert_eq!(person.id(), "ann");
/// assert_eq!(person.elements(&person.plans()[0]).len(), 3);
/// assert!(!reader.read_person(&mut person, &mut problems, &mut warnings));
/// problems.into_result()?;
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct PopulationReader<R> {
    xml: Xml<R>,
    file: String,
    header: PopulationHeader,
    // The person whose start tag ended the header.
    first: Option<FirstPerson>,
    // Warnings from before the first person, which are passed on with it.
    early: Warnings,
    every_plan: bool,
    done: bool,
}

#[derive(Debug)]
struct FirstPerson {
    line: u64,
    attributes: Vec<(String, String)>,
}

impl PopulationReader<TextInput> {
    /// Opens a plans file, plain or compressed.
    ///
    /// # Errors
    /// If the file cannot be opened, or is not a plans file of a known version.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        let input = TextInput::open(path)?;
        let file = input.name().to_owned();
        Self::new(input, file)
    }
}

impl<R: BufRead> PopulationReader<R> {
    /// Starts reading `input`; `file` is its name in messages.
    ///
    /// # Errors
    /// If the input is not a plans file of a known version.
    pub fn new(input: R, file: impl Into<String>) -> Result<Self, InputError> {
        let file = file.into();
        let mut xml = Xml::new(input, file.clone());
        let root = xml.root(&["plans", "population"], "a file of plans")?;
        let (root_name, place) = (root.name.to_owned(), root.place());
        let name = root.get("desc").or(root.get("name")).map(str::to_owned);
        let version = version_of(&place, &root_name, xml.doctype().map(|doctype| doctype.dtd.as_str()))?;
        let header = PopulationHeader { version, name, attributes: Vec::new() };
        xml.check_doctype(version.root(), &[version.dtd()], "plans")?;
        let early = Warnings::new();
        let mut reader = Self { xml, file, header, first: None, early, every_plan: false, done: false };
        reader.read_header()?;
        Ok(reader)
    }

    /// Treats faults in the order of activities and legs as problems in every plan. By default they are only warnings
    /// in plans that are not selected, because a run does not need those.
    pub fn with_every_plan(mut self) -> Self {
        self.every_plan = true;
        self
    }

    /// Returns the header of the file.
    pub fn header(&self) -> &PopulationHeader {
        &self.header
    }

    /// Returns the name of the file, for messages.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Reads the next person into `person`, replacing its content. Returns false at the end of the file.
    ///
    /// Faults are added to `problems`, and reading continues as far as possible: a person with problems contains
    /// everything that could be read. Faults that MATSim would ignore are added to `warnings`.
    pub fn read_person(&mut self, person: &mut PersonRecord, problems: &mut Problems, warnings: &mut Warnings) -> bool {
        person.clear();
        warnings.append(std::mem::take(&mut self.early));
        if self.done {
            return false;
        }
        let found = self.try_person(person, problems, warnings).unwrap_or_else(|InputError(fatal)| {
            problems.append(fatal);
            false
        });
        self.done = !found;
        found
    }

    fn try_person(
        &mut self,
        person: &mut PersonRecord,
        problems: &mut Problems,
        warnings: &mut Warnings,
    ) -> Result<bool, InputError> {
        let mut parser =
            PersonParser::new(self.header.version, self.every_plan, &self.file, person, problems, warnings);
        if let Some(first) = self.first.take() {
            parser.person(first.line, &first.attributes.iter().map(|(n, v)| (n.as_str(), v.as_str())));
        }
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

    /// Reads the attributes of the population, up to the start of the first person.
    fn read_header(&mut self) -> Result<(), InputError> {
        let mut attribute = (String::new(), String::new());
        loop {
            match self.xml.read()? {
                Token::Start(tag) => match tag.name {
                    "attributes" => {}
                    "attribute" => {
                        let value = |name| tag.get(name).unwrap_or_default().to_owned();
                        attribute = (value("name"), value("class"));
                    }
                    "person" => {
                        let attributes = tag.attributes().map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
                        self.first = Some(FirstPerson { line: tag.line, attributes });
                        return Ok(());
                    }
                    other => {
                        self.early.add(BETWEEN_PERSONS, || format!("{}: <{}>", tag.place(), shortened(other)));
                        self.xml.skip()?;
                    }
                },
                Token::End(end) if end.name == "attribute" => {
                    let (name, class) = std::mem::take(&mut attribute);
                    self.header.attributes.push((name, class, end.text.to_owned()));
                }
                Token::End(_) => {}
                Token::Eof => {
                    self.done = true;
                    return Ok(());
                }
            }
        }
    }
}

fn version_of(place: &str, root: &str, dtd: Option<&str>) -> Result<PopulationVersion, InputError> {
    const REMEDY: &str = "Expected one of plans_v4.dtd, population_v5.dtd and population_v6.dtd; \
        MATSim converts older files.";
    let Some(dtd) = dtd.filter(|dtd| !dtd.is_empty()) else {
        return Err(InputError::one(place, "the file names no DTD, so its version is unknown", REMEDY));
    };
    let Some(version) = PopulationVersion::ALL.into_iter().find(|version| version.dtd() == dtd) else {
        return Err(InputError::one(place, format!("the DTD {} is not known for plans", quoted(dtd)), REMEDY));
    };
    if version.root() != root {
        let message = format!("the root element is <{root}>, but the DTD is {dtd}");
        return Err(InputError::one(place, message, format!("With this DTD it is <{}>.", version.root())));
    }
    Ok(version)
}

#[cfg(test)]
mod tests;
