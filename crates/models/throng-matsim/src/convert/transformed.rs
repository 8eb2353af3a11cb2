//! Copies a file with the coordinates of the run.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use throng_core::{InputError, Warnings, java_double};

use crate::coordinates::InputCoordinates;
use crate::formats::network_items::COORDINATE_SYSTEM;
use crate::formats::open::TextInput;
use crate::formats::text::{push_attribute, push_escaped};
use crate::formats::value::number;
use crate::formats::xml::{Tag, Token, Xml};
use throng_output::FileError;

/// Copies an XML file as decoded text to `out`, which messages call `output`. The points of elements called `element`
/// are transformed as `coordinates` requests; the copy then names the system of the run, unless its version has no
/// attributes for that. All else is unchanged.
///
/// # Errors
/// If `input` cannot be read, is not well-formed or has points that cannot be transformed, or `out` cannot be written.
pub fn copy_transformed(
    input: &Path,
    element: &str,
    coordinates: InputCoordinates,
    out: &mut impl Write,
    output: &Path,
) -> Result<(), FileError> {
    let text = TextInput::open(input)?;
    let file = text.name().to_owned();
    let mut xml = Xml::new(Recorder { input: text, pending: Vec::new() }, file);
    let mut copy = TransformedCopy { element, coordinates, names_system: false, attributes: Attributes::Expected };
    loop {
        let outside = xml.depth();
        let (edit, token_len, is_end) = match xml.read()? {
            Token::Start(tag) => (copy.start(&tag, outside)?, tag.written().len(), false),
            Token::End(end) => (copy.end(end.name, end.text, outside, end.line)?, 0, false),
            Token::Eof => (Edit::default(), 0, true),
        };
        if matches!(copy.attributes, Attributes::Expected) && outside == 0 {
            copy.attributes = Attributes::of_version(&xml);
        }
        let pending = &mut xml.input_mut().pending;
        edit.apply(pending, token_len);
        out.write_all(pending).map_err(|error| FileError::writing(output, error))?;
        pending.clear();
        if is_end {
            return Ok(());
        }
    }
}

/// A reader that keeps the bytes that were consumed.
struct Recorder {
    input: TextInput,
    pending: Vec<u8>,
}

impl BufRead for Recorder {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // This reads nothing: `fill_buf` has already returned these bytes.
        let shown = self.input.fill_buf().unwrap_or_default();
        self.pending.extend_from_slice(shown.get(..amount).unwrap_or(shown));
        self.input.consume(amount);
    }
}

impl Read for Recorder {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

/// A change of the text that was consumed with a token.
#[derive(Default)]
struct Edit {
    /// Text to insert before it.
    before: String,
    /// The new start tag.
    tag: Option<String>,
    /// The new text of an element, which its end tag follows.
    text: Option<String>,
    /// Text to insert before an end tag.
    before_end: String,
}

impl Edit {
    fn apply(self, pending: &mut Vec<u8>, token_len: usize) {
        if let Some(tag) = self.tag {
            pending.truncate(pending.len().saturating_sub(token_len));
            pending.extend_from_slice(tag.as_bytes());
        }
        // An end tag has no `<` but its first.
        let end = pending.iter().rposition(|&byte| byte == b'<').unwrap_or(0);
        if let Some(text) = self.text {
            pending.splice(..end, text.into_bytes());
        } else if !self.before_end.is_empty() {
            pending.splice(end..end, self.before_end.into_bytes());
        }
        pending.splice(..0, self.before.into_bytes());
    }
}

struct TransformedCopy<'a> {
    element: &'a str,
    coordinates: InputCoordinates,
    /// Whether the file names its system.
    names_system: bool,
    attributes: Attributes,
}

/// The attributes of the root element.
#[derive(Clone, Copy, PartialEq)]
enum Attributes {
    /// They may come next.
    Expected,
    Open {
        of_system: bool,
    },
    /// They have been read, or there are none in this version.
    Past,
}

impl Attributes {
    fn of_version<R: BufRead>(xml: &Xml<R>) -> Self {
        let is_first_version = xml.doctype().is_some_and(|doctype| doctype.dtd.ends_with("_v1.dtd"));
        if is_first_version { Self::Past } else { Self::Expected }
    }
}

