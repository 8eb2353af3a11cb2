//! Additions to a usage error: the scenarios and runs in the current folder, each with the next command to type.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use throng::model::Catalogue;
use throng::model::nearby::{Nearby, check_scenario};
use throng::model::replay::StoredRun;
use throng_core::{nearest, shell_argument, shell_word};

use crate::parsed_command::{command, input_name};

/// The name of the command that takes two runs.
const COMPARE: &str = "compare";

/// Returns the text below a usage error; empty if there is nothing to add.
pub(crate) fn hint(catalogue: &Catalogue, error: &clap::Error, arguments: &[OsString]) -> String {
    match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if arguments.len() < 2 => all_here(catalogue),
        ErrorKind::InvalidSubcommand => match error.get(ContextKind::InvalidSubcommand) {
            // Only the first word may be a path.
            Some(ContextValue::String(word)) if arguments.get(1).is_some_and(|first| first == word.as_str()) => {
                of_path(catalogue, Path::new(word))
            }
            _ => String::new(),
        },
        ErrorKind::MissingRequiredArgument => {
            let command = arguments.get(1).map(|word| word.to_string_lossy()).unwrap_or_default();
            let given = arguments.get(2..).unwrap_or_default();
            match input_name(catalogue, &command) {
                _ if command == COMPARE => runs_to_compare(catalogue, given),
                Some(input) if input.contains("RUN") => runs(catalogue, &command, given),
                _ => String::new(),
            }
        }
        _ => String::new(),
    }
}

/// Suggests a command for an unknown one if clap finds no similar one or does not look for one, as after `help`.
pub(crate) fn suggest(catalogue: &Catalogue, error: &mut clap::Error, arguments: &[OsString]) {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand).cloned() else { return };
    if error.get(ContextKind::SuggestedSubcommand).is_some() || !of_path(catalogue, Path::new(&word)).is_empty() {
        return;
    }
    let Ok(all) = command(catalogue) else { return };
    // The command whose subcommand was mistyped, such as `generate`.
    let before =
        arguments.iter().skip(1).take_while(|argument| **argument != *word).filter(|argument| *argument != "help");
    let of = before.filter_map(|argument| argument.to_str()).try_fold(&all, |of, name| of.find_subcommand(name));
    let names = of.into_iter().flat_map(clap::Command::get_subcommands).map(clap::Command::get_name);
    if let Some(name) = nearest(&word, names.filter(|name| *name != word)) {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![name.to_owned()]));
    }
}

/// Returns a hint if a first word that is not a command is a scenario or a run.
fn of_path(catalogue: &Catalogue, word: &Path) -> String {
    let path = shell_word(word);
    if StoredRun::is_shown(word, &catalogue.models) {
        return format!("\n{path} is the folder of a run: throng view {path}\n");
    }
    if word.exists() && check_scenario(&catalogue.models, "throng run", word).is_ok() {
        return format!("\n{path} may be a scenario: throng run {path}\n");
    }
    String::new()
}

fn all_here(catalogue: &Catalogue) -> String {
    let found = here(catalogue);
    let mut text = String::new();
    if !found.scenarios.is_empty() {
        let _ = write!(text, "\nScenarios here:\n{}", found.scenario_commands("throng run", Nearby::SHOWN));
    }
    if !found.runs.is_empty() {
        let _ = write!(text, "\nRuns here, the newest first:\n{}", found.run_commands("throng view", Nearby::SHOWN));
    }
    text
}

/// Lists the runs as the next argument of a command, after the arguments `given`; if there are none, lists the
/// scenarios that can be run.
fn runs(catalogue: &Catalogue, command: &str, given: &[OsString]) -> String {
    let found = here(catalogue);
    let typed = format!("throng {command}{}", words(given));
    if !found.runs.is_empty() {
        return format!("\nRuns here, the newest first:\n{}", found.run_commands(&typed, Nearby::SHOWN));
    }
    if found.scenarios.is_empty() {
        return String::new();
    }
    let scenarios = found.scenario_commands("throng run", Nearby::SHOWN);
    format!("\nThere is no run to {command} here. Scenarios to run first:\n{scenarios}")
}

/// Lists the runs to compare: the newest or the given run with each other run of its model, starting with runs of
/// its scenario.
fn runs_to_compare(catalogue: &Catalogue, given: &[OsString]) -> String {
    let mut found = here(catalogue);
    let of_run = given.iter().find_map(|word| Some((word, StoredRun::open(Path::new(word)).ok()?)));
    let is_option = |word: &OsString| word.to_string_lossy().starts_with('-');
    let (path, model, scenario) = match (&of_run, found.runs.first()) {
        (Some((path, run)), _) => (PathBuf::from(path), run.model().to_owned(), run.scenario().to_owned()),
        (None, Some(newest)) if given.iter().all(is_option) => {
            (newest.path.clone(), newest.model.clone(), newest.scenario.clone())
        }
        // There is no run, or an argument is not a run.
        _ => return if found.runs.is_empty() { runs(catalogue, COMPARE, given) } else { String::new() },
    };
    let folder = std::fs::canonicalize(&path).ok();
    found.runs.retain(|run| run.model == model && std::fs::canonicalize(&run.path).ok() != folder);
    found.runs.sort_by_key(|run| run.scenario != scenario);
    if found.runs.is_empty() {
        return format!("\nThere is no other run of the model {model} here to compare {} with.\n", shell_word(&path));
    }
    let others = given.iter().filter(|word| of_run.as_ref().is_none_or(|(run, _)| run != word));
    let typed = format!("throng {COMPARE} {}{}", shell_word(&path), words(others));
    format!("\nRuns of the same model here:\n{}", found.run_commands(&typed, Nearby::SHOWN))
}

/// Quotes arguments for a shell, each preceded by a space.
fn words<'w>(arguments: impl IntoIterator<Item = &'w OsString>) -> String {
    arguments.into_iter().fold(String::new(), |words, word| words + " " + &shell_argument(&word.to_string_lossy()))
}

fn here(catalogue: &Catalogue) -> Nearby {
    Nearby::search(&catalogue.models, &PathBuf::from("."))
}
