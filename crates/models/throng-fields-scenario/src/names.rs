//! Names in a scenario file, and the objects that they refer to.

use std::collections::BTreeMap;

use throng_core::Problems;
use throng_fields_core::{Profile, Stamp};
use throng_model::names::known;
use throng_model::scenario_file::At;
use throng_pictures::Grid;

pub(crate) use throng_model::names::shown;

use crate::diffusion::Diffusing;
use crate::goals::GoalTable;
use crate::scenario::FieldId;
use crate::sight::SightLayer;

/// The named objects of a file that its tables refer to.
pub(crate) struct Known<'a> {
    pub layers: &'a [String],
    pub profiles: &'a BTreeMap<String, Option<Profile>>,
    pub stamps: &'a BTreeMap<String, Option<Stamp>>,
    pub diffusing: &'a [Diffusing],
    pub sights: &'a [SightLayer],
    /// Names of combinations and costs; the first of each is the unnamed default.
    pub combinations: &'a [String],
    pub flows: &'a [String],
    pub teams: &'a [String],
    pub groups: &'a [String],
    pub entities: &'a [Option<String>],
    pub goals: &'a [At<GoalTable>],
    /// Whether the scenario has `[influence]`.
    pub has_influence: bool,
    /// `None` if it has problems.
    pub grid: Option<Grid>,
}

impl Known<'_> {
    /// The origin of the grid.
    pub(crate) fn origin(&self) -> [f64; 2] {
        self.grid.map_or([0.0; 2], |grid| grid.origin())
    }

    /// Whether a layer diffuses.
    pub(crate) fn diffuses(&self, layer: usize) -> bool {
        self.diffusing.iter().any(|diffusing| diffusing.layer == layer)
    }

    /// Whether a layer holds lines of sight.
    pub(crate) fn is_seen(&self, layer: usize) -> bool {
        self.sights.iter().any(|sight| sight.layer == layer)
    }

    /// Returns the index of a named combination or of named costs.
    pub(crate) fn number(
        kind: &str,
        name: &str,
        place: &str,
        names: &[String],
        problems: &mut Problems,
    ) -> Option<usize> {
        let found = names.iter().skip(1).position(|known| known == name);
        if found.is_none() {
            let named = names.iter().skip(1).map(String::as_str);
            missing_entry(kind, name, place, named, problems);
        }
        found.map(|place| place + 1)
    }
}

/// Maximum number of characters of a title: the lines above an image.
pub(crate) const MAX_TITLE_LETTERS: usize = 200;
/// Maximum number of characters of any other name or unit in images and tables.
pub(crate) const MAX_LENGTH: usize = 100;

/// Rejects an empty name, or one that cannot be displayed.
pub(crate) fn check_name(name: &str, place: &str, problems: &mut Problems) {
    if name.is_empty() {
        problems.push(place, "\"\"", "expected at least one letter");
    }
    check(name, place, MAX_LENGTH, problems);
}

/// Rejects text that cannot be displayed: too long, or with control characters, which are commands to a terminal.
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

/// Adds a problem for an undefined name. `defined` are the names of this kind, which `parts` of the file define; if
/// there are none, the remedy is `otherwise`.
pub(crate) fn missing<'a>(
    place: &str,
    (kind, parts): (&str, &[&str]),
    name: &str,
    defined: impl IntoIterator<Item = &'a str>,
    otherwise: &str,
    problems: &mut Problems,
) {
    let defined: Vec<&str> = defined.into_iter().collect();
    let remedy = if defined.is_empty() { otherwise.to_owned() } else { known(name, defined.iter().copied()) };
    problems.push_missing(parts, place, format!("there is no {kind} \"{}\"", shown(name)), remedy);
}

/// The parts of a file that define teams.
pub(crate) const OF_TEAMS: [&str; 2] = ["entities", "agents"];

/// The remedy for an undefined name if there are no layers.
const ADD_LAYERS: &str = "add it to layers";

/// Returns the index of a layer.
pub(crate) fn layer(name: &str, place: &str, layers: &[String], problems: &mut Problems) -> Option<usize> {
    let found = layers.iter().position(|layer| layer == name);
    if found.is_none() {
        let kind = ("layer", &["layers"][..]);
        missing(place, kind, name, layers.iter().map(String::as_str), ADD_LAYERS, problems);
    }
    found
}

/// Returns the bit of a layer in a set of layers. Layers beyond the bits, which are a problem of the list of layers,
/// have none.
pub(crate) fn layer_bit(layer: usize) -> u32 {
    1u32.checked_shl(layer as u32).unwrap_or(0)
}

/// Returns the field with this name: a combination or a layer. The first combination, the combined field, has an empty
/// name.
pub(crate) fn field(
    name: &str,
    place: &str,
    layers: &[String],
    combinations: &[String],
    problems: &mut Problems,
) -> Option<FieldId> {
    if let Some(number) = combinations.iter().skip(1).position(|known| known == name) {
        return Some(FieldId::Combination(number + 1));
    }
    let found = layers.iter().position(|layer| layer == name);
    if found.is_none() {
        let all = layers.iter().chain(combinations.iter().skip(1)).map(String::as_str);
        let kind = if combinations.len() > 1 { "layer or combination" } else { "layer" };
        missing(place, (kind, &["layers", "combinations"]), name, all, ADD_LAYERS, problems);
    }
    found.map(FieldId::Layer)
}

/// Returns the entry `[KINDs.NAME]`; `None` also if it exists but has problems.
pub(crate) fn entry<'a, T>(
    kind: &str,
    name: &str,
    place: &str,
    entries: &'a BTreeMap<String, Option<T>>,
    problems: &mut Problems,
) -> Option<&'a T> {
    let found = entries.get(name);
    if found.is_none() {
        missing_entry(kind, name, place, entries.keys().map(String::as_str), problems);
    }
    found.and_then(Option::as_ref)
}

/// Adds a problem for a name without `[KINDs.NAME]`. `defined` are the names of such entries.
pub(crate) fn missing_entry<'a>(
    kind: &str,
    name: &str,
    place: &str,
    defined: impl IntoIterator<Item = &'a str>,
    problems: &mut Problems,
) {
    let part = format!("{kind}s");
    missing(place, (kind, &[&part]), name, defined, &format!("add [{part}.{}]", shown(name)), problems);
}
