//! The single table of all parameters: parsing, `--set`, the written config and the list of parameters all use it.

use super::field::Field;
use super::others::OTHERS;
use super::supported::SUPPORTED;
use super::teleported::LegacyParameter;

/// A config group (module) and its treatment.
pub(super) struct Group {
    /// Name in the current MATSim release.
    pub name: &'static str,
    /// Names used by earlier MATSim releases.
    pub former_names: &'static [&'static str],
    /// The treatment of the group's parameters.
    pub role: Role,
}

/// The role of a config group in the mobility simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Role {
    /// Its parameters are in the table; an unknown one is an error.
    Read,
    /// Nothing in it can change the result of the mobility simulation.
    NoEffect(&'static str),
    /// Its presence requests something that would change the result and is unsupported.
    Extension(&'static str),
}

/// A parameter and its treatment.
pub(super) struct ParameterSpec {
    /// Name of the config group that contains the parameter.
    pub group: &'static str,
    /// The parameter's name; a name that ends in `*` stands for all names with that prefix.
    pub name: &'static str,
    /// Other names for it, as `group.name`.
    pub aliases: &'static [&'static str],
    /// Effect of the parameter on settings and results.
    pub kind: Kind,
    /// Unit of the value; empty if it has none.
    pub unit: &'static str,
    /// One line: the meaning of the parameter, or the reason why it has no effect.
    pub meaning: &'static str,
}

/// Treatment of a parameter when it is read.
pub(super) enum Kind {
    /// It is read into the settings.
    Field(Field),
    /// It changes the teleported modes.
    Teleported(LegacyParameter),
    /// It cannot change the result of the mobility simulation.
    NoEffect,
    /// It names a file in a format that is no longer read.
    OldFile,
    /// The coordinate reference system of a file; coordinates are not transformed.
    FileCrs,
    /// Recognised but unsupported: only the neutral values are accepted.
    Unsupported {
        /// Values that have no effect.
        neutral: &'static [&'static str],
        /// Whether another value would change the result.
        effect: Effect,
        /// Advice for the user: an alternative to the value.
        remedy: &'static str,
    },
}

/// The effect of ignoring an unsupported parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Changes the result of the mobility simulation: an error, unless `throng.ignoreUnsupported` is set.
    Result,
    /// Changes something else only: a warning.
    OtherOutput,
}

/// Former names of the group `qsim`: that of the simulation that it superseded, which had the same rules.
pub(super) const QUEUE_SIMULATION: &[&str] = &["simulation", "queueSimulation"];

/// All config groups, in the order of the written config.
pub(super) static GROUPS: &[Group] = &[
    read("global", &[]),
    read("network", &[]),
    read("plans", &[]),
    read("facilities", &[]),
    read("vehicles", &[]),
    read("controller", &["controler"]),
    read("qsim", QUEUE_SIMULATION),
    read("routing", &["planscalcroute", "plansCalcRoute"]),
    read("travelTimeCalculator", &[]),
    read("counts", &[]),
    read("transit", &[]),
    read("vspExperimental", &[]),
    read("qsim_components", &[]),
    read("signalsystems", &[]),
    read("throng", &[]),
    no_effect("scoring", &["planCalcScore"], "plans are scored after the mobility simulation"),
    no_effect("replanning", &["strategy"], "plans change between iterations"),
    no_effect("timeAllocationMutator", &["TimeAllocationMutator"], "plans change between iterations"),
    no_effect("changeMode", &["changeLegMode"], "plans change between iterations"),
    no_effect("subtourModeChoice", &[], "plans change between iterations"),
    no_effect("replanningAnnealer", &["ReplanningAnnealer"], "plans change between iterations"),
    no_effect("ptCounts", &[], "counts are compared after the mobility simulation"),
    no_effect("linkStats", &[], "computed from the events"),
    no_effect("households", &[], "households do not take part in the mobility simulation"),
    no_effect("eventsManager", &["parallelEventHandling"], "how MATSim handles events internally"),
    no_effect("transitRouter", &[], "used by the transit router only"),
    no_effect("swissRailRaptor", &[], "used by the transit router only"),
    no_effect("roadpricing", &[], "tolls count in scoring and routing"),
    no_effect("scenario", &[], "superseded by switches in other groups"),
    no_effect("hermes", &[], "another mobility simulation"),
    no_effect("JDEQSim", &[], "another mobility simulation"),
    no_effect("dsim", &[], "another mobility simulation"),
    no_effect("otfvis", &[], "visualisation"),
    no_effect("emissions", &[], "computed from the events"),
    no_effect("analysis", &["simwrapper"], "computed from the events"),
    extension("dvrp", "dynamic vehicle routing"),
    extension("multiModeDrt", "demand-responsive transport"),
    extension("drt", "demand-responsive transport"),
    extension("multiModeTaxi", "taxis"),
    extension("taxi", "taxis"),
    extension("ev", "charging of electric vehicles"),
    extension("bicycle", "bicycle speeds by surface and gradient"),
];

