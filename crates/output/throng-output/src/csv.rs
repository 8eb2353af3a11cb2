//! Rows of `;`-separated values in MATSim's format: fields are quoted when needed, lines end with CR LF (RFC 4180).

use std::io::Write as _;

use throng_core::java_double;

/// The field separator of all tables.
pub const SEPARATOR: u8 = b';';

/// Appends a header line.
pub fn push_header(out: &mut Vec<u8>, columns: &[&str]) {
    let mut row = Row::new(out);
    for column in columns {
        row.text(column);
    }
    row.end();
}

/// One row under construction.
///
/// ```
/// let mut out = Vec::new();
/// let mut row = throng_output::csv::Row::new(&mut out);
/// row.text("a;b").integer(-7).time(27000.0).end();
/// assert_eq!(out, b"\"a;b\";-7;07:30:00\r\n");
/// ```
#[derive(Debug)]
pub struct Row<'a> {
    out: &'a mut Vec<u8>,
    first: bool,
}

impl<'a> Row<'a> {
    /// Starts a row at the end of `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, first: true }
    }

    fn separate(&mut self) {
        if !self.first {
            self.out.push(SEPARATOR);
        }
        self.first = false;
    }

    /// Appends a text field, quoted if it contains a separator, a quote or a line break, or starts or ends with a
    /// space or control character, starts with `!` or `#`, or is empty and the first field.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.joined(&[text])
    }

    /// Appends a text field made of several parts.
    pub fn joined(&mut self, parts: &[&str]) -> &mut Self {
        let only_field_is_empty = self.first && parts.iter().all(|part| part.is_empty());
        self.separate();
        if only_field_is_empty || needs_quotes(parts) {
            self.out.push(b'"');
            for byte in parts.iter().flat_map(|part| part.bytes()) {
                if byte == b'"' {
                    self.out.push(b'"');
                }
                self.out.push(byte);
            }
            self.out.push(b'"');
        } else {
            for part in parts {
                self.out.extend_from_slice(part.as_bytes());
            }
        }
        self
    }

    /// Appends an empty field.
    pub fn empty(&mut self) -> &mut Self {
        self.separate();
        self
    }

    /// Appends an integer.
    pub fn integer(&mut self, value: i64) -> &mut Self {
        self.separate();
        if value < 0 {
            self.out.push(b'-');
        }
        push_digits(self.out, value.unsigned_abs(), 1);
        self
    }

    /// Appends a number with `digits` decimals (at most 9), rounding half away from zero; empty if it is not finite.
    pub fn decimal(&mut self, value: f64, digits: u32) -> &mut Self {
        self.separate();
        if !value.is_finite() {
            return self;
        }
        // Formats via an integer: the general formatter would take half of the time of writing a table.
        let unit = 10u64.pow(digits.min(9));
        let scaled = (value.abs() * unit as f64).round() as u64;
        if value < 0.0 && scaled > 0 {
            self.out.push(b'-');
        }
        push_digits(self.out, scaled / unit, 1);
        if unit > 1 {
            self.out.push(b'.');
            push_digits(self.out, scaled % unit, digits.min(9) as usize);
        }
        self
    }

    /// Appends a number in Java's notation.
    pub fn java_double(&mut self, value: f64) -> &mut Self {
        self.separate();
        let mut text = String::new();
        java_double::push(&mut text, value);
        self.out.extend_from_slice(text.as_bytes());
        self
    }

    /// Appends a time in seconds as `HH:MM:SS`, truncated to whole seconds; `undefined` if it is not finite.
    pub fn time(&mut self, seconds: f64) -> &mut Self {
        self.separate();
        if !seconds.is_finite() {
            self.out.extend_from_slice(b"undefined");
            return self;
        }
        if seconds < 0.0 {
            self.out.push(b'-');
        }
        let whole = seconds.abs() as u64;
        push_digits(self.out, whole / 3600, 2);
        self.out.push(b':');
        push_digits(self.out, whole / 60 % 60, 2);
        self.out.push(b':');
        push_digits(self.out, whole % 60, 2);
        self
    }

    /// Appends a time or duration in seconds so that it can be read back exactly, such as `28800` or `28800.5`; empty
    /// if it is not finite.
    pub fn seconds(&mut self, seconds: f64) -> &mut Self {
        self.separate();
        if seconds.is_finite() {
            let _ = write!(self.out, "{seconds}");
        }
        self
    }

    /// Appends a number with the fewest digits from which it can be read back exactly: `3`, `0.1`, `1e-7`; empty if it
    /// is not finite.
    pub fn number(&mut self, value: f64) -> &mut Self {
        self.shortest(value.is_finite().then(|| format!("{value:?}")))
    }

    /// Like [`Row::number`], in single precision.
    pub fn single(&mut self, value: f32) -> &mut Self {
        self.shortest(value.is_finite().then(|| format!("{value:?}")))
    }

    fn shortest(&mut self, text: Option<String>) -> &mut Self {
        self.separate();
        if let Some(text) = text {
            self.out.extend_from_slice(text.strip_suffix(".0").unwrap_or(&text).as_bytes());
        }
        self
    }

    /// Ends the row.
    pub fn end(&mut self) {
        self.out.extend_from_slice(b"\r\n");
    }
}

