//! Names in a scenario file, and what they stand for.

use throng_core::{Problems, did_you_mean};

/// Letters that a title may have: the lines above a picture.
pub(super) const LONGEST_TITLE: usize = 200;
/// Letters that any other name or unit may have, all of which stand in pictures and tables.
pub(super) const LONGEST: usize = 100;

/// Refuses text that is too long to be shown.
pub(super) fn check_length(text: &str, place: &str, longest: usize, problems: &mut Problems) {
    let letters = text.chars().count();
    if letters > longest {
        problems.push(
            place,
            format!("{letters} characters"),
            format!("give {longest} at most, so that they can be shown"),
        );
    }
}

/// What to write in the place of a name that is not known: the nearest one, and all.
pub(super) fn known<'a>(name: &str, all: impl Iterator<Item = &'a str> + Clone) -> String {
    let names = format!("known are {}", all.clone().collect::<Vec<_>>().join(", "));
    match did_you_mean(name, all) {
        Some(hint) => format!("{hint} {names}"),
        None => names,
    }
}

/// The number of a layer.
pub(super) fn layer(name: &str, place: &str, layers: &[String], problems: &mut Problems) -> Option<usize> {
    let found = layers.iter().position(|layer| layer == name);
    if found.is_none() {
        problems.push(place, format!("there is no layer \"{name}\""), known(name, layers.iter().map(String::as_str)));
    }
    found
}

/// The entry `[KINDs.NAME]`. `None` also where it is there and has problems of its own.
pub(super) fn entry<'a, T>(
    kind: &str,
    name: &str,
    place: &str,
    entries: &'a [(String, Option<T>)],
    problems: &mut Problems,
) -> Option<&'a T> {
    let found = entries.iter().find(|(known, _)| known == name);
    if found.is_none() {
        let names = entries.iter().map(|(name, _)| name.as_str());
        let remedy = if entries.is_empty() { format!("add [{kind}s.{name}]") } else { known(name, names) };
        problems.push(place, format!("there is no {kind} \"{name}\""), remedy);
    }
    found.and_then(|(_, entry)| entry.as_ref())
}
