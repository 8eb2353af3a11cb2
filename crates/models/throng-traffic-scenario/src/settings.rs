//! All settings of a run, with MATSim's names and defaults; built from `config.xml` and `--set`.

mod replanning;
mod scoring;

use std::path::{Path, PathBuf};

use throng_core::Problems;

use crate::ValidRange;
use crate::transit_routing::TransitRouterParameters;

pub use replanning::{
    ChangeMode, RemovalSelector, Replanning, Strategy, StrategySettings, SubtourModeChoice, TimeMutation,
};
pub use scoring::{
    ActivityParameters, DEFAULT_SCORED_MODES, ModeParameters, Scoring, ScoringParameters, TypicalDurationScore,
};

/// Minimum length of a step or time bin, seconds; shorter ones would divide a day into more of them than can be
/// computed in reasonable time.
pub const MIN_DURATION_S: f64 = 0.01;

/// All settings of a traffic run.
///
/// Fields are named after MATSim's config groups and parameters, in Rust spelling.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// Group `global`.
    pub global: Global,
    /// Input files of the groups `network`, `plans`, `facilities` and `vehicles`.
    pub files: InputFiles,
    /// Group `plans`, without the file name.
    pub plans: Plans,
    /// Group `facilities`, without the file name.
    pub facilities: Facilities,
    /// Group `controller` (formerly `controler`).
    pub controller: Controller,
    /// Group `qsim`.
    pub qsim: QSim,
    /// Group `routing` (formerly `planscalcroute`).
    pub routing: Routing,
    /// Group `travelTimeCalculator`.
    pub travel_time_calculator: TravelTimeCalculator,
    /// Group `counts`, without the file name.
    pub counts: CountsSettings,
    /// Group `transit`, without the file names, and the events of group `vspExperimental`.
    pub transit: TransitSettings,
    /// Group `scoring` (formerly `planCalcScore`), without the weights of the router of public transport.
    pub scoring: Scoring,
    /// Group `replanning` (formerly `strategy`), and the groups of its strategies.
    pub replanning: Replanning,
    /// Group `throng`: settings that MATSim does not have.
    pub extensions: Extensions,
}

/// Group `global`.
#[derive(Debug, Clone, PartialEq)]
pub struct Global {
    /// `randomSeed`: the seed of all random numbers.
    pub random_seed: i64,
    /// `coordinateSystem`: the name of the coordinate reference system of the run, to which the coordinates of files in
    /// other systems are transformed.
    pub coordinate_system: String,
    /// `numberOfThreads` for work before the simulation, such as reading plans; 0 for all cores. The simulation has a
    /// separate number.
    pub number_of_threads: usize,
}

impl Default for Global {
    fn default() -> Self {
        Self { random_seed: 4711, coordinate_system: "Atlantis".into(), number_of_threads: 0 }
    }
}

/// The input files, with paths already resolved against the folder of the config file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InputFiles {
    /// `network.inputNetworkFile`.
    pub network: Option<PathBuf>,
    /// `network.inputCRS`: the coordinate reference system of the network if it is not that of the run.
    pub network_system: Option<String>,
    /// `network.inputChangeEventsFile`; read when `network.timeVariantNetwork` is true.
    pub change_events: Option<PathBuf>,
    /// `network.timeVariantNetwork`: whether change events are read.
    pub time_variant_network: bool,
    /// `plans.inputPlansFile`.
    pub plans: Option<PathBuf>,
    /// `plans.inputCRS`: the coordinate reference system of the plans.
    pub plans_system: Option<String>,
    /// `facilities.inputFacilitiesFile`.
    pub facilities: Option<PathBuf>,
    /// `facilities.inputCRS`: the coordinate reference system of the facilities.
    pub facilities_system: Option<String>,
    /// `transit.transitScheduleFile`.
    pub transit_schedule: Option<PathBuf>,
    /// `transit.inputScheduleCRS`: the coordinate reference system of the schedule.
    pub schedule_system: Option<String>,
    /// `transit.vehiclesFile`.
    pub transit_vehicles: Option<PathBuf>,
    /// `vehicles.vehiclesFile`.
    pub vehicles: Option<PathBuf>,
    /// `counts.inputCountsFile`.
    pub counts: Option<PathBuf>,
    /// `throng.scenarioCache`: read instead of network, plans and the other files of the scenario.
    pub scenario_cache: Option<PathBuf>,
}

