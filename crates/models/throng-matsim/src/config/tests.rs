//! Whole config files: the reference configs, bad values, unknown names, changes on top.

use std::path::Path;

use super::*;
use throng_testing::reference_data;
use throng_traffic_scenario::settings::{
    Compression, FacilitiesSource, InflowCapacity, JavaSeeding, LinkDynamics, NodeTransition, OverwriteFiles,
    Replanning, RouteCost, Scoring, Settings, TeleportedSpeed, TrafficDynamics, VehiclesSource,
};

/// Reads `<config>` + `modules` + `</config>` from a file named `config.xml`, with changes.
pub(super) fn read_with(modules: &str, changes: &[&str]) -> Result<Configured, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.xml");
    std::fs::write(&path, format!("<config>\n{modules}\n</config>")).unwrap();
    let here = format!("{}/", folder.path().display());
    from_file_with(&path, &typed(changes, "/work_dir")).map_err(|error| error.to_string().replace(&here, ""))
}

fn typed(changes: &[&str], base_dir: &str) -> Vec<Change> {
    changes.iter().map(|change| Change { base_dir: base_dir.into(), ..Change::typed(*change) }).collect()
}

pub(super) fn read(modules: &str) -> Result<Configured, String> {
    read_with(modules, &[])
}

pub(super) fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

/// Returns the settings without those that only iterations need.
fn of_simulation(Configured { settings, .. }: &Configured) -> Settings {
    Settings { scoring: Scoring::default(), replanning: Replanning::default(), ..settings.clone() }
}

/// The default settings of a run with a config file.
fn as_from_a_file() -> Settings {
    let mut settings = Settings::default();
    settings.extensions.java_seeding = JavaSeeding::Controller;
    settings
}

#[test]
fn the_berlin_config() {
    let Some(data) = reference_data("") else { return };
    let folder = data.join("berlin_1pct_10s");
    let read = from_file(&folder.join("config.xml")).unwrap();
    let mut expected = as_from_a_file();
    expected.global.coordinate_system = "GK4".into();
    expected.files.network = Some(folder.join("network.xml.gz"));
    expected.files.plans = Some(folder.join("plans_hwh_1pct.xml.gz"));
    expected.controller.output_directory = "./output/berlin".into();
    expected.transit.router.traveling_walk_per_h = -1.0;
    expected.transit.router.traveling_pt_per_h = -3.0;
    assert_eq!(of_simulation(&read), expected);
    assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    assert_eq!(read.notices.len(), 1, "{:?}", read.notices);
    assert_has(&read.notices[0], &["settings have no effect", "replanning, scoring"]);
}

#[test]
fn the_router_of_public_transport_reads_scoring_parameters() {
    let set = |kind: &str, content: &str| format!("<parameterset type=\"{kind}\">{content}</parameterset>");
    let param = |name: &str, value: &str| format!("<param name=\"{name}\" value=\"{value}\"/>");
    let mode = |mode: &str, utility: &str| {
        let utility = param("marginalUtilityOfTraveling_util_hr", utility);
        set("modeParams", &(param("mode", mode) + &utility + &param("constant", "-1")))
    };
    let of_all = set("scoringParameters", &(param("performing", "7") + &mode("pt", "-2")));
    let of_freight = param("subpopulation", "freight") + &param("performing", "9") + &mode("walk", "-9");
    let modules = format!(
        "<module name=\"scoring\">{}{}{of_all}{}</module>
         <module name=\"transitRouter\">{}{}</module>
         <module name=\"swissRailRaptor\">{}{}</module>",
        param("waitingPt", "-1"),
        mode("walk", "-3"),
        set("scoringParameters", &of_freight),
        param("directWalkFactor", "Infinity"),
        param("cacheTree", "true"),
        param("transferPenaltyMinCost", "-Infinity"),
        param("useRangeQuery", "true"),
    );
    let found = read(&modules).unwrap();
    let router = &found.settings.transit.router;
    assert_eq!((router.performing_per_h, router.traveling_walk_per_h, router.traveling_pt_per_h), (7.0, -3.0, -2.0));
    assert_eq!((router.waiting_pt_per_h, router.direct_walk_factor), (Some(-1.0), f64::INFINITY));
    assert!(found.settings.transit.uses_range_query);
    assert_has(&found.notices[0], &["settings have no effect", "scoring, transitRouter"]);
    assert_has(
        &read("<module name=\"transitRouter\"><param name=\"searchRadius\" value=\"x\"/></module>").unwrap_err(),
        &["transitRouter.searchRadius is \"x\"", "expected a number"],
    );
}

