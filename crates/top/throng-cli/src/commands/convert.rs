//! `throng convert`: writes the same content in another format.

use std::path::{Path, PathBuf};

use throng::model::Failure;
use throng::output::check_target;
use throng::traffic;
use throng::traffic::convert::{self, ConvertOptions};
use throng_core::{Progress, Warnings, hint_for_missing, special_file};

use crate::args::ConvertArgs;
use crate::outcome::Outcome;
use crate::scenario::day;
use crate::{progress, report};

pub(crate) fn run(args: &ConvertArgs) -> Result<Outcome, Failure> {
    // Pipes and devices are rejected when they are opened.
    if !args.input.is_file() && special_file(&args.input).is_none() {
        let place = args.input.display().to_string();
        return Err(Failure::input(place, "there is no such file", hint_for_missing(&args.input)));
    }
    check_target(&args.output, [args.input.as_path()].into_iter().chain(args.network.as_deref()))?;
    if args.output.exists() && !args.overwrite {
        let place = args.output.display().to_string();
        return Err(Failure::input(place, "the file exists", "name another file, or add --overwrite"));
    }
    let is_cache = |path: &Path| path.extension().is_some_and(|ending| ending == "throng");
    if is_cache(&args.input) && is_cache(&args.output) {
        let remedy = "copy the file, or name the config from which it was made";
        return Err(Failure::input(args.input.display().to_string(), "is already a scenario cache", remedy));
    }
    let display = progress::display(args.verbosity);
    if is_cache(&args.output) {
        return make_cache(args, display.as_ref());
    }
    convert(args, display.as_ref())
}

/// Loads a scenario and stores it in its in-memory form.
fn make_cache(args: &ConvertArgs, progress: &dyn Progress) -> Result<Outcome, Failure> {
    if args.network.is_some() || args.to.is_some() {
        let message = "a scenario cache has no versions and takes its network from the config";
        return Err(Failure::input("convert", message, "leave out --network and --to"));
    }
    // The output file must not be an input.
    let changes: Vec<String> = args.changes.iter().cloned().chain(["throng.scenarioCache=".to_owned()]).collect();
    let day = day(&args.input, &changes)?;
    check_target(&args.output, day.read.iter().map(PathBuf::as_path))?;
    traffic::check_files(&day.settings)?;
    report::about_settings(&day.warnings, &day.notes, args.verbosity);
    let mut warnings = day.warnings.clone();
    let cached = traffic::make_cache(day.settings, &args.output, &mut warnings, progress)?;
    report::new_warnings(&warnings, &day.warnings, args.verbosity);
    if !args.verbosity.quiet {
        report::print(&format!(
            "scenario cache: {} persons, {} links, {:.1} MB\n",
            cached.persons,
            cached.links,
            cached.file.bytes as f64 / 1e6
        ))?;
    }
    Ok(Outcome::Done)
}

fn convert(args: &ConvertArgs, progress: &dyn Progress) -> Result<Outcome, Failure> {
    if !args.changes.is_empty() {
        let message = "only a scenario cache (.throng) is made from settings";
        return Err(Failure::input("--set", message, "leave it out"));
    }
    progress.begin(&format!("converting {}", args.input.display()), None, "files");
    let options = ConvertOptions { network: args.network.clone(), version: args.to.clone() };
    let report = convert::convert(&args.input, &args.output, &options)?;
    progress.end();
    report::new_warnings(&report.warnings, &Warnings::new(), args.verbosity);
    if !args.verbosity.quiet {
        report::print(&format!("{report}\n"))?;
    }
    Ok(Outcome::Done)
}
