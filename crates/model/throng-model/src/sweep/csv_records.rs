//! Reads tables of separated values record by record (RFC 4180): a line break inside quotation marks belongs to a
//! value.

use std::io::{self, BufRead, Read as _};

use throng_core::CsvSplitter;

/// Maximum size of a record, bytes. Anything longer is probably caused by an unmatched quotation mark.
const MAX_RECORD: u64 = 1 << 20;

/// Reader of the records of a table.
pub(super) struct CsvRecords<R> {
    reader: R,
    separator: char,
    /// Number of lines read so far.
    lines: u64,
}

/// A record: the number of its first line, from 1, and its fields.
pub(super) type CsvRecord = (u64, Vec<String>);

/// The reason why a table cannot be read, and the line.
#[derive(Debug)]
pub(super) struct BadCsv {
    pub line: u64,
    pub message: String,
}

impl<R: BufRead> CsvRecords<R> {
    /// Creates a reader for fields with this separator.
    pub fn new(reader: R, separator: char) -> Self {
        Self { reader, separator, lines: 0 }
    }

    /// Reads the header and chooses the separator from its first line: a semicolon if it contains one, else a comma.
    pub fn with_header(reader: R) -> Result<(Self, Option<CsvRecord>), BadCsv> {
        let mut records = Self::new(reader, ',');
        let Some(mut first) = records.next_text()? else { return Ok((records, None)) };
        if first.contains(';') {
            records.separator = ';';
        }
        // Some programs write a byte order mark.
        if first.starts_with('\u{feff}') {
            first.remove(0);
        }
        records.record(first).map(|record| (records, Some(record)))
    }

    /// Reads the next record that is not an empty line; `None` at the end.
    pub fn next_record(&mut self) -> Result<Option<CsvRecord>, BadCsv> {
        let first = self.next_text()?;
        first.map(|first| self.record(first)).transpose()
    }

    /// Parses the record that starts with `line`, the last line read.
    fn record(&mut self, mut line: String) -> Result<CsvRecord, BadCsv> {
        let begin = self.lines;
        let mut splitter = CsvSplitter::new(self.separator);
        let mut size = 0;
        loop {
            size += line.len() as u64;
            splitter.push(&line);
            if !splitter.is_open() {
                return Ok((begin, splitter.finish()));
            }
            let bad = |message: String| BadCsv { line: begin, message };
            line = match self.line()? {
                Some(line) if size + line.len() as u64 <= MAX_RECORD => line,
                Some(_) => {
                    return Err(bad(format!("a value in quotation marks is longer than {MAX_RECORD} bytes")));
                }
                None => return Err(bad("a quotation mark is not closed".to_owned())),
            };
        }
    }

    /// Reads the next line that is not empty.
    fn next_text(&mut self) -> Result<Option<String>, BadCsv> {
        while let Some(line) = self.line()? {
            if !line.trim().is_empty() {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// Reads the next line, including its line break; `None` at the end.
    fn line(&mut self) -> Result<Option<String>, BadCsv> {
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(MAX_RECORD + 1).read_until(b'\n', &mut bytes);
        self.lines += 1;
        let bad = |message: String| BadCsv { line: self.lines, message };
        read.map_err(|error: io::Error| bad(format!("cannot be read: {error}")))?;
        if bytes.len() as u64 > MAX_RECORD {
            return Err(bad(format!("has more than {MAX_RECORD} bytes")));
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        String::from_utf8(bytes).map(Some).map_err(|_| bad("is not UTF-8".to_owned()))
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
        // Quotation marks inside a value are literal, as in a length in inches.
        assert_eq!(
            all(b"a,b\n5\",1\n6,2").unwrap(),
            [record(1, &["a", "b"]), record(2, &["5\"", "1"]), record(3, &["6", "2"])]
        );
        assert!(all(b"").unwrap().is_empty() && all(b"\n \n").unwrap().is_empty());
    }

    #[test]
    fn damaged_tables_are_refused_with_the_line() {
        assert_eq!(all(b"a\n\"b\nc\n").unwrap_err(), "2: a quotation mark is not closed");
        assert_eq!(all(b"a\nb\n\xff\n").unwrap_err(), "3: is not UTF-8");
        let long = [b"a\n".as_slice(), &vec![b'x'; MAX_RECORD as usize + 1]].concat();
        assert_eq!(all(&long).unwrap_err(), "2: has more than 1048576 bytes");
        let open = [b"a\n\"".as_slice(), &b"x\n".repeat(MAX_RECORD as usize / 2)].concat();
        assert_eq!(all(&open).unwrap_err(), "2: a value in quotation marks is longer than 1048576 bytes");
    }
}