impl InputFiles {
    /// Iterates over all files that are named, whether a run reads them or not.
    pub fn all(&self) -> impl Iterator<Item = &Path> {
        let Self {
            network,
            change_events,
            plans,
            vehicles,
            facilities,
            transit_schedule,
            transit_vehicles,
            counts,
            scenario_cache,
            time_variant_network: _,
            network_system: _,
            plans_system: _,
            facilities_system: _,
            schedule_system: _,
        } = self;
        let of_transit = [transit_schedule, transit_vehicles];
        [network, change_events, plans, vehicles, facilities]
            .into_iter()
            .chain(of_transit)
            .chain([counts, scenario_cache])
            .filter_map(|file| file.as_deref())
    }
}

/// Group `plans`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plans {
    /// `activityDurationInterpretation`.
    pub activity_duration_interpretation: ActivityDurationInterpretation,
}

/// The rule for the end of an activity, given its end time and its maximum duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ActivityDurationInterpretation {
    /// The end time if there is one, else the current time plus the duration.
    #[default]
    TryEndTimeThenDuration,
    /// The earlier of the two.
    MinOfDurationAndEndTime,
    /// Only the end time (deprecated in MATSim).
    EndTimeOnly,
}

/// Group `facilities`.
#[derive(Debug, Clone, PartialEq)]
pub struct Facilities {
    /// `facilitiesSource`.
    pub source: FacilitiesSource,
    /// `idPrefix`: prefix of the link id in generated facilities.
    pub id_prefix: String,
}

impl Default for Facilities {
    fn default() -> Self {
        Self { source: FacilitiesSource::None, id_prefix: "f_auto_".into() }
    }
}

/// Rule that determines the origin of facilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FacilitiesSource {
    /// Activities keep the facility named in the plans; nothing is looked up.
    #[default]
    None,
    /// `inputFacilitiesFile`.
    FromFile,
    /// Same as [`FacilitiesSource::FromFile`] in Throng.
    SetInScenario,
    /// One facility per link with an activity; replaces the facilities named in the plans.
    OnePerActivityLinkInPlansFile,
    /// One facility per location with an activity; replaces the facilities named in the plans.
    OnePerActivityLocationInPlansFile,
}

impl FacilitiesSource {
    /// Whether facilities are created from the plans; a facilities file is then not read.
    pub fn is_from_plans(self) -> bool {
        matches!(self, Self::OnePerActivityLinkInPlansFile | Self::OnePerActivityLocationInPlansFile)
    }
}

/// Group `controller`.
#[derive(Debug, Clone, PartialEq)]
pub struct Controller {
    /// `outputDirectory`.
    pub output_directory: PathBuf,
    /// `runId`: prefix of the output files.
    pub run_id: Option<String>,
    /// `firstIteration`: seeds the generator of `throng.nodeRandom=java` in a controller run.
    pub first_iteration: u32,
    /// `lastIteration`; only the mobility simulation of the first iteration is run.
    pub last_iteration: u32,
    /// `writeEventsInterval`: 0 writes no events.
    pub write_events_interval: u32,
    /// `writePlansInterval`: 0 writes no plans.
    pub write_plans_interval: u32,
    /// `dumpDataAtEnd`: whether the inputs in effect are also written.
    pub dump_data_at_end: bool,
    /// `compressionType`.
    pub compression: Compression,
    /// `overwriteFiles`.
    pub overwrite_files: OverwriteFiles,
    /// `enableLinkToLinkRouting`, which is not supported for legs that are routed.
    pub routes_turns: bool,
}

impl Default for Controller {
    fn default() -> Self {
        Self {
            output_directory: "output".into(),
            run_id: None,
            first_iteration: 0,
            last_iteration: 0,
            write_events_interval: 1,
            write_plans_interval: 1,
            dump_data_at_end: true,
            compression: Compression::Gzip,
            overwrite_files: OverwriteFiles::default(),
            routes_turns: false,
        }
    }
}

