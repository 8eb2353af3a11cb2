//! Rules about the keys that a choice needs, permits or excludes.

use throng_core::Problems;

/// Whether a key is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Must,
    May,
    MustNot,
}

impl Presence {
    /// Required if `needed`, else not permitted.
    pub(crate) fn when(needed: bool) -> Self {
        if needed { Self::Must } else { Self::MustNot }
    }

    /// Permitted if `sensible`.
    pub(crate) fn may_when(sensible: bool) -> Self {
        if sensible { Self::May } else { Self::MustNot }
    }
}

/// Checks the keys that a choice, such as `shape = "ring"`, needs, and returns whether none of them is missing.
/// Superfluous keys are problems, too. `keys` has the name of each key, whether it is given, and whether the choice
/// needs it.
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