#[test]
fn costs_of_routes_other_than_of_time_are_found() {
    let param = |name: &str, value: &str| format!("<param name=\"{name}\" value=\"{value}\"/>");
    let mode = |mode: &str, name: &str, value: &str| {
        format!("<parameterset type=\"modeParams\">{}{}</parameterset>", param("mode", mode), param(name, value))
    };
    let of_freight = param("subpopulation", "freight") + &mode("truck", "monetaryDistanceRate", "-1");
    let modules = format!(
        "<module name=\"roadpricing\">{}{}</module><module name=\"planCalcScore\">{}{}\
         <parameterset type=\"scoringParameters\">{}</parameterset>\
         <parameterset type=\"scoringParameters\">{of_freight}</parameterset></module>",
        param("tollLinksFile", "toll.xml"),
        param("tollLinksFile", "null"),
        mode("car", "monetaryDistanceRate", "-0.0002"),
        mode("ride", "monetaryDistanceRate", "-0.0"),
        mode("bike", "marginalUtilityOfDistance_util_m", "-1e-4"),
    );
    // Rates for a subpopulation do not count, and the last tolls file is "null".
    assert_eq!(costs(&read(&modules).unwrap().settings), RATES);
    let tolls = ["roadpricing.tollLinksFile=t.xml"];
    let priced = read_with(&modules, &tolls).unwrap().settings;
    let expected = [&RATES[..], &["None roadpricing.tollLinksFile=/work_dir/t.xml"]].concat();
    assert_eq!(costs(&priced), expected);
    let free = [
        tolls[0],
        "roadpricing.tollLinksFile=null",
        "planCalcScore.monetaryDistanceRate_car=0",
        "scoring.marginalUtlOfDistance_bike=null",
    ];
    let found = read_with(&modules, &free).unwrap();
    assert_eq!(found.settings.routing.other_costs, []);
    assert_has(&found.notices[0], &["settings have no effect", "roadpricing, scoring"]);
    let error = read_with("", &["scoring.monetaryDistanceRate_car=high"]).unwrap_err();
    assert_has(&error, &["scoring.monetaryDistanceRate_car is \"high\"", "expected a number"]);

    // Written configs and lists of settings contain them.
    let written = effective(&priced).replace("<config>", "").replace("</config>", "");
    let body = written.split_once(".dtd\">").unwrap().1;
    assert_eq!(read(body).unwrap().settings, priced);
    assert!(flat(&priced).contains(&("scoring.monetaryDistanceRate_car".to_owned(), "-2.0E-4".to_owned())));
}

const RATES: [&str; 2] = [
    "Some(\"car\") scoring.monetaryDistanceRate_car=-2.0E-4",
    "Some(\"bike\") scoring.marginalUtlOfDistance_bike=-1.0E-4",
];

fn costs(settings: &Settings) -> Vec<String> {
    let text = |cost: &RouteCost| format!("{:?} {}={}", cost.mode, cost.parameter, cost.value);
    settings.routing.other_costs.iter().map(text).collect()
}

#[test]
fn the_equil_config_of_ten_iterations() {
    let Some(data) = reference_data("") else { return };
    let folder = data.join("equil100");
    let read = from_file(&folder.join("config.xml")).unwrap();
    let mut expected = as_from_a_file();
    expected.files.network = Some(folder.join("network.xml"));
    expected.files.plans = Some(folder.join("plans100.xml"));
    expected.files.facilities = Some(folder.join("facilities.xml"));
    expected.facilities.source = FacilitiesSource::FromFile;
    expected.controller.output_directory = "./output".into();
    expected.controller.last_iteration = 10;
    expected.qsim.start_time = Some(0.0);
    expected.qsim.end_time = Some(0.0);
    assert_eq!(of_simulation(&read), expected);
    assert_has(&read.notices[0], &["lastIteration is 10", "only the mobility simulation of iteration 0"]);
}