/// Compression of output files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    /// `gzip`, suffix `.gz`.
    #[default]
    Gzip,
    /// `zst`, suffix `.zst`.
    Zst,
    /// `none`.
    None,
}

impl Compression {
    /// Returns the suffix of a compressed file, including its dot: `.gz`, `.zst` or nothing.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Gzip => ".gz",
            Self::Zst => ".zst",
            Self::None => "",
        }
    }
}

/// Behaviour for an output folder that is not empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OverwriteFiles {
    /// Replace an earlier run of the same scenario, and refuse anything else; not in MATSim.
    #[default]
    ReplaceOwnRun,
    /// Refuse to run.
    FailIfDirectoryExists,
    /// Replace the files of an earlier run, and keep all other files.
    OverwriteExistingFiles,
    /// Delete the folder first.
    DeleteDirectoryIfExists,
}

/// Group `qsim`.
#[derive(Debug, Clone, PartialEq)]
pub struct QSim {
    /// `startTime`, seconds of the day.
    pub start_time: Option<f64>,
    /// `endTime`, seconds of the day; 0 means unlimited.
    pub end_time: Option<f64>,
    /// `simStarttimeInterpretation`.
    pub start_interpretation: StartInterpretation,
    /// `simEndtimeInterpretation`.
    pub end_interpretation: EndInterpretation,
    /// `timeStepSize` in seconds, positive.
    pub time_step_s: f64,
    /// `flowCapacityFactor`.
    pub flow_capacity_factor: f64,
    /// `storageCapacityFactor`.
    pub storage_capacity_factor: f64,
    /// `stuckTime` in seconds.
    pub stuck_time_s: f64,
    /// `removeStuckVehicles`: whether stuck vehicles are removed instead of pushed.
    pub remove_stuck_vehicles: bool,
    /// `mainMode`: the modes that drive on the network.
    pub main_modes: Vec<String>,
    /// `trafficDynamics`.
    pub traffic_dynamics: TrafficDynamics,
    /// `throng.inflowCapacitySetting` (also `qsim.`), for kinematic waves with `throng.compat=2024`.
    pub inflow_capacity: InflowCapacity,
    /// `linkDynamics`.
    pub link_dynamics: LinkDynamics,
    /// `throng.nodeTransition` (also `qsim.nodeTransition`).
    pub node_transition: NodeTransition,
    /// `vehicleBehavior`.
    pub vehicle_behavior: VehicleBehavior,
    /// `vehiclesSource`.
    pub vehicles_source: VehiclesSource,
    /// `usingFastCapacityUpdate`.
    pub using_fast_capacity_update: bool,
    /// `insertingWaitingVehiclesBeforeDrivingVehicles`: whether departing vehicles precede driving ones.
    pub waiting_before_driving: bool,
    /// `throng.pcuThresholdForFlowCapacityEasing` (also `qsim.`).
    pub pcu_threshold_for_flow_capacity_easing: f64,
    /// `usePersonIdForMissingVehicleId`.
    pub use_person_id_for_missing_vehicle_id: bool,
    /// `numberOfThreads` of the simulation.
    pub number_of_threads: usize,
}

impl Default for QSim {
    fn default() -> Self {
        Self {
            start_time: None,
            end_time: None,
            start_interpretation: StartInterpretation::default(),
            end_interpretation: EndInterpretation::default(),
            time_step_s: 1.0,
            flow_capacity_factor: 1.0,
            storage_capacity_factor: 1.0,
            stuck_time_s: 10.0,
            remove_stuck_vehicles: false,
            main_modes: vec!["car".into()],
            traffic_dynamics: TrafficDynamics::default(),
            inflow_capacity: InflowCapacity::default(),
            link_dynamics: LinkDynamics::default(),
            node_transition: NodeTransition::default(),
            vehicle_behavior: VehicleBehavior::default(),
            vehicles_source: VehiclesSource::default(),
            using_fast_capacity_update: true,
            waiting_before_driving: true,
            pcu_threshold_for_flow_capacity_easing: 0.0,
            use_person_id_for_missing_vehicle_id: true,
            number_of_threads: 1,
        }
    }
}

