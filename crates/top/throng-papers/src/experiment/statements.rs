//! Statements of a paper, each with a verdict.

use std::fmt::Write as _;

/// Whether a statement holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Confirmed,
    NotConfirmed,
    /// The necessary data are unknown, unavailable, or vary too much between runs.
    Undecided,
}

impl Verdict {
    pub(crate) fn of(holds: bool) -> Self {
        if holds { Self::Confirmed } else { Self::NotConfirmed }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::NotConfirmed => "not confirmed",
            Self::Undecided => "cannot be known",
        }
    }

    /// The verdict, followed by its evidence.
    pub(crate) fn with_evidence(self, found: impl AsRef<str>) -> String {
        format!("{}: {}", self.text(), found.as_ref())
    }
}

/// Statements, as a Markdown list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Statements(pub String);

impl Statements {
    /// Starts a list under this heading.
    pub(crate) fn under(heading: &str) -> Self {
        Self(format!("{heading}\n\n"))
    }

    /// Appends a statement and its findings, typically lines that start with a verdict. Omits a statement without
    /// findings, because its programs did not run.
    pub(crate) fn push(&mut self, statement: impl AsRef<str>, found: impl IntoIterator<Item = String>) {
        for (i, found) in found.into_iter().enumerate() {
            if i == 0 {
                let _ = writeln!(self.0, "* {}", statement.as_ref());
            }
            let _ = writeln!(self.0, "  {found}");
        }
    }
}

/// The line after the statement with this beginning.
#[cfg(test)]
pub(crate) fn found(text: &str, statement: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(&format!("* {statement}")));
    lines.nth(1).map(|line| line.trim().to_owned())
}
