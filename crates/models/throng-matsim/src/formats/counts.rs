//! Reader for traffic counts, version 1.

use std::collections::{BTreeMap, HashSet};
use std::io::BufRead;
use std::path::Path;

use throng_core::{IdTable, InputError, Problems, Warnings};

use super::check::{Element, Rule, report};
use super::open::TextInput;
use super::value::{quoted, shortened};
use super::xml::{Tag, Token, Xml};

/// Number of hours of the day that a station may count.
pub const HOURS: usize = 24;

/// Volumes that were counted at a station.
#[derive(Debug, Clone, PartialEq)]
pub struct CountStation {
    /// Link index.
    pub link: u32,
    /// Name of the station; may be empty.
    pub name: String,
    /// Vehicles by hour, from 1 to 24; hours without a count are missing.
    pub volumes: BTreeMap<u8, f64>,
}

/// Reads counts. Stations on links that are not among `links` are left out, with a warning, as are files of version 2.
///
/// # Errors
/// All problems of the file.
pub fn read_counts(path: &Path, links: &IdTable, warnings: &mut Warnings) -> Result<Vec<CountStation>, InputError> {
    let input = TextInput::open(path)?;
    let name = input.name().to_owned();
    read_counts_from(input, &name, links, warnings)
}

/// Like [`read_counts`], but from any reader; `file` is its name in messages.
///
/// # Errors
/// See [`read_counts`].
///
/// ```
/// use throng_core::{IdTable, Warnings};
/// use throng_matsim::formats::counts::read_counts_from;
/// let mut links = IdTable::new();
/// links.intern("17").unwrap();
/// let text = r#"<counts><count loc_id="17" cs_id="A"><volume h="8" val="640.5"/></count></counts>"#;
/// let stations = read_counts_from(text.as_bytes(), "counts.xml", &links, &mut Warnings::new())?;
/// assert_eq!((stations[0].link, stations[0].name.as_str(), stations[0].volumes[&8]), (0, "A", 640.5));
/// # Ok::<(), throng_core::InputError>(())
/// ```
pub fn read_counts_from(
    input: impl BufRead,
    file: &str,
    links: &IdTable,
    warnings: &mut Warnings,
) -> Result<Vec<CountStation>, InputError> {
    let (mut stations, mut problems) = (Vec::new(), Problems::new());
    let read = walk(&mut Xml::new(input, file), links, &mut stations, &mut problems, warnings);
    report(problems, read).map(|()| stations)
}

fn walk<R: BufRead>(
    xml: &mut Xml<R>,
    links: &IdTable,
    stations: &mut Vec<CountStation>,
    problems: &mut Problems,
    warnings: &mut Warnings,
) -> Result<(), InputError> {
    let file = xml.file().to_owned();
    let root = xml.root(&["counts"], "a file of counts")?;
    if root.attributes().any(|(_, value)| value.contains("counts_v2")) {
        let place = root.place();
        warnings.add("counts of version 2 are not compared; export them as version 1", || place);
        return Ok(());
    }
    xml.check_doctype("counts", &[], "counts")?;
    let mut known = HashSet::new();
    // The station that is read, if it counts.
    let mut current: Option<(String, CountStation)> = None;
    loop {
        match xml.read()? {
            Token::Start(tag) if tag.name == "count" && current.is_none() => {
                let element =
                    Element { file: &file, line: tag.line, kind: "count", id: tag.get("loc_id").unwrap_or_default() };
                let link = element.required("loc_id", tag.get("loc_id"), problems).to_owned();
                if !link.is_empty() && !known.insert(link.clone()) {
                    let message = format!("{} is defined twice", element.name());
                    problems.push(element.place(), message, "Remove one of the two.");
                }
                let name = tag.get("cs_id").unwrap_or_default().replace(char::is_control, " ");
                let index = links.get(&link);
                if index.is_none() && !link.is_empty() {
                    let kind = "counts on links that the network does not have; left out";
                    warnings.add(kind, || format!("{}: link {}", element.place(), quoted(&link)));
                }
                let station = CountStation { link: index.unwrap_or(u32::MAX), name, volumes: BTreeMap::new() };
                current = Some((link, station));
            }
            Token::Start(tag) => match &mut current {
                Some((link, station)) if tag.name == "volume" => volume(&file, &tag, link, station, problems),
                _ => {
                    let example = || format!("{}: <{}>", tag.place(), shortened(tag.name));
                    warnings.add("unknown elements in counts files; skipped", example);
                    xml.skip()?;
                }
            },
            Token::End(end) if end.name == "count" => {
                stations.extend(current.take().map(|(_, station)| station).filter(|station| station.link != u32::MAX));
            }
            Token::End(_) => {}
            Token::Eof => return Ok(()),
        }
    }
}

