//! Places in files.

use std::fmt;

/// A place in a file, as compilers write it: `kernels.cl:12:5`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file, as its reader named it.
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

/// Finds lines and columns of a text.
#[derive(Debug, Clone)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    /// The bytes that continue a character.
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

    /// The place of a byte, in a file of this name. A file may be a single line, so that its characters are not counted.
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