#[test]
fn the_chessboard_and_mixed_configs_and_their_matsim_outputs() {
    let Some(data) = reference_data("") else { return };
    let chessboard = from_file(&data.join("chessboard_it0/config.xml")).unwrap();
    let mut expected = as_from_a_file();
    expected.files.network = Some(data.join("chessboard_it0/network.xml"));
    expected.files.plans = Some(data.join("chessboard_it0/plans.xml"));
    expected.files.facilities = Some(data.join("chessboard_it0/facilities.xml"));
    expected.facilities.source = FacilitiesSource::FromFile;
    assert_eq!(of_simulation(&chessboard), expected);
    let written = from_file(&data.join("chessboard_it0/output_config.xml")).unwrap();
    expected.controller.output_directory = "./output".into();
    expected.controller.overwrite_files = OverwriteFiles::DeleteDirectoryIfExists;
    expected.controller.write_plans_interval = 10;
    expected.global.number_of_threads = 1;
    expected.transit.router.waiting_pt_per_h = Some(-6.0);
    assert_eq!(of_simulation(&written), expected);
    assert!(written.warnings.is_empty(), "{:?}", written.warnings);

    let mixed = from_file(&data.join("equil_mixed_it0/config-with-mode-vehicles.xml")).unwrap().settings;
    let written = from_file(&data.join("equil_mixed_it0/output_config.xml")).unwrap().settings;
    for settings in [&mixed, &written] {
        assert_eq!(settings.qsim.vehicles_source, VehiclesSource::ModeVehicleTypesFromVehiclesData);
        assert_eq!(settings.qsim.link_dynamics, LinkDynamics::PassingQ);
        assert_eq!(settings.qsim.traffic_dynamics, TrafficDynamics::KinematicWaves);
        assert_eq!(
            settings.routing,
            throng_traffic_scenario::settings::Routing {
                network_modes: vec!["car".into(), "bicycle".into()],
                ..Default::default()
            }
        );
        assert_eq!(settings.files.vehicles, Some(data.join("equil_mixed_it0/mode-vehicles.xml")));
    }
    assert_eq!(mixed.qsim.main_modes, ["car", "bicycle"]);
    assert_eq!(written.qsim.main_modes, ["bicycle", "car"]);
}

