//! Decodes text that is not in UTF-8.

use std::fmt;
use std::io;
use std::ops::Range;

use encoding_rs::{DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE, mem};

use super::value::quoted;

/// Number of bytes in which an XML declaration ends.
const DECLARATION: usize = 1024;

/// The decoder of a text.
pub(super) struct Decoder {
    encoding: TextEncoding,
    /// Name of the encoding, for messages.
    name: String,
    /// Number of bytes decoded.
    offset: u64,
    /// Found after the text that was returned last.
    failed: Option<WrongEncoding>,
    /// The end has been decoded, which must happen once.
    ended: bool,
}

enum TextEncoding {
    Ascii,
    /// ISO-8859-1 as in Java: all bytes are characters of the same number. In the encoding standard of the web, which
    /// the library follows, it is another name of windows-1252.
    Latin1,
    Other(encoding_rs::Decoder),
}

/// Bytes that are not text in the encoding of a file.
#[derive(Debug, Clone)]
pub(super) struct WrongEncoding {
    name: String,
    offset: u64,
    bytes: Vec<u8>,
}

impl fmt::Display for WrongEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, offset, bytes } = self;
        match bytes.as_slice() {
            [] => write!(f, "the text ends inside a character of {name}, the encoding of the file")?,
            bytes => {
                write!(f, "the bytes")?;
                for byte in bytes {
                    write!(f, " {byte:02X}")?;
                }
                write!(f, " are not text in {name}, the encoding of the file")?;
            }
        }
        write!(f, " (at byte {offset})")
    }
}

impl std::error::Error for WrongEncoding {}

impl Decoder {
    /// Determines the encoding of a text from its first bytes: from its byte order mark, the width of `<`, or its XML
    /// declaration. `None` means UTF-8.
    ///
    /// # Errors
    /// If the declared encoding is not known, or cannot be that of the declaration.
    pub(super) fn of_start(start: &[u8]) -> Result<Option<Self>, String> {
        let other = |encoding: &'static Encoding| TextEncoding::Other(encoding.new_decoder_with_bom_removal());
        let (encoding, name) = match start {
            [0xff, 0xfe, ..] | [b'<', 0, ..] => (other(UTF_16LE), "UTF-16".to_owned()),
            [0xfe, 0xff, ..] | [0, b'<', ..] => (other(UTF_16BE), "UTF-16".to_owned()),
            _ => {
                let Some(label) = declared(start).and_then(|range| start.get(range)) else { return Ok(None) };
                let name = String::from_utf8_lossy(label).into_owned();
                let encoding = match name.to_ascii_lowercase().as_str() {
                    "us-ascii" | "ascii" => TextEncoding::Ascii,
                    "iso-8859-1" | "iso8859-1" | "iso_8859-1" | "latin1" => TextEncoding::Latin1,
                    _ => {
                        let known = Encoding::for_label_no_replacement(label);
                        let known = known.ok_or_else(|| format!("the encoding {} is not known", quoted(&name)))?;
                        if known == UTF_8 {
                            return Ok(None);
                        }
                        if known == UTF_16LE || known == UTF_16BE {
                            return Err(format!("the encoding is {}, but characters have one byte", quoted(&name)));
                        }
                        other(known)
                    }
                };
                (encoding, name)
            }
        };
        Ok(Some(Self { encoding, name, offset: 0, failed: None, ended: false }))
    }

    /// Appends the text of `bytes` to `text`; none are the end. The first bytes contain the whole XML declaration.
    ///
    /// # Errors
    /// About bytes that are not text: in the next call, so that the text before them is read, or at the end.
    pub(super) fn decode(&mut self, bytes: &[u8], text: &mut Vec<u8>) -> io::Result<()> {
        self.check()?;
        if self.ended {
            return Ok(());
        }
        self.ended = bytes.is_empty();
        let is_start = self.offset == 0;
        let from = text.len();
        let wrong = match &mut self.encoding {
            TextEncoding::Ascii => {
                let valid = Encoding::ascii_valid_up_to(bytes);
                text.extend_from_slice(bytes.get(..valid).unwrap_or_default());
                (valid < bytes.len()).then_some((valid, 1))
            }
            TextEncoding::Latin1 => {
                text.resize(from + 2 * bytes.len(), 0);
                let written = mem::convert_latin1_to_utf8(bytes, text.get_mut(from..).unwrap_or_default());
                text.truncate(from + written);
                None
            }
            TextEncoding::Other(decoder) => {
                let room = decoder.max_utf8_buffer_length_without_replacement(bytes.len());
                text.resize(from + room.unwrap_or(0), 0);
                let out = text.get_mut(from..).unwrap_or_default();
                let (result, read, written) = decoder.decode_to_utf8_without_replacement(bytes, out, bytes.is_empty());
                text.truncate(from + written);
                match result {
                    DecoderResult::Malformed(length, after) => {
                        let (length, after) = (usize::from(length), usize::from(after));
                        Some((read.saturating_sub(length + after), length))
                    }
                    DecoderResult::InputEmpty | DecoderResult::OutputFull => None,
                }
            }
        };
        if let Some((at, length)) = wrong {
            let bytes = bytes.get(at..).unwrap_or_default();
            let bytes = bytes.get(..length).unwrap_or(bytes).to_vec();
            self.failed = Some(WrongEncoding { name: self.name.clone(), offset: self.offset + at as u64, bytes });
        }
        self.offset += bytes.len() as u64;
        if is_start && let Some(range) = declared(text) {
            // The text is copied to other files, too.
            text.splice(range, *b"UTF-8");
        }
        if self.ended { self.check() } else { Ok(()) }
    }

