//! Detection of file kinds.

use std::fmt;
use std::io::BufRead;
use std::path::Path;

use throng_core::InputError;

use crate::formats::open::{TextInput, unreadable};
use crate::formats::xml::{Token, Xml};

/// The kinds of files that a conversion distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// `<network>`.
    Network,
    /// `<plans>` or `<population>`.
    Plans,
    /// `<vehicleDefinitions>`.
    Vehicles,
    /// `<facilities>`.
    Facilities,
    /// `<networkChangeEvents>`.
    ChangeEvents,
    /// `<events>`.
    Events,
    /// `<config>`.
    Config,
    /// XML with another root element.
    OtherXml,
    /// Text that is not XML, for example a table.
    OtherText,
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Network => "network",
            Self::Plans => "plans",
            Self::Vehicles => "vehicles",
            Self::Facilities => "facilities",
            Self::ChangeEvents => "network change events",
            Self::Events => "events",
            Self::Config => "configuration",
            Self::OtherXml => "XML of another kind",
            Self::OtherText => "text",
        })
    }
}

/// Returns the kind of the file `path`, from its root element, and its version, from its DTD or schema.
///
/// # Errors
/// If the file cannot be read, or begins like XML but is broken before the start tag of its root element ends.
pub fn kind_of(path: &Path) -> Result<(FileKind, Option<u8>), InputError> {
    let mut input = TextInput::open(path)?;
    let file = input.name().to_owned();
    let start = input.fill_buf().map_err(|error| unreadable(&file, &error))?;
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    if !start.trim_ascii_start().starts_with(b"<") {
        return Ok((FileKind::OtherText, None));
    }
    let mut xml = Xml::new(input, file);
    let Token::Start(tag) = xml.read()? else { return Ok((FileKind::OtherXml, None)) };
    let kind = match tag.name {
        "network" => FileKind::Network,
        "plans" | "population" => FileKind::Plans,
        "vehicleDefinitions" => FileKind::Vehicles,
        "facilities" => FileKind::Facilities,
        "networkChangeEvents" => FileKind::ChangeEvents,
        "events" => FileKind::Events,
        "config" => FileKind::Config,
        _ => FileKind::OtherXml,
    };
    let schema = tag.get("xsi:schemaLocation").and_then(version_in);
    let version = match kind {
        FileKind::OtherXml => None,
        FileKind::Events => Some(1),
        _ => schema.or_else(|| xml.doctype().and_then(|doctype| version_in(&doctype.dtd))),
    };
    Ok((kind, version))
}

/// Returns the version in the name of a DTD or schema, for example 4 in `plans_v4.dtd`.
fn version_in(name: &str) -> Option<u8> {
    let (_, after) = name.rsplit_once("_v")?;
    let digits = after.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_versions_are_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for (text, kind, version) in [
            (
                "<!DOCTYPE network SYSTEM \"http://www.matsim.org/files/dtd/network_v2.dtd\"><network/>",
                FileKind::Network,
                Some(2),
            ),
            ("<network/>", FileKind::Network, None),
            ("<!DOCTYPE plans SYSTEM 'plans_v4.dtd'>\n<plans></plans>", FileKind::Plans, Some(4)),
            ("\u{feff}\n<population>", FileKind::Plans, None),
            (
                "<vehicleDefinitions xsi:schemaLocation=\"http://www.matsim.org/files/dtd \
                 http://www.matsim.org/files/dtd/vehicleDefinitions_v1.0.xsd\">",
                FileKind::Vehicles,
                Some(1),
            ),
            ("<events version=\"1.0\">", FileKind::Events, Some(1)),
            ("<counts>", FileKind::OtherXml, None),
            ("person;mode\n", FileKind::OtherText, None),
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(kind_of(&path).unwrap(), (kind, version), "{text}");
        }
        std::fs::write(&path, "<network").unwrap();
        assert!(kind_of(&path).is_err());
    }
}