impl QSim {
    /// Adds a problem for each number outside the range that config files allow.
    pub(crate) fn check(&self, problems: &mut Problems) {
        let seconds = " (seconds)";
        for (name, value, range, unit) in [
            ("start_time", self.start_time.unwrap_or(0.0), ValidRange::TimeOfDay, seconds),
            ("end_time", self.end_time.unwrap_or(0.0), ValidRange::TimeOfDay, seconds),
            ("time_step_s", self.time_step_s, ValidRange::Duration, seconds),
            ("flow_capacity_factor", self.flow_capacity_factor, ValidRange::Positive, ""),
            ("storage_capacity_factor", self.storage_capacity_factor, ValidRange::Positive, ""),
            ("stuck_time_s", self.stuck_time_s, ValidRange::Duration, seconds),
            (
                "pcu_threshold_for_flow_capacity_easing",
                self.pcu_threshold_for_flow_capacity_easing,
                ValidRange::NotNegativeFinite,
                "",
            ),
        ] {
            range.check(value, unit, || format!("settings, qsim.{name}"), problems);
        }
    }
}

/// Rule for the time at which the simulation starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StartInterpretation {
    /// At the later of start time and earliest activity end, rounded down to a second.
    #[default]
    MaxOfStarttimeAndEarliestActivityEnd,
    /// At the start time.
    OnlyUseStarttime,
}

/// Rule for the time at which the simulation ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EndInterpretation {
    /// At the end time, or earlier if no agent is under way or will be.
    #[default]
    MinOfEndtimeAndMobsimFinished,
    /// At the end time.
    OnlyUseEndtime,
}

/// Rule that limits the inflow of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TrafficDynamics {
    /// Storage capacity.
    #[default]
    Queue,
    /// Storage capacity, where freed room travels upstream at 15 km/h.
    WithHoles,
    /// As `WithHoles`, with a maximum inflow from the fundamental diagram.
    KinematicWaves,
}

impl TrafficDynamics {
    /// Whether the room of a vehicle that leaves a link travels upstream as a hole.
    pub const fn has_holes(self) -> bool {
        match self {
            Self::Queue => false,
            Self::WithHoles | Self::KinematicWaves => true,
        }
    }

    /// Whether the inflow of a link has a limit.
    pub const fn has_inflow_capacity(self) -> bool {
        match self {
            Self::Queue | Self::WithHoles => false,
            Self::KinematicWaves => true,
        }
    }
}

/// The maximum inflow under kinematic waves (MATSim 2024).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InflowCapacity {
    /// The maximum of the fundamental diagram for all lanes.
    #[default]
    InflowFromFdiag,
    /// The flow capacity; the number of lanes is raised until the diagram allows it.
    NrOfLanesFromFdiag,
    /// The maximum of the fundamental diagram for one lane (as in 2021).
    MaxCapForOneLane,
}

/// Rule for the order in which vehicles leave a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LinkDynamics {
    /// First in, first out.
    #[default]
    Fifo,
    /// By earliest exit time: fast vehicles overtake slow ones.
    PassingQ,
}

/// How vehicles from several in-links cross a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(clippy::enum_variant_names)]
pub enum NodeTransition {
    /// `emptyBufferAfterBufferRandomDistribution_dontBlockNode`
    #[default]
    EmptyBufferDontBlockNode,
    /// `emptyBufferAfterBufferRandomDistribution_nodeBlockedWhenSingleOutlinkFull`
    EmptyBufferBlockNode,
    /// `moveVehByVehRandomDistribution_dontBlockNode`
    VehByVehDontBlockNode,
    /// `moveVehByVehRandomDistribution_nodeBlockedWhenSingleOutlinkFull`
    VehByVehBlockNode,
    /// `moveVehByVehDeterministicPriorities_nodeBlockedWhenSingleOutlinkFull`
    DeterministicPriorities,
}

/// The behaviour of a driver whose vehicle is elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum VehicleBehavior {
    /// The vehicle is teleported to the driver.
    #[default]
    Teleport,
    /// The driver waits for the vehicle.
    Wait,
    /// The run ends with an error.
    Exception,
}

