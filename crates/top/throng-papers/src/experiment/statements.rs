//! What a paper says, each statement with what was found here.

use std::fmt::Write as _;

/// Whether a statement holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Confirmed,
    NotConfirmed,
    /// What it depends on is not known, cannot be had, or differs too much between runs.
    CannotBeKnown,
}

impl Verdict {
    pub(crate) fn of(holds: bool) -> Self {
        if holds { Self::Confirmed } else { Self::NotConfirmed }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::NotConfirmed => "not confirmed",
            Self::CannotBeKnown => "cannot be known",
        }
    }

    /// The verdict with what it follows from.
    pub(crate) fn by(self, found: impl AsRef<str>) -> String {
        format!("{}: {}", self.text(), found.as_ref())
    }
}

/// Statements, as a list in Markdown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Statements(pub String);

impl Statements {
    /// A list with this heading.
    pub(crate) fn under(heading: &str) -> Self {
        Self(format!("{heading}\n\n"))
    }

    /// Appends a statement with what was found, mostly a line that begins with a verdict. If nothing was found, because its
    /// programs did not run, it is left out.
    pub(crate) fn say(&mut self, statement: impl AsRef<str>, found: impl IntoIterator<Item = String>) {
        for (i, found) in found.into_iter().enumerate() {
            if i == 0 {
                let _ = writeln!(self.0, "* {}", statement.as_ref());
            }
            let _ = writeln!(self.0, "  {found}");
        }
    }
}

/// The line after a statement that begins so.
#[cfg(test)]
pub(crate) fn found(text: &str, statement: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(&format!("* {statement}")));
    lines.nth(1).map(|line| line.trim().to_owned())
}