fn volume(file: &str, tag: &Tag<'_>, link: &str, station: &mut CountStation, problems: &mut Problems) {
    let element = Element { file, line: tag.line, kind: "volume of count", id: link };
    let value = element.number("val", tag.get("val"), Rule::NotNegativeFinite, "", problems);
    let hour = tag.get("h").and_then(|text| text.trim().parse::<u8>().ok());
    match hour.filter(|hour| (1..=HOURS as u8).contains(hour)) {
        None => element.bad("h", tag.get("h"), "Expected an hour from 1 to 24.", problems),
        Some(hour) if station.volumes.insert(hour, value).is_some() => {
            let message = format!("{} has hour {hour} twice", element.name());
            problems.push(element.place(), message, "Remove one of the two.");
        }
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_testing::reference_data;

    fn read(text: &str, warnings: &mut Warnings) -> Result<Vec<CountStation>, InputError> {
        let mut links = IdTable::new();
        links.intern("a").unwrap();
        read_counts_from(text.as_bytes(), "c.xml", &links, warnings)
    }

    #[test]
    fn matsim_counts_are_read() {
        let Some(path) = reference_data("equil100/counts100.xml") else { return };
        let mut links = IdTable::new();
        for link in 1..24 {
            links.intern(&link.to_string()).unwrap();
        }
        let stations = read_counts(&path, &links, &mut Warnings::new()).unwrap();
        assert!(stations.iter().all(|station| station.volumes.len() == HOURS));
        let first = &stations[0];
        assert_eq!((links.name(first.link), first.name.as_str(), first.volumes[&7]), ("14", "handmade_01", 11.1));
    }

    #[test]
    fn all_faults_are_reported_with_line_value_and_remedy() {
        let text = "<counts>\n<count cs_id='1'/>\n<count loc_id='a'><volume h='0' val='1'/>\n\
                    <volume h='25' val='-1'/>\n<volume h='3' val='x'/><volume h='3' val='2'/></count>\n\
                    <count loc_id='a'/></counts>";
        let error = read(text, &mut Warnings::new()).unwrap_err().to_string();
        for part in [
            "c.xml:2: ",
            "c.xml:3: ",
            "\"0\"",
            "Expected an hour from 1 to 24.",
            "c.xml:4: ",
            "\"-1\"",
            "\"25\"",
            "\"x\"",
            "has hour 3 twice",
            "c.xml:6: count \"a\" is defined twice",
        ] {
            assert!(error.contains(part), "{part}: {error}");
        }
    }

    #[test]
    fn unknown_links_and_versions_are_warnings() {
        let mut warnings = Warnings::new();
        let text = "<counts><count loc_id='b'><volume h='1' val='1'/></count><count loc_id='a'><x/></count></counts>";
        assert_eq!(read(text, &mut warnings).unwrap().len(), 1);
        let two = "<counts xsi:schemaLocation='http://www.matsim.org/files/dtd/counts_v2.xsd'><x/></counts>";
        assert_eq!(read(two, &mut warnings).unwrap(), []);
        let kinds: Vec<&str> = warnings.iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds.len(), 3, "{kinds:?}");
        assert!(read("<network/>", &mut warnings).is_err());
    }
}
