//! Interprets the arguments: a model, and a request for one of its scenarios.

use std::path::{Path, PathBuf};

use throng::model::flags::Flags;
use throng::model::nearby::check_scenario;
use throng::model::scenario_file::{AnyScenario, ScenarioFile, find_model};
use throng::model::{Failure, Model, ScenarioRequest};
use throng::traffic::{Day, Traffic};
use throng_core::{Change, shell_argument};

use crate::args::ScenarioArgs;

/// Returns the scenario described by the arguments of `command`, such as `throng run`, with its settings in effect; and
/// its file, if any. `cache` is the folder for inputs.
///
/// # Errors
/// When the scenario or the changes to it have problems; the error lists all of them.
pub(crate) fn scenario(
    models: &[&'static dyn Model],
    args: &ScenarioArgs,
    cache: Option<PathBuf>,
    command: &str,
    flags: &Flags,
) -> Result<(Box<dyn AnyScenario>, Option<PathBuf>), Failure> {
    if let Some(path) = &args.scenario {
        check_scenario(models, command, path)?;
    }
    let (model, file) = find_model(models, args.scenario.as_deref())?;
    let path = file.as_ref().map(|file| file.path().to_owned());
    let scenario = model.scenario(&ScenarioRequest { cache, ..request(args, file, flags) })?;
    Ok((scenario, path))
}

/// Returns the request for a scenario file with the changes of the arguments.
pub(crate) fn request(args: &ScenarioArgs, file: Option<ScenarioFile>, flags: &Flags) -> ScenarioRequest {
    let ScenarioArgs { scenario: _, changes, seed, threads, out, overwrite } = args;
    ScenarioRequest {
        file,
        changes: changes.iter().map(Change::typed).collect(),
        seed: *seed,
        threads: *threads,
        out: out.clone(),
        overwrite: *overwrite,
        flags: flags.clone(),
        cache: None,
    }
}

/// Returns this command, quoted for a POSIX shell.
pub(crate) fn command() -> String {
    let words = std::env::args_os().map(|word| shell_argument(&word.to_string_lossy()));
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the scenario as it was typed.
pub(crate) fn name(args: &ScenarioArgs) -> String {
    args.scenario.as_ref().map_or_else(String::new, |path| path.display().to_string())
}

/// Returns a day of traffic, for commands that work on its files.
///
/// # Errors
/// When the scenario or its changes have faults (the error lists all of them), or the scenario belongs to a different
/// model.
pub(crate) fn day(scenario: &Path, changes: &[String]) -> Result<Day, Failure> {
    let (_, file) = find_model(&[&Traffic], Some(scenario))?;
    let changes = changes.iter().map(Change::typed).collect();
    Ok(throng::traffic::day(&ScenarioRequest { file, changes, ..ScenarioRequest::default() })?)
}
