//! The parameters that are recognised but not read into the settings: those without effect on the mobility simulation,
//! and unsupported ones, most of which would change it.

use super::table::{Effect, Kind, ParameterSpec};

const VIS: &str = "visualisation";
const FOR_SEEPAGE: &str = "used with linkDynamics=SeepageQ only";
const ITERATIONS: &str = "outputs of iterations";
pub(super) const OLD_FILES: &str = "attributes in a separate file are deprecated and not read";
const ROUTER: &str = "router only";

pub(super) const fn no_effect(group: &'static str, name: &'static str, meaning: &'static str) -> ParameterSpec {
    ParameterSpec { group, name, aliases: &[], kind: Kind::NoEffect, unit: "", meaning }
}

const fn old_file(group: &'static str, name: &'static str) -> ParameterSpec {
    ParameterSpec { group, name, aliases: &[], kind: Kind::OldFile, unit: "", meaning: OLD_FILES }
}

pub(super) const fn unsupported(
    group: &'static str,
    name: &'static str,
    neutral: &'static [&'static str],
    effect: Effect,
    meaning: &'static str,
    remedy: &'static str,
) -> ParameterSpec {
    let kind = Kind::Unsupported { neutral, superseded: &[], effect, remedy };
    ParameterSpec { group, name, aliases: &[], kind, unit: "", meaning }
}

