//! What the typed arguments mean: settings in force, files that are there.

use std::path::{Path, PathBuf};

use throng::fields;
use throng::traffic::config::{self, Change, Configured};
use throng::traffic::formats::open::{STORE_IT, hint_for_missing, special_file};
use throng::traffic::settings::Settings;
use throng_core::{InputError, Problems};
use throng_device::DeviceChoice;

use crate::args::{RunArgs, ScenarioArgs};
use crate::exit::Failure;
use crate::scenario_file;

/// A run that can start.
#[derive(Debug)]
pub(crate) struct RunPlan {
    /// The settings in force.
    pub settings: Settings,
    /// What computes.
    pub device: DeviceChoice,
    /// Stop after that many steps.
    pub steps: Option<u64>,
    /// Record a state hash every so many steps.
    pub hash_every: Option<u64>,
    /// Write link volumes.
    pub link_volumes: bool,
    /// Print how long each part took.
    pub timing: bool,
    /// The scenario as typed, for the manifest.
    pub scenario: Option<PathBuf>,
    /// The files that the settings were read from.
    pub read: Vec<PathBuf>,
}

/// The scenario file of fields that was named, alone or by its folder; `None` where the scenario is one of traffic.
///
/// # Errors
/// A folder with a scenario of fields and a config: it does not say which of them counts.
pub(crate) fn fields_file(scenario: Option<&Path>) -> Result<Option<PathBuf>, InputError> {
    let Some(scenario) = scenario else { return Ok(None) };
    let in_folder = scenario.is_dir();
    let file = if in_folder { scenario.join("scenario.toml") } else { scenario.to_owned() };
    let is_toml = file.extension().is_some_and(|ending| ending == "toml");
    if !is_toml || scenario_file::model(&file).is_none_or(|model| model != "fields") {
        return Ok(None);
    }
    let config = scenario.join("config.xml");
    if in_folder && config.is_file() {
        return Err(InputError::one(
            scenario.display().to_string(),
            "the folder holds a scenario.toml with model = \"fields\", and a config.xml of the traffic model",
            format!("name one of them: {} or {}", file.display(), config.display()),
        ));
    }
    Ok(Some(file))
}

/// Makes a plan of what was typed after `throng run` with a scenario of fields in `file`.
///
/// # Errors
/// All that is wrong with the file and the changes to it, and flags that fields have no use for.
pub(crate) fn fields_run(args: &RunArgs, file: &Path) -> Result<fields::Run, Failure> {
    let RunArgs { scenario, device, steps, hash_every, link_volumes, timing, verbosity: _ } = args;
    let mut problems = Problems::new();
    if *link_volumes {
        for_traffic_only("--link-volumes", &mut problems);
    }
    let changes = fields_changes(scenario, problems)?;
    let run = fields::Run::new(fields::Scenario::read(file, &changes)?);
    let at_most = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    Ok(fields::Run {
        name: scenario.scenario.as_ref().map_or_else(String::new, |path| path.display().to_string()),
        device: *device,
        threads: scenario.threads.unwrap_or(1),
        time_phases: *timing,
        steps: steps.map(at_most),
        hash_every: hash_every.map_or(0, at_most),
        folder: scenario.out.clone(),
        overwrite: scenario.overwrite || run.overwrite,
        ..run
    })
}

/// The scenario of fields in `file` with all that was typed, as the text of a scenario file.
///
/// # Errors
/// As for [`fields_run`].
pub(crate) fn fields_effective(args: &ScenarioArgs, file: &Path) -> Result<String, Failure> {
    let mut changes = fields_changes(args, Problems::new())?;
    let mut add =
        |origin: &str, assignment: String| changes.push(fields::Change { origin: origin.to_owned(), assignment });
    if let Some(folder) = &args.out {
        let folder = toml::Value::String(folder.display().to_string());
        add("--out", format!("output.folder={folder}"));
    }
    if args.overwrite {
        add("--overwrite", "output.overwrite=true".to_owned());
    }
    Ok(fields::Scenario::effective(file, &changes)?)
}

