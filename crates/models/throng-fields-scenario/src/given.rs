//! Keys that a choice needs, allows or excludes, and errors of the library as problems of a scenario file.

use throng_core::{Problems, ValueError};

/// Adds an error of the library as a problem.
pub fn refused(place: &str, error: &ValueError, problems: &mut Problems) {
    problems.push(format!("{place}, {}", error.place), error.value.clone(), error.remedy.clone());
}

/// The value of a result; an error becomes a problem.
pub fn accept<T>(place: &str, result: Result<T, ValueError>, problems: &mut Problems) -> Option<T> {
    result.map_err(|error| refused(place, &error, problems)).ok()
}

/// Optional numbers, with those that the choice needs and those that are given.
pub struct Given<'a> {
    /// Their place.
    pub place: &'a str,
    /// The choice, such as `shape = "ring"`.
    pub choice: String,
    /// Name, whether it is given, whether the choice needs it, whether it may have it.
    pub keys: Vec<(&'static str, bool, Need)>,
}

/// Whether something is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    Must,
    May,
    MustNot,
}

impl Need {
    /// Required if `needed`, otherwise not allowed.
    pub fn when(needed: bool) -> Self {
        if needed { Self::Must } else { Self::MustNot }
    }

    /// Allowed if `sensible`.
    pub fn may_when(sensible: bool) -> Self {
        if sensible { Self::May } else { Self::MustNot }
    }
}

impl Given<'_> {
    /// Whether everything required is given. Superfluous numbers are problems, too.
    pub fn check(&self, problems: &mut Problems) -> bool {
        let mut complete = true;
        for (key, given, need) in &self.keys {
            match (given, need) {
                (false, Need::Must) => {
                    complete = false;
                    problems.push(self.place, format!("{key} is missing"), format!("{} needs it", self.choice));
                }
                (true, Need::MustNot) => {
                    problems.push(self.place, format!("{key} is given"), format!("{} has no {key}", self.choice));
                }
                _ => {}
            }
        }
        complete
    }
}
