//! What is added to a usage error: the scenarios and runs that are here, each with the command to type next.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use throng::model::nearby::{Nearby, check_scenario};
use throng::model::{Catalogue, StoredRun};
use throng_core::{nearest, shell_word};

use crate::typed::{command, takes};

/// The text below a usage error; empty if there is nothing to add.
pub(crate) fn answer(catalogue: &Catalogue, said: &clap::Error, arguments: &[OsString]) -> String {
    match said.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if arguments.len() < 2 => all_here(catalogue),
        ErrorKind::InvalidSubcommand => match said.get(ContextKind::InvalidSubcommand) {
            // Of the first word; clap suggests a name itself if one is near enough.
            Some(ContextValue::String(word)) if arguments.get(1).is_some_and(|first| first == word.as_str()) => {
                of_word(catalogue, Path::new(word), said.get(ContextKind::SuggestedSubcommand).is_none())
            }
            _ => String::new(),
        },
        ErrorKind::MissingRequiredArgument => {
            let command = arguments.get(1).map(|word| word.to_string_lossy()).unwrap_or_default();
            match takes(catalogue, &command) {
                Some(input) if input.contains("RUN") => runs(catalogue, &format!("throng {command}")),
                _ => String::new(),
            }
        }
        _ => String::new(),
    }
}

/// A first word that is no command: perhaps it is a scenario or a run.
fn of_word(catalogue: &Catalogue, word: &Path, suggests: bool) -> String {
    let path = shell_word(word);
    if StoredRun::is_shown(word, &catalogue.models) {
        return format!("\n{path} is the folder of a run: throng view {path}\n");
    }
    if word.exists() && check_scenario(&catalogue.models, "throng run", word).is_ok() {
        return format!("\n{path} may be a scenario: throng run {path}\n");
    }
    if !suggests {
        return String::new();
    }
    let Ok(all) = command(catalogue) else { return String::new() };
    let meant = nearest(&word.to_string_lossy(), all.get_subcommands().map(clap::Command::get_name)).map(str::to_owned);
    meant.map_or_else(String::new, |name| format!("\nDid you mean `throng {name}`?\n"))
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

/// The runs as arguments of a command or, without any, the scenarios that can be run.
fn runs(catalogue: &Catalogue, command: &str) -> String {
    let found = here(catalogue);
    if !found.runs.is_empty() {
        return format!("\nRuns here, the newest first:\n{}", found.run_commands(command, Nearby::SHOWN));
    }
    if found.scenarios.is_empty() {
        return String::new();
    }
    let commands = found.scenario_commands("throng run", Nearby::SHOWN);
    format!("\nThere is no run to view here. Scenarios to run first:\n{commands}")
}

fn here(catalogue: &Catalogue) -> Nearby {
    Nearby::search(&catalogue.models, &PathBuf::from("."))
}
