//! The header of an NPY file: the type and the shape of the array, as a Python dictionary in text form.

use std::fmt::Write;
use std::io::Read;

use throng_core::InputError;

/// First bytes of a file of version 1.0.
const MAGIC: &[u8; 8] = b"\x93NUMPY\x01\x00";
/// Number of bytes before the version.
const SIGNATURE: usize = 6;
/// Maximum length of a header that is read, bytes. Headers of three-dimensional arrays take less than 200.
const MAX_HEADER_BYTES: u32 = 1 << 16;
/// Alignment of the data, bytes.
const ALIGNMENT: usize = 64;

/// Content of the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    /// Type of the values, such as `<f4`.
    pub descr: String,
    pub fortran_order: bool,
    pub shape: Vec<u64>,
}

/// Returns the complete header of a file for a two-dimensional array.
pub(super) fn bytes(descr: &str, rows: u32, columns: u32) -> Vec<u8> {
    bytes_of(descr, &[rows.into(), columns.into()])
}

/// Returns the complete header of a file for an array of two or more dimensions.
pub(super) fn bytes_of(descr: &str, shape: &[u64]) -> Vec<u8> {
    let shape = shape.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    let start = MAGIC.len() + 2;
    let whole = (start + text.len() + 1).next_multiple_of(ALIGNMENT);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", " ".repeat(whole - start - text.len() - 1));
    let mut bytes = MAGIC.to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.into_bytes());
    bytes
}

/// Reads the header of a file of any supported version, up to the first value.
pub(super) fn read(source: &mut impl Read) -> Result<Header, InputError> {
    let start = read_some(source, MAGIC.len() as u64, "NPY, start")?;
    if start.len() < MAGIC.len() && start.iter().zip(MAGIC).take(SIGNATURE).all(|(byte, expected)| byte == expected) {
        return Err(truncated("NPY, start", start.len(), MAGIC.len() as u64));
    }
    if start.len() < MAGIC.len() || start[..SIGNATURE] != MAGIC[..SIGNATURE] {
        let remedy = "an NPY file begins with \\x93NUMPY";
        return Err(InputError::one("NPY, start", format!("\"{}\"", start.escape_ascii()), remedy));
    }
    // Version 2.0 has a longer length field, and 3.0 allows UTF-8 in field names, which plain arrays do not have.
    let bytes_of_length = match start[SIGNATURE..] {
        [1, 0] => 2,
        [2 | 3, 0] => 4,
        _ => {
            let version = format!("{}.{}", start[6], start[7]);
            return Err(InputError::one("NPY, version", version, "expected 1.0, 2.0 or 3.0, which numpy.save writes"));
        }
    };
    let mut length = read_all(source, bytes_of_length, "NPY, length of the header")?;
    length.resize(4, 0);
    let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
    if length > MAX_HEADER_BYTES {
        let remedy = format!("expected at most {MAX_HEADER_BYTES} bytes: the file is damaged");
        return Err(InputError::one("NPY, length of the header", length, remedy));
    }
    let text = read_all(source, u64::from(length), "NPY, header")?;
    let text = std::str::from_utf8(&text)
        .map_err(|error| InputError::one("NPY, header", error, "expected a Python dictionary in text"))?;
    parse(text)
}

/// Reads exactly `count` bytes.
fn read_all(source: &mut impl Read, count: u64, place: &str) -> Result<Vec<u8>, InputError> {
    let bytes = read_some(source, count, place)?;
    if (bytes.len() as u64) < count {
        return Err(truncated(place, bytes.len(), count));
    }
    Ok(bytes)
}

fn truncated(place: &str, found: usize, expected: u64) -> InputError {
    let found = if found == 1 { "1 byte".to_owned() } else { format!("{found} bytes") };
    InputError::one(place, found, format!("expected {expected} bytes: the file is truncated"))
}

/// Reads `count` bytes, or fewer at the end of the source.
pub(super) fn read_some(source: &mut impl Read, count: u64, place: &str) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    let read = source.take(count).read_to_end(&mut bytes);
    read.map_err(|error| InputError::one(place, format!("not read: {error}"), "check that the source can be read"))?;
    Ok(bytes)
}

/// Parses the dictionary.
fn parse(text: &str) -> Result<Header, InputError> {
    let mut rest = Rest { text, at: 0 };
    let (mut descr, mut fortran_order, mut shape) = (None, None, None);
    rest.expect('{')?;
    while !rest.accepts('}') {
        let key = rest.string()?;
        rest.expect(':')?;
        match key {
            "descr" => descr = Some(rest.string()?.to_owned()),
            "fortran_order" => fortran_order = Some(rest.truth()?),
            "shape" => shape = Some(rest.shape()?),
            _ => return Err(InputError::one("NPY, header", key, "expected descr, fortran_order and shape")),
        }
        if !rest.accepts(',') {
            rest.expect('}')?;
            break;
        }
    }
    match (descr, fortran_order, shape) {
        (Some(descr), Some(fortran_order), Some(shape)) if rest.left().is_empty() => {
            Ok(Header { descr, fortran_order, shape })
        }
        (Some(_), Some(_), Some(_)) => Err(rest.wrong("nothing more")),
        _ => {
            let remedy = "expected descr, fortran_order and shape";
            Err(InputError::one("NPY, header", format!("{:?}", text.trim_end()), remedy))
        }
    }
}