#[test]
fn every_parameter_that_matsim_wrote_is_known() {
    let Some(data) = reference_data("") else { return };
    for file in [
        "chessboard_it0/output_config.xml",
        "equil_mixed_it0/output_config.xml",
        "equil_it10/output_config.xml",
        "equil100/controler_it0_fast/output_config.xml",
    ] {
        let read = from_file(&data.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(read.warnings.is_empty(), "{file}: {:?}", read.warnings);
    }
}

#[test]
fn old_and_new_module_names_are_merged() {
    let read = read(
        r#"<module name="controler"><param name="runId" value="a"/></module>
        <module name="controller"><param name="compressionType" value="zst"/></module>
        <module name="plansCalcRoute"><param name="networkModes" value="car,truck"/></module>
        <module name="qsim"><param name="timeStepSize" value="0.1"/></module>
        <module name="qsim"><param name="endTime" value="30:00:00"/></module>"#,
    )
    .unwrap()
    .settings;
    assert_eq!(read.controller.run_id.as_deref(), Some("a"));
    assert_eq!(read.controller.compression, Compression::Zst);
    assert_eq!(read.routing.network_modes, ["car", "truck"]);
    assert_eq!((read.qsim.time_step_s, read.qsim.end_time), (0.1, Some(108_000.0)));
}

#[test]
fn all_bad_values_are_reported_with_their_lines() {
    let error = read(
        "<module name=\"qsim\">\n<param name=\"flowCapacityFactor\" value=\"-1\"/>\n\
         <param name=\"linkDynamics\" value=\"LIFO\"/>\n<param name=\"endTime\" value=\"25:61:00\"/>\n\
         <param name=\"numberOfThreads\" value=\"-1\"/>\n<param name=\"removeStuckVehicles\" value=\"maybe\"/>\n\
         <param name=\"stukTime\" value=\"10\"/>\n<param name=\"randomSeed\" value=\"1\"/>\n</module>\n\
         <module name=\"network\"><param name=\"inputNetworkFile\" value=\"https://x.org/n.xml\"/>\n\
         <parameterset type=\"x\"/></module>",
    )
    .unwrap_err();
    assert_has(
        &error,
        &[
            "config.xml:3: qsim.flowCapacityFactor is \"-1\"\n    expected a finite number above 0",
            "config.xml:4: qsim.linkDynamics is \"LIFO\"\n    expected one of: FIFO, PassingQ",
            "config.xml:5: qsim.endTime is \"25:61:00\"\n    expected a time of day",
            "config.xml:6: qsim.numberOfThreads is \"-1\"\n    expected a whole number from 0",
            "config.xml:7: qsim.removeStuckVehicles is \"maybe\"\n    expected true or false",
            "config.xml:8: unknown parameter \"stukTime\" in module \"qsim\"\n    did you mean \"stuckTime\"?",
            "config.xml:9: unknown parameter \"randomSeed\" in module \"qsim\"\n    did you mean \"global.randomSeed\"?",
            "config.xml:11: network.inputNetworkFile is \"https://x.org/n.xml\"",
            "config.xml:12: module \"network\" has no parameter set \"x\"",
        ],
    );
}

#[test]
fn unsupported_features_stop_the_run_unless_ignored() {
    let modules = r#"<module name="qsim"><param name="useLanes" value="true"/>
        <param name="linkDynamics" value="SeepageQ"/></module>
        <module name="transit"><param name="boardingAcceptance" value="checkStopOnly"/></module>
        <module name="signalsystems"><param name="useSignalsystems" value="true"/></module>
        <module name="qsim_components"><param name="activeComponents" value="MyEngine, NetsimEngine"/></module>
        <module name="dvrp"/>
        <module name="controler"><param name="eventsFileFormat" value="txt"/></module>"#;
    let error = read(modules).unwrap_err();
    for part in [
        "config.xml:2: qsim.useLanes=true is not supported",
        "config.xml:3: qsim.linkDynamics=SeepageQ is not supported",
        "use PassingQ",
        "config.xml:4: transit.boardingAcceptance=checkStopOnly",
        "config.xml:5: signalsystems.useSignalsystems=true",
        "config.xml:6: qsim_components.activeComponents=MyEngine, NetsimEngine",
        "config.xml:7: module \"dvrp\" is not supported (dynamic vehicle routing)",
        "--set throng.ignoreUnsupported=true",
    ] {
        assert_has(&error, &[part]);
    }
    assert!(!error.contains("eventsFileFormat"), "{error}");

    let read = read_with(modules, &["throng.ignoreUnsupported=true"]).unwrap();
    assert_eq!(read.warnings.iter().count(), 7, "{:?}", read.warnings);
    assert_eq!(read.settings.qsim.link_dynamics, LinkDynamics::Fifo);

    let error = read_with(modules, &["qsim.useLanes=false", "qsim.linkDynamics=FIFO"]).unwrap_err();
    assert!(!error.contains("useLanes") && !error.contains("SeepageQ"), "{error}");
}

#[test]
fn neutral_values_of_unsupported_parameters_are_accepted() {
    let read = read(
        r#"<module name="global"><param name="coordinateSystem" value="EPSG:25832"/></module>
        <module name="network"><param name="inputCRS" value="EPSG:25832"/></module>
        <module name="qsim_components"><param name="activeComponents"
          value="ActivityEngine,NetsimEngine,TeleportationEngine,PopulationAgentSource,MessageQueueEngine"/></module>
        <module name="qsim"><param name="useLanes" value="False"/></module>"#,
    )
    .unwrap();
    assert!(read.warnings.is_empty(), "{:?}", read.warnings);
}

#[test]
fn systems_of_files_must_be_known() {
    let modules = |plans: &str| {
        format!(
            r#"<module name="global"><param name="coordinateSystem" value="EPSG:25832"/></module>
            <module name="network"><param name="inputCRS" value="EPSG:4326"/></module>
            <module name="plans"><param name="inputCRS" value="{plans}"/>
            <param name="inputPlansFile" value="p.xml"/></module>"#
        )
    };
    let settings = read(&modules(" WGS84 ")).unwrap().settings;
    let files = &settings.files;
    assert_eq!((files.network_system.as_deref(), files.plans_system.as_deref()), (Some("EPSG:4326"), Some("WGS84")));
    assert_eq!(read(&modules("null")).unwrap().settings.files.plans_system, None);
    let error = read(&modules("Venus")).unwrap_err();
    let expected = "config.xml:4: plans.inputCRS is \"Venus\", global.coordinateSystem is \"EPSG:25832\": \"Venus\" is \
        not known; name it as EPSG:code";
    assert_has(&error, &[expected, "plans.inputCRS=null"]);
    let error = read_with(&modules("null"), &["plans.inputCRS=Atlantis"]).unwrap_err();
    assert_has(&error, &["--set: plans.inputCRS is", "Atlantis, is not a real system"]);
    // A file that is not read may be in any system.
    assert!(read(&modules("null").replace("EPSG:4326", "Mars")).is_ok());
}

#[test]
fn unknown_modules_are_warnings() {
    let read = read("<module name=\"qsin\"><param name=\"a\" value=\"1\"/></module>\n<module name=\"mine\"/>").unwrap();
    let kinds: Vec<_> = read.warnings.iter().map(|(kind, _)| kind.to_owned()).collect();
    assert_eq!(
        kinds,
        ["module \"mine\" is unknown and ignored", "module \"qsin\" is unknown and ignored; did you mean \"qsim\"?",]
    );
}

#[test]
fn the_module_of_the_queue_simulation_is_read_as_qsim() {
    let simulation = |name: &str| {
        format!(
            "<module name=\"{name}\"><param name=\"stuckTime\" value=\"30\"/>\
             <param name=\"removeStuckVehicles\" value=\"yes\"/><param name=\"timeout\" value=\"1\"/></module>\
             <module name=\"controler\"><param name=\"mobsim\" value=\"queueSimulation\"/></module>"
        )
    };
    for name in ["simulation", "queueSimulation"] {
        let found = read(&simulation(name)).unwrap();
        assert_eq!((found.settings.qsim.stuck_time_s, found.settings.qsim.remove_stuck_vehicles), (30.0, true));
        let kinds: Vec<_> = found.warnings.iter().map(|(kind, _)| kind.to_owned()).collect();
        let module = format!("module \"{name}\" of an earlier release of MATSim is read as \"qsim\"");
        assert_eq!(kinds, ["controller.mobsim=queueSimulation of an earlier release is read as qsim", &module]);
    }
    let qsim = "<module name=\"qsim\"><param name=\"stuckTime\" value=\"20\"/></module>";
    let found = read(&(simulation("simulation") + qsim)).unwrap();
    assert_eq!((found.settings.qsim.stuck_time_s, found.settings.qsim.remove_stuck_vehicles), (20.0, false));
    let error = read(&simulation("simulation").replace("timeout", "externalExe")).unwrap_err();
    assert_has(&error, &["config.xml:2: qsim.externalExe=1 is not supported (another program that simulates)"]);
}

#[test]
fn an_output_folder_that_a_flag_replaces_may_be_empty() {
    let empty = "<module name=\"controller\"><param name=\"outputDirectory\" value=\"\"/></module>";
    assert_has(&read(empty).unwrap_err(), &["config.xml:2: controller.outputDirectory is \"\"", "a folder name"]);
    let found = read_with(empty, &["controller.outputDirectory=runs/a"]).unwrap();
    assert_eq!(found.settings.controller.output_directory, Path::new("runs/a"));
}

#[test]
fn teleported_modes_are_read_from_the_file() {
    let read_modes = |text: &str| read(&format!("<module name=\"routing\">{text}</module>"));
    let read = read_modes(
        r#"<parameterset type="teleportedModeParameters"><param name="mode" value="walk"/>
        <param name="teleportedModeSpeed" value="1.2"/><param name="teleportedModeFreespeedFactor" value="null"/>
        <param name="beelineDistanceFactor" value="1.5"/></parameterset>"#,
    )
    .unwrap();
    assert_eq!(read.settings.routing.teleported_modes.len(), 1);
    let walk = &read.settings.routing.teleported_modes[0];
    assert_eq!((walk.speed, walk.beeline_distance_factor), (TeleportedSpeed::MetresPerSecond(1.2), 1.5));

    let error = read_modes(
        "<parameterset type=\"teleportedModeParameters\"><param name=\"mode\" value=\"walk\"/></parameterset>\n\
         <parameterset type=\"teleportedModeParameters\"><param name=\"teleportedModeSpeed\" value=\"x\"/>\n\
         <param name=\"mod\" value=\"walk\"/></parameterset>\n<parameterset type=\"teleportedModeParameter\"/>",
    )
    .unwrap_err();
    assert_has(
        &error,
        &[
            "config.xml:2: teleportedModeParameters of mode \"walk\" needs a speed or a free-speed factor",
            "config.xml:3: teleportedModeParameters.teleportedModeSpeed is \"x\"",
            "config.xml:4: unknown parameter \"mod\" in teleportedModeParameters\n    did you mean \"mode\"?",
            "config.xml:5: module \"routing\" has no parameter set \"teleportedModeParameter\"\n    did you mean",
        ],
    );
}

#[test]
fn changes_override_the_file() {
    let read = read_with(
        r#"<module name="qsim"><param name="flowCapacityFactor" value="0.5"/></module>"#,
        &[
            "qsim.flowCapacityFactor=0.1",
            "plans.inputPlansFile=a/plans.xml",
            "routing.teleportedModeSpeed_walk=1.4",
            "qsim.nodeTransition=moveVehByVehDeterministicPriorities_nodeBlockedWhenSingleOutlinkFull",
            "throng.inflowCapacitySetting=MAX_CAP_FOR_ONE_LANE",
            "controler.runId=x=y",
        ],
    )
    .unwrap()
    .settings;
    assert_eq!(read.qsim.flow_capacity_factor, 0.1);
    assert_eq!(read.files.plans.as_deref(), Some(Path::new("/work_dir/a/plans.xml")));
    assert_eq!(read.routing.teleported_modes.len(), 5);
    assert_eq!(read.qsim.node_transition, NodeTransition::DeterministicPriorities);
    assert_eq!(read.qsim.inflow_capacity, InflowCapacity::MaxCapForOneLane);
    assert_eq!(read.controller.run_id.as_deref(), Some("x=y"));
}

#[test]
fn bad_changes_name_the_parameter_and_the_nearest_known_one() {
    let error =
        read_with("", &["flowCapacityFactor=1", "qsim", "qsin.stuckTime=1", "qsim.stuckTime=soon", "qsim.zz=1"]);
    assert_has(
        &error.unwrap_err(),
        &[
            "--set: \"flowCapacityFactor\" has no group\n    did you mean \"qsim.flowCapacityFactor\"?",
            "--set: \"qsim\" has no =",
            "--set: unknown group \"qsin\"\n    did you mean \"qsim\"?",
            "--set: qsim.stuckTime is \"soon\"\n    expected a duration of 0.01 s or more",
            "--set: unknown parameter \"zz\" in module \"qsim\"\n    config --schema lists",
        ],
    );
    let mut settings = Settings::default();
    let error = apply_set(&mut settings, "qsim.useLanes=true", Path::new("")).unwrap_err().to_string();
    assert_has(&error, &["--set: qsim.useLanes=true is not supported", "ignoreUnsupported"]);
    assert_eq!(settings, Settings::default());
}

#[test]
fn contradictory_settings_are_reported() {
    let error = from_changes(&typed(&["qsim.vehiclesSource=fromVehiclesData"], "")).unwrap_err().to_string();
    assert_has(&error, &["qsim.vehiclesSource: vehicles are to come from the vehicles file", "vehicles.vehiclesFile"]);
    let changes = ["qsim.vehiclesSource=fromVehiclesData", "vehicles.vehiclesFile=v.xml"];
    let read = from_changes(&typed(&changes, "/w")).unwrap();
    assert_eq!(read.settings.files.vehicles.as_deref(), Some(Path::new("/w/v.xml")));
}

#[test]
fn written_configs_are_read_back_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.xml");
    let mut unusual = Settings::default();
    for change in [
        "global.coordinateSystem=<a> & \"b\"",
        "qsim.startTime=05:00",
        "qsim.endTime=100000.5",
        "qsim.timeStepSize=0.25",
        "qsim.mainMode=car,truck",
        "qsim.trafficDynamics=kinematicWaves",
        "network.inputNetworkFile=/n/net.xml.gz",
        "routing.teleportedModeSpeed_walk=1.1",
        "controller.runId=r1",
        "throng.compat=13",
        "throng.nodeRandom=java",
        "throng.eventsParquet=false",
        "throng.ignoreUnsupported=true",
        "qsim.pcuThresholdForFlowCapacityEasing=0.3",
    ] {
        apply_set(&mut unusual, change, Path::new("")).unwrap();
    }
    let mut without_modes = Settings::default();
    without_modes.routing.teleported_modes.clear();
    for settings in [Settings::default(), unusual, without_modes] {
        std::fs::write(&path, effective(&settings)).unwrap();
        let read = from_file(&path).unwrap();
        assert_eq!(read.settings, settings);
        assert!(read.warnings.is_empty() && read.notices.is_empty(), "{read:?}");
    }
    std::fs::write(&path, default_config()).unwrap();
    assert_eq!(from_file(&path).unwrap().settings, Settings::default());
}