/// Rule that determines the vehicles and their types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VehiclesSource {
    /// One default vehicle per person and main mode.
    #[default]
    DefaultVehicle,
    /// One vehicle per person and main mode. Its type is the one in the vehicles file that has the name of the mode.
    ModeVehicleTypesFromVehiclesData,
    /// All vehicles from the vehicles file.
    FromVehiclesData,
}

/// Group `routing`: the routing of legs without a route.
#[derive(Debug, Clone, PartialEq)]
pub struct Routing {
    /// `networkModes`.
    pub network_modes: Vec<String>,
    /// `accessEgressType`.
    pub access_egress: AccessEgress,
    /// Parameter sets `teleportedModeParameters`.
    pub teleported_modes: Vec<TeleportedMode>,
    /// Parameters by which MATSim's routers weigh more than travel time; routers here do not.
    pub other_costs: Vec<RouteCost>,
}

/// A parameter that gives routes a cost other than that of their travel time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteCost {
    /// The mode of the routes; all modes if not set.
    pub mode: Option<String>,
    /// The parameter, as `group.name`.
    pub parameter: String,
    /// Its value, which is not neutral.
    pub value: String,
}

impl Default for Routing {
    fn default() -> Self {
        let mode = |mode: &str, speed: f64| TeleportedMode {
            mode: mode.into(),
            speed: TeleportedSpeed::MetresPerSecond(speed),
            beeline_distance_factor: 1.3,
        };
        Self {
            network_modes: vec!["car".into()],
            access_egress: AccessEgress::None,
            other_costs: Vec::new(),
            // MATSim's defaults: 3 km/h on foot, 15 km/h by bike, pt at twice the free-speed car time.
            teleported_modes: vec![
                mode("bike", 15.0 / 3.6),
                mode("walk", 3.0 / 3.6),
                mode("non_network_walk", 3.0 / 3.6),
                TeleportedMode {
                    mode: "ride".into(),
                    speed: TeleportedSpeed::FreespeedFactor(1.0),
                    beeline_distance_factor: 1.3,
                },
                TeleportedMode {
                    mode: "pt".into(),
                    speed: TeleportedSpeed::FreespeedFactor(2.0),
                    beeline_distance_factor: 1.3,
                },
            ],
        }
    }
}

/// Walks between activities and the links on which legs of network modes begin and end, for trips that are routed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AccessEgress {
    /// There are none: persons start and end on the link of the activity.
    #[default]
    None,
    /// From the coordinate of the activity to the nearest point of its link, at the speed of walks.
    ModeToLink,
    /// As `ModeToLink`; the duration is an attribute of the link, `accesstime_car` for access to cars.
    ConstantTimeToLink,
    /// As `ModeToLink`; the attribute of the link is added to the duration.
    ModeToLinkPlusConstantTime,
}

/// The duration of a teleported leg without a travel time in the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct TeleportedMode {
    /// `mode`.
    pub mode: String,
    /// `teleportedModeSpeed` or `teleportedModeFreespeedFactor`.
    pub speed: TeleportedSpeed,
    /// `beelineDistanceFactor`.
    pub beeline_distance_factor: f64,
}

/// Speed of a teleported mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TeleportedSpeed {
    /// Speed along the route, whose length is the beeline distance times `beeline_distance_factor`.
    MetresPerSecond(f64),
    /// Travel time as a multiple of the free-speed time by car.
    FreespeedFactor(f64),
}

/// Group `travelTimeCalculator`, used for link volumes and speeds.
#[derive(Debug, Clone, PartialEq)]
pub struct TravelTimeCalculator {
    /// `travelTimeBinSize` in seconds.
    pub bin_s: f64,
}

impl TravelTimeCalculator {
    /// Returns the length of a bin, seconds. It is MATSim's default if the setting is invalid, which includes bins
    /// below 0.01 s.
    pub fn length_of_bins_s(&self) -> f64 {
        if self.bin_s >= MIN_DURATION_S { self.bin_s } else { Self::default().bin_s }
    }
}

impl Default for TravelTimeCalculator {
    fn default() -> Self {
        Self { bin_s: 900.0 }
    }
}

