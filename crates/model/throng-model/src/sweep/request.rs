//! The request of a sweep, and the checks that do not depend on the model.

use std::path::{Path, PathBuf};

use throng_core::{InputError, Problems};
use throng_device::DeviceChoice;
use throng_output::LOCK_NAME;

use super::check::{request_of, seed_of};
use super::description::Description;
use super::design::Design;
use super::design_file::{DESIGN, DesignFile};
use super::vary::{self, LATIN_HYPERCUBE, VARY, Values, Vary};
use super::{MAX_SEEDS, UNDER_WAY};
use crate::assignment::{Relation, assignment, key_parts, relation};
use crate::threads::MAX_THREADS;
use crate::{Failure, Model, RunRequest, ScenarioRequest};

/// A sweep, as typed.
#[derive(Debug, Clone, Default)]
pub struct SweepRequest {
    /// The scenario, with the changes common to all runs. `threads` is per run, 1 by default; the output folder is
    /// ignored.
    pub scenario: ScenarioRequest,
    /// The varied parameters: `KEY=V1,V2,...`, or `KEY=LOW..HIGH` for samples.
    pub vary: Vec<String>,
    /// Number of samples of a Latin hypercube; `None` for a full factorial design.
    pub latin_hypercube: Option<u64>,
    /// A table of parameter sets, instead of `vary`: its columns are keys, and its rows are parameter sets.
    pub design: Option<PathBuf>,
    /// Number of runs per parameter set, with consecutive seeds.
    pub seeds: u64,
    /// Conditions under which a parameter set has enough runs, with `seeds` as the maximum: `FIGURE=HALF_WIDTH`, the
    /// maximum half width of the 95 % confidence interval of the mean of a figure. All conditions must be met.
    pub until: Vec<String>,
    /// Number of runs from which `until` is checked, at least 2; by default 10, or `seeds` if that is less.
    pub min_seeds: Option<u64>,
    /// Tables to collect from all runs, by file name, such as `agents.csv`.
    pub collect: Vec<String>,
    /// Maximum number of simultaneous runs; by default as many as there are cores for, or 1 if a device is named.
    pub jobs: Option<usize>,
    /// Output folder.
    pub folder: PathBuf,
    /// Whether to repeat runs that failed before.
    pub retry_failed: bool,
    /// Device and number of steps of each run. Hashes and timings are not used.
    pub run: RunRequest,
}

/// The varied parameters, before the seed of a sample is known.
pub(super) enum Varied {
    Parameters(Vec<Vary>),
    File(DesignFile),
}

/// Returns the number of seeds; if it is invalid, adds a problem and returns 1.
pub(super) fn checked_seeds(seeds: u64, problems: &mut Problems) -> u32 {
    let fitting = u32::try_from(seeds).ok().filter(|seeds| (1..=MAX_SEEDS).contains(seeds));
    fitting.unwrap_or_else(|| {
        problems.push("--seeds", seeds.to_string(), format!("give a whole number from 1 to {MAX_SEEDS}"));
        1
    })
}

/// Returns the number of jobs; if it is invalid, adds a problem and returns 1.
pub(super) fn checked_jobs(request: &SweepRequest, problems: &mut Problems) -> usize {
    match request.jobs {
        Some(jobs) if (1..=MAX_THREADS).contains(&jobs) => jobs,
        Some(jobs) => {
            let remedy = format!("give a whole number from 1 to {MAX_THREADS}, or leave it out for all cores");
            problems.push("--jobs", jobs.to_string(), remedy);
            1
        }
        // Runs on a device compete for it and its memory.
        None if matches!(request.run.device, DeviceChoice::Device(_)) => 1,
        None => {
            let cores = throng_core::available_threads();
            (cores / request.scenario.threads.unwrap_or(1).max(1)).max(1)
        }
    }
}

