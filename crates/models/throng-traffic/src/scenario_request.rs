//! The settings of a request: a config, a scenario file that names one, flags, and changes to individual parameters.
//!
//! ```toml
//! model = "traffic"
//! config = "config.xml"          # optional; relative to this file
//! [set]
//! qsim.flowCapacityFactor = 0.1
//! qsim.mainMode = ["car", "truck"]
//! ```

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use throng_core::{Change, InputError, Problems};
use throng_matsim::config::{self, Configured, Explanation};
use throng_model::ScenarioRequest;
use throng_model::flags::Flag;
use throng_model::names::shown;
use throng_model::scenario_file::{At, MODEL_KEY, ScenarioFile, Texts};

use crate::run::Day;

/// Command-line flags of the traffic model: input files and link volumes.
pub(crate) const FLAGS: [Flag; 5] = [
    file("network", "Network file (MATSim network v1 or v2)"),
    file("plans", "Plans file (MATSim population v4, v5 or v6)"),
    file("vehicles", "Vehicles file (MATSim vehicles v1 or v2); see also qsim.vehiclesSource"),
    file("facilities", "Facilities file; sets facilities.facilitiesSource to fromFile"),
    Flag {
        more: "The length of a bin is travelTimeCalculator.travelTimeBinSize. With controller.writeEventsInterval=0 this \
               is the fastest way to get volumes: the executor counts them, and no events are created.",
        only_run: true,
        ..Flag::switch(
            LINK_VOLUMES,
            "Count the vehicles that leave each link per time bin, in a separate table; works without events",
        )
    },
];

const LINK_VOLUMES: &str = "link-volumes";

const fn file(name: &'static str, help: &'static str) -> Flag {
    Flag::new(name, "FILE", help)
}

/// Returns the day that a request describes.
///
/// # Errors
/// All problems of the scenario and the changes to it.
pub fn day(request: &ScenarioRequest) -> Result<Day, InputError> {
    let (config_file, changes) = config_and_changes(request)?;
    let Configured { settings, warnings, notices } = match &config_file {
        Some(path) => config::from_file_with(path, &changes)?,
        None => config::from_changes(&changes)?,
    };
    let read = request.file.iter().map(|file| file.path().to_owned()).chain(config_file).collect();
    Ok(Day {
        settings,
        link_volumes: request.flags.has(LINK_VOLUMES),
        read,
        cache: request.cache.clone(),
        warnings,
        notes: notices,
    })
}

/// Returns the treatment of everything that the config of a request and the changes to it state. Input files are not
/// read.
///
/// # Errors
/// If the scenario file has problems, or its config is not one.
pub fn explain(request: &ScenarioRequest) -> Result<Explanation, InputError> {
    let (config_file, changes) = config_and_changes(request)?;
    config::explain(config_file.as_deref(), &changes)
}

/// Returns the config file of a request, and all changes to it.
fn config_and_changes(request: &ScenarioRequest) -> Result<(Option<PathBuf>, Vec<Change>), InputError> {
    request.check("traffic", &FLAGS)?;
    let (config_file, mut changes) = match &request.file {
        None => (None, Vec::new()),
        Some(file) => resolve(file)?,
    };
    changes.extend(typed_changes(request));
    Ok((config_file, changes))
}

/// Returns the config file of a scenario file, and the changes in it.
fn resolve(file: &ScenarioFile) -> Result<(Option<PathBuf>, Vec<Change>), InputError> {
    let path = file.path();
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("toml") => read_scenario_file(file),
        // A scenario cache contains all data; settings have their defaults.
        Some("throng") => {
            let origin = path.display().to_string();
            let assignment = format!("throng.scenarioCache={origin}");
            Ok((None, vec![Change::of_flag(origin, assignment)]))
        }
        _ => Ok((Some(path.to_owned()), Vec::new())),
    }
}