    fn check(&self) -> io::Result<()> {
        match &self.failed {
            Some(failed) => Err(io::Error::new(io::ErrorKind::InvalidData, failed.clone())),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Decoder").field(&self.name).finish()
    }
}

/// The remedy for a wrong encoding.
pub(super) const WRONG_ENCODING: &str =
    "Correct the encoding in the first line, `<?xml version=\"1.0\" encoding=\"...\"?>`, or write the file in UTF-8.";

/// Returns the range of the encoding in the XML declaration at the start of a text, if any. A byte order mark, which
/// means UTF-8, takes precedence over the declaration.
fn declared(start: &[u8]) -> Option<Range<usize>> {
    let declaration = start.get(..DECLARATION).unwrap_or(start);
    let declaration = declaration.strip_prefix(b"<?xml")?;
    let end = declaration.windows(2).position(|pair| pair == b"?>")?;
    let declaration = declaration.get(..end)?;
    let blank = |text: &'_ [u8]| text.len() - text.trim_ascii_start().len();
    let name = b"encoding";
    let mut at = declaration.windows(name.len()).position(|part| part == name)? + name.len();
    at += blank(declaration.get(at..)?);
    at += usize::from(declaration.get(at) == Some(&b'='));
    at += blank(declaration.get(at..)?);
    let quote = *declaration.get(at).filter(|&&byte| byte == b'"' || byte == b'\'')?;
    let length = declaration.get(at + 1..)?.iter().position(|&byte| byte == quote)?;
    let from = b"<?xml".len() + at + 1;
    Some(from..from + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], piece: usize) -> Result<String, String> {
        let mut decoder = Decoder::of_start(bytes)?.expect("not UTF-8");
        let mut text = Vec::new();
        for part in bytes.chunks(piece).chain([&[][..]]) {
            decoder.decode(part, &mut text).map_err(|error| error.to_string())?;
        }
        Ok(String::from_utf8(text).unwrap())
    }

    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    fn declaration(name: &str) -> String {
        format!("<?xml version='1.0' encoding = \"{name}\"?><a>")
    }

    #[test]
    fn encodings_are_determined_and_decoded() {
        let wanted = "<?xml version='1.0' encoding = \"UTF-8\"?><a>";
        let bytes = |name: &str, rest: &[u8]| [declaration(name).as_bytes(), rest].concat();
        for (bytes, rest) in [
            (bytes("ISO-8859-1", b"\xe4\x80"), "ä\u{80}"),
            (bytes("windows-1252", b"\xe4\x80"), "ä€"),
            (bytes("iso-8859-15", b"\xa4"), "€"),
            (bytes("US-ASCII", b"a"), "a"),
            (utf16(&(declaration("UTF-16") + "ä\u{1f600}"), u16::to_le_bytes), "ä\u{1f600}"),
            (utf16(&(declaration("UTF-16BE") + "ä\u{1f600}"), u16::to_be_bytes), "ä\u{1f600}"),
        ] {
            for piece in [1000, 95] {
                assert_eq!(decoded(&bytes, piece).unwrap(), format!("{wanted}{rest}"));
            }
        }
        assert_eq!(decoded(&utf16("\u{feff}ä;", u16::to_le_bytes), 3).unwrap(), "ä;");
        assert_eq!(decoded(&utf16("\u{feff}ä;", u16::to_be_bytes), 3).unwrap(), "ä;");
    }

    #[test]
    fn utf_8_is_not_decoded() {
        for text in ["", "<a/>", "<?xml version='1.0'?>", "a;b", "\u{feff}<?xml encoding='latin1'?>", "<?xml encoding="]
        {
            assert!(Decoder::of_start(text.as_bytes()).unwrap().is_none(), "{text}");
        }
        assert!(Decoder::of_start(declaration("utf-8").as_bytes()).unwrap().is_none());
        for (name, message) in [
            ("klingon", "the encoding \"klingon\" is not known"),
            ("UTF-16", "the encoding is \"UTF-16\", but characters have one byte"),
        ] {
            assert_eq!(Decoder::of_start(declaration(name).as_bytes()).unwrap_err(), message);
        }
    }

    #[test]
    fn bytes_that_are_not_text_are_errors() {
        let start = declaration("us-ascii");
        let message = decoded(&[start.as_bytes(), b"\xe4"].concat(), 1000).unwrap_err();
        assert_eq!(message, "the bytes E4 are not text in us-ascii, the encoding of the file (at byte 46)");
        let unpaired = [&utf16("\u{feff}a", u16::to_le_bytes)[..], b"\x00\xd8a\0"].concat();
        let message = decoded(&unpaired, 1000).unwrap_err();
        assert_eq!(message, "the bytes 00 D8 are not text in UTF-16, the encoding of the file (at byte 4)");
        let message = decoded(&utf16("\u{feff}a", u16::to_le_bytes)[..3], 1000).unwrap_err();
        assert!(message.starts_with("the text ends inside a character of UTF-16"), "{message}");
    }
}
