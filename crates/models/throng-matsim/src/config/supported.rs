//! The parameters that are read into [`Settings`](throng_traffic_scenario::settings::Settings), group by group.

use super::field::{Choice, Field, choice};
use super::others::{no_effect, unsupported};
use super::table::{Effect, Kind, ParameterSpec};
use super::teleported::LegacyParameter;
use throng_traffic_scenario::settings::{
    AccessEgress, ActivityDurationInterpretation, Compat, Compression, EndInterpretation, FacilitiesSource,
    InflowCapacity, JavaSeeding, LinkDynamics, NodeRandom, NodeTransition, OverwriteFiles, StartInterpretation,
    TrafficDynamics, VehicleBehavior, VehiclesSource,
};

const fn field(
    group: &'static str,
    name: &'static str,
    field: Field,
    unit: &'static str,
    meaning: &'static str,
) -> ParameterSpec {
    ParameterSpec { group, name, aliases: &[], kind: Kind::Field(field), unit, meaning }
}

const fn field_also(
    group: &'static str,
    name: &'static str,
    aliases: &'static [&'static str],
    field: Field,
    unit: &'static str,
    meaning: &'static str,
) -> ParameterSpec {
    ParameterSpec { group, name, aliases, kind: Kind::Field(field), unit, meaning }
}

const fn teleported(
    name: &'static str,
    what: LegacyParameter,
    unit: &'static str,
    meaning: &'static str,
) -> ParameterSpec {
    ParameterSpec { group: "routing", name, aliases: &[], kind: Kind::Teleported(what), unit, meaning }
}

