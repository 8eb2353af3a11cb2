//! The single table of all parameters: parsing, `--set`, the written config and the list of parameters all use it.

use super::field::Field;
use super::iterations::{ITERATED, Iterated};
use super::others::OTHERS;
use super::route_costs::{Cost, ROUTE_COSTS};
use super::supported::SUPPORTED;
use super::teleported::LegacyParameter;
use super::transit_router::TRANSIT_ROUTER;

/// A config group (module) and its treatment.
pub(super) struct Group {
    /// Name in the current MATSim release.
    pub name: &'static str,
    /// Names used by earlier MATSim releases.
    pub former_names: &'static [&'static str],
    /// Names of groups that this one superseded: they are read only where this one is absent, with a warning, and have
    /// `yes` and `no` as flags.
    pub superseded: &'static [&'static str],
    /// The treatment of the group's parameters.
    pub role: Role,
}

impl Group {
    /// Returns all names of earlier releases.
    pub fn earlier_names(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.superseded.iter().chain(self.former_names).copied()
    }
}

/// The role of a config group in the mobility simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Role {
    /// Its parameters are in the table; an unknown one is an error.
    Read,
    /// The parameters in the table are read; all others cannot change the result of the mobility simulation.
    Partly(&'static str),
    /// Nothing in it can change the result of the mobility simulation.
    NoEffect(&'static str),
    /// It requests something that would change the result and is unsupported.
    Extension(Extension),
}

/// A part of MATSim that changes the result of the mobility simulation and is unsupported.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extension {
    /// Its addition to the mobility simulation.
    pub what: &'static str,
    /// The parameters that switch it on, unless they are `false`, 0 or empty. Without any, the group itself does.
    pub switches: &'static [&'static str],
    /// Advice for the user: an alternative to it.
    pub remedy: Remedy,
}

