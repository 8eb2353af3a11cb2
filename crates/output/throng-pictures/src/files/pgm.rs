//! PGM, the greyscale images of Netpbm, in which map servers of robots store maps: `P5` with binary and `P2` with
//! decimal values.

use std::io::{self, Write};

use throng_core::InputError;

use super::image::{Channels, Image, check_size, in_8_bits};

/// Decodes a file in place, because large maps leave no memory for a second buffer. Values are scaled to 8 bits: the
/// maximum given in the file becomes 255.
///
/// # Errors
/// When the header or a value is invalid, or there are too few values. Further images in the file are ignored, as in
/// Netpbm's programs.
pub fn read(mut bytes: Vec<u8>) -> Result<Image, InputError> {
    let mut rest = Rest { bytes: &bytes, at: 2 };
    let is_text = bytes.starts_with(b"P2");
    rest.space("PGM, start", true)?;
    let [width, height] = [rest.number("PGM, width", u32::MAX)?, rest.number("PGM, height", u32::MAX)?];
    let max = rest.number("PGM, largest value", 65_535)?;
    if max == 0 {
        return Err(InputError::one("PGM, largest value", 0, "expected a number from 1 to 65535"));
    }
    // A single space separates the header from the values; binary values cannot be preceded by comments.
    rest.space("PGM, after the largest value", is_text)?;
    check_size("PGM, size", width, height)?;
    let count = width as usize * height as usize;
    let mut at = rest.at;
    // A value takes at least as many bytes as its pixel, so no byte is overwritten before it is read.
    let mut read = 0;
    while read < count {
        let value = if is_text {
            let mut rest = Rest { bytes: &bytes, at };
            let value = rest.number("PGM, number", max)?;
            at = rest.at;
            value
        } else {
            let numbers = &bytes[at.min(bytes.len())..];
            let number = if max < 256 { numbers.first().map(|&byte| u32::from(byte)) } else { pair(numbers) };
            let Some(value) = number else { break };
            if value > max {
                let place = format!("PGM, number {}", read + 1);
                return Err(InputError::one(place, value, format!("expected a whole number from 0 to {max}")));
            }
            at += if max < 256 { 1 } else { 2 };
            value
        };
        bytes[read] = in_8_bits(value, max);
        read += 1;
    }
    if read < count {
        let remedy = format!("the header promises {width} x {height}: the file is truncated");
        return Err(InputError::one("PGM, numbers", read, remedy));
    }
    bytes.truncate(count);
    Ok(Image { width, height, channels: Channels::Grey, bytes })
}

/// Reads a 16-bit big-endian number.
fn pair(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().map(|&pair| u16::from_be_bytes(pair).into())
}

/// Writes bytes as an image, top row first.
///
/// # Errors
/// When writing to the target fails.
pub fn write(width: u32, height: u32, rows: impl Iterator<Item = Vec<u8>>, target: &mut impl Write) -> io::Result<()> {
    write!(target, "P5\n{width} {height}\n255\n")?;
    for row in rows {
        target.write_all(&row)?;
    }
    target.flush()
}

/// The unparsed rest of the bytes.
struct Rest<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Rest<'_> {
    /// Consumes a single whitespace character. If `or_comment`, a comment may follow instead; it is not consumed.
    fn space(&mut self, place: &str, or_comment: bool) -> Result<(), InputError> {
        match self.bytes.get(self.at) {
            Some(byte) if byte.is_ascii_whitespace() => self.at += 1,
            Some(byte) if !(or_comment && *byte == b'#') => {
                let value = format!("\"{}\"", byte.escape_ascii());
                return Err(InputError::one(place, value, "expected a space or the end of a line"));
            }
            _ => {}
        }
        Ok(())
    }

    /// Parses the next decimal number, after spaces and comments.
    fn number(&mut self, place: &str, max: u32) -> Result<u32, InputError> {
        loop {
            match self.bytes.get(self.at) {
                Some(b'#') => {
                    let line = self.bytes[self.at..].iter().position(|&byte| byte == b'\n' || byte == b'\r');
                    self.at = line.map_or(self.bytes.len(), |end| self.at + end);
                }
                Some(byte) if byte.is_ascii_whitespace() => self.at += 1,
                _ => break,
            }
        }
        let digits = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = std::str::from_utf8(&self.bytes[self.at..self.at + digits]).unwrap_or_default();
        let found = text.parse().ok().filter(|&number| number <= max);
        let Some(number) = found else {
            let shown = &self.bytes[self.at..(self.at + digits.clamp(1, 20)).min(self.bytes.len())];
            let remedy = format!("expected a whole number from 0 to {max}");
            return Err(InputError::one(place, format!("\"{}\"", shown.escape_ascii()), remedy));
        };
        self.at += digits;
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn greys(bytes: &[u8]) -> Vec<u8> {
        read(bytes.to_vec()).unwrap().bytes
    }

    #[test]
    fn bytes_text_and_larger_numbers_are_scaled_to_8_bits() {
        let bytes = b"P5 # made by a robot\n# 0.05 m\n3 2\n255\n\x00\xfe\xcd\xff#\n";
        assert_eq!(greys(bytes), [0, 254, 205, 255, 35, 10]);
        assert_eq!(greys(b"P2\n3 1\n100\n0 50\n# half\n100\n"), [0, 128, 255]);
        assert_eq!(greys(b"P5 2 1 65535 \x80\x00\xff\xff"), [128, 255]);
        assert_eq!(greys(b"P5 2 1 15 \x05\x0f"), [85, 255]);
        let mut written = Vec::new();
        write(2, 2, [vec![1, 2], vec![3, 4]].into_iter(), &mut written).unwrap();
        assert_eq!((greys(&written), written.len()), (vec![1, 2, 3, 4], 15));
    }

    #[test]
    fn invalid_files_are_errors_with_location() {
        for (bytes, place, value) in [
            (&b"P5"[..], "PGM, width", "\"\""),
            (b"P5 x", "PGM, width", "\"x\""),
            (b"P52 2 255 1234", "PGM, start", "\"2\""),
            (b"P5 2 2 255\xff123", "PGM, after the largest value", "\"\\xff\""),
            (b"P5 3 1 100 \x00\x64\x65", "PGM, number 3", "101"),
            (b"P5 2 1 1000 \x03\xe8\x03\xe9", "PGM, number 2", "1001"),
            (b"P5 3 99999999999 255 ", "PGM, height", "\"99999999999\""),
            (b"P5 3 0 255 ", "PGM, size", "3 x 0 pixels"),
            (b"P5 65536 65536 255 ", "PGM, size", "65536 x 65536 pixels"),
            (b"P5 3 2 0 ", "PGM, largest value", "0"),
            (b"P5 3 2 70000 ", "PGM, largest value", "\"70000\""),
            (b"P5 3 2 255 12345", "PGM, numbers", "5"),
            (b"P5 3 2 65535 12345678901", "PGM, numbers", "5"),
            (b"P2 2 1 9 10 1", "PGM, number", "\"10\""),
            (b"P2 2 1 9 1", "PGM, number", "\"\""),
        ] {
            let error = read(bytes.to_vec()).unwrap_err();
            assert_eq!((error.place(), error.message()), (place, value), "{}", bytes.escape_ascii());
        }
    }
}
