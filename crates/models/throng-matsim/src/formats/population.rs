//! Reader for plans files of versions 4, 5 and 6, person by person.

use std::io::{BufRead, Cursor, Read};
use std::path::Path;

use throng_core::{InputError, Problems, Warnings, available_threads};

use super::check::SystemName;
use super::network_items::COORDINATE_SYSTEM;
use super::open::TextInput;
use super::parallel_persons::ParallelPersons;
use super::person::PersonRecord;
use super::person_chunks::{CHUNK_BYTES, Chunks, Cut};
use super::person_parser::BETWEEN_PERSONS;
use super::person_stream::{PersonStream, PlansFile};
use super::value::{quoted, shortened};
use super::xml::{Remainder, Token, Xml};
use crate::coordinates::InputCoordinates;
use throng_traffic_scenario::settings::Settings;

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
pub struct PopulationReader {
    file: PlansFile,
    header: PopulationHeader,
    // Warnings from before the first person, which are passed on with it.
    early: Warnings,
    threads: Threads,
    persons: Persons,
}

/// The way in which persons are parsed.
#[derive(Debug, Clone, Copy)]
struct Threads {
    /// Number of threads that parse.
    workers: usize,
    /// Minimum amount of text from which a chunk is cut, bytes.
    chunk_bytes: usize,
}

/// The persons of the file.
enum Persons {
    /// No person has been read; the text begins with the first.
    Unread(Remainder<Input>),
    OneThread(Box<PersonStream<Input>>),
    Threads(Box<ParallelPersons>),
    /// No more persons: all have been read, or reading failed.
    End,
}

type Input = Box<dyn BufRead + Send>;