pub(super) static OTHERS: &[ParameterSpec] = &[
    no_effect("global", "defaultDelimiter", "separator of some CSV outputs"),
    no_effect("global", "insistingOnDeprecatedConfigVersion", "a check of MATSim"),
    // network
    no_effect("network", "laneDefinitionsFile", "read with qsim.useLanes=true only"),
    // plans
    no_effect("plans", "networkRouteType", "how MATSim keeps routes in memory"),
    no_effect("plans", "removingUnnecessaryPlanAttributes", "saves memory in MATSim"),
    no_effect("plans", "handlingOfPlansWithoutRoutingMode", "such trips always get their main mode"),
    old_file("plans", "inputPersonAttributesFile"),
    no_effect("plans", "tripDurationHandling", "used when trips are routed again"),
    no_effect("plans", "insistingOnUsingDeprecatedPersonAttributeFile", OLD_FILES),
    no_effect("plans", "subpopulationAttributeName", "used by replanning"),
    // facilities
    old_file("facilities", "inputFacilityAttributesFile"),
    no_effect("facilities", "insistingOnUsingDeprecatedFacilitiesAttributeFile", OLD_FILES),
    // controller
    ParameterSpec {
        group: "controller",
        name: "mobsim",
        aliases: &[],
        kind: Kind::Unsupported {
            neutral: &["qsim", "null", ""],
            superseded: &["queueSimulation"],
            effect: Effect::Result,
            remedy: "set controller.mobsim to qsim",
        },
        unit: "",
        meaning: "the mobility simulation; Throng reproduces qsim",
    },
    unsupported(
        "controller",
        "eventsFileFormat",
        &["xml", ""],
        Effect::OtherOutput,
        "events are written as XML, and as Parquet with throng.eventsParquet=true",
        "set it to xml",
    ),
    no_effect("controller", "routingAlgorithmType", "all of them find a least-cost route"),
    no_effect("controller", "createGraphs", "charts"),
    no_effect("controller", "createGraphsInterval", "charts"),
    no_effect("controller", "networkConsistencyCheck", "routes are checked when they are read"),
    no_effect("controller", "cleanItersAtEnd", ITERATIONS),
    no_effect("controller", "createScoringFunctionType", "scoring"),
    no_effect("controller", "legDurationsInterval", ITERATIONS),
    no_effect("controller", "legHistogramInterval", ITERATIONS),
    no_effect("controller", "memoryObserverInterval", "the log of MATSim"),
    no_effect("controller", "snapshotFormat", VIS),
    no_effect("controller", "writeSnapshotsInterval", VIS),
    no_effect("controller", "writeTripsInterval", ITERATIONS),
    // qsim
    unsupported(
        "qsim",
        "useLanes",
        &["false"],
        Effect::Result,
        "turning lanes at the end of links",
        "set it to false: links are simulated without turning lanes",
    ),
    unsupported(
        "qsim",
        "isUsingTravelTimeCheckInTeleportation",
        &["false"],
        Effect::Result,
        "lengthens teleported legs that are faster than a threshold",
        "set it to false",
    ),
    unsupported(
        "qsim",
        "usingTravelTimeCheckInTeleportation",
        &["false"],
        Effect::Result,
        "lengthens teleported legs that are faster than a threshold",
        "set it to false",
    ),
    unsupported(
        "qsim",
        "externalExe",
        &["null", ""],
        Effect::Result,
        "another program that simulates",
        "remove it: Throng simulates",
    ),
    no_effect("qsim", "isRestrictingSeepage", FOR_SEEPAGE),
    no_effect("qsim", "isSeepModeStorageFree", FOR_SEEPAGE),
    no_effect("qsim", "seepMode", FOR_SEEPAGE),
    no_effect("qsim", "linkWidth", VIS),
    no_effect("qsim", "nodeOffset", VIS),
    no_effect("qsim", "snapshotStyle", VIS),
    no_effect("qsim", "snapshotperiod", VIS),
    no_effect("qsim", "filterSnapshots", VIS),
    no_effect("qsim", "snapshotFormat", VIS),
    no_effect("qsim", "timeout", "used with externalExe only"),
    no_effect("qsim", "usingThreadpool", "how MATSim runs its threads"),
    // routing
    no_effect(
        "routing",
        "routingRandomness",
        "used with tolls and costs by distance only, which legs that are routed ignore with a warning",
    ),
    no_effect("routing", "networkRouteConsistencyCheck", "a check of MATSim"),
    // travelTimeCalculator
    no_effect("travelTimeCalculator", "analyzedModes", ROUTER),
    no_effect("travelTimeCalculator", "calculateLinkToLinkTravelTimes", ROUTER),
    no_effect("travelTimeCalculator", "calculateLinkTravelTimes", ROUTER),
    no_effect("travelTimeCalculator", "filterModes", ROUTER),
    no_effect("travelTimeCalculator", "maxTime", "link volumes and speeds have no last bin"),
    no_effect("travelTimeCalculator", "separateModes", ROUTER),
    no_effect("travelTimeCalculator", "travelTimeAggregator", ROUTER),
    no_effect("travelTimeCalculator", "travelTimeCalculator", ROUTER),
    no_effect("travelTimeCalculator", "travelTimeGetter", ROUTER),
    // transit
    unsupported(
        "transit",
        "boardingAcceptance",
        &["checkLineAndStop"],
        Effect::Result,
        "the vehicles that a person boards",
        "set it to checkLineAndStop: persons board the line of their route",
    ),
    no_effect("transit", "routingAlgorithmType", "trips that are routed get the connections of SwissRailRaptor"),
    no_effect("transit", "insistingOnUsingDeprecatedAttributeFiles", OLD_FILES),
    old_file("transit", "transitLinesAttributesFile"),
    old_file("transit", "transitStopsAttributesFile"),
    no_effect(
        "vspExperimental",
        "isAbleToOverwritePtInteractionParams",
        "plans are scored after the mobility simulation",
    ),
    no_effect("vspExperimental", "isUsingOpportunityCostOfTimeForLocationChoice", ITERATIONS),
    no_effect("vspExperimental", "logitScaleParamForPlansRemoval", ITERATIONS),
    no_effect("vspExperimental", "vspDefaultsCheckingLevel", "a check of MATSim"),
    no_effect("vspExperimental", "writingOutputEvents", "see controller.writeEventsInterval"),
    // further engines
    unsupported(
        "qsim_components",
        "activeComponents",
        &["ActivityEngine, NetsimEngine, TeleportationEngine, PopulationAgentSource, MessageQueueEngine"],
        Effect::Result,
        "the engines of the simulation and their order",
        "remove the parameter: the default engines are built in",
    ),
    unsupported(
        "signalsystems",
        "useSignalsystems",
        &["false"],
        Effect::Result,
        "traffic lights",
        "set it to false: traffic lights are then always green",
    ),
    no_effect("signalsystems", "signalsystems", "used with useSignalsystems=true only"),
    no_effect("signalsystems", "signalgroups", "used with useSignalsystems=true only"),
    no_effect("signalsystems", "signalcontrol", "used with useSignalsystems=true only"),
    no_effect("signalsystems", "ambertimes", "used with useSignalsystems=true only"),
    no_effect("signalsystems", "intergreentimes", "used with useSignalsystems=true only"),
    no_effect("signalsystems", "useAmbertimes", "used with useSignalsystems=true only"),
    no_effect("signalsystems", "useIntergreentimes", "used with useSignalsystems=true only"),
    no_effect("signalsystems", "actionOnIntergreenViolation", "used with useSignalsystems=true only"),
    no_effect("signalsystems", "conflictingDirections", "used with useSignalsystems=true only"),
    no_effect("signalsystems", "actionOnConflictingDirectionViolation", "used with useSignalsystems=true only"),
    no_effect("signalsystems", "intersectionLogic", "used with useSignalsystems=true only"),
];
