//! Messages about paths that are not scenarios or runs: the nearest alternatives, and the next command.

use std::path::{Path, PathBuf};

use throng_core::{InputError, hint_for_missing, nearest, shell_word};

use super::{Nearby, head, holds_scenario, is_sweep};
use crate::Model;
use crate::replay::StoredRun;
use crate::report::REPORT_NAME;
use crate::scenario_file::{looks_like_scenario, without_usual_name};
use crate::sweep::description;

/// Rejects a path that cannot be a scenario: a missing path, a folder without one, a run or sweep, or a result of one.
/// The remedy has commands for the run or sweep, or lists the scenarios below the path or, if there are none, in the
/// working folder, as arguments of `command`, such as `throng run`.
///
/// # Errors
/// When the path is not a scenario; the error gives the reason.
pub fn check_scenario(models: &[&dyn Model], command: &str, path: &Path) -> Result<(), InputError> {
    let place = path.display().to_string();
    let wrong = |message: &str, remedy: String| Err(InputError::one(place.clone(), message, remedy));
    if !path.exists() {
        let here = Nearby::search(models, Path::new("."));
        let all = here.scenarios.iter().map(|scenario| scenario.path.as_path());
        let remedy =
            join(&missing(path, &all), &here.scenario_commands(command, Nearby::SHOWN), scenarios_here(command));
        return wrong("there is no such file or folder", remedy);
    }
    if let Some(run) = run_of_result(path) {
        return wrong("is a result of a run, not a scenario", of_run(models, command, &run));
    }
    if is_page(path) {
        return wrong("is a page for a browser, not a scenario", scenarios_of(models, command, Path::new(".")));
    }
    if description::begins(&head(path)) {
        let folder = path.parent().unwrap_or(Path::new(""));
        return wrong("describes a sweep, not a scenario", of_sweep(folder));
    }
    if path.is_dir() && !holds_scenario(models, path) {
        if StoredRun::is_in(path) {
            return wrong("is the folder of a run, not a scenario", of_run(models, command, path));
        }
        if is_sweep(path) {
            return wrong("is the folder of a sweep, not a scenario", of_sweep(path));
        }
        return wrong("the folder is not a scenario", scenarios_of(models, command, path));
    }
    Ok(())
}

/// Rejects a path that is not the folder of a run. The remedy usually lists the runs below it or, if there are none, in
/// the working folder, as arguments of `command`, such as `throng view`; if there are no runs, it lists the scenarios
/// that can be run.
///
/// # Errors
/// When the path is not a run; the error gives the reason.
pub fn check_run(models: &[&dyn Model], command: &str, path: &Path) -> Result<(), InputError> {
    let place = path.display().to_string();
    let wrong = |message: &str, remedy: String| Err(InputError::one(place.clone(), message, remedy));
    if !path.exists() {
        let here = Nearby::search(models, Path::new("."));
        let all = here.runs.iter().map(|run| run.path.as_path());
        let runs = if here.runs.is_empty() { String::new() } else { here.run_commands(command, Nearby::SHOWN) };
        let remedy = join(&missing(path, &all), &runs, RUNS);
        return wrong("there is no such file or folder", remedy);
    }
    if StoredRun::is_in(path) {
        return Ok(());
    }
    if let Some(run) = run_of_result(path) {
        let remedy = if StoredRun::is_shown(&run, models) {
            format!("give the folder of the run: {command} {}", shell_word(&run))
        } else {
            runs_here(models, command)
        };
        return wrong("is a result of a run", remedy);
    }
    if is_page(path) {
        return wrong("is a page for a browser, not the folder of a run", runs_here(models, command));
    }
    if is_sweep(path) {
        return wrong("is the folder of a sweep, not of a run", of_sweep(path));
    }
    let below = if path.is_dir() { Nearby::search(models, path) } else { Nearby::default() };
    if !below.runs.is_empty() {
        return wrong(
            "is not the folder of a run",
            join("it has runs below it:", &below.run_commands(command, Nearby::SHOWN), ""),
        );
    }
    if path.is_dir() && holds_scenario(models, path) {
        return wrong("is a scenario, not the folder of a run", run_it_first(models, command, path));
    }
    wrong("has no manifest.json, so it holds no complete run", runs_here(models, command))
}

/// Returns the error for a command that needs a scenario but got none.
pub fn no_scenario(models: &[&dyn Model], command: &str) -> InputError {
    InputError::one("SCENARIO", "is missing", scenarios_of(models, command, Path::new(".")))
}

/// Returns the error for a path that is neither a scene nor a run, but that `model` accepts as a scenario. A model may
/// accept any file, so only a folder, a `.toml` file, and a file with an ending of the model are called one.
pub fn neither_scene_nor_run(models: &[&dyn Model], command: &str, path: &Path, model: &dyn Model) -> InputError {
    let (message, remedy) = if looks_like_scenario(model, path) {
        (format!("is a scenario of {}, not a scene or a run", model.name()), run_it_first(models, command, path))
    } else {
        ("is not a scene or a run".to_owned(), runs_here(models, command))
    };
    InputError::one(path.display().to_string(), message, remedy)
}