#[test]
fn the_parameter_list_contains_values_and_defaults() {
    let text = schema();
    assert_has(
        &text,
        &[
            "controller (controler)",
            "  qsim.timeStepSize [s]\n      length of a simulation step\n      a duration of 0.01 s or more, in seconds or \
             HH:MM:SS; default 00:00:01",
            "one of: FIFO, PassingQ; default FIFO",
            "also qsim.nodeTransition, qsim.nodeTransitionLogic",
            "scoring (planCalcScore): all else has no effect",
            "dvrp: not supported",
            "no effect: isRestrictingSeepage",
            "  qsim.useLanes\n      turning lanes at the end of links\n      only false",
        ],
    );
}

#[test]
fn files_other_than_configs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.xml");
    assert_has(&from_file(&path).unwrap_err().to_string(), &["config.xml: there is no such file"]);
    std::fs::write(&path, b"<config>\xff</config>").unwrap();
    assert_has(&from_file(&path).unwrap_err().to_string(), &["UTF-8"]);
    std::fs::write(&path, "<network/>").unwrap();
    assert_has(&from_file(&path).unwrap_err().to_string(), &["config.xml:1: ", "<network>", "a config file"]);
}

#[test]
fn config_files_default_to_controller_seeding() {
    assert_eq!(read("").unwrap().settings.extensions.java_seeding, JavaSeeding::Controller);
    assert_eq!(from_changes(&[]).unwrap().settings.extensions.java_seeding, JavaSeeding::Fresh);
    let chosen = read_with("", &["throng.javaSeeding=fresh"]).unwrap();
    assert_eq!(chosen.settings.extensions.java_seeding, JavaSeeding::Fresh);
}