/// Reads a scenario file of the traffic model: the config that it names, and its changes to the config, sorted by name.
fn read_scenario_file(file: &ScenarioFile) -> Result<(Option<PathBuf>, Vec<Change>), InputError> {
    let folder = file.path().parent().unwrap_or(Path::new(""));
    let mut problems = Problems::new();
    let texts = Texts::new("traffic", file, &[], &mut problems)?;
    let name = texts.file();
    let mut source = texts.tree(&mut problems);
    let model: Option<At<String>> = source.take(MODEL_KEY, &mut problems);
    if let Some(model) = model.filter(|model| model.value != "traffic") {
        problems.push(model.place, format!("\"{}\"", shown(&model.value)), "expected \"traffic\"");
    }
    let config: Option<At<PathBuf>> = source.take("config", &mut problems);
    let all = texts.tree(&mut Problems::new());
    let place = |key: &str| all.place_of(&format!("set.{key}")).unwrap_or_else(|| name.to_owned());
    let set: Option<At<toml::Table>> = source.take("set", &mut problems);
    source.finish(&[MODEL_KEY, "config", "set"].map(str::to_owned), &mut problems);
    let mut changes: Vec<Change> = Vec::new();
    let mut keys = BTreeSet::new();
    for (key, value) in set.iter().flat_map(|set| &set.value) {
        flatten(key, value, &mut |key, value| match value {
            // `qsim.stuckTime` and `"qsim.stuckTime"` are different keys in TOML.
            Some(_) if !keys.insert(key.to_owned()) => {
                problems.push(format!("{}: set {key}", place(key)), "is set twice", "remove one of the two");
            }
            Some(value) => changes.push(Change {
                assignment: format!("{key}={value}"),
                base_dir: folder.to_owned(),
                origin: place(key),
            }),
            None => problems.push(
                format!("{}: set {key}", place(key)),
                "the value is not a string, number, boolean or list of strings; commas separate the values of a list",
                "write qsim.stuckTime = 10",
            ),
        });
    }
    problems.into_result()?;
    Ok((config.map(|config| folder.join(config.value)), changes))
}

/// Calls `take` for every parameter below `key`. In TOML, `qsim.stuckTime = 10` is a table in a table.
fn flatten(key: &str, value: &toml::Value, take: &mut dyn FnMut(&str, Option<String>)) {
    match value {
        toml::Value::Table(table) => {
            for (name, value) in table {
                flatten(&format!("{key}.{name}"), value, take);
            }
        }
        toml::Value::Array(items) => {
            // Commas separate the values of a list.
            let item = |item: &toml::Value| scalar(item).filter(|text| !text.contains(','));
            let texts: Option<Vec<String>> = items.iter().map(item).collect();
            take(key, texts.map(|texts| texts.join(",")));
        }
        value => take(key, scalar(value)),
    }
}

fn scalar(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(flag) => Some(flag.to_string()),
        toml::Value::Datetime(time) => Some(time.to_string()),
        toml::Value::Array(_) | toml::Value::Table(_) => None,
    }
}

/// Returns the flags as changes. Dedicated flags come before `--set`, which overrides them; only the output folder of
/// `--out` comes last.
fn typed_changes(request: &ScenarioRequest) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut add = |flag: &str, key: &str, value: &str| changes.push(Change::of_flag(flag, format!("{key}={value}")));
    for (flag, key) in [
        ("network", "network.inputNetworkFile"),
        ("plans", "plans.inputPlansFile"),
        ("vehicles", "vehicles.vehiclesFile"),
        ("facilities", "facilities.inputFacilitiesFile"),
    ] {
        if let Some(path) = request.flags.get(flag) {
            add(&format!("--{flag}"), key, path);
        }
    }
    if request.flags.has("facilities") {
        add("--facilities", "facilities.facilitiesSource", "fromFile");
    }
    if let Some(seed) = request.seed {
        add("--seed", "global.randomSeed", &seed.to_string());
    }
    if let Some(threads) = request.threads {
        add("--threads", "qsim.numberOfThreads", &threads.to_string());
        add("--threads", "global.numberOfThreads", &threads.to_string());
    }
    if request.out.is_some() {
        // The overwrite setting of the config applies to the config's output folder.
        add("--out", "controller.overwriteFiles", "replaceOwnRun");
    }
    if request.overwrite {
        add("--overwrite", "controller.overwriteFiles", "overwriteExistingFiles");
    }
    changes.extend(request.changes.iter().cloned());
    // The settings of a stored run include its folder; `--out` repeats it in a different one.
    if let Some(path) = &request.out {
        let folder = format!("controller.outputDirectory={}", path.display());
        changes.push(Change::of_flag("--out", folder));
    }
    changes
}

#[cfg(test)]
mod tests;
