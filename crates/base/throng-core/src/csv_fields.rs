//! Splitting of delimiter-separated lines, such as CSV.

/// Splits a line into fields and trims the white space around them. In a quoted field, a doubled quotation mark stands
/// for one.
///
/// ```
/// use throng_core::csv_fields;
///
/// assert_eq!(csv_fields(r#"a; "b;c" ;"say ""d""";"#, ';'), ["a", "b;c", r#"say "d""#, ""]);
/// ```
pub fn csv_fields(line: &str, separator: char) -> Vec<String> {
    let mut splitter = CsvSplitter::new(separator);
    splitter.push(line);
    splitter.finish()
}

/// Splits text of several lines like [`csv_fields`]: a quoted field may contain line breaks.
///
/// ```
/// use throng_core::CsvSplitter;
///
/// let mut splitter = CsvSplitter::new(',');
/// splitter.push("1,\"two\n");
/// assert!(splitter.is_open());
/// splitter.push("lines\"");
/// assert!(!splitter.is_open());
/// assert_eq!(splitter.finish(), ["1", "two\nlines"]);
/// ```
#[derive(Debug, Clone)]
pub struct CsvSplitter {
    separator: char,
    fields: Vec<String>,
    field: String,
    is_quoted: bool,
    was_quoted: bool,
    /// Whether the field contains only white space so far.
    is_blank: bool,
}

impl CsvSplitter {
    /// Creates an empty splitter.
    pub fn new(separator: char) -> Self {
        Self { separator, fields: vec![], field: String::new(), is_quoted: false, was_quoted: false, is_blank: true }
    }

    /// Appends the next part of the text.
    pub fn push(&mut self, text: &str) {
        for letter in text.chars() {
            if letter == '"' && (self.is_quoted || self.was_quoted || self.is_blank) {
                if self.was_quoted && !self.is_quoted {
                    self.field.push('"');
                } else if !self.is_quoted {
                    self.field.clear();
                }
                self.is_quoted = !self.is_quoted;
                self.was_quoted = true;
            } else if letter == self.separator && !self.is_quoted {
                self.end_field();
            } else if !(self.was_quoted && !self.is_quoted && letter.is_whitespace()) {
                self.field.push(letter);
                self.is_blank &= letter.is_whitespace();
            }
        }
    }

    /// Whether the text so far ends inside quotes.
    pub fn is_open(&self) -> bool {
        self.is_quoted
    }

    /// Returns the fields of the text.
    pub fn finish(mut self) -> Vec<String> {
        self.end_field();
        self.fields
    }

    fn end_field(&mut self) {
        let field = std::mem::take(&mut self.field);
        self.fields.push(if self.was_quoted { field } else { field.trim().to_owned() });
        (self.is_quoted, self.was_quoted, self.is_blank) = (false, false, true);
    }
}