#[test]
fn packed_configs_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["config.xml.gz", "config.xml.zst"] {
        let path = folder.path().join(name);
        let mut file = throng_output::TextFile::at(&path).unwrap();
        file.text()
            .extend_from_slice(b"<config><module name='qsim'><param name='stuckTime' value='7'/></module></config>");
        file.finish().unwrap();
        assert_eq!(from_file(&path).unwrap().settings.qsim.stuck_time_s, 7.0);
    }
}

#[test]
fn unread_files_are_reported() {
    let notices = |changes: &[&str]| read_with("", changes).unwrap().notices;
    assert_eq!(notices(&[]), [""; 0]);
    let without_effect = "1 setting has no effect on the mobility simulation (module replanning)";
    assert_eq!(notices(&["replanning.maxAgentPlanMemorySize=3"]), [without_effect]);
    let reported = notices(&[
        "network.inputChangeEventsFile=c.xml",
        "facilities.inputFacilitiesFile=f.xml",
        "facilities.facilitiesSource=onePerActivityLinkInPlansFile",
        "plans.inputPersonAttributesFile=p.xml",
    ]);
    assert_eq!(reported.len(), 3, "{reported:?}");
    assert_has(
        &reported.join("\n"),
        &[
            "network.inputChangeEventsFile has no effect; set network.timeVariantNetwork=true",
            "facilities.inputFacilitiesFile has no effect",
            "plans.inputPersonAttributesFile has no effect",
        ],
    );
    let counted = "1 setting has no effect on the mobility simulation (module plans)";
    assert_eq!(notices(&["plans.insistingOnUsingDeprecatedPersonAttributeFile=false"]), [counted], "it names no file");
    let read = ["network.inputChangeEventsFile=c.xml", "network.timeVariantNetwork=true"];
    assert_eq!(notices(&read), [""; 0]);
}

