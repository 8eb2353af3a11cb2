//! Names in a scenario file, and what they stand for.

use throng_core::Problems;

/// The number of a layer.
pub(super) fn layer(name: &str, place: &str, layers: &[String], problems: &mut Problems) -> Option<usize> {
    let found = layers.iter().position(|layer| layer == name);
    if found.is_none() {
        problems.push(place, format!("there is no layer \"{name}\""), format!("layers are {}", layers.join(", ")));
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
        let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
        let remedy =
            if names.is_empty() { format!("add [{kind}s.{name}]") } else { format!("known are {}", names.join(", ")) };
        problems.push(place, format!("there is no {kind} \"{name}\""), remedy);
    }
    found.and_then(|(_, entry)| entry.as_ref())
}