impl TransformedCopy<'_> {
    fn start(&mut self, tag: &Tag<'_>, outside: usize) -> Result<Edit, InputError> {
        let mut edit = Edit::default();
        match (self.attributes, tag.name) {
            (Attributes::Expected, "attributes") if outside == 1 => {
                self.attributes = Attributes::Open { of_system: false };
                if tag.written().ends_with("/>") {
                    self.attributes = Attributes::Past;
                    edit.tag = self.missing_system().map(|system| format!("<attributes>\n{system}\t</attributes>"));
                }
            }
            (Attributes::Expected, _) if outside == 1 => {
                self.attributes = Attributes::Past;
                if let Some(system) = self.missing_system() {
                    edit.before = format!("\n\t<attributes>\n{system}\t</attributes>");
                }
            }
            (Attributes::Open { .. }, "attribute") => {
                self.attributes = Attributes::Open { of_system: tag.get("name") == Some(COORDINATE_SYSTEM) };
            }
            _ => {}
        }
        if tag.name == self.element && self.coordinates.transforms() {
            edit.tag = Some(self.transformed(tag)?);
        }
        Ok(edit)
    }

    fn end(&mut self, name: &str, text: &str, outside: usize, line: u64) -> Result<Edit, InputError> {
        let mut edit = Edit::default();
        match (self.attributes, name) {
            (Attributes::Open { of_system: true }, "attribute") => {
                // Warnings about the file were given when it was loaded.
                self.coordinates.file_names(text, &format!("line {line}"), &mut Warnings::new())?;
                self.names_system = true;
                if self.coordinates.transforms() {
                    let mut system = String::new();
                    push_escaped(&mut system, self.coordinates.system_of(text));
                    edit.text = Some(system);
                }
                self.attributes = Attributes::Open { of_system: false };
            }
            (Attributes::Open { .. }, "attributes") if outside == 2 => {
                self.attributes = Attributes::Past;
                edit.before_end = self.missing_system().unwrap_or_default();
            }
            _ => {}
        }
        Ok(edit)
    }

    /// Returns the line that names the system of transformed coordinates, unless the file has one.
    fn missing_system(&self) -> Option<String> {
        if self.names_system || !self.coordinates.transforms() {
            return None;
        }
        let mut line = String::from("\t\t<attribute");
        push_attribute(&mut line, "name", COORDINATE_SYSTEM);
        push_attribute(&mut line, "class", "java.lang.String");
        line.push('>');
        push_escaped(&mut line, self.coordinates.system_of(""));
        line.push_str("</attribute>\n");
        Some(line)
    }

    fn transformed(&self, tag: &Tag<'_>) -> Result<String, InputError> {
        let value = |name| tag.get(name).and_then(number).unwrap_or(f64::NAN);
        let point = self.coordinates.apply(value("x"), value("y"));
        let fault = |(message, remedy)| InputError::one(tag.place(), format!("{} {message}", tag.name), remedy);
        let (x, y) = point.map_err(fault)?;
        let mut text = format!("<{}", tag.name);
        for (name, value) in tag.attributes() {
            match name {
                "x" if !x.is_nan() => push_attribute(&mut text, name, &java_double::text(x)),
                "y" if !y.is_nan() => push_attribute(&mut text, name, &java_double::text(y)),
                _ => push_attribute(&mut text, name, value),
            }
        }
        text.push_str(if tag.written().ends_with("/>") { "/>" } else { ">" });
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::settings::Settings;

    fn copied(text: &str, of_config: Option<&str>) -> String {
        let mut settings = Settings::default();
        settings.global.coordinate_system = "EPSG:32633".into();
        settings.files.facilities_system = of_config.map(str::to_owned);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.xml");
        std::fs::write(&path, text).unwrap();
        let mut out = Vec::new();
        let coordinates = InputCoordinates::of_facilities(&settings).unwrap();
        copy_transformed(&path, "facility", coordinates, &mut out, &path).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn file(attributes: &str, x: &str, y: &str) -> String {
        format!(
            "<?xml version='1.0'?>\n<!-- <facility x=\"1\" y=\"2\"/> -->\n<facilities>{attributes}\n\t<facility  y=\"{y}\" id=\"a &amp; b\" x=\"{x}\">\n\
             \t\t<activity type=\"x\"><opentime/></activity></facility>\n<facility id=\"c\" linkId=\"1\"/></facilities>\n"
        )
    }

    fn attributes(system: &str) -> String {
        format!("<attributes><attribute name='coordinateReferenceSystem' class='c'>{system}</attribute></attributes>")
    }

    #[test]
    fn points_and_the_name_of_the_system_change_and_nothing_else() {
        let point = |text: String| {
            text.replace(
                "<facility  y=\"0.0\" id=\"a &amp; b\" x=\"500000.0\">",
                "<facility y=\"0.0\" id=\"a &amp; b\" x=\"500000.0\">",
            )
        };
        // On the equator and the central meridian of zone 33.
        let found = copied(&file(&attributes("EPSG:4326"), "15", "0"), None);
        assert_eq!(found, point(file(&attributes("EPSG:32633"), "500000.0", "0.0")));
        // The system of the file comes first.
        assert_eq!(copied(&file(&attributes("WGS84"), "15", "0"), Some("EPSG:25832")), found);
        // The same system: all bytes are kept.
        for text in [file(&attributes("WGS84_UTM33N"), "1", "2"), file("", "1", "2")] {
            assert_eq!(copied(&text, None), text);
        }
    }

    #[test]
    fn a_system_of_the_config_is_named() {
        let found = copied(&file("", "15", "0"), Some("WGS84"));
        let line =
            "\t\t<attribute name=\"coordinateReferenceSystem\" class=\"java.lang.String\">EPSG:32633</attribute>\n";
        assert!(
            found.contains(&format!("<facilities>\n\t<attributes>\n{line}\t</attributes>\n\t<facility y=\"0.0\"")),
            "{found}"
        );
        let other = "<attributes><attribute name='a' class='b'>c</attribute></attributes>";
        let found = copied(&file(other, "15", "0"), Some("WGS84"));
        assert!(found.contains(&format!("c</attribute>{line}</attributes>")), "{found}");
        let found = copied(&file("<attributes/>", "15", "0"), Some("WGS84"));
        assert!(found.contains(&format!("<facilities><attributes>\n{line}\t</attributes>\n")), "{found}");
        // The first version has no attributes.
        let old =
            "<!DOCTYPE facilities SYSTEM 'facilities_v1.dtd'><facilities><facility id='1' x='15' y='0'/></facilities>";
        let found = copied(old, Some("WGS84"));
        let expected = "<facilities><facility id=\"1\" x=\"500000.0\" y=\"0.0\"/></facilities>";
        assert!(found.ends_with(expected), "{found}");
    }
}