/// The flags as changes to a scenario of fields, `--set` after those with a name of their own.
fn fields_changes(args: &ScenarioArgs, mut problems: Problems) -> Result<Vec<fields::Change>, InputError> {
    let files = [
        ("--network", &args.network),
        ("--plans", &args.plans),
        ("--vehicles", &args.vehicles),
        ("--facilities", &args.facilities),
    ];
    for (flag, _) in files.iter().filter(|(_, file)| file.is_some()) {
        for_traffic_only(flag, &mut problems);
    }
    if let Err(InputError(refused)) = fields::Run::check_threads(args.threads.unwrap_or(1)) {
        problems.append(refused);
    }
    problems.into_result()?;
    // What the file allows is allowed in its own output folder.
    let elsewhere = args
        .out
        .iter()
        .map(|_| fields::Change { origin: "--out".to_owned(), assignment: "output.overwrite=false".to_owned() });
    let seed =
        args.seed.iter().map(|seed| fields::Change { origin: "--seed".to_owned(), assignment: format!("seed={seed}") });
    Ok(elsewhere.chain(seed).chain(args.changes.iter().map(fields::Change::typed)).collect())
}

fn for_traffic_only(flag: &str, problems: &mut Problems) {
    problems.push(flag, "the scenario is one of fields", "it goes with the traffic model; leave it out");
}

/// Makes a plan of what was typed after `throng run`; with what the user should hear about the settings.
///
/// # Errors
/// Settings that cannot be used, input files that are missing.
pub(crate) fn run_plan(args: &RunArgs) -> Result<(RunPlan, Configured), Failure> {
    let configured = settings(&args.scenario)?;
    let settings = configured.settings.clone();
    check_files(&settings)?;
    let plan = RunPlan {
        settings,
        device: args.device,
        steps: args.steps,
        hash_every: args.hash_every,
        link_volumes: args.link_volumes,
        timing: args.timing,
        scenario: args.scenario.scenario.clone(),
        read: files_read(&args.scenario)?,
    };
    Ok((plan, configured))
}

/// The settings that `scenario` and the flags beside it amount to.
///
/// # Errors
/// Everything that is wrong with the scenario and the changes to it.
pub(crate) fn settings(args: &ScenarioArgs) -> Result<Configured, InputError> {
    // As a setting 0 is MATSim's word for no further threads; typed, it is a slip.
    if args.threads == Some(0) {
        return Err(InputError::one("--threads", "at least 1 thread is needed", "give 1 or more, or leave it out"));
    }
    let (config_file, mut changes) = match &args.scenario {
        None => (None, Vec::new()),
        Some(path) => resolve(path)?,
    };
    changes.extend(typed_changes(args));
    match config_file {
        Some(path) => config::from_file_with(&path, &changes),
        None => config::from_changes(&changes),
    }
}

/// The files that [`settings`] reads: a scenario file, a config.
///
/// # Errors
/// A scenario file that cannot be used.
pub(crate) fn files_read(args: &ScenarioArgs) -> Result<Vec<PathBuf>, InputError> {
    let Some(scenario) = &args.scenario else { return Ok(Vec::new()) };
    let (config, _) = resolve(scenario)?;
    Ok([scenario_in(scenario)?].into_iter().chain(config).collect())
}

/// The scenario or config file itself, where a folder may have been named.
fn scenario_in(scenario: &Path) -> Result<PathBuf, InputError> {
    if scenario.is_dir() { config_in(scenario) } else { Ok(scenario.to_owned()) }
}

/// The config file behind the typed scenario, and the changes that come with it.
fn resolve(scenario: &Path) -> Result<(Option<PathBuf>, Vec<Change>), InputError> {
    let file = scenario_in(scenario)?;
    if file.extension().is_some_and(|ending| ending == "toml") {
        let read = scenario_file::read(&file)?;
        return Ok((read.config, read.changes));
    }
    if file.extension().is_some_and(|ending| ending == "throng") {
        // A scenario cache holds all that is loaded; settings have their defaults.
        let change = Change::typed(format!("throng.scenarioCache={}", file.display()));
        return Ok((None, vec![Change { origin: file.display().to_string(), ..change }]));
    }
    Ok((Some(file), Vec::new()))
}

