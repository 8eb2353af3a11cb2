//! Which keys a choice needs, allows or excludes.

use throng_core::Problems;

/// Whether something is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Must,
    May,
    MustNot,
}

impl Presence {
    /// Required if `needed`, otherwise not allowed.
    pub(crate) fn when(needed: bool) -> Self {
        if needed { Self::Must } else { Self::MustNot }
    }

    /// Allowed if `sensible`.
    pub(crate) fn may_when(sensible: bool) -> Self {
        if sensible { Self::May } else { Self::MustNot }
    }
}

/// Whether everything is given that a choice, such as `shape = "ring"`, requires. Superfluous keys are problems, too. Each
/// key has a name, whether it is given, and whether the choice needs it.
pub(crate) fn check_keys(place: &str, choice: &str, keys: &[(&str, bool, Presence)], problems: &mut Problems) -> bool {
    let mut complete = true;
    for (key, given, need) in keys {
        match (given, need) {
            (false, Presence::Must) => {
                complete = false;
                problems.push(place, format!("{key} is missing"), format!("{choice} needs it"));
            }
            (true, Presence::MustNot) => {
                problems.push(place, format!("{key} is given"), format!("{choice} has no {key}"));
            }
            _ => {}
        }
    }
    complete
}