/// An alternative to an [`Extension`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Remedy {
    /// Advice in words.
    Advice(&'static str),
    /// Its legs are teleported: those of this mode, or of the modes named in the group.
    Teleport(&'static str),
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
    /// It is read, and counts once iterations are simulated: it has no effect on the mobility simulation.
    Iterated(Iterated),
    /// It changes the teleported modes.
    Teleported(LegacyParameter),
    /// It gives routes a cost that routers here do not weigh.
    RouteCost(Cost),
    /// It cannot change the result of the mobility simulation.
    NoEffect,
    /// It names a file in a format that is no longer read.
    OldFile,
    /// Recognised but unsupported: only the neutral values are accepted.
    Unsupported {
        /// Values that have no effect.
        neutral: &'static [&'static str],
        /// Values of earlier releases that mean the first neutral one; each causes a warning.
        superseded: &'static [&'static str],
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

/// All config groups, in the order of the written config.
pub(super) static GROUPS: &[Group] = &[
    read("global", &[]),
    read("network", &[]),
    read("plans", &[]),
    read("facilities", &[]),
    read("vehicles", &[]),
    read("controller", &["controler"]),
    // The queue simulation had the same rules.
    Group { superseded: &["simulation", "queueSimulation"], ..read("qsim", &[]) },
    read("routing", &["planscalcroute", "plansCalcRoute"]),
    read("travelTimeCalculator", &[]),
    read("counts", &[]),
    read("transit", &[]),
    read("vspExperimental", &[]),
    read("qsim_components", &[]),
    read("signalsystems", &[]),
    read("throng", &[]),
    partly("scoring", &["planCalcScore"], FOR_ITERATIONS),
    no_effect("scoringFunction", &[], SCORING),
    no_effect("scoreInternalization", &[], SCORING),
    no_effect("parkingCost", &[], SCORING),
    no_effect("ptFare", &["ptFares"], SCORING),
    partly("replanning", &["strategy"], FOR_ITERATIONS),
    partly("timeAllocationMutator", &["TimeAllocationMutator"], FOR_ITERATIONS),
    partly("changeMode", &["changeLegMode"], FOR_ITERATIONS),
    partly("subtourModeChoice", &[], FOR_ITERATIONS),
    no_effect("DiscreteModeChoice", &[], REPLANNING),
    no_effect("informedModeChoice", &[], REPLANNING),
    no_effect("replanningAnnealer", &["ReplanningAnnealer"], REPLANNING),
    no_effect("locationchoice", &[], REPLANNING),
    no_effect("frozenTastes", &[], REPLANNING),
    no_effect("socialNetwork", &["Cliques"], REPLANNING),
    no_effect("groupStrategy", &[], REPLANNING),
    no_effect("groupSizePreferences", &[], REPLANNING),
    no_effect("jointTripInsertor", &[], REPLANNING),
    no_effect("JointTripsMutator", &[], REPLANNING),
    no_effect("jointTimeModeChooser", &[], REPLANNING),
    no_effect("planLinkIdentifier", &[], REPLANNING),
    no_effect("prismicLocationChoice", &[], REPLANNING),
    no_effect("randomGroupLocationChoice", &[], REPLANNING),
    no_effect("cadytsCar", &["cadytsPt"], "plans are calibrated between iterations"),
    no_effect("psim", &[], "replaces the mobility simulation of later iterations"),
    no_effect("ptCounts", &[], "counts are compared after the mobility simulation"),
    no_effect("linkStats", &[], EVENTS),
    no_effect("households", &[], "households do not take part in the mobility simulation"),
    no_effect("eventsManager", &["parallelEventHandling"], "how MATSim handles events internally"),
    partly("transitRouter", &[], OTHER_ROUTING),
    partly("swissRailRaptor", &[], OTHER_ROUTING),
    partly("roadpricing", &[], "tolls count in scoring and routing"),
    no_effect("decongestion", &[], "tolls change between iterations, and count in scoring and routing"),
    no_effect("actuatedSylviaSignals", &[], SIGNALS),
    no_effect("adaptiveLaemmerSignals", &[], SIGNALS),
    no_effect("scenario", &[], "superseded by switches in other groups"),
    no_effect("hermes", &[], OTHER_MOBSIM),
    no_effect("JDEQSim", &[], OTHER_MOBSIM),
    no_effect("dsim", &[], OTHER_MOBSIM),
    no_effect("externalMobsim", &[], OTHER_MOBSIM),
    no_effect("otfvis", &[], "visualisation"),
    no_effect("emissions", &[], EVENTS),
    no_effect("noise", &[], EVENTS),
    no_effect("accidents", &[], EVENTS),
    no_effect("analysis", &["simwrapper"], EVENTS),
    no_effect("strategyanalysis", &[], EVENTS),
    no_effect("accessibility", &[], "computed from link travel times after the mobility simulation"),
    no_effect("temperature", &[], "used by electric vehicles only"),
    no_effect("Carsharing", &[], "used by the groups of single carsharing services only"),
    extension(
        "dvrp",
        "dynamic vehicle routing",
        "remove the module; legs of its mode are then teleported at a speed that you choose, for example \
         --set routing.teleportedModeSpeed_taxi=8 (m/s)",
    ),
    service("multiModeDrt", "demand-responsive transport", "drt"),
    service("drt", "demand-responsive transport", "drt"),
    service("multiModeTaxi", "taxis", "taxi"),
    service("taxi", "taxis", "taxi"),
    service("av", "automated taxis", "av"),
    service("sharing", "vehicles that persons share", "bike"),
    switched("FreeFloating", "carsharing", &["useFreeFloating"], Remedy::Teleport("freefloating")),
    switched("OneWayCarsharing", "carsharing", &["useOneWayCarsharing"], Remedy::Teleport("oneway")),
    switched("TwoWayCarsharing", "carsharing", &["useTwoWayCarsharing"], Remedy::Teleport("twoway")),
    extension(
        "ev",
        "charging of electric vehicles",
        "remove the module: vehicles then never charge, and none runs out of energy",
    ),
    extension(
        "bicycle",
        "bicycle speeds by surface and gradient",
        "remove the module: the speed of bicycles is then that of their vehicle type or of the link",
    ),
    extension(
        "p",
        "minibuses whose operators choose lines",
        "remove the module, and give their lines as a schedule: transit.transitScheduleFile",
    ),
    extension(
        "parkingSearch",
        "search for parking",
        "remove the module: vehicles then stop on the link of the activity",
    ),
    extension(
        "parkingProxy",
        "longer walks where parking is scarce",
        "remove the module: walks are then those of the plans",
    ),
    extension("withinDay", "plans that change during the day", "remove the module: plans then stay as they are"),
    extension(
        "railsim",
        "tracks, signals and acceleration of trains",
        "remove the module: trains then drive like buses",
    ),
    extension("commercialTraffic", "services that persons order at home or at work", TOURS),
    Group {
        former_names: &["freight"],
        ..switched("freightCarriers", "vehicles of freight carriers", &["carriersFile"], Remedy::Advice(TOURS))
    },
    switched(
        "multimodal",
        "link travel times of walks and bicycles by person",
        &["multiModalSimulationEnabled"],
        Remedy::Advice("set multimodal.multiModalSimulationEnabled=false: its modes are then teleported"),
    ),
    switched(
        "eqasim",
        "a delay at crossings",
        &["crossingPenalty"],
        Remedy::Advice("set eqasim.crossingPenalty=0: vehicles then cross without delay"),
    ),
    switched(
        "SBBPt",
        "vehicles of public transport that follow the schedule instead of driving",
        &["deterministicServiceModes"],
        Remedy::Advice("set SBBPt.deterministicServiceModes to an empty value: all vehicles then drive on links"),
    ),
    switched(
        "matrixBasedPtRouter",
        "travel times of public transport from a matrix, for legs without a route",
        &["usingPtStops", "usingTravelTimesAndDistances"],
        Remedy::Advice("set its usingPtStops and usingTravelTimesAndDistances to false, and give plans with routes"),
    ),
    switched(
        "jointPlans",
        "passengers of private vehicles",
        &["fileName"],
        Remedy::Advice("set jointPlans.fileName to an empty value, and give legs of passengers travel times"),
    ),
    switched(
        "evacuation",
        "network and plans of an evacuation, made from the links of an area",
        &["inputEvacuationAreaLinksFile"],
        Remedy::Advice("remove it, and give the network and the plans of the evacuation"),
    ),
];

const FOR_ITERATIONS: &str = "for iterations, which are not simulated yet";
const SCORING: &str = "plans are scored after the mobility simulation";
const REPLANNING: &str = "plans change between iterations";
const EVENTS: &str = "computed from the events";
const OTHER_ROUTING: &str = "not used by the router of public transport here";
const SIGNALS: &str = "used with signalsystems.useSignalsystems=true only";
const OTHER_MOBSIM: &str = "another mobility simulation";
const TOURS: &str = "remove it, and give the tours of the vehicles as plans";

const fn read(name: &'static str, former_names: &'static [&'static str]) -> Group {
    Group { name, former_names, superseded: &[], role: Role::Read }
}

const fn partly(name: &'static str, former_names: &'static [&'static str], why: &'static str) -> Group {
    Group { role: Role::Partly(why), ..read(name, former_names) }
}

const fn no_effect(name: &'static str, former_names: &'static [&'static str], why: &'static str) -> Group {
    Group { role: Role::NoEffect(why), ..read(name, former_names) }
}

const fn switched(name: &'static str, what: &'static str, switches: &'static [&'static str], remedy: Remedy) -> Group {
    Group { role: Role::Extension(Extension { what, switches, remedy }), ..read(name, &[]) }
}

const fn extension(name: &'static str, what: &'static str, advice: &'static str) -> Group {
    switched(name, what, &[], Remedy::Advice(advice))
}

const fn service(name: &'static str, what: &'static str, mode: &'static str) -> Group {
    switched(name, what, &[], Remedy::Teleport(mode))
}

/// Finds a group by its current name or one of earlier releases.
pub(super) fn group(name: &str) -> Option<&'static Group> {
    GROUPS.iter().find(|group| group.name == name || group.earlier_names().any(|earlier| earlier == name))
}

/// Returns all parameters.
pub(super) fn all() -> impl Iterator<Item = &'static ParameterSpec> {
    SUPPORTED.iter().chain(TRANSIT_ROUTER).chain(ROUTE_COSTS).chain(ITERATED).chain(OTHERS)
}

/// Finds the parameter `group.name`; also returns the text matched by a `*` in its name.
pub(super) fn find<'n>(group: &str, name: &'n str) -> Option<(&'static ParameterSpec, &'n str)> {
    all().find_map(|known| {
        if let Kind::Iterated(Iterated::OfMode(_)) | Kind::RouteCost(Cost::Rate) = known.kind
            && known.group == group
            && let Some(mode) = known.name.strip_suffix("_*").and_then(|stem| mode_of(name, stem))
        {
            return Some((known, mode));
        }
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

/// Returns the mode in a name such as `constantCar`, the older form of `constant_car`; `traveling` is for cars.
fn mode_of(name: &str, stem: &str) -> Option<&'static str> {
    match name.strip_prefix(stem)? {
        "" if stem == "traveling" => Some("car"),
        "Car" => Some("car"),
        "Pt" => Some("pt"),
        "Walk" => Some("walk"),
        "Bike" => Some("bike"),
        "Other" => Some("other"),
        _ => None,
    }
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
            assert!(group(known.group).is_some_and(|g| matches!(g.role, Role::Read | Role::Partly(_))), "{place}");
            assert!(!known.meaning.is_empty() && !known.meaning.contains("--"), "{place}");
            for alias in known.aliases {
                assert!(seen.insert((*alias).to_owned()), "{alias} occurs twice");
            }
            assert!(seen.insert(place.clone()), "{place} occurs twice");
        }
        assert!(seen.len() > 100, "{}", seen.len());
    }

    #[test]
    fn group_names_are_unique() {
        let mut seen = BTreeSet::new();
        for group in GROUPS {
            for name in std::iter::once(group.name).chain(group.earlier_names()) {
                assert!(seen.insert(name), "{name} occurs twice");
            }
        }
    }

    #[test]
    fn earlier_group_names_are_recognised() {
        assert_eq!(group("simulation").map(|g| g.name), Some("qsim"));
        assert_eq!(group("freight").map(|g| g.name), Some("freightCarriers"));
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