#[test]
fn parameters_of_the_current_release_are_known() {
    let modules = "<module name=\"plans\"><param name=\"tripDurationHandling\" value=\"shiftActivityEndTimes\"/></module>\
                   <module name=\"controller\"><param name=\"networkConsistencyCheck\" value=\"disable\"/></module>";
    assert!(read(modules).unwrap().warnings.is_empty());
}

fn explained(modules: &str, changes: &[&str]) -> Explanation {
    let text = format!("<config>\n{modules}\n</config>");
    explain_reader(text.as_bytes(), Path::new("config.xml"), &typed(changes, "/w")).unwrap()
}

#[test]
fn everything_that_a_config_states_is_explained() {
    let found = explained(
        r#"<module name="controler"><param name="createGraphs" value="true"/><param name="writePlansInterval" value="1"/></module>
        <module name="qsim"><param name="flowCapacityFactor" value="0.1"/><param name="stuckTime" value="10.0"/>
        <param name="useLanes" value="true"/><param name="linkDynamic" value="FIFO"/></module>
        <module name="planCalcScore"><param name="a" value="1"/><parameterset type="b"><param name="c" value="2"/></parameterset></module>
        <module name="network"><param name="inputChangeEventsFile" value="c.xml"/></module>
        <module name="freight"><param name="carriersFile" value=""/></module>
        <module name="routing"><param name="teleportedModeSpeed_taxi" value="8"/></module>
        <module name="mine"/>"#,
        &["qsim.stuckTime=30"],
    );
    let used: Vec<_> =
        found.used.iter().map(|u| (u.name.as_str(), u.value.as_str(), u.differs, u.default.as_deref())).collect();
    let expected = [
        ("controller.writePlansInterval", "1", false, Some("1")),
        ("qsim.flowCapacityFactor", "0.1", true, Some("1.0")),
        ("qsim.stuckTime", "30", true, Some("10")),
        ("routing.teleportedModeSpeed_taxi", "8", true, None),
    ];
    assert_eq!(used, expected);
    assert_eq!(found.used[2].place, "--set");
    let without: Vec<_> =
        found.without_effect.iter().map(|w| (w.group, w.count, w.names.join(","), w.why.as_str())).collect();
    let expected = [
        ("network", 1, "inputChangeEventsFile", "not read; set network.timeVariantNetwork=true to have it read"),
        ("controller", 1, "createGraphs", "charts"),
        ("scoring", 2, "", "for iterations, which are not simulated yet"),
        ("freightCarriers", 1, "carriersFile", "used for vehicles of freight carriers only"),
    ];
    assert_eq!(without, expected.map(|(group, count, names, why)| (group, count, names.to_owned(), why)));
    assert_eq!(found.count_without_effect(), 5);
    let refused = found.refused.to_string();
    assert_has(
        &refused,
        &[
            "config.xml:4: unknown parameter \"linkDynamic\"",
            "did you mean \"linkDynamics\"?",
            "config.xml:4: qsim.useLanes=true",
        ],
    );
    assert_eq!(found.refused.total(), 2, "{refused}");
    assert_eq!(
        found.warnings.iter().map(|(kind, _)| kind).collect::<Vec<_>>(),
        ["module \"mine\" is unknown and ignored"]
    );
    let contradiction = explained("", &["qsim.mainMode="]);
    assert_has(&contradiction.refused.to_string(), &["qsim.mainMode: no mode drives on the network"]);
}