const fn read(name: &'static str, former_names: &'static [&'static str]) -> Group {
    Group { name, former_names, role: Role::Read }
}

const fn no_effect(name: &'static str, former_names: &'static [&'static str], why: &'static str) -> Group {
    Group { name, former_names, role: Role::NoEffect(why) }
}

const fn extension(name: &'static str, what: &'static str) -> Group {
    Group { name, former_names: &[], role: Role::Extension(what) }
}

/// Finds a group by its current or former name.
pub(super) fn group(name: &str) -> Option<&'static Group> {
    GROUPS.iter().find(|g| g.name == name || g.former_names.contains(&name))
}

/// Returns all parameters.
pub(super) fn all() -> impl Iterator<Item = &'static ParameterSpec> {
    SUPPORTED.iter().chain(OTHERS)
}

/// Finds the parameter `group.name`; also returns the text matched by a `*` in its name.
pub(super) fn find<'n>(group: &str, name: &'n str) -> Option<(&'static ParameterSpec, &'n str)> {
    all().find_map(|known| {
        if known.group == group {
            if known.name == name {
                return Some((known, ""));
            }
            if let Some(rest) = known.name.strip_suffix('*').and_then(|stem| name.strip_prefix(stem)) {
                return (!rest.is_empty()).then_some((known, rest));
            }
        }
        let elsewhere = known.aliases.iter().any(|alias| alias.split_once('.') == Some((group, name)));
        elsewhere.then_some((known, ""))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_parameter_has_a_known_group_and_a_unique_name() {
        let mut seen = BTreeSet::new();
        for known in all() {
            let place = format!("{}.{}", known.group, known.name);
            assert!(group(known.group).is_some_and(|g| g.role == Role::Read), "{place}");
            assert!(!known.meaning.is_empty() && !known.meaning.contains("--"), "{place}");
            for alias in known.aliases {
                assert!(seen.insert((*alias).to_owned()), "{alias} occurs twice");
            }
            assert!(seen.insert(place.clone()), "{place} occurs twice");
        }
        assert!(seen.len() > 100, "{}", seen.len());
    }

    #[test]
    fn former_group_names_are_recognised() {
        assert_eq!(group("controler").map(|g| g.name), Some("controller"));
        assert_eq!(group("planscalcroute").map(|g| g.name), Some("routing"));
        assert_eq!(group("strategy").map(|g| g.role), group("replanning").map(|g| g.role));
        assert!(group("Controler").is_none());
    }

    #[test]
    fn parameters_are_found_by_name_pattern_and_alias() {
        assert_eq!(find("qsim", "stuckTime").map(|(k, _)| k.name), Some("stuckTime"));
        assert_eq!(find("routing", "teleportedModeSpeed_walk").map(|(_, rest)| rest), Some("walk"));
        assert!(find("routing", "teleportedModeSpeed_").is_none());
        assert_eq!(find("qsim", "nodeTransition").map(|(k, _)| k.group), Some("throng"));
        assert!(find("global", "stuckTime").is_none());
    }
}