/// Returns the varied parameters.
pub(super) fn varied(request: &SweepRequest, problems: &mut Problems) -> Varied {
    let varied = match &request.design {
        None => Varied::Parameters(vary::parse(&request.vary, request.latin_hypercube.is_some(), problems)),
        Some(path) => {
            let others = [(!request.vary.is_empty(), VARY), (request.latin_hypercube.is_some(), LATIN_HYPERCUBE)];
            for (_, other) in others.into_iter().filter(|(is_given, _)| *is_given) {
                let message = format!("{DESIGN} has all values of the parameters");
                problems.push(other, message, "leave one of them out; --set changes a parameter of all runs");
            }
            let read = DesignFile::read(path);
            Varied::File(read.map_err(|InputError(found)| problems.append(found)).unwrap_or_default())
        }
    };
    if request.latin_hypercube.is_some() && request.vary.is_empty() && request.design.is_none() {
        problems.push(LATIN_HYPERCUBE, "no parameter is varied", format!("add {VARY} KEY=LOW..HIGH"));
    }
    let (by, keys): (_, Vec<&str>) = match &varied {
        Varied::Parameters(varied) => (VARY, varied.iter().map(|vary| vary.key.as_str()).collect()),
        Varied::File(file) => (DESIGN, file.keys.iter().map(String::as_str).collect()),
    };
    for change in &request.scenario.changes {
        let key = assignment(&change.assignment).map_or("", |(key, _)| key.trim());
        let path = key_parts(key);
        // A change is allowed if only a part of it is varied, which takes precedence.
        let is_lost = |varied: &&str| {
            let varied = key_parts(varied);
            relation(&path, &varied) != Relation::Apart && path.len() >= varied.len()
        };
        if keys.iter().any(is_lost) {
            let place = format!("{} {}", change.origin, change.assignment);
            problems.push(place, format!("{by} varies {key}"), "leave one of them out");
        }
    }
    varied
}

/// Returns the scenario of all runs. Its output folder is fixed, because the description contains the settings as text,
/// which must not depend on the folder of the sweep.
pub(super) fn scenario_of_all(scenario: &ScenarioRequest) -> ScenarioRequest {
    let threads = Some(scenario.threads.unwrap_or(1));
    ScenarioRequest { threads, out: Some(UNDER_WAY.into()), overwrite: false, ..scenario.clone() }
}

/// Returns the design of the varied parameters; `None` if problems were added.
pub(super) fn design(
    model: &dyn Model,
    scenario: &ScenarioRequest,
    varied: Varied,
    samples: Option<u64>,
    problems: &mut Problems,
) -> Result<Option<Design>, Failure> {
    let design = match (varied, samples) {
        // A file without rows has already been rejected.
        (Varied::File(file), _) => return Ok((!file.rows.is_empty()).then(|| Design::of_file(file))),
        (Varied::Parameters(varied), None) => Design::full_factorial(varied),
        (Varied::Parameters(varied), Some(samples)) => {
            // The sample is drawn with the seed of the scenario, which also applies at the low end of the ranges.
            let lows: Vec<Vary> = varied.iter().map(at_low_end).collect();
            let first = Design::full_factorial(lows)?;
            match seed_of(model, &request_of(scenario, &first.table(), 0, scenario.seed)) {
                Ok(seed) => Design::latin_hypercube(varied, samples, seed),
                Err(Failure::Input(InputError(found))) => {
                    problems.append(found);
                    return Ok(None);
                }
                Err(other) => return Err(other),
            }
        }
    };
    Ok(design.map_err(|InputError(found)| problems.append(found)).ok())
}

fn at_low_end(vary: &Vary) -> Vary {
    let values = match &vary.values {
        Values::List(values) => values.clone(),
        Values::Whole { low, .. } => vec![low.to_string()],
        Values::Real { low, .. } => vec![format!("{low:?}")],
    };
    Vary { key: vary.key.clone(), values: Values::List(values) }
}

/// Rejects a folder that contains something other than a sweep.
pub(super) fn check_folder(folder: &Path, problems: &mut Problems) {
    let place = format!("--out {}", folder.display());
    if folder.to_str().is_none() {
        problems.push(place, "is not UTF-8", "name another folder");
        return;
    }
    if Description::path(folder).is_file() {
        return;
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    // Ignores the remains of a sweep that was killed before its description was complete.
    names.retain(|name| name != LOCK_NAME && !Description::is_unfinished(name));
    names.sort_unstable();
    if let Some(example) = names.first() {
        let message = format!("the folder holds no sweep, and it is not empty: it holds \"{example}\"");
        problems.push(place, message, "choose a folder that is empty, does not exist yet, or holds this sweep");
    }
}
