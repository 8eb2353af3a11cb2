use throng_model::Model;
use throng_model::flags::Flags;
use throng_model::scenario_file::find_model;
use throng_traffic_scenario::settings::{FacilitiesSource, OverwriteFiles, Settings};

use super::*;
use crate::Traffic;

fn settings(request: &ScenarioRequest) -> Result<Settings, InputError> {
    day(request).map(|day| day.settings)
}

#[test]
fn flags_are_applied_before_set() {
    let mut flags = Flags::default();
    flags.add("network", "/n.xml");
    flags.add("facilities", "/f.xml");
    let request = ScenarioRequest {
        flags,
        seed: Some(7),
        threads: Some(3),
        out: Some("runs/a".into()),
        overwrite: true,
        changes: vec![Change::typed("global.numberOfThreads=5")],
        ..ScenarioRequest::default()
    };
    let found = settings(&request).unwrap();
    assert_eq!(found.files.network, Some("/n.xml".into()));
    assert_eq!(found.facilities.source, FacilitiesSource::FromFile);
    assert_eq!(found.global.random_seed, 7);
    assert_eq!((found.qsim.number_of_threads, found.global.number_of_threads), (3, 5));
    assert_eq!(found.controller.output_directory, PathBuf::from("runs/a"));
    assert_eq!(found.controller.overwrite_files, OverwriteFiles::OverwriteExistingFiles);
}

#[test]
fn flags_of_other_models_and_invalid_numbers_of_threads_are_refused() {
    let refusal = |request: ScenarioRequest| day(&request).unwrap_err().to_string();
    for threads in [0, 5000] {
        let error = refusal(ScenarioRequest { threads: Some(threads), ..ScenarioRequest::default() });
        assert!(error.starts_with(&format!("--threads: {threads}\n    give a whole number from 1 to 1024")), "{error}");
    }
    let mut flags = Flags::default();
    flags.add("wind", "");
    let error = refusal(ScenarioRequest { flags, ..ScenarioRequest::default() });
    assert!(error.starts_with("--wind: the scenario is one of traffic\n    it belongs to another model"), "{error}");
}

/// Returns the settings of the scenario that a user names.
fn named(scenario: &Path) -> Result<Settings, InputError> {
    let models: [&dyn Model; 1] = [&Traffic];
    let (model, file) = find_model(&models, Some(scenario))?;
    assert_eq!(model.name(), "traffic");
    settings(&ScenarioRequest { file, ..ScenarioRequest::default() })
}

#[test]
fn a_scenario_is_a_config_a_folder_or_a_scenario_file() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.xml");
    let text = "<config><module name=\"global\"><param name=\"randomSeed\" value=\"3\"/></module></config>";
    std::fs::write(&config, text).unwrap();
    let toml = folder.path().join("s.toml");
    std::fs::write(&toml, "model = \"traffic\"\nconfig = \"config.xml\"\n[set]\nqsim.stuckTime = 30").unwrap();
    for (scenario, stuck_time) in [(config, 10.0), (folder.path().to_owned(), 10.0), (toml, 30.0)] {
        let settings = named(&scenario).unwrap();
        assert_eq!((settings.global.random_seed, settings.qsim.stuck_time_s), (3, stuck_time));
    }
    std::fs::rename(folder.path().join("s.toml"), folder.path().join("scenario.toml")).unwrap();
    assert_eq!(named(folder.path()).unwrap().qsim.stuck_time_s, 30.0, "the scenario file names the config");
    let empty = tempfile::tempdir().unwrap();
    let error = named(empty.path()).unwrap_err();
    assert!(error.to_string().contains("the folder holds no scenario.toml and no config.xml"), "{error}");
}

fn read_text(text: &str) -> Result<(Option<PathBuf>, Vec<Change>), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.toml");
    std::fs::write(&path, text).unwrap();
    let here = format!("{}/", folder.path().display());
    let (config, changes) = read_scenario_file(&path.into()).map_err(|error| error.to_string().replace(&here, ""))?;
    Ok((config.map(|config| config.strip_prefix(folder.path()).unwrap().to_owned()), changes))
}

#[test]
fn changes_are_read_in_all_forms() {
    let (config, changes) = read_text(
        "model = \"traffic\"\nconfig = \"c.xml\"\n[set]\nqsim.flowCapacityFactor = 0.1\n\
         qsim.mainMode = [\"car\", \"truck\"]\n\"qsim.endTime\" = 12:00:00\nthrong.ignoreUnsupported = true\n\
         [set.global]\nrandomSeed = 7",
    )
    .unwrap();
    assert_eq!(config, Some("c.xml".into()));
    let mut assignments: Vec<_> = changes.iter().map(|change| change.assignment.as_str()).collect();
    assignments.sort_unstable();
    let expected = [
        "global.randomSeed=7",
        "qsim.endTime=12:00:00",
        "qsim.flowCapacityFactor=0.1",
        "qsim.mainMode=car,truck",
        "throng.ignoreUnsupported=true",
    ];
    assert_eq!(assignments, expected);
    let mut lines: Vec<_> = changes.iter().filter_map(|change| change.origin.rsplit_once(':')).collect();
    lines.sort_unstable();
    assert_eq!(lines.iter().map(|(_, line)| *line).collect::<Vec<_>>(), ["4", "5", "6", "7", "9"]);
}

#[test]
fn bad_files_are_reported_with_their_line() {
    for (text, expected) in [
        ("model = \"traffic\"\nconfg = \"c.xml\"", "s.toml:2: unknown key \"confg\"\n    did you mean \"config\"?"),
        ("model = \"traffic\"\nconfig = 7", "s.toml:2: config: invalid type: integer `7`"),
        ("model = \"traffic\"\n[set]\nqsim.mainMode = [[1]]", "s.toml:3: set qsim.mainMode: the value is not"),
        ("model = \"traffic\"\n[set]\nqsim.mainMode = [\"car,bike\"]", "s.toml:3: set qsim.mainMode: the value is not"),
        (
            "model = \"traffic\"\n[set]\nqsim.stuckTime = 30\n\"qsim.stuckTime\" = 40",
            "s.toml:4: set qsim.stuckTime: is set twice",
        ),
        ("model = ", "s.toml:1:"),
    ] {
        let error = read_text(text).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
}