/// The unparsed rest of the text.
struct Rest<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Rest<'a> {
    /// Returns the unparsed text without leading and trailing spaces.
    fn left(&mut self) -> &'a str {
        let left = &self.text[self.at..];
        let trimmed = left.trim_start();
        self.at += left.len() - trimmed.len();
        trimmed.trim_end()
    }

    /// Consumes a character if it is the next one.
    fn accepts(&mut self, letter: char) -> bool {
        let found = self.left().starts_with(letter);
        if found {
            self.at += letter.len_utf8();
        }
        found
    }

    fn expect(&mut self, letter: char) -> Result<(), InputError> {
        if self.accepts(letter) { Ok(()) } else { Err(self.wrong(&format!("{letter:?}"))) }
    }

    /// Parses a quoted string.
    fn string(&mut self) -> Result<&'a str, InputError> {
        let left = self.left();
        let found = ['\'', '"'].iter().find_map(|&quote| left.strip_prefix(quote)?.split_once(quote));
        let (inside, _) = found.ok_or_else(|| self.wrong("a string in quotes"))?;
        self.at += inside.len() + 2;
        Ok(inside)
    }

    fn truth(&mut self) -> Result<bool, InputError> {
        let left = self.left();
        let found = [("True", true), ("False", false)].into_iter().find(|(word, _)| left.starts_with(word));
        let (word, truth) = found.ok_or_else(|| self.wrong("True or False"))?;
        self.at += word.len();
        Ok(truth)
    }

    /// Parses a tuple of integers.
    fn shape(&mut self) -> Result<Vec<u64>, InputError> {
        let mut shape = Vec::new();
        self.expect('(')?;
        while !self.accepts(')') {
            let left = self.left();
            let digits = left.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(left.len());
            let number = left[..digits].parse().map_err(|_| self.wrong("a number of rows or columns"))?;
            shape.push(number);
            self.at += digits;
            if !self.accepts(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(shape)
    }

    /// Returns the error for unexpected characters.
    fn wrong(&mut self, expected: &str) -> InputError {
        let found: String = self.left().chars().take(20).collect();
        let place = format!("NPY, header, byte {}", self.at + 1);
        InputError::one(place, format!("{found:?}"), format!("expected {expected}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_match_the_format_byte_for_byte() {
        let head = bytes("<f4", 3, 4);
        let text = b"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }";
        assert_eq!((head.len(), &head[..10]), (128, b"\x93NUMPY\x01\x00\x76\x00".as_slice()));
        assert_eq!(&head[10..10 + text.len()], text);
        assert!(head[10 + text.len()..127].iter().all(|&byte| byte == b' ') && head[127] == b'\n');
        for (rows, columns) in [(1, 1), (4_000_000_000, 1), (123_456, 654_321)] {
            let head = bytes("|u1", rows, columns);
            assert_eq!((head.len() % 64, head.last()), (0, Some(&b'\n')));
            assert_eq!(usize::from(u16::from_le_bytes([head[8], head[9]])), head.len() - 10);
            let shape = vec![u64::from(rows), u64::from(columns)];
            let header = parse(std::str::from_utf8(&head[10..]).unwrap()).unwrap();
            assert_eq!(header, Header { descr: "|u1".into(), fortran_order: false, shape });
        }
    }

    #[test]
    fn keys_are_accepted_in_any_order_and_quotes() {
        let header = parse("{\"shape\":(7,),'fortran_order' : True , 'descr': '>i2'}\n").unwrap();
        assert_eq!(header, Header { descr: ">i2".into(), fortran_order: true, shape: vec![7] });
        assert_eq!(parse("{'descr':'<f4','fortran_order':False,'shape':()}").unwrap().shape, Vec::<u64>::new());
    }

    #[test]
    fn invalid_headers_are_errors_with_location() {
        for (text, place, remedy) in [
            ("", "NPY, header, byte 1", "expected '{'"),
            ("{'descr': <f4}", "NPY, header, byte 11", "expected a string in quotes"),
            ("{'descr': '<f4}", "NPY, header, byte 11", "expected a string in quotes"),
            ("{'shape': (3, x)}", "NPY, header, byte 15", "expected a number of rows or columns"),
            ("{'shape': (3, -1)}", "NPY, header, byte 15", "expected a number of rows or columns"),
            ("{'shape': (3 4)}", "NPY, header, byte 14", "expected ')'"),
            ("{'shape': (99999999999999999999,)}", "NPY, header, byte 12", "expected a number of rows or columns"),
            ("{'fortran_order': no}", "NPY, header, byte 19", "expected True or False"),
            ("{'descr': '<f4'}", "NPY, header", "expected descr, fortran_order and shape"),
            ("{'colour': 'red'}", "NPY, header", "expected descr, fortran_order and shape"),
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
                "NPY, header, byte 57",
                "expected nothing more",
            ),
            ("{'descr': '\u{e9}\u{4e2d}'", "NPY, header, byte 18", "expected '}'"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!((error.place(), error.remedy()), (place, remedy), "{text}");
        }
    }
}