/// Group `transit`.
#[derive(Debug, Clone, PartialEq)]
pub struct TransitSettings {
    /// `useTransit`: whether the schedule is read.
    pub is_used: bool,
    /// `usingTransitInMobsim`: whether its vehicles are simulated; otherwise, its legs are teleported.
    pub is_simulated: bool,
    /// `transitModes`: the modes of legs whose persons wait at stops.
    pub modes: Vec<String>,
    /// `vspExperimental.isGeneratingBoardingDeniedEvent`: whether persons without a place cause an event.
    pub has_boarding_denied_events: bool,
    /// `swissRailRaptor.useIntermodalAccessEgress`, which is not supported for trips that are routed.
    pub uses_intermodal_access: bool,
    /// `swissRailRaptor.useModeMappingForPassengers`, likewise.
    pub uses_mode_mapping: bool,
    /// `swissRailRaptor.useRangeQuery`, likewise.
    pub uses_range_query: bool,
    /// Weights and limits for trips that are routed; those of walks are in [`Routing`].
    pub router: TransitRouterParameters,
}

impl Default for TransitSettings {
    fn default() -> Self {
        Self {
            is_used: false,
            is_simulated: true,
            modes: vec!["pt".into()],
            has_boarding_denied_events: false,
            uses_intermodal_access: false,
            uses_mode_mapping: false,
            uses_range_query: false,
            router: TransitRouterParameters::default(),
        }
    }
}

impl TransitSettings {
    /// Whether vehicles of public transport drive.
    pub fn drives(&self) -> bool {
        self.is_used && self.is_simulated
    }
}

/// Group `counts`.
#[derive(Debug, Clone, PartialEq)]
pub struct CountsSettings {
    /// `countsScaleFactor`: the simulated volumes are multiplied by it before they are compared.
    pub scale_factor: f64,
}

impl Default for CountsSettings {
    fn default() -> Self {
        Self { scale_factor: 1.0 }
    }
}

/// Group `throng`.
#[derive(Debug, Clone, PartialEq)]
pub struct Extensions {
    /// `compat`: the MATSim release to reproduce where releases differ.
    pub compat: Compat,
    /// `nodeRandom`: the generator behind random node transitions.
    pub node_random: NodeRandom,
    /// `javaSeeding`: the initial state of `nodeRandom=java`.
    pub java_seeding: JavaSeeding,
    /// `eventsParquet`: whether the events are also written as Parquet columns.
    pub events_parquet: bool,
    /// `analysis`: whether tables and charts are computed from the events; without it there is no report either.
    pub analysis: bool,
    /// `iterationFiles`: whether the analysis also writes the files that MATSim writes for an iteration.
    pub iteration_files: bool,
    /// `ignoreUnsupported`: whether unsupported settings that would change the result only cause warnings.
    pub ignore_unsupported: bool,
}

impl Default for Extensions {
    fn default() -> Self {
        Self {
            compat: Compat::default(),
            node_random: NodeRandom::default(),
            java_seeding: JavaSeeding::default(),
            events_parquet: true,
            analysis: true,
            iteration_files: false,
            ignore_unsupported: false,
        }
    }
}

/// MATSim release whose results are reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compat {
    /// Release 13 (2021): the free-flow minimum of the storage is not scaled.
    Matsim13,
    /// The current release: that minimum is scaled by the flow capacity factor.
    #[default]
    Matsim2024,
}

impl Compat {
    /// Whether this is the current release.
    pub fn is_recent(self) -> bool {
        self == Self::Matsim2024
    }
}

/// The generator behind random node transitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NodeRandom {
    /// Philox keyed by node and step: the same on every executor and thread count.
    #[default]
    Counter,
    /// `java.util.Random` in MATSim's order of node activation: exact equality with one MATSim thread.
    Java,
}

/// The initial state of the generator of `nodeRandom=java`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JavaSeeding {
    /// As in a standalone mobility simulation: a fresh generator with the seed. The default without a config file.
    #[default]
    Fresh,
    /// As in a controller, which re-seeds with seed plus iteration before each mobility simulation and draws one
    /// number. The default with a config file.
    Controller,
}
