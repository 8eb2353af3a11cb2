//! The treatment of everything that a config states.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::Path;

use throng_core::{Change, InputError, Problems, Warnings};

use super::loader::{Decided, Loader, Stated, Treatment, unused};
use super::table::{self, GROUPS, Kind, Role};
use super::teleported::{SET_TYPE, mode_text};
use super::{check, loaded, write};
use crate::formats::open::TextInput;
use crate::formats::xml::Xml;
use throng_traffic_scenario::settings::Routing;

/// The treatment of all parameters that a config and the changes to it state. A parameter that is given twice counts
/// with its last value.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// Parameters that are used, in the order of their groups.
    pub used: Vec<UsedParameter>,
    /// Parameters without effect, by group and reason.
    pub without_effect: Vec<WithoutEffect>,
    /// Values and groups that stop a run; empty if it accepts the config.
    pub refused: Problems,
    /// Unknown groups, and unsupported values that are ignored.
    pub warnings: Warnings,
}

/// A parameter that is used.
#[derive(Debug, Clone, PartialEq)]
pub struct UsedParameter {
    /// Its name, as `group.parameter`.
    pub name: String,
    /// The value as written.
    pub value: String,
    /// Whether the value in effect differs from the default.
    pub differs: bool,
    /// The default, if there is one.
    pub default: Option<String>,
    /// File and line, or the flag.
    pub place: String,
}

/// Parameters without effect, for one reason.
#[derive(Debug, Clone, PartialEq)]
pub struct WithoutEffect {
    /// Their group.
    pub group: &'static str,
    /// Number of parameters.
    pub count: u64,
    /// Their names; empty if nothing in the group has an effect.
    pub names: Vec<String>,
    /// The reason.
    pub why: String,
}

impl Explanation {
    /// Returns the number of parameters without effect.
    pub fn count_without_effect(&self) -> u64 {
        self.without_effect.iter().map(|one| one.count).sum()
    }
}

/// Returns the treatment of everything that a config file and the changes to it state, as a run would treat it. Input
/// files are not read.
///
/// # Errors
/// If the file is not a config.
///
/// ```
/// use throng_matsim::config;
/// let text = r#"<config><module name="qsim"><param name="stuckTime" value="30"/></module>
///     <module name="taxi"/><module name="scoring"><param name="learningRate" value="1"/></module></config>"#;
/// let explained = config::explain_reader(text.as_bytes(), "config.xml".as_ref(), &[])?;
/// assert_eq!(explained.used[0].name, "qsim.stuckTime");
/// assert_eq!((explained.used[0].differs, explained.used[0].default.as_deref()), (true, Some("10")));
/// assert_eq!((explained.refused.total(), explained.count_without_effect()), (1, 1));
/// # Ok::<(), throng_core::InputError>(())
/// ```
pub fn explain_reader(input: impl BufRead, path: &Path, changes: &[Change]) -> Result<Explanation, InputError> {
    Ok(explained(loaded(input, path, changes)?.decide()))
}

/// Like [`explain_reader`], but from a file, plain or compressed; without one, only the changes are explained.
///
/// # Errors
/// If the file is not a config, or cannot be read.
pub fn explain(path: Option<&Path>, changes: &[Change]) -> Result<Explanation, InputError> {
    match path {
        Some(path) => explain_reader(TextInput::open(path)?, path, changes),
        None => Ok(explained(Loader::changed(changes).decide())),
    }
}

/// Whether a file is a config, by its first element.
pub fn is_config(path: &Path) -> bool {
    TextInput::open(path).is_ok_and(|input| Xml::new(input, "").root(&["config"], "").is_ok())
}

fn explained(mut decided: Decided) -> Explanation {
    if decided.problems.is_empty()
        && let Err(InputError(contradictions)) = check(&decided.settings)
    {
        decided.problems.append(contradictions);
    }
    let unused = unused(&decided.settings);
    let in_effect: BTreeMap<String, String> = write::flat(&decided.settings).into_iter().collect();
    let defaults = Loader::for_file(Path::new("")).decide().settings;
    let defaults: BTreeMap<String, String> = write::flat(&defaults).into_iter().collect();
    let Decided { problems, warnings, stated, without_effect: counts, .. } = decided;
    let (mut used, mut without_effect) = (Vec::new(), Vec::new());
    for group in GROUPS {
        match (group.role, counts.get(group.name)) {
            (Role::NoEffect(why) | Role::Partly(why), Some(&count)) if count > 0 => {
                without_effect.push(WithoutEffect { group: group.name, count, names: Vec::new(), why: why.to_owned() });
            }
            _ => {}
        }
        let mut by_reason: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for ((_, parameter), Stated { value, place, treatment }) in
            stated.iter().filter(|((of_group, _), _)| *of_group == group.name)
        {
            let name = format!("{}.{parameter}", group.name);
            let why = match (treatment, unused.iter().find(|unused| unused.name == name)) {
                (Treatment::Used, None) => {
                    let (default, differs) = match defaults.get(&name) {
                        Some(default) => (Some(default.clone()), in_effect.get(&name) != Some(default)),
                        None => of_teleported(parameter, value),
                    };
                    used.push(UsedParameter { name, value: value.clone(), differs, default, place: place.clone() });
                    continue;
                }
                (Treatment::Used, Some(unused)) => unused.why.clone(),
                (Treatment::NoEffect(why), _) => (*why).to_owned(),
                (Treatment::OfExtension(what), _) => format!("used for {what} only"),
                (Treatment::OldFile, _) => super::others::OLD_FILES.to_owned(),
            };
            by_reason.entry(why).or_default().push(parameter.clone());
        }
        without_effect.extend(by_reason.into_iter().map(|(why, names)| WithoutEffect {
            group: group.name,
            count: names.len() as u64,
            names,
            why,
        }));
    }
    Explanation { used, without_effect, refused: problems, warnings }
}

/// Returns the default of a parameter that changes teleported modes, if there is one, and whether the value differs
/// from it. Any other parameter without a field has one valid value.
fn of_teleported(parameter: &str, value: &str) -> (Option<String>, bool) {
    let mode = parameter.strip_prefix(SET_TYPE).map(|mode| mode.trim_matches(['[', ']']));
    let modes = Routing::default().teleported_modes;
    let default = modes.iter().find(|of| Some(of.mode.as_str()) == mode).map(mode_text);
    let is_teleported =
        matches!(table::find("routing", parameter), Some((known, _)) if matches!(known.kind, Kind::Teleported(_)));
    let differs = (mode.is_some() || is_teleported) && default.as_deref() != Some(value);
    (default, differs)
}