fn config_in(folder: &Path) -> Result<PathBuf, InputError> {
    // A scenario file of traffic is the more exact: it names a config and changes to it.
    let candidates = ["scenario.toml", "config.xml"].map(|name| folder.join(name));
    candidates.into_iter().find(|path| path.is_file()).ok_or_else(|| {
        InputError::one(
            folder.display().to_string(),
            "the folder holds neither config.xml nor scenario.toml",
            "name the scenario file (.toml) or the config file itself, or give --network and --plans",
        )
    })
}

/// The flags as changes. Flags with a name of their own come before `--set`, which is the more exact.
fn typed_changes(args: &ScenarioArgs) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut add = |flag: &str, key: &str, value: String| {
        changes.push(Change { origin: flag.to_owned(), ..Change::typed(format!("{key}={value}")) });
    };
    let text = |path: &PathBuf| path.display().to_string();
    if let Some(path) = &args.network {
        add("--network", "network.inputNetworkFile", text(path));
    }
    if let Some(path) = &args.plans {
        add("--plans", "plans.inputPlansFile", text(path));
    }
    if let Some(path) = &args.vehicles {
        add("--vehicles", "vehicles.vehiclesFile", text(path));
    }
    if let Some(path) = &args.facilities {
        add("--facilities", "facilities.inputFacilitiesFile", text(path));
        add("--facilities", "facilities.facilitiesSource", "fromFile".to_owned());
    }
    if let Some(seed) = args.seed {
        add("--seed", "global.randomSeed", seed.to_string());
    }
    if let Some(threads) = args.threads {
        add("--threads", "qsim.numberOfThreads", threads.to_string());
        add("--threads", "global.numberOfThreads", threads.to_string());
    }
    if let Some(path) = &args.out {
        add("--out", "controller.outputDirectory", text(path));
        // What the config allows is allowed in its own output folder.
        add("--out", "controller.overwriteFiles", "failIfDirectoryExists".to_owned());
    }
    if args.overwrite {
        add("--overwrite", "controller.overwriteFiles", "overwriteExistingFiles".to_owned());
    }
    changes.extend(args.changes.iter().map(Change::typed));
    changes
}

/// All input files that are missing, in one report. With a scenario cache only those count that are named.
///
/// # Errors
/// See above.
pub(crate) fn check_files(settings: &Settings) -> Result<(), InputError> {
    let files = &settings.files;
    let mut problems = Problems::new();
    let flag = |flag| if files.scenario_cache.is_some() { "" } else { flag };
    let mut check = |place: &str, file: &Option<PathBuf>, flag: &str| match file {
        None if flag.is_empty() => {}
        None => problems.push(place, "no file is given", format!("give {flag} FILE, or set it in the config file")),
        Some(path) if path.is_file() => {}
        Some(path) if path.is_dir() => problems.push(place, format!("{} is a folder", path.display()), "name a file"),
        Some(path) => match special_file(path) {
            Some(special) => problems.push(place, format!("{} {special}", path.display()), STORE_IT),
            None => {
                problems.push(place, format!("there is no file {}", path.display()), hint_for_missing(path));
            }
        },
    };
    check("network.inputNetworkFile", &files.network, flag("--network"));
    check("plans.inputPlansFile", &files.plans, flag("--plans"));
    check("throng.scenarioCache", &files.scenario_cache, "");
    check("vehicles.vehiclesFile", &files.vehicles, "");
    check("facilities.inputFacilitiesFile", &files.facilities, "");
    if files.time_variant_network {
        check("network.inputChangeEventsFile", &files.change_events, "");
    }
    problems.into_result()
}

#[cfg(test)]
mod tests {
    use throng::traffic::settings::OverwriteFiles;

    use super::*;

    fn args() -> ScenarioArgs {
        ScenarioArgs::default()
    }