#[test]
fn extensions_are_refused_if_something_switches_them_on() {
    for (modules, message) in [
        ("<module name=\"p\"/>", "config.xml:2: module \"p\" is not supported (minibuses"),
        (
            "<module name=\"multimodal\"><param name=\"simulatedModes\" value=\"bike\"/>\n\
             <param name=\"multiModalSimulationEnabled\" value=\"true\"/></module>",
            "config.xml:3: multimodal.multiModalSimulationEnabled=true is not supported (link travel times of walks",
        ),
        (
            "<module name=\"freight\"><param name=\"carriersFile\" value=\"c.xml\"/></module>",
            "config.xml:2: freightCarriers.carriersFile=c.xml is not supported (vehicles of freight carriers)",
        ),
    ] {
        assert_has(&read(modules).unwrap_err(), &[message, "throng.ignoreUnsupported=true"]);
    }
    for off in [
        "<module name=\"multimodal\"><param name=\"multiModalSimulationEnabled\" value=\"false\"/></module>",
        "<module name=\"eqasim\"><param name=\"crossingPenalty\" value=\"0.0\"/></module>",
        "<module name=\"Carsharing\"><param name=\"membership\" value=\"m.xml\"/></module>",
    ] {
        let found = read(off).unwrap();
        assert!(found.warnings.is_empty(), "{:?}", found.warnings);
        assert_has(&found.notices[0], &["1 setting has no effect"]);
    }
    let on = "<module name=\"FreeFloating\"><param name=\"useFreeFloating\" value=\"true\"/></module>";
    assert_has(&read(on).unwrap_err(), &["--set routing.teleportedModeSpeed_freefloating=8"]);
    assert!(read_with(on, &["FreeFloating.useFreeFloating=false"]).is_ok());
    assert!(read_with("", &["freight.carriersFile=c.xml"]).is_err());
}

#[test]
fn services_name_the_speeds_of_their_modes() {
    let drt = "<module name=\"multiModeDrt\"><parameterset type=\"drt\"><param name=\"mode\" value=\"bus\"/>\
               <parameterset type=\"x\"/></parameterset><parameterset type=\"drt\"><param name=\"mode\" value=\"van\"/>\
               </parameterset></module>";
    let speeds = "--set routing.teleportedModeSpeed_bus=8 --set routing.teleportedModeSpeed_van=8";
    assert_has(&read(drt).unwrap_err(), &["config.xml:2: module \"multiModeDrt\"", speeds]);
    assert_has(&read("<module name=\"taxi\"/>").unwrap_err(), &["--set routing.teleportedModeSpeed_taxi=8"]);
}

#[test]
fn a_later_value_replaces_a_faulty_one() {
    let faulty = "<module name=\"qsim\"><param name=\"stuckTime\" value=\"soon\"/></module>\
                  <module name=\"plans\"><param name=\"inputPlansFile\" value=\"https://x.org/p.xml\"/></module>";
    assert!(read(faulty).is_err());
    let found = read_with(faulty, &["qsim.stuckTime=20", "plans.inputPlansFile=p.xml"]).unwrap();
    assert_eq!(found.settings.qsim.stuck_time_s, 20.0);
}

#[test]
fn changes_of_superseded_groups_are_about_the_parameter() {
    let error = read_with("", &["simulation.x=yes", "simulation.stukTime=1"]).unwrap_err();
    assert_has(
        &error,
        &[
            "--set: unknown parameter \"x\" in module \"simulation\" (now \"qsim\")",
            "--set: unknown parameter \"stukTime\" in module \"simulation\" (now \"qsim\")\n    did you mean \"stuckTime\"?",
        ],
    );
    assert!(read_with("", &["simulation.removeStuckVehicles=yes"]).unwrap().settings.qsim.remove_stuck_vehicles);
    let error = read_with("", &["qsim.removeStuckVehicles=yes"]).unwrap_err();
    assert_has(&error, &["qsim.removeStuckVehicles is \"yes\"\n    expected true or false"]);
}

#[test]
fn configs_are_recognised_by_their_first_element() {
    let folder = tempfile::tempdir().unwrap();
    let is = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).unwrap();
        is_config(&folder.path().join(name))
    };
    assert!(is("a.xml", "<?xml version=\"1.0\"?><!-- x --><config><module"));
    assert!(!is("b.xml", "<network/>") && !is("c.xml", "config") && !is_config(folder.path()));
}
