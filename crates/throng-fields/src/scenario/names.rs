//! Names in a scenario file, and their objects.

use throng_core::Problems;
pub(crate) use throng_model::names::{known, shown};

/// Maximum number of letters of a title: the lines above a picture.
pub(crate) const LONGEST_TITLE: usize = 200;
/// Maximum number of letters of any other name or unit in pictures and tables.
pub(crate) const LONGEST: usize = 100;

/// Refuses text that cannot be shown: too long, or with control characters, which are commands to a terminal.
pub(crate) fn check(text: &str, place: &str, longest: usize, problems: &mut Problems) {
    if text.contains(char::is_control) {
        problems.push(place, format!("\"{}\"", shown(text)), "leave out control characters, such as line feeds");
    }
    let letters = text.chars().count();
    if letters > longest {
        problems.push(
            place,
            format!("{letters} characters"),
            format!("give at most {longest}, so that they can be shown"),
        );
    }
}

/// The number of a layer.
pub(crate) fn layer(name: &str, place: &str, layers: &[String], problems: &mut Problems) -> Option<usize> {
    let found = layers.iter().position(|layer| layer == name);
    if found.is_none() {
        let value = format!("there is no layer \"{}\"", shown(name));
        problems.push(place, value, known(name, layers.iter().map(String::as_str)));
    }
    found
}

/// The entry `[KINDs.NAME]`. `None` also if it exists but has problems.
pub(crate) fn entry<'a, T>(
    kind: &str,
    name: &str,
    place: &str,
    entries: &'a [(String, Option<T>)],
    problems: &mut Problems,
) -> Option<&'a T> {
    let found = entries.iter().find(|(known, _)| known == name);
    if found.is_none() {
        let names = entries.iter().map(|(name, _)| name.as_str());
        let shown = shown(name);
        let remedy = if entries.is_empty() { format!("add [{kind}s.{shown}]") } else { known(name, names) };
        problems.push(place, format!("there is no {kind} \"{shown}\""), remedy);
    }
    found.and_then(|(_, entry)| entry.as_ref())
}
