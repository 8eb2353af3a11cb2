//! `throng config --explain`: the treatment of everything that a MATSim config states.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use throng::model::flags::Flags;
use throng::model::nearby::check_scenario;
use throng::model::scenario_file::{SCENARIO_NAME, ScenarioFile, find_model};
use throng::model::{Check as _, Failure, Model};
use throng::traffic::config::{Explanation, is_config};
use throng_core::Alignment::{Left, Right};
use throng_core::{InputError, counted, text_table};

use crate::args::ScenarioArgs;
use crate::outcome::Outcome;
use crate::report;
use crate::scenario::request;

const COMMAND: &str = "throng config --explain";
/// Endings of the names of files that may be configs.
const ENDINGS: [&str; 3] = [".xml", ".xml.gz", ".xml.zst"];

pub(crate) fn run(models: &[&'static dyn Model], args: &ScenarioArgs, flags: &Flags) -> Result<Outcome, Failure> {
    let explain = |file: Option<ScenarioFile>| throng::traffic::explain(&request(args, file, flags));
    let Some(path) = &args.scenario else { return print("the defaults with these changes", &explain(None)?) };
    let mut path = path.clone();
    if path.is_dir() && !path.join(SCENARIO_NAME).is_file() {
        let mut configs = Vec::new();
        add_configs(&path, &mut configs).map_err(|error| {
            Failure::input(path.display().to_string(), format!("cannot be read: {error}"), "check its permissions")
        })?;
        configs.sort();
        match &configs[..] {
            [] => {
                let remedy = "name a MATSim config, or a folder above one; its first element is <config>";
                return Err(Failure::input(path.display().to_string(), "there is no config below this folder", remedy));
            }
            [one] => one.clone_into(&mut path),
            all => return table(&path, all.iter().map(|config| (&**config, explain(Some(config.clone().into()))))),
        }
    } else {
        check_scenario(models, COMMAND, &path)?;
    }
    let (model, file) = find_model(models, Some(&path))?;
    if model.name() != throng::traffic::Traffic.name() {
        let message = format!("is a scenario of the model {}, which refuses keys without effect", model.name());
        return Err(Failure::input(path.display().to_string(), message, "use --effective to see all keys in effect"));
    }
    print(&path.display().to_string(), &explain(file)?)
}

/// Adds the configs in a folder and below it. Hidden folders and `target` are skipped, and so are unreadable folders
/// below the given one.
fn add_configs(folder: &Path, configs: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)?.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if !name.starts_with('.') && name != "target" {
                let _ = add_configs(&path, configs);
            }
        } else if ENDINGS.iter().any(|ending| name.ends_with(ending)) && is_config(&path) {
            configs.push(path);
        }
    }
    Ok(())
}

/// Prints the explanation of one config.
fn print(name: &str, explanation: &Explanation) -> Result<Outcome, Failure> {
    report::print(&text(name, explanation))?;
    Ok(if explanation.refused.is_empty() { Outcome::Done } else { Outcome::Differs })
}

fn text(name: &str, explanation: &Explanation) -> String {
    let Explanation { used, without_effect, refused, warnings } = explanation;
    let verdict = if refused.is_empty() { "accepted" } else { "refused" };
    let mut text = format!("{name}: {verdict}\n");
    let changed = used.iter().filter(|one| one.differs).count();
    let without = explanation.count_without_effect();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{} used ({changed} not the default), {without} without effect, {} refused, {}",
        counted(used.len() as u64, "setting"),
        refused.total(),
        counted(warnings.iter().count() as u64, "warning"),
    );
    if !refused.is_empty() {
        let _ = writeln!(text, "\nRefused; a run stops at these:\n{refused}");
    }
    if !warnings.is_empty() {
        text += "\nWarnings:\n";
        for (kind, warning) in warnings.iter() {
            let _ = writeln!(text, "{}: {kind}", warning.detail());
        }
    }
    if !used.is_empty() {
        let rows: Vec<[String; 3]> = used
            .iter()
            .map(|one| {
                let default = match (&one.default, one.differs) {
                    (Some(default), true) => format!("default {default}"),
                    (_, differs) => if differs { "no default" } else { "the default" }.to_owned(),
                };
                [format!("  {}", one.name), one.value.clone(), default]
            })
            .collect();
        let _ = write!(text, "\nUsed:\n{}", text_table(&rows, &[Left, Left, Left]));
    }
    if !without_effect.is_empty() {
        let rows: Vec<[String; 2]> = without_effect
            .iter()
            .map(|one| {
                let all = if one.names.is_empty() { counted(one.count, "setting") } else { one.names.join(", ") };
                [format!("  {}", one.group), format!("{all}: {}", one.why)]
            })
            .collect();
        let _ = write!(text, "\nWithout effect:\n{}", text_table(&rows, &[Left, Left]));
    }
    text
}

/// Prints a table with a row for each config below a folder.
fn table<'a>(
    folder: &Path,
    explained: impl Iterator<Item = (&'a Path, Result<Explanation, InputError>)>,
) -> Result<Outcome, Failure> {
    let mut rows = vec![["used", "no effect", "refused", "warnings", "config", "first reason"].map(str::to_owned)];
    let mut accepted = 0;
    for (config, explanation) in explained {
        let name = config.strip_prefix(folder).unwrap_or(config).display().to_string();
        rows.push(match explanation {
            Ok(explanation) => {
                accepted += usize::from(explanation.refused.is_empty());
                let first = explanation.refused.shown().first();
                let reason = first.map_or_else(
                    || "accepted".to_owned(),
                    |first| {
                        let line =
                            first.place.rsplit_once(':').map(|(_, line)| line).filter(|_| first.place.contains(&name));
                        line.map_or_else(
                            || format!("{}: {}", first.place, first.message),
                            |line| format!("line {line}: {}", first.message),
                        )
                    },
                );
                [
                    explanation.used.len().to_string(),
                    explanation.count_without_effect().to_string(),
                    explanation.refused.total().to_string(),
                    explanation.warnings.iter().count().to_string(),
                    name,
                    reason,
                ]
            }
            Err(error) => [
                "-".to_owned(),
                "-".to_owned(),
                "-".to_owned(),
                "-".to_owned(),
                name,
                format!("not read: {}", error.message()),
            ],
        });
    }
    let all = rows.len() - 1;
    let table = text_table(&rows, &[Right, Right, Right, Right, Left, Left]);
    report::print(&format!("{accepted} of {all} configs are accepted\n\n{table}"))?;
    Ok(if accepted == all { Outcome::Done } else { Outcome::Differs })
}
