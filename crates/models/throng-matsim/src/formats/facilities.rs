//! Reader for facilities, versions 1 and 2.

use std::io::BufRead;
use std::path::Path;

use throng_core::{IdTable, InputError, NONE, Problems, Warnings};

use super::check::{Element, Rule, SystemName, report};
use super::network_items::COORDINATE_SYSTEM;
use super::open::TextInput;
use super::value::{quoted, shortened};
use super::xml::{Tag, Token, Xml};
use crate::coordinates::InputCoordinates;
use throng_traffic_scenario::Facilities;

/// Reads the facilities in `path` (`.xml`, `.xml.gz` or `.xml.zst`); `links` are the link ids of the network.
///
/// Activities, opening times and attributes other than the coordinate system are skipped: the simulation needs none.
///
/// # Errors
/// All problems of the file: nonexistent links, duplicate ids, facilities without a location, numbers out of range,
/// malformed XML.
pub fn read_facilities(path: &Path, links: &IdTable, warnings: &mut Warnings) -> Result<Facilities, InputError> {
    read_transformed(path, InputCoordinates::default(), links, warnings)
}

/// Like [`read_facilities`], with transformed coordinates.
pub(crate) fn read_transformed(
    path: &Path,
    coordinates: InputCoordinates,
    links: &IdTable,
    warnings: &mut Warnings,
) -> Result<Facilities, InputError> {
    let input = TextInput::open(path)?;
    let name = input.name().to_owned();
    read(input, &name, coordinates, links, warnings)
}

/// Like [`read_facilities`], but from any reader; `file` is its name in messages.
///
/// # Errors
/// See [`read_facilities`].
///
/// ```
/// use throng_core::{IdTable, Warnings};
/// use throng_matsim::formats::facilities::read_facilities_from;
/// let mut links = IdTable::new();
/// links.intern("17").unwrap();
/// let text = r#"<facilities><facility id="home" linkId="17" x="1.5" y="-2"/></facilities>"#;
/// let facilities = read_facilities_from(text.as_bytes(), "facilities.xml", &links, &mut Warnings::new())?;
/// assert_eq!((facilities.link[0], facilities.x[0], facilities.y[0]), (0, 1.5, -2.0));
/// # Ok::<(), throng_core::InputError>(())
/// ```
pub fn read_facilities_from(
    input: impl BufRead,
    file: &str,
    links: &IdTable,
    warnings: &mut Warnings,
) -> Result<Facilities, InputError> {
    read(input, file, InputCoordinates::default(), links, warnings)
}

fn read(
    input: impl BufRead,
    file: &str,
    mut coordinates: InputCoordinates,
    links: &IdTable,
    warnings: &mut Warnings,
) -> Result<Facilities, InputError> {
    let mut facilities = Facilities::default();
    let mut problems = Problems::new();
    let mut xml = Xml::new(input, file);
    let mut coordinate_system = None;
    let read = walk(&mut xml, warnings, |found, warnings| {
        match found {
            Found::System { name, line } => {
                coordinates.file_names(name, &format!("{file}:{line}"), warnings)?;
                coordinate_system = Some(coordinates.system_of(name).to_owned());
            }
            Found::Facility(tag) => facility(file, &tag, &coordinates, links, &mut facilities, &mut problems),
        }
        Ok(())
    });
    facilities.coordinate_system = coordinate_system;
    report(problems, read).map(|()| facilities)
}

/// A part of the file that the simulation needs.
enum Found<'a> {
    /// The coordinate system of the facilities.
    System {
        name: &'a str,
        line: u64,
    },
    Facility(Tag<'a>),
}