/// Rounds a number to `digits` significant digits (at least 1). With fewer digits than double precision has, products
/// of integers and decimal fractions become decimal fractions again: `3 * 0.1` is 0.3.
pub fn significant(value: f64, digits: usize) -> f64 {
    // This notation can always be parsed.
    format!("{value:.*e}", digits.max(1) - 1).parse().unwrap_or(value)
}

/// Appends `value` in decimal with at least `width` digits (at most 20).
pub fn push_digits(out: &mut Vec<u8>, mut value: u64, width: usize) {
    let mut digits = [b'0'; 20];
    let mut start = digits.len();
    while value > 0 {
        start -= 1;
        digits[start] = b'0' + (value % 10) as u8;
        value /= 10;
    }
    let start = start.min(digits.len() - width.min(digits.len()));
    out.extend_from_slice(&digits[start..]);
}

fn needs_quotes(parts: &[&str]) -> bool {
    let special = |byte: u8| matches!(byte, SEPARATOR | b'"' | b'\r' | b'\n');
    let first = parts.iter().find_map(|part| part.bytes().next());
    let last = parts.iter().rev().find_map(|part| part.bytes().next_back());
    // Readers that support comments treat a leading # as one.
    first.is_some_and(|byte| byte <= b'#')
        || last.is_some_and(|byte| byte <= b' ')
        || parts.iter().any(|part| part.bytes().any(special))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(fill: impl FnOnce(&mut Row<'_>)) -> String {
        let mut out = Vec::new();
        fill(&mut Row::new(&mut out));
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn strings_are_quoted_only_when_needed() {
        for (text, field) in [
            ("car", "car"),
            ("", ""),
            ("a;b", "\"a;b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            (" x", "\" x\""),
            ("x ", "\"x \""),
            ("#1", "\"#1\""),
            ("a b", "a b"),
            ("Zürich", "Zürich"),
        ] {
            assert_eq!(row(|r| r.integer(1).text(text).end()), format!("1;{field}\r\n"));
        }
        assert_eq!(row(|r| r.text("").end()), "\"\"\r\n");
        assert_eq!(row(|r| r.joined(&["1", "_", "2"]).end()), "1_2\r\n");
    }

    #[test]
    fn numbers_and_times_are_formatted() {
        assert_eq!(
            row(|r| r.integer(0).integer(-15).integer(i64::MIN).decimal(1.005, 1).decimal(f64::NAN, 1).end()),
            "0;-15;-9223372036854775808;1.0;\r\n"
        );
        assert_eq!(
            row(|r| r.decimal(-0.04, 1).decimal(-71.287, 2).decimal(46.938, 2).decimal(2.5, 0).end()),
            "0.0;-71.29;46.94;3\r\n"
        );
        assert_eq!(row(|r| r.java_double(4950.0).time(90061.9).time(-61.0).end()), "4950.0;25:01:01;-00:01:01\r\n");
        let numbers = row(|r| r.number(3.0).number(-0.1).number(1e-7).number(2e300).number(f64::INFINITY).end());
        assert_eq!(numbers, "3;-0.1;1e-7;2e300;\r\n");
        let single = row(|r| r.single(0.1).single(3.0).single(1e-9).single(f32::NAN).number(f64::from(0.1f32)).end());
        assert_eq!(single, "0.1;3;1e-9;;0.10000000149011612\r\n");
        assert_eq!([3.0 * 0.1, 1e-30 / 3.0, -2.5, 0.0].map(|value| significant(value, 3)), [0.3, 3.33e-31, -2.5, 0.0]);
        let seconds = row(|r| r.seconds(90_061.0).seconds(0.1 + 0.2).seconds(f64::NAN).seconds(-1.5).end());
        assert_eq!(seconds, "90061;0.30000000000000004;;-1.5\r\n");
    }
}
