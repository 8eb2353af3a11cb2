//! Places in files.

use std::fmt;

/// A place in a file, in the notation of compilers: `kernels.cl:12:5`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file, under the name that the source was given.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Maps bytes of a source to lines and columns.
#[derive(Debug, Clone)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    /// Offsets of UTF-8 continuation bytes.
    inner: Vec<usize>,
}

impl Lines {
    pub fn of(text: &str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { starts, inner: (0..text.len()).filter(|at| !text.is_char_boundary(*at)).collect() }
    }

    /// The line of a byte, from 1.
    pub fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    /// The place of a byte in the named file. Does not scan the line, which may be the whole file.
    pub fn place(&self, file: &str, at: usize) -> Place {
        let line = self.line(at);
        let start = self.starts[line - 1];
        let inner = |before: usize| self.inner.partition_point(|inner| *inner < before);
        Place { file: file.to_owned(), line, column: at - start - (inner(at) - inner(start)) + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_and_columns_are_characters() {
        let text = "aé b\n\nc";
        let lines = Lines::of(text);
        let place = |at| lines.place("x.cl", at).to_string();
        assert_eq!(place(0), "x.cl:1:1");
        assert_eq!(place(4), "x.cl:1:4");
        assert_eq!(place(6), "x.cl:2:1");
        assert_eq!(place(7), "x.cl:3:1");
    }
}
