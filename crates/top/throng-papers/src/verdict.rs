//! Whether a statement of a paper holds here.

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
}