pub(super) static SUPPORTED: &[ParameterSpec] = &[
    // global
    field("global", "randomSeed", Field::Seed(|s| &mut s.global.random_seed), "", "seed of all random draws"),
    field(
        "global",
        "coordinateSystem",
        Field::Text(|s| &mut s.global.coordinate_system),
        "",
        "coordinate reference system of the run; coordinates of files in another system are transformed to it",
    ),
    field(
        "global",
        "numberOfThreads",
        Field::Threads(|s| &mut s.global.number_of_threads),
        "threads",
        "threads for work before the simulation, such as reading plans and routing legs without a route; 0 for all cores",
    ),
    // network
    field("network", "inputNetworkFile", Field::File(|s| &mut s.files.network), "", "roads: nodes and links"),
    field(
        "network",
        "inputCRS",
        Field::System(|s| &mut s.files.network_system),
        "",
        "coordinate reference system of the network, if it is not that of the run and the file does not name it",
    ),
    field(
        "network",
        "timeVariantNetwork",
        Field::Flag(|s| &mut s.files.time_variant_network),
        "",
        "whether the change events below are read",
    ),
    field(
        "network",
        "inputChangeEventsFile",
        Field::File(|s| &mut s.files.change_events),
        "",
        "changes of capacity, lanes and free speed during the day",
    ),
    // plans
    field("plans", "inputPlansFile", Field::File(|s| &mut s.files.plans), "", "persons with their daily plans"),
    field(
        "plans",
        "inputCRS",
        Field::System(|s| &mut s.files.plans_system),
        "",
        "coordinate reference system of the plans, if it is not that of the run and the file does not name it",
    ),
    field(
        "plans",
        "activityDurationInterpretation",
        choice!(s.plans.activity_duration_interpretation: ActivityDurationInterpretation {
            TryEndTimeThenDuration = "tryEndTimeThenDuration",
            MinOfDurationAndEndTime = "minOfDurationAndEndTime",
            EndTimeOnly = "endTimeOnly",
        }),
        "",
        "how the end of an activity is derived from its end time and maximum duration",
    ),
    // facilities
    field("facilities", "inputFacilitiesFile", Field::File(|s| &mut s.files.facilities), "", "locations of activities"),
    field(
        "facilities",
        "inputCRS",
        Field::System(|s| &mut s.files.facilities_system),
        "",
        "coordinate reference system of the facilities, if it is not that of the run and the file does not name it",
    ),
    field(
        "facilities",
        "facilitiesSource",
        choice!(s.facilities.source: FacilitiesSource {
            None = "none",
            FromFile = "fromFile",
            SetInScenario = "setInScenario",
            OnePerActivityLinkInPlansFile = "onePerActivityLinkInPlansFile",
            OnePerActivityLocationInPlansFile = "onePerActivityLocationInPlansFile",
        } unsupported Result {
            "onePerActivityLinkInPlansFileExceptWhenCoordinatesAreGiven"
                => "use onePerActivityLinkInPlansFile or onePerActivityLocationInPlansFile",
        }),
        "",
        "source of the facilities",
    ),
    field(
        "facilities",
        "idPrefix",
        Field::Text(|s| &mut s.facilities.id_prefix),
        "",
        "prefix of the link id in the id of a generated facility",
    ),
    // vehicles
    field("vehicles", "vehiclesFile", Field::File(|s| &mut s.files.vehicles), "", "vehicle types and vehicles"),
    // controller
    field(
        "controller",
        "outputDirectory",
        Field::Folder(|s| &mut s.controller.output_directory),
        "",
        "folder for results, relative to the working folder",
    ),
    field(
        "controller",
        "runId",
        Field::FilePrefix(|s| &mut s.controller.run_id),
        "",
        "prefix of the names of output files",
    ),
    field(
        "controller",
        "firstIteration",
        Field::Count(|s| &mut s.controller.first_iteration),
        "",
        "the iteration to run; shifts the seed of throng.nodeRandom=java",
    ),
    field(
        "controller",
        "lastIteration",
        Field::Count(|s| &mut s.controller.last_iteration),
        "",
        "accepted without effect: only the first iteration is run",
    ),
    field(
        "controller",
        "writeEventsInterval",
        Field::Count(|s| &mut s.controller.write_events_interval),
        "iterations",
        "0 writes no events",
    ),
    field(
        "controller",
        "writePlansInterval",
        Field::Count(|s| &mut s.controller.write_plans_interval),
        "iterations",
        "0 writes no plans",
    ),
    field(
        "controller",
        "dumpDataAtEnd",
        Field::Flag(|s| &mut s.controller.dump_data_at_end),
        "",
        "whether network, vehicles, facilities, schedule and its vehicles are written as they were in effect",
    ),
    field(
        "controller",
        "compressionType",
        choice!(s.controller.compression: Compression { Gzip = "gzip", Zst = "zst", None = "none" }
            unsupported OtherOutput { "lz4" => "use gzip, zst or none" }),
        "",
        "compression of network, vehicles, events, plans, trips, legs and link statistics",
    ),
    field(
        "controller",
        "overwriteFiles",
        choice!(s.controller.overwrite_files: OverwriteFiles {
            ReplaceOwnRun = "replaceOwnRun",
            FailIfDirectoryExists = "failIfDirectoryExists",
            OverwriteExistingFiles = "overwriteExistingFiles",
            DeleteDirectoryIfExists = "deleteDirectoryIfExists",
        }),
        "",
        "behaviour if the output folder is not empty; replaceOwnRun replaces a run of the same scenario and refuses all else",
    ),
    field(
        "controller",
        "enableLinkToLinkRouting",
        Field::Flag(|s| &mut s.controller.routes_turns),
        "",
        "routes by turning moves; true is refused if legs on the network are routed",
    ),
    // qsim
    field("qsim", "startTime", Field::TimeOfDay(|s| &mut s.qsim.start_time), "", "earliest start of the simulation"),
    field(
        "qsim",
        "endTime",
        Field::TimeOfDay(|s| &mut s.qsim.end_time),
        "",
        "latest end of the simulation; 00:00:00 for no limit",
    ),
    field(
        "qsim",
        "simStarttimeInterpretation",
        choice!(s.qsim.start_interpretation: StartInterpretation {
            MaxOfStarttimeAndEarliestActivityEnd = "maxOfStarttimeAndEarliestActivityEnd",
            OnlyUseStarttime = "onlyUseStarttime",
        }),
        "",
        "whether the simulation starts only when the first activity ends",
    ),
    field(
        "qsim",
        "simEndtimeInterpretation",
        choice!(s.qsim.end_interpretation: EndInterpretation {
            MinOfEndtimeAndMobsimFinished = "minOfEndtimeAndMobsimFinished",
            OnlyUseEndtime = "onlyUseEndtime",
        }),
        "",
        "whether the simulation ends when all agents have arrived",
    ),
    field("qsim", "timeStepSize", Field::Step(|s| &mut s.qsim.time_step_s), "s", "length of a simulation step"),
    field(
        "qsim",
        "flowCapacityFactor",
        Field::Positive(|s| &mut s.qsim.flow_capacity_factor),
        "",
        "scales flow capacities; for a sample of the population, its fraction",
    ),
    field(
        "qsim",
        "storageCapacityFactor",
        Field::Positive(|s| &mut s.qsim.storage_capacity_factor),
        "",
        "scales the space for vehicles on links; for a sample of the population, its fraction or more",
    ),
    field(
        "qsim",
        "stuckTime",
        Field::Seconds(|s| &mut s.qsim.stuck_time_s),
        "s",
        "waiting time after which a vehicle is forced into its next link or removed",
    ),
    field(
        "qsim",
        "removeStuckVehicles",
        Field::Flag(|s| &mut s.qsim.remove_stuck_vehicles),
        "",
        "whether stuck vehicles are removed rather than forced in",
    ),
    field("qsim", "mainMode", Field::Modes(|s| &mut s.qsim.main_modes), "", "modes that drive on the network"),
    field(
        "qsim",
        "trafficDynamics",
        choice!(s.qsim.traffic_dynamics: TrafficDynamics {
            Queue = "queue", WithHoles = "withHoles", KinematicWaves = "kinematicWaves",
        }),
        "",
        "limit of the inflow of a link",
    ),
    field(
        "qsim",
        "linkDynamics",
        choice!(s.qsim.link_dynamics: LinkDynamics { Fifo = "FIFO", PassingQ = "PassingQ" } unsupported Result {
            "SeepageQ" => "use PassingQ, where fast vehicles overtake slow ones",
        }),
        "",
        "the order of vehicles on a link",
    ),
    field(
        "qsim",
        "vehicleBehavior",
        choice!(s.qsim.vehicle_behavior: VehicleBehavior {
            Teleport = "teleport", Wait = "wait", Exception = "exception",
        }),
        "",
        "behaviour of a driver whose vehicle is elsewhere",
    ),
    field(
        "qsim",
        "vehiclesSource",
        choice!(s.qsim.vehicles_source: VehiclesSource {
            DefaultVehicle = "defaultVehicle",
            ModeVehicleTypesFromVehiclesData = "modeVehicleTypesFromVehiclesData",
            FromVehiclesData = "fromVehiclesData",
        }),
        "",
        "source of the vehicles",
    ),
    field(
        "qsim",
        "usingFastCapacityUpdate",
        Field::Flag(|s| &mut s.qsim.using_fast_capacity_update),
        "",
        "whether flow capacity is credited when it is needed rather than every step",
    ),
    field(
        "qsim",
        "insertingWaitingVehiclesBeforeDrivingVehicles",
        Field::Flag(|s| &mut s.qsim.waiting_before_driving),
        "",
        "whether departing vehicles move before driving vehicles within a step",
    ),
    field(
        "qsim",
        "usePersonIdForMissingVehicleId",
        Field::Flag(|s| &mut s.qsim.use_person_id_for_missing_vehicle_id),
        "",
        "whether a route without a vehicle uses the vehicle with the id of the person",
    ),
    field(
        "qsim",
        "numberOfThreads",
        Field::Threads(|s| &mut s.qsim.number_of_threads),
        "threads",
        "threads of the simulation; the result does not depend on it",
    ),
    // routing
    field(
        "routing",
        "networkModes",
        Field::Modes(|s| &mut s.routing.network_modes),
        "",
        "modes whose legs without a route are routed on the network",
    ),
    field_also(
        "routing",
        "accessEgressType",
        // Its older form, which is true or false.
        &["routing.insertingAccessEgressWalk"],
        Field::Choice(Choice {
            names: &[
                "none",
                "accessEgressModeToLink",
                "walkConstantTimeToLink",
                "accessEgressModeToLinkPlusTimeConstant",
            ],
            unsupported: &[],
            effect: Effect::Result,
            get: |s| match s.routing.access_egress {
                AccessEgress::None => "none",
                AccessEgress::ModeToLink => "accessEgressModeToLink",
                AccessEgress::ConstantTimeToLink => "walkConstantTimeToLink",
                AccessEgress::ModeToLinkPlusConstantTime => "accessEgressModeToLinkPlusTimeConstant",
            },
            set: |s, name| {
                s.routing.access_egress = match name {
                    "none" | "false" => AccessEgress::None,
                    "accessEgressModeToLink" | "true" => AccessEgress::ModeToLink,
                    "walkConstantTimeToLink" => AccessEgress::ConstantTimeToLink,
                    "accessEgressModeToLinkPlusTimeConstant" => AccessEgress::ModeToLinkPlusConstantTime,
                    _ => return false,
                };
                true
            },
        }),
        "",
        "walks between activities and the links of routed legs",
    ),
    teleported(
        "clearDefaultTeleportedModeParams",
        LegacyParameter::Clear,
        "",
        "whether MATSim's default teleported modes are dropped",
    ),
    teleported(
        "beelineDistanceFactor",
        LegacyParameter::Beeline,
        "",
        "for all teleported modes; preferably set per mode",
    ),
    teleported("teleportedModeSpeed_*", LegacyParameter::Speed(None), "m/s", "speed of the teleported mode *"),
    teleported(
        "teleportedModeFreespeedFactor_*",
        LegacyParameter::Factor(None),
        "",
        "travel time of the mode * as a multiple of the free-speed car time",
    ),
    teleported("walkSpeed", LegacyParameter::Speed(Some("walk")), "m/s", "same as teleportedModeSpeed_walk"),
    teleported("bikeSpeed", LegacyParameter::Speed(Some("bike")), "m/s", "same as teleportedModeSpeed_bike"),
    teleported("ptSpeed", LegacyParameter::Speed(Some("pt")), "m/s", "same as teleportedModeSpeed_pt"),
    teleported(
        "undefinedModeSpeed",
        LegacyParameter::Speed(Some("undefined")),
        "m/s",
        "speed of the mode named undefined",
    ),
    teleported("ptSpeedFactor", LegacyParameter::Factor(Some("pt")), "", "same as teleportedModeFreespeedFactor_pt"),
    // travelTimeCalculator
    field(
        "travelTimeCalculator",
        "travelTimeBinSize",
        Field::Seconds(|s| &mut s.travel_time_calculator.bin_s),
        "s",
        "length of a time bin of link volumes and speeds",
    ),
    // counts
    field("counts", "inputCountsFile", Field::File(|s| &mut s.files.counts), "", "counted volumes of links per hour"),
    field(
        "counts",
        "countsScaleFactor",
        Field::Positive(|s| &mut s.counts.scale_factor),
        "",
        "multiplies simulated volumes before they are compared with counts; for a sample, the inverse of its fraction",
    ),
    unsupported(
        "counts",
        "distanceFilter",
        &["null", ""],
        Effect::OtherOutput,
        "restricts the comparison to stations near a node",
        "set it to null: all stations are compared",
    ),
    unsupported(
        "counts",
        "filterModes",
        &["false"],
        Effect::OtherOutput,
        "restricts the comparison to vehicles of some modes",
        "set it to false: all vehicles count",
    ),
    no_effect("counts", "analyzedModes", "used with filterModes=true only"),
    no_effect("counts", "averageCountsOverIterations", "one iteration is run"),
    no_effect("counts", "distanceFilterCenterNode", "used with distanceFilter only"),
    no_effect("counts", "inputCRS", "coordinates of stations are not used"),
    no_effect("counts", "outputformat", "the comparison is written as text and in the report"),
    no_effect("counts", "writeCountsInterval", "one iteration is run"),
    // transit
    field(
        "transit",
        "useTransit",
        Field::Flag(|s| &mut s.transit.is_used),
        "",
        "whether there is a schedule of public transport",
    ),
    field(
        "transit",
        "usingTransitInMobsim",
        Field::Flag(|s| &mut s.transit.is_simulated),
        "",
        "whether vehicles of public transport are simulated; otherwise, its legs are teleported",
    ),
    field(
        "transit",
        "transitScheduleFile",
        Field::File(|s| &mut s.files.transit_schedule),
        "",
        "stops, lines and departures of public transport",
    ),
    field(
        "transit",
        "inputScheduleCRS",
        Field::System(|s| &mut s.files.schedule_system),
        "",
        "coordinate reference system of the schedule, if it is not that of the run and the file does not name it",
    ),
    field(
        "transit",
        "vehiclesFile",
        Field::File(|s| &mut s.files.transit_vehicles),
        "",
        "vehicles of public transport",
    ),
    field("transit", "transitModes", Field::Modes(|s| &mut s.transit.modes), "", "modes whose persons wait at stops"),
    // vspExperimental
    field(
        "vspExperimental",
        "isGeneratingBoardingDeniedEvent",
        Field::Flag(|s| &mut s.transit.has_boarding_denied_events),
        "",
        "whether persons who find no place in a vehicle cause an event",
    ),
    // scoring
    field(
        "scoring",
        "writeExperiencedPlans",
        Field::Flag(|s| &mut s.scoring.writes_experienced_plans),
        "",
        "whether output_experienced_plans is written, the plans as they took place; needs throng.analysis",
    ),
    // throng
    field(
        "throng",
        "compat",
        choice!(s.extensions.compat: Compat { Matsim2024 = "2024", Matsim13 = "13" }),
        "",
        "the MATSim release to reproduce; 13 does not scale the free-flow minimum of the storage",
    ),
    field(
        "throng",
        "nodeRandom",
        choice!(s.extensions.node_random: NodeRandom { Counter = "counter", Java = "java" }),
        "",
        "random numbers at nodes: keyed by node and step, or exactly those of single-threaded MATSim",
    ),
    field(
        "throng",
        "javaSeeding",
        choice!(s.extensions.java_seeding: JavaSeeding { Fresh = "fresh", Controller = "controller" }),
        "",
        "seeding of throng.nodeRandom=java: a fresh generator (default without config file), or re-seeded as by a controller",
    ),
    field_also(
        "throng",
        "nodeTransition",
        &["qsim.nodeTransition", "qsim.nodeTransitionLogic"],
        choice!(s.qsim.node_transition: NodeTransition {
            EmptyBufferDontBlockNode = "emptyBufferAfterBufferRandomDistribution_dontBlockNode",
            EmptyBufferBlockNode = "emptyBufferAfterBufferRandomDistribution_nodeBlockedWhenSingleOutlinkFull",
            VehByVehDontBlockNode = "moveVehByVehRandomDistribution_dontBlockNode",
            VehByVehBlockNode = "moveVehByVehRandomDistribution_nodeBlockedWhenSingleOutlinkFull",
            DeterministicPriorities = "moveVehByVehDeterministicPriorities_nodeBlockedWhenSingleOutlinkFull",
        }),
        "",
        "how vehicles from several links cross a node; in MATSim it can be set only in code",
    ),
    field_also(
        "throng",
        "inflowCapacitySetting",
        &["qsim.inflowCapacitySetting"],
        choice!(s.qsim.inflow_capacity: InflowCapacity {
            InflowFromFdiag = "INFLOW_FROM_FDIAG",
            NrOfLanesFromFdiag = "NR_OF_LANES_FROM_FDIAG",
            MaxCapForOneLane = "MAX_CAP_FOR_ONE_LANE",
        }),
        "",
        "the maximum inflow under kinematicWaves with compat 2024; in MATSim it can be set only in code",
    ),
    field_also(
        "throng",
        "pcuThresholdForFlowCapacityEasing",
        &["qsim.pcuThresholdForFlowCapacityEasing"],
        Field::NotNegative(|s| &mut s.qsim.pcu_threshold_for_flow_capacity_easing),
        "pcu",
        "vehicles up to this size do not wait for flow capacity; in MATSim it can be set only in code",
    ),
    field(
        "throng",
        "scenarioCache",
        Field::File(|s| &mut s.files.scenario_cache),
        "",
        "a scenario stored by `throng convert CONFIG scenario.throng`, read instead of network, plans and other files",
    ),
    field(
        "throng",
        "eventsParquet",
        Field::Flag(|s| &mut s.extensions.events_parquet),
        "",
        "whether events are also written as Parquet columns",
    ),
    field(
        "throng",
        "analysis",
        Field::Flag(|s| &mut s.extensions.analysis),
        "",
        "whether tables and charts are computed from the events; runs are fastest without them and without events",
    ),
    field(
        "throng",
        "iterationFiles",
        Field::Flag(|s| &mut s.extensions.iteration_files),
        "",
        "whether legdurations, legHistogram, linkstats and experienced_plans are written to ITERS/it.N, as by MATSim; \
         needs throng.analysis",
    ),
    field(
        "throng",
        "ignoreUnsupported",
        Field::Flag(|s| &mut s.extensions.ignore_unsupported),
        "",
        "whether unsupported settings that would change the result are warnings rather than errors",
    ),
];
