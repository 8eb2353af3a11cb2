//! Reads tables of separated values record by record (RFC 4180): a line end in quotation marks belongs to a value.

use std::io::{self, BufRead, Read as _};

use throng_core::csv_fields;

/// Maximum size of a record, bytes; more is a quotation mark without its other one.
const MAX_RECORD: u64 = 1 << 20;

/// The records of a table.
pub(super) struct CsvRecords<R> {
    reader: R,
    separator: char,
    /// Number of lines that have been read.
    lines: u64,
}

/// A record: the line where it begins, from 1, and its fields.
pub(super) type CsvRecord = (u64, Vec<String>);

/// Why a table cannot be read, and the line.
#[derive(Debug)]
pub(super) struct BadCsv {
    pub line: u64,
    pub message: String,
}

impl<R: BufRead> CsvRecords<R> {
    /// The records of a reader whose fields have this separator.
    pub fn new(reader: R, separator: char) -> Self {
        Self { reader, separator, lines: 0 }
    }

    /// Reads the header, whose first line decides about the separator: a semicolon if there is one, else a comma.
    pub fn with_header(reader: R) -> Result<(Self, Option<CsvRecord>), BadCsv> {
        let mut records = Self::new(reader, ';');
        let Some((line, text)) = records.next_text()? else { return Ok((records, None)) };
        records.separator = if text.contains(';') { ';' } else { ',' };
        // Some programs mark UTF-8 by three bytes.
        let fields = csv_fields(text.trim_start_matches('\u{feff}'), records.separator);
        Ok((records, Some((line, fields))))
    }

    /// The next record that is not an empty line; `None` at the end.
    pub fn next_record(&mut self) -> Result<Option<CsvRecord>, BadCsv> {
        let next = self.next_text()?;
        Ok(next.map(|(line, text)| (line, csv_fields(&text, self.separator))))
    }

    fn next_text(&mut self) -> Result<Option<(u64, String)>, BadCsv> {
        loop {
            let line = self.lines + 1;
            let bad = |message: String| BadCsv { line, message };
            let (mut bytes, mut is_open) = (Vec::new(), false);
            loop {
                let before = bytes.len();
                let room = MAX_RECORD - bytes.len() as u64;
                let read = self.reader.by_ref().take(room).read_until(b'\n', &mut bytes);
                let read = read.map_err(|error: io::Error| bad(format!("cannot be read: {error}")))?;
                self.lines += u64::from(read > 0);
                is_open = bytes[before..].iter().fold(is_open, |is_open, &byte| is_open ^ (byte == b'"'));
                if bytes.len() as u64 == MAX_RECORD || (read == 0 && is_open) {
                    return Err(bad("a quotation mark has no second one".to_owned()));
                }
                if read == 0 || !is_open {
                    break;
                }
            }
            if bytes.is_empty() {
                return Ok(None);
            }
            let text = String::from_utf8(bytes).map_err(|_| bad("is not UTF-8".to_owned()))?;
            let text = text.trim_end_matches(['\r', '\n']);
            if !text.trim().is_empty() {
                return Ok(Some((line, text.to_owned())));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8]) -> Result<Vec<CsvRecord>, String> {
        let text_of = |BadCsv { line, message }: BadCsv| format!("{line}: {message}");
        let (mut records, header) = CsvRecords::with_header(text).map_err(text_of)?;
        let mut found: Vec<CsvRecord> = header.into_iter().collect();
        while let Some(record) = records.next_record().map_err(text_of)? {
            found.push(record);
        }
        Ok(found)
    }

    fn record(line: u64, fields: &[&str]) -> CsvRecord {
        (line, fields.iter().map(|&field| field.to_owned()).collect())
    }

    #[test]
    fn records_are_found_in_every_common_form() {
        let expected = [record(1, &["a", "b"]), record(3, &["1", "x, y\nz"]), record(5, &["2", ""])];
        assert_eq!(all(b"\xef\xbb\xbfa,b\r\n\r\n1,\"x, y\nz\"\r\n2,").unwrap(), expected);
        assert_eq!(all(b"a;b,c\n1;2").unwrap(), [record(1, &["a", "b,c"]), record(2, &["1", "2"])]);
        assert!(all(b"").unwrap().is_empty() && all(b"\n \n").unwrap().is_empty());
    }

    #[test]
    fn damaged_tables_are_refused_with_the_line() {
        assert_eq!(all(b"a\n\"b\nc\n").unwrap_err(), "2: a quotation mark has no second one");
        assert_eq!(all(b"a\nb\n\xff\n").unwrap_err(), "3: is not UTF-8");
        let long = [b"a\n\"".as_slice(), &vec![b'x'; MAX_RECORD as usize]].concat();
        assert_eq!(all(&long).unwrap_err(), "2: a quotation mark has no second one");
    }
}