    #[test]
    fn flags_come_before_set() {
        let args = ScenarioArgs {
            network: Some("/n.xml".into()),
            facilities: Some("/f.xml".into()),
            seed: Some(7),
            threads: Some(3),
            out: Some("runs/a".into()),
            overwrite: true,
            changes: vec!["global.numberOfThreads=5".into()],
            ..args()
        };
        let settings = settings(&args).unwrap().settings;
        assert_eq!(settings.files.network, Some("/n.xml".into()));
        assert_eq!(settings.facilities.source, throng::traffic::settings::FacilitiesSource::FromFile);
        assert_eq!(settings.global.random_seed, 7);
        assert_eq!((settings.qsim.number_of_threads, settings.global.number_of_threads), (3, 5));
        assert_eq!(settings.controller.output_directory, PathBuf::from("runs/a"));
        assert_eq!(settings.controller.overwrite_files, OverwriteFiles::OverwriteExistingFiles);
        let error = super::settings(&ScenarioArgs { threads: Some(0), ..self::args() }).unwrap_err().to_string();
        assert!(
            error.starts_with("--threads: at least 1 thread ") && error.ends_with("give 1 or more, or leave it out"),
            "{error}"
        );
        let error = super::settings(&ScenarioArgs { threads: Some(5000), ..self::args() }).unwrap_err().to_string();
        assert!(error.starts_with("--threads: qsim.numberOfThreads is \"5000\""), "{error}");
    }

    #[test]
    fn a_scenario_is_a_config_a_folder_or_a_scenario_file() {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("config.xml");
        std::fs::write(
            &config,
            "<config><module name=\"global\"><param name=\"randomSeed\" value=\"3\"/></module></config>",
        )
        .unwrap();
        let toml = folder.path().join("s.toml");
        std::fs::write(&toml, "model = \"traffic\"\nconfig = \"config.xml\"\n[set]\nqsim.stuckTime = 30").unwrap();
        for (scenario, stuck_time) in [(config, 10.0), (folder.path().to_owned(), 10.0), (toml, 30.0)] {
            let settings = settings(&ScenarioArgs { scenario: Some(scenario), ..args() }).unwrap().settings;
            assert_eq!((settings.global.random_seed, settings.qsim.stuck_time_s), (3, stuck_time));
        }
        std::fs::rename(folder.path().join("s.toml"), folder.path().join("scenario.toml")).unwrap();
        let both = settings(&ScenarioArgs { scenario: Some(folder.path().into()), ..args() }).unwrap().settings;
        assert_eq!(both.qsim.stuck_time_s, 30.0, "the scenario file names the config");
        let empty = tempfile::tempdir().unwrap();
        let error = settings(&ScenarioArgs { scenario: Some(empty.path().into()), ..args() }).unwrap_err();
        assert!(error.to_string().contains("neither config.xml nor scenario.toml"), "{error}");
    }

    #[test]
    fn a_folder_of_fields_holds_no_config() {
        let folder = tempfile::tempdir().unwrap();
        let toml = folder.path().join("scenario.toml");
        let found = |scenario: &Path| fields_file(Some(scenario));
        assert_eq!((fields_file(None), found(folder.path())), (Ok(None), Ok(None)));
        std::fs::write(&toml, "model = \"fields\"").unwrap();
        assert_eq!(found(folder.path()), Ok(Some(toml.clone())));
        std::fs::write(folder.path().join("config.xml"), "<config/>").unwrap();
        let error = found(folder.path()).unwrap_err().to_string();
        assert!(error.contains("a scenario.toml with model = \"fields\", and a config.xml"), "{error}");
        assert_eq!(found(&toml), Ok(Some(toml.clone())));
        let error = settings(&ScenarioArgs { scenario: Some(toml.clone()), ..args() }).unwrap_err().to_string();
        assert!(error.contains("`throng run` takes scenarios of fields"), "{error}");
        std::fs::write(&toml, "model = \"traffic\"").unwrap();
        assert_eq!(found(folder.path()), Ok(None));
    }

    #[test]
    fn missing_files_are_reported_together() {
        let mut settings = Settings::default();
        settings.files.plans = Some("/nowhere/plans.xml".into());
        settings.files.vehicles = Some("/nowhere/vehicles.xml".into());
        let error = check_files(&settings).unwrap_err();
        assert_eq!(error.0.total(), 3);
        assert!(
            error.to_string().contains("network.inputNetworkFile: no file is given\n    give --network FILE"),
            "{error}"
        );
        settings.files.scenario_cache = Some("/nowhere/scenario.throng".into());
        let error = check_files(&settings).unwrap_err();
        assert_eq!(error.0.total(), 3, "plans and vehicles are named, a network need not be: {error}");
        assert!(
            error.to_string().contains("throng.scenarioCache: there is no file /nowhere/scenario.throng"),
            "{error}"
        );
    }
}