impl PopulationReader {
    /// Opens a plans file, plain or compressed. Its persons are parsed on all cores, some thousands ahead of the
    /// caller.
    ///
    /// # Errors
    /// If the file cannot be opened, is malformed before the first person, or is not a plans file of a known version.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        let input = TextInput::open(path)?;
        let file = input.name().to_owned();
        let threads = Threads { workers: available_threads(), chunk_bytes: CHUNK_BYTES };
        Self::on_threads(Box::new(input), file, threads)
    }

    /// Opens the plans file of a run, with the threads of the settings and with transformed coordinates.
    ///
    /// # Errors
    /// As for [`PopulationReader::open`] and [`PopulationReader::with_coordinates`].
    pub fn of_run(path: &Path, settings: &Settings) -> Result<Self, InputError> {
        let reader = Self::open(path)?.with_threads(settings.global.number_of_threads);
        reader.with_coordinates(InputCoordinates::of_plans(settings)?)
    }

    /// Starts reading `input` on the calling thread; `file` is its name in messages.
    ///
    /// # Errors
    /// If the input cannot be read, is malformed before the first person, or is not a plans file of a known version.
    pub fn new(input: impl BufRead + Send + 'static, file: impl Into<String>) -> Result<Self, InputError> {
        Self::on_threads(Box::new(input), file.into(), Threads { workers: 1, chunk_bytes: CHUNK_BYTES })
    }

    fn on_threads(input: Input, name: String, threads: Threads) -> Result<Self, InputError> {
        let mut xml = Xml::new(input, name.clone());
        let root = xml.root(&["plans", "population"], "a file of plans")?;
        let (root_name, place) = (root.name.to_owned(), root.place());
        let title = root.get("desc").or(root.get("name")).map(str::to_owned);
        let version = version_of(&place, &root_name, xml.doctype().map(|doctype| doctype.dtd.as_str()))?;
        let mut header = PopulationHeader { version, name: title, attributes: Vec::new() };
        xml.check_doctype(version.root(), &[version.dtd()], "plans")?;
        let mut early = Warnings::new();
        let has_persons = read_header(&mut xml, &mut header, &mut early)?;
        let persons = if has_persons { Persons::Unread(xml.into_remainder()) } else { Persons::End };
        let file = PlansFile { name, version, every_plan: false, coordinates: InputCoordinates::default() };
        Ok(Self { file, header, early, threads, persons })
    }

    /// Treats faults in the order of activities and legs as problems in every plan. By default they are only warnings
    /// in plans that are not selected, because a run does not need those.
    pub fn with_every_plan(mut self) -> Self {
        self.file.every_plan = true;
        self
    }

    /// Parses on `threads` threads, or on all cores if it is 0. Persons, problems and warnings do not depend on it.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads.workers = if threads == 0 { available_threads() } else { threads };
        self
    }

    /// Transforms the coordinates of activities; the header names the system to which they are transformed.
    ///
    /// # Errors
    /// If the file names a system from which coordinates cannot be transformed.
    pub fn with_coordinates(mut self, mut coordinates: InputCoordinates) -> Result<Self, InputError> {
        let attributes = &mut self.header.attributes;
        match attributes.iter_mut().find(|(name, ..)| name == COORDINATE_SYSTEM) {
            Some((.., value)) => {
                coordinates.file_names(value, &self.file.name, &mut self.early)?;
                *value = coordinates.system_of(value).to_owned();
            }
            None if coordinates.transforms() => {
                let system = coordinates.system_of("").to_owned();
                attributes.push((COORDINATE_SYSTEM.to_owned(), "java.lang.String".to_owned(), system));
            }
            None => {}
        }
        self.file.coordinates = coordinates;
        Ok(self)
    }

    /// Returns the header of the file.
    pub fn header(&self) -> &PopulationHeader {
        &self.header
    }

    /// Returns the name of the file, for messages.
    pub fn file(&self) -> &str {
        &self.file.name
    }

    /// Reads the next person into `person`, replacing its content. Returns false at the end or after a fatal fault.
    ///
    /// Faults are added to `problems`, and reading continues as far as possible: a person with problems contains
    /// everything that could be read. Faults that MATSim would ignore are added to `warnings`.
    pub fn read_person(&mut self, person: &mut PersonRecord, problems: &mut Problems, warnings: &mut Warnings) -> bool {
        person.clear();
        warnings.append(std::mem::take(&mut self.early));
        let found = self.try_person(person, problems, warnings).unwrap_or_else(|InputError(fatal)| {
            problems.append(fatal);
            false
        });
        if !found {
            self.persons = Persons::End;
        }
        found
    }

    fn try_person(
        &mut self,
        person: &mut PersonRecord,
        problems: &mut Problems,
        warnings: &mut Warnings,
    ) -> Result<bool, InputError> {
        if let Persons::Unread(_) = &self.persons
            && let Persons::Unread(text) = std::mem::replace(&mut self.persons, Persons::End)
        {
            self.persons = self.start(text)?;
        }
        match &mut self.persons {
            Persons::OneThread(persons) => persons.read(&self.file, person, problems, warnings),
            Persons::Threads(persons) => persons.read(&self.file, person, problems, warnings),
            Persons::Unread(_) | Persons::End => Ok(false),
        }
    }

    /// Starts reading persons: on one thread if the file is short or there is only one worker.
    fn start(&self, Remainder { tag, line, input, prolog }: Remainder<Input>) -> Result<Persons, InputError> {
        let text: Input = Box::new(Cursor::new(tag.into_bytes()).chain(input));
        if self.threads.workers == 1 {
            return Ok(Persons::OneThread(Box::new(PersonStream::new(&self.file, text, line, prolog)?)));
        }
        let mut chunks = Chunks::new(text, line, self.threads.chunk_bytes);
        match chunks.next() {
            Some(first) if !matches!(first.cut, Cut::EndOfFile) => {
                let persons = ParallelPersons::start(&self.file, (first, chunks), prolog, self.threads.workers)?;
                Ok(Persons::Threads(Box::new(persons)))
            }
            all => {
                let text: Input = Box::new(Cursor::new(all.map_or(Vec::new(), |chunk| chunk.text)));
                Ok(Persons::OneThread(Box::new(PersonStream::new(&self.file, text, line, prolog)?)))
            }
        }
    }
}

impl std::fmt::Debug for Persons {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Unread(_) => "Unread",
            Self::OneThread(_) => "OneThread",
            Self::Threads(_) => "Threads",
            Self::End => "End",
        })
    }
}

/// Reads the attributes of the population, up to the start tag of the first person. Returns false if there is none.
fn read_header(
    xml: &mut Xml<Input>,
    header: &mut PopulationHeader,
    warnings: &mut Warnings,
) -> Result<bool, InputError> {
    let mut attribute = (String::new(), String::new());
    let mut system = SystemName::default();
    loop {
        let outside = xml.depth();
        match xml.read()? {
            Token::Start(tag) => match tag.name {
                "attributes" => {}
                "attribute" => {
                    let value = |name| tag.get(name).unwrap_or_default().to_owned();
                    attribute = (value("name"), value("class"));
                    if attribute.0 == COORDINATE_SYSTEM {
                        system.give(&tag.place(), None)?;
                    }
                }
                "person" if outside == 1 => return Ok(true),
                "person" => {
                    let message = "a person inside the attributes of the population";
                    return Err(InputError::one(tag.place(), message, "Close <attributes> before the first <person>."));
                }
                other => {
                    warnings.add(BETWEEN_PERSONS, || format!("{}: <{}>", tag.place(), shortened(other)));
                    xml.skip()?;
                }
            },
            Token::End(end) if end.name == "attribute" => {
                let (name, class) = std::mem::take(&mut attribute);
                header.attributes.push((name, class, end.text.to_owned()));
            }
            Token::End(_) => {}
            Token::Eof => return Ok(false),
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
