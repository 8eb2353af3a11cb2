//! `throng list`: models, scenarios, runs and sweeps, with the command to type or the page to open next.

use std::fmt::Write as _;
use std::path::Path;

use throng::model::nearby::Nearby;
use throng::model::{Catalogue, Failure};
use throng_core::{hint_for_missing, shell_word};

use crate::args::ListArgs;
use crate::outcome::Outcome;
use crate::report;

pub(crate) fn run(catalogue: &Catalogue, args: &ListArgs) -> Result<Outcome, Failure> {
    let folder = &args.folder;
    if !folder.is_dir() {
        let (message, remedy) = if folder.exists() {
            ("is not a folder", "name a folder to search".to_owned())
        } else {
            ("there is no such folder", hint_for_missing(folder))
        };
        return Err(Failure::input(folder.display().to_string(), message, remedy));
    }
    let found = Nearby::search(&catalogue.models, folder);
    // Models are not in a folder, so they are listed only if no folder is given.
    let models = if folder == Path::new(".") { models(catalogue) } else { String::new() };
    let text = models + &scenarios(&found, folder) + &runs(&found, folder) + &sweeps(&found, folder);
    report::print(text.trim_start())
}

/// Lists the models, each with its subject.
fn models(catalogue: &Catalogue) -> String {
    let mut text = "Models; `throng config --default --model MODEL` prints a scenario file to start from:\n".to_owned();
    for model in &catalogue.models {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {:<14}{}", model.name(), model.about());
    }
    text
}

fn scenarios(found: &Nearby, folder: &Path) -> String {
    let place = place(folder);
    if found.scenarios.is_empty() {
        return format!("\nScenarios {place}: none. `throng generate city --out city` creates one.\n");
    }
    format!("\nScenarios {place}:\n{}", found.scenario_commands("throng run", usize::MAX))
}

fn runs(found: &Nearby, folder: &Path) -> String {
    let place = place(folder);
    if found.runs.is_empty() {
        return format!("\nRuns {place}: none to view.\n");
    }
    format!("\nRuns {place}, the newest first:\n{}", found.run_commands("throng view", usize::MAX))
}

fn sweeps(found: &Nearby, folder: &Path) -> String {
    if found.sweeps.is_empty() {
        return String::new();
    }
    format!("\nSweeps {}; open the report in a browser:\n{}", place(folder), found.sweep_reports())
}

fn place(folder: &Path) -> String {
    if folder == Path::new(".") { "here".to_owned() } else { format!("in {}", shell_word(folder)) }
}