/// Returns the remedy for a scenario given instead of a run: `throng run`, or its existing runs in the working folder.
fn run_it_first(models: &[&dyn Model], command: &str, scenario: &Path) -> String {
    let first = format!("run it first: throng run {}", shell_word(scenario));
    let mut here = Nearby::search(models, Path::new("."));
    here.runs.retain(|run| without_usual_name(Path::new(&run.scenario)) == without_usual_name(scenario));
    let heading = format!("{first}; or, the newest first:");
    if here.runs.is_empty() { first } else { join("", &here.run_commands(command, Nearby::SHOWN), &heading) }
}

/// Returns the heading of the list of scenarios in the working folder.
fn scenarios_here(command: &str) -> &'static str {
    // Without further arguments, the sweep would vary nothing.
    if command == SWEEP { "scenarios here; add --vary KEY=V1,V2,... or --seeds N:" } else { "scenarios here:" }
}

const SWEEP: &str = "throng sweep";
const RUNS: &str = "runs here, the newest first:";

/// Lists the scenarios below a folder or, if there are none, in the working folder.
fn scenarios_of(models: &[&dyn Model], command: &str, folder: &Path) -> String {
    let below = Nearby::search(models, folder);
    let is_here = folder == Path::new(".");
    if !below.scenarios.is_empty() {
        let heading = if is_here { scenarios_here(command) } else { "it has scenarios below it:" };
        return join("", &below.scenario_commands(command, Nearby::SHOWN), heading);
    }
    if !is_here {
        return scenarios_of(models, command, Path::new("."));
    }
    "there is no scenario here; `throng generate city --out city` creates one, `throng config --default --model MODEL` \
     prints a template, and `throng list` shows the models"
        .to_owned()
}

/// Lists the runs in the working folder or, if there are none, the scenarios that can be run.
fn runs_here(models: &[&dyn Model], command: &str) -> String {
    let here = Nearby::search(models, Path::new("."));
    if here.runs.is_empty() {
        return format!("there is no run to view here; {}", scenarios_of(models, "throng run", Path::new(".")));
    }
    join("", &here.run_commands(command, Nearby::SHOWN), RUNS)
}

/// Suggests the nearest path or, if there is none, the existing path with the nearest last name.
fn missing<'p>(path: &Path, all: &(impl Iterator<Item = &'p Path> + Clone)) -> String {
    let name = |path: &'p Path| path.file_name().and_then(|name| name.to_str());
    let wanted = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let meant = nearest(wanted, all.clone().filter_map(name));
    let hint = hint_for_missing(path);
    match all.clone().find(|&path| meant.is_some() && name(path) == meant) {
        Some(found) if !hint.starts_with("did you mean") => format!("did you mean {}?", found.display()),
        _ => hint,
    }
}

/// Returns the folder of the run that a report or table belongs to.
fn run_of_result(path: &Path) -> Option<PathBuf> {
    let ending = path.extension()?.to_str()?;
    // Configs and networks written by a run can be used as inputs.
    if !path.is_file() || ["toml", "xml", "gz", "zst", "bz2", "throng"].contains(&ending) {
        return None;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    StoredRun::is_in(folder).then(|| folder.to_owned())
}

/// Returns the remedy for a sweep given instead of a scenario or a run: its report, and its scenario.
fn of_sweep(folder: &Path) -> String {
    let report = folder.join(REPORT_NAME);
    let mut remedies = vec![if report.is_file() {
        format!("to look at it, open {} in a browser", shell_word(&report))
    } else {
        "it is not finished: the command that started it continues it".to_owned()
    }];
    // The path as typed, possibly in another folder.
    let scenario = description::scenario_in(folder);
    if !scenario.is_empty() && Path::new(&scenario).exists() {
        remedies.push(format!("to run its scenario: throng run {}", shell_word(Path::new(&scenario))));
    }
    remedies.join("\n    ")
}

fn is_page(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|ending| ending == "html")
}

/// Returns the remedy for the folder of a run given instead of a scenario: commands for the run or, if there are none,
/// the scenarios in the working folder.
fn of_run(models: &[&dyn Model], command: &str, folder: &Path) -> String {
    let mut commands = Vec::new();
    if StoredRun::is_shown(folder, models) {
        commands.push(format!("to look at it: throng view {}", shell_word(folder)));
    }
    // `throng run` cannot repeat papers.
    let of_model = |run: &StoredRun| models.iter().any(|model| model.name() == run.model());
    if let Some(run) = StoredRun::open(folder).ok().filter(of_model).filter(|run| !run.scenario().is_empty()) {
        commands.push(format!("to run its scenario: throng run {}", shell_word(Path::new(run.scenario()))));
    }
    if commands.is_empty() { scenarios_of(models, command, Path::new(".")) } else { commands.join("\n    ") }
}

/// Joins a sentence and a list below a heading, indented like a remedy.
fn join(sentence: &str, list: &str, heading: &str) -> String {
    let heading = if list.is_empty() { "" } else { heading };
    let lines = [sentence, heading].into_iter().filter(|line| !line.is_empty()).chain(list.lines());
    lines.collect::<Vec<_>>().join("\n    ")
}