fn walk<R: BufRead>(
    xml: &mut Xml<R>,
    warnings: &mut Warnings,
    mut sink: impl FnMut(Found<'_>, &mut Warnings) -> Result<(), InputError>,
) -> Result<(), InputError> {
    xml.root(&["facilities"], "a file of facilities")?;
    xml.check_doctype("facilities", &["facilities_v1.dtd", "facilities_v2.dtd"], "facilities")?;
    // Whether the current attribute is the coordinate system. The attributes of facilities are skipped with them.
    let mut of_coordinates = false;
    let (mut system, mut behind) = (SystemName::default(), None);
    loop {
        match xml.read()? {
            Token::Start(tag) => match tag.name {
                "facility" => {
                    behind = Some("facility");
                    sink(Found::Facility(tag), warnings)?;
                }
                "attributes" => continue,
                "attribute" => {
                    of_coordinates = tag.get("name") == Some(COORDINATE_SYSTEM);
                    if of_coordinates {
                        system.give(&tag.place(), behind)?;
                    }
                    continue;
                }
                name => {
                    let example = || format!("{}: <{}>", tag.place(), shortened(name));
                    warnings.add("unknown elements in facility files; skipped", example);
                }
            },
            Token::End(end) => {
                if end.name == "attribute" && of_coordinates {
                    sink(Found::System { name: end.text, line: end.line }, warnings)?;
                }
                continue;
            }
            Token::Eof => return Ok(()),
        }
        xml.skip()?;
    }
}

fn facility(
    file: &str,
    tag: &Tag<'_>,
    coordinates: &InputCoordinates,
    links: &IdTable,
    facilities: &mut Facilities,
    problems: &mut Problems,
) {
    let (mut id, mut x, mut y, mut link) = (None, None, None, None);
    for (name, value) in tag.attributes() {
        match name {
            "id" => id = Some(value),
            "x" => x = Some(value),
            "y" => y = Some(value),
            "linkId" => link = Some(value),
            _ => {}
        }
    }
    let element = Element { file, line: tag.line, kind: "facility", id: id.unwrap_or_default() };
    let id = element.required("id", id, problems);
    let index = match link {
        None => NONE,
        Some(name) => links.get(name).unwrap_or_else(|| {
            let message = format!("{} is on link {}, which the network does not have", element.name(), quoted(name));
            problems.push(
                element.place(),
                message,
                "Use the network to which the facilities belong, or correct linkId.",
            );
            NONE
        }),
    };
    // As in MATSim, a single coordinate counts as none.
    let (x, y) = if x.is_some() && y.is_some() {
        let unit = ", usually in metres";
        let mut number = |attribute, text| element.number(attribute, text, Rule::Finite, unit, problems);
        let point = (number("x", x), number("y", y));
        element.transformed(coordinates, point, problems)
    } else {
        if link.is_none() {
            let message = format!("{} has neither a link nor coordinates", element.name());
            problems.push(element.place(), message, "Give it a linkId, or x and y.");
        }
        (f64::NAN, f64::NAN)
    };
    if !id.is_empty()
        && let Err(error) = facilities.ids.insert(id)
    {
        element.refused(&error, problems);
        return;
    }
    facilities.link.push(index);
    facilities.x.push(x);
    facilities.y.push(y);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::network::read_network;
    use throng_testing::reference_data;
    use throng_traffic_scenario::ModeTable;

    fn read(text: &str, warnings: &mut Warnings) -> Result<Facilities, InputError> {
        let mut links = IdTable::new();
        links.intern("l0").unwrap();
        links.intern("l1").unwrap();
        read_facilities_from(text.as_bytes(), "f.xml", &links, warnings)
    }

    #[test]
    fn facilities_are_read_by_link_and_by_coordinate() {
        let text = "<?xml version='1.0'?>\n<!DOCTYPE facilities SYSTEM 'facilities_v1.dtd'>\n\
            <facilities name='n'><attributes><attribute name='a' class='b'>c</attribute></attributes>\n\
            <facility id='1' x='5' y='-1'><activity type='h'><opentime day='wkday'/></activity></facility>\n\
            <facility id='2' linkId='l1'/>\n<facility id='3' x='7' linkId='l0'/></facilities>";
        let mut warnings = Warnings::new();
        let found = read(text, &mut warnings).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(found.ids.iter().collect::<Vec<_>>(), ["1", "2", "3"]);
        assert_eq!(found.link, [NONE, 1, 0]);
        assert_eq!((found.x[0], found.y[0]), (5.0, -1.0));
        assert!(found.x[1].is_nan() && found.x[2].is_nan() && found.y[2].is_nan());
    }

    #[test]
    fn the_coordinate_system_is_read_from_the_file_attributes() {
        let attribute = "<attributes><attribute name='coordinateReferenceSystem' class='c'>X</attribute></attributes>";
        for (text, expected) in [
            (format!("<facilities>{attribute}</facilities>"), Some("X")),
            (format!("<facilities><facility id='1' x='1' y='1'>{attribute}</facility></facilities>"), None),
        ] {
            assert_eq!(read(&text, &mut Warnings::new()).unwrap().coordinate_system.as_deref(), expected);
        }
        for (text, expected) in [
            (
                format!("<facilities><facility id='1' x='1' y='1'/>\n{attribute}</facilities>"),
                "f.xml:2: the file names its coordinateReferenceSystem behind the first <facility>\n    Move it into",
            ),
            (
                format!("<facilities>{attribute}\n{attribute}</facilities>"),
                "f.xml:2: the file names its coordinateReferenceSystem twice",
            ),
        ] {
            let error = read(&text, &mut Warnings::new()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn bad_facilities_are_reported_together() {
        let text = "<facilities>\n<facility id='1' linkId='l9'/>\n<facility id='2' x='1'/>\n\
            <facility id='3' x='NaN' y='1'/>\n<facility id='3' x='0' y='1'/>\n<facility x='0' y='0'/></facilities>";
        let text = read(text, &mut Warnings::new()).unwrap_err().to_string();
        let found: Vec<_> = text.lines().filter(|line| !line.starts_with(' ')).collect();
        let expected = [
            "f.xml:2: facility \"1\" is on link \"l9\", which the network does not have",
            "f.xml:3: facility \"2\" has neither a link nor coordinates",
            "f.xml:4: facility \"3\" has x \"NaN\"",
            "f.xml:5: facility \"3\" is defined twice",
            "f.xml:6: facility has no id",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn empty_truncated_and_unknown_files_are_refused() {
        let error = read("<network/>", &mut Warnings::new()).unwrap_err().to_string();
        assert!(error.contains("this is a network (<network>), not a file of facilities"), "{error}");
        assert!(read("", &mut Warnings::new()).is_err());
        assert!(read("<facilities><facility", &mut Warnings::new()).is_err());
        let error = read("<!DOCTYPE facilities SYSTEM 'facilities_v7.dtd'><facilities/>", &mut Warnings::new());
        let error = error.unwrap_err().to_string();
        assert!(error.contains("the DTD \"facilities_v7.dtd\" is not known for facilities"), "{error}");
        let mut warnings = Warnings::new();
        read("<facilities><shop/></facilities>", &mut warnings).unwrap();
        assert_eq!(warnings.count("unknown elements in facility files; skipped"), 1);
    }

    #[test]
    fn files_of_the_reference_data() {
        for (path, network, count) in [
            ("chessboard_it0/facilities.xml", "chessboard_it0/network.xml", 46),
            ("equil100/facilities.xml", "equil100/network.xml", 23),
            ("equil100/controler_it0_fast/output_facilities.xml.gz", "equil100/network.xml", 23),
        ] {
            let (Some(path), Some(network)) = (reference_data(path), reference_data(network)) else { continue };
            let network = read_network(&network, &mut ModeTable::default(), &mut Warnings::new()).unwrap();
            let mut warnings = Warnings::new();
            let found = read_facilities(&path, &network.link_ids, &mut warnings).unwrap();
            assert_eq!(found.ids.len(), count, "{}", path.display());
            assert!(warnings.is_empty(), "{warnings:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn damaged_files_never_panic(at in 0_usize..120, byte: u8, cut in 0_usize..120) {
            let mut bytes = b"<facilities><facility id='1' x='1' y='2' linkId='l0'><activity/></facility></facilities>".to_vec();
            bytes.truncate(cut.max(20));
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            let _ = read_facilities_from(&bytes[..], "f.xml", &IdTable::new(), &mut Warnings::new());
        }
    }
}
