//! Sweeps: a scenario over many values of its parameters and many seeds, with tables and a report of all runs.
//!
//! [`Sweep::prepare`] checks everything before the first run, and [`Sweep::run`] executes what is not finished yet, on
//! several threads. A finished run is in the journal of the folder at once, so that a sweep that was interrupted, however
//! hard, goes on where it was. The tables are made from the journal at the end: they depend neither on the number of threads
//! nor on interruptions.
//!
//! ```text
//! SweepRequest -> vary -> design -> check ----> execute -> journal -> tables -> report
//!                 values  sets      all valid?  threads    records    CSV...    HTML
//! ```

mod bands;
mod check;
pub(crate) mod description;
mod design;
mod effect;
mod execute;
mod journal;
mod latin_hypercube;
mod layout;
mod quantiles;
mod report;
mod table;
mod tables;
mod vary;

use std::path::{Path, PathBuf};

use throng_core::{InputError, Problems, Progress, Warnings};
use throng_device::DeviceChoice;
use throng_output::{IfNotEmpty, RunFolder, WrittenFile};

use crate::{Executor, Failure, MOST_THREADS, Model, REPORT_NAME, RunRequest, ScenarioRequest};
use check::{Checked, check, request_of, seed_of};
use description::{Description, Input};
use design::Design;
use execute::{Runs, execute, remove_unfinished};
use journal::{JOURNAL, Journal, RunId};
use report::Shown;
use tables::{FILE_NAMES, Finished};
use vary::{LATIN_HYPERCUBE, VARY, Values, Vary};

/// The folder for runs that are under way.
const UNDER_WAY: &str = "under_way";
/// What the lock of a run leaves where the run was killed.
const LOCK: &str = ".throng.lock";
/// The most replicates of a parameter set.
const MOST_SEEDS: u32 = 1_000_000;
/// The most runs of a sweep.
const MOST_RUNS: u64 = 10_000_000;

/// A sweep, as typed.
#[derive(Debug, Clone, Default)]
pub struct SweepRequest {
    /// The scenario, with the changes that all runs have. Its threads are those of a run, by default 1; its output folder is
    /// not used.
    pub scenario: ScenarioRequest,
    /// The parameters that are varied: `KEY=V1,V2,...`, or `KEY=LOW..HIGH` for samples.
    pub vary: Vec<String>,
    /// The number of samples of a Latin hypercube; `None` for the full factorial design.
    pub latin_hypercube: Option<u64>,
    /// Runs of each parameter set, with seeds one after the other.
    pub seeds: u64,
    /// Runs at the same time; by default as many as the cores allow, or one if a device is named.
    pub jobs: Option<usize>,
    /// The folder for the results.
    pub folder: PathBuf,
    /// Whether runs that failed before are repeated.
    pub retry_failed: bool,
    /// How each run is made: device and steps. Hashes and timings are not used.
    pub run: RunRequest,
}

/// A sweep that can be executed: all its parameter sets are valid, and its folder is open.
pub struct Sweep<'m> {
    model: &'m dyn Model,
    scenario: ScenarioRequest,
    run: RunRequest,
    jobs: usize,
    design: Design,
    description: Description,
    warnings: Warnings,
    notes: Vec<String>,
    folder: RunFolder,
    journal: Journal,
    pending: Vec<RunId>,
}

/// A sweep whose runs are all finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swept {
    /// All runs.
    pub runs: u64,
    /// Those that were executed now; the others were finished before.
    pub executed: u64,
    /// Those that failed, whenever that was.
    pub failed: u64,
    /// The number and the message of the first run that failed.
    pub first_failed: Option<(u64, String)>,
    /// The report.
    pub report: PathBuf,
    /// The tables and the report.
    pub files: Vec<WrittenFile>,
}

impl<'m> Sweep<'m> {
    /// Checks a sweep and opens its folder.
    ///
    /// # Errors
    /// Everything that is wrong with the request and its parameter sets, in one report; a folder with files that are not
    /// those of this sweep.
    pub fn prepare(model: &'m dyn Model, request: &SweepRequest, progress: &dyn Progress) -> Result<Self, Failure> {
        let mut problems = Problems::new();
        let seeds = checked_seeds(request.seeds, &mut problems);
        let jobs = checked_jobs(request, &mut problems);
        let varied = varied(request, &mut problems);
        let scenario = scenario_of_all(&request.scenario);
        check_folder(&request.folder, &mut problems);
        // On threads that were started without a panic if the system refuses one.
        let pool = throng_core::thread_pool(jobs)?;
        let checked = pool.install(|| {
            let design = design(model, &scenario, varied, request.latin_hypercube, &mut problems)?;
            let Some(design) = design else { return Ok(None) };
            let checked = check(model, &scenario, &design, seeds, &mut problems, progress)?;
            Ok::<_, Failure>(checked.map(|checked| (design, checked)))
        })?;
        drop(pool);
        if let Some((design, _)) = &checked {
            let runs = u64::from(design.sets()) * u64::from(seeds);
            // Not after a number of seeds that is wrong.
            if runs == 1 && request.seeds == 1 {
                let remedy = if request.latin_hypercube.is_some() {
                    format!("give {LATIN_HYPERCUBE} 2 or more, or --seeds N; `throng run` makes a single run")
                } else {
                    format!("add {VARY} KEY=V1,V2,... or --seeds N; `throng run` makes a single run")
                };
                problems.push(VARY, "nothing varies: this would be a single run", remedy);
            }
            if runs > MOST_RUNS {
                problems.push(
                    "--seeds",
                    format!("{runs} runs"),
                    format!("give fewer seeds or values; at most {MOST_RUNS} runs"),
                );
            }
        }
        problems.into_result()?;
        let (design, checked) =
            checked.ok_or_else(|| Failure::resource("the sweep has no design", "this is a bug, please report it"))?;
        // Opened now, because without it every run would fail.
        let _device = Executor::asked_for(request.run.device, progress)?;
        let description = described(model, request, &design, &checked, seeds);
        let Checked { warnings, notes, .. } = checked;
        let (folder, journal) = open(&request.folder, &description, progress)?;
        let pending = pending(&design, seeds, &journal, request.retry_failed);
        let run = RunRequest { without_files: true, hash_every: 0, timing: false, ..request.run.clone() };
        Ok(Self { model, scenario, run, jobs, design, description, warnings, notes, folder, journal, pending })
    }

    /// Warnings about the settings of the first parameter set.
    pub fn warnings(&self) -> &Warnings {
        &self.warnings
    }

    /// Notes about the settings of the first parameter set, a sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What will be executed, in a line: `800 runs: 8 parameter sets x 100 seeds from 1 on; 120 are finished`.
    pub fn plan(&self) -> String {
        let Description { parameter_sets, seeds, seed, .. } = self.description;
        let runs = u64::from(parameter_sets) * u64::from(seeds);
        let sets = if parameter_sets == 1 { "set" } else { "sets" };
        let seeds = if seeds == 1 { format!("seed {seed}") } else { format!("{seeds} seeds from {seed} on") };
        let finished = match runs - self.pending.len() as u64 {
            0 => String::new(),
            finished => format!("; {finished} are finished"),
        };
        format!("{runs} runs: {parameter_sets} parameter {sets} x {seeds}{finished}")
    }

    /// The runs that are executed at the same time.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// Executes all runs that are not finished, and writes the tables and the report. A run that fails does not stop the
    /// others.
    ///
    /// # Errors
    /// When the folder cannot be written, or the system gives no thread.
    pub fn run(mut self, progress: &dyn Progress) -> Result<Swept, Failure> {
        let under_way = self.folder.path().join(UNDER_WAY);
        remove_unfinished(&under_way);
        let runs = Runs {
            model: self.model,
            base: &self.scenario,
            table: self.design.table(),
            seed: self.description.seed,
            request: self.run,
            folder: under_way.clone(),
        };
        execute(&runs, &self.pending, self.jobs, &mut self.journal, progress)?;
        remove_unfinished(&under_way);
        progress.begin("writing tables", None, "");
        self.folder.begin_anew(&FILE_NAMES)?;
        let Description { seed, seeds, parameter_sets, .. } = self.description;
        let finished = Finished { design: &self.design, journal: &self.journal, seed, seeds };
        let tabulated = finished.write(&self.folder)?;
        let shown = Shown {
            description: &self.description,
            table: self.design.table(),
            keys: self.design.keys().map(str::to_owned).collect(),
            tabulated: &tabulated,
        };
        let report = self.folder.write(REPORT_NAME, shown.page().as_bytes())?;
        self.folder.finish();
        progress.end();
        let (first_failed, failed) = tabulated.failed;
        Ok(Swept {
            runs: u64::from(parameter_sets) * u64::from(seeds),
            executed: self.pending.len() as u64,
            failed,
            first_failed: first_failed.into_iter().next(),
            report: self.folder.path().join(REPORT_NAME),
            files: tabulated.files.into_iter().chain([report]).collect(),
        })
    }
}

/// The number of seeds; 1 for a wrong one, which is a problem.
fn checked_seeds(seeds: u64, problems: &mut Problems) -> u32 {
    let fitting = u32::try_from(seeds).ok().filter(|seeds| (1..=MOST_SEEDS).contains(seeds));
    fitting.unwrap_or_else(|| {
        problems.push("--seeds", seeds.to_string(), format!("give a whole number from 1 to {MOST_SEEDS}"));
        1
    })
}

/// The number of jobs; 1 for a wrong one, which is a problem.
fn checked_jobs(request: &SweepRequest, problems: &mut Problems) -> usize {
    match request.jobs {
        Some(jobs) if (1..=MOST_THREADS).contains(&jobs) => jobs,
        Some(jobs) => {
            let remedy = format!("give a whole number from 1 to {MOST_THREADS}, or leave it out for all cores");
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

/// The varied parameters.
fn varied(request: &SweepRequest, problems: &mut Problems) -> Vec<Vary> {
    let varied = vary::parse(&request.vary, request.latin_hypercube.is_some(), problems);
    if request.latin_hypercube.is_some() && request.vary.is_empty() {
        problems.push(LATIN_HYPERCUBE, "no parameter is varied", format!("add {VARY} KEY=LOW..HIGH"));
    }
    for change in &request.scenario.changes {
        let key = change.assignment.split_once('=').map_or("", |(key, _)| key.trim());
        if varied.iter().any(|vary| vary.key == key) {
            let place = format!("{} {}", change.origin, change.assignment);
            problems.push(place, format!("{VARY} varies {key}"), "leave one of them out");
        }
    }
    varied
}

/// The scenario of all runs. The description has the text of its settings, which must not depend on where the sweep is
/// written.
fn scenario_of_all(scenario: &ScenarioRequest) -> ScenarioRequest {
    let threads = Some(scenario.threads.unwrap_or(1));
    ScenarioRequest { threads, out: Some(UNDER_WAY.into()), overwrite: false, ..scenario.clone() }
}

/// The design of the varied parameters; `None` with problems.
fn design(
    model: &dyn Model,
    scenario: &ScenarioRequest,
    varied: Vec<Vary>,
    samples: Option<u64>,
    problems: &mut Problems,
) -> Result<Option<Design>, Failure> {
    let design = match samples {
        None => Design::full_factorial(varied),
        Some(samples) => {
            // The sample is drawn from the seed of the scenario, which the scenario has at the low end of the ranges, too.
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

/// Refuses a folder that holds something else than a sweep.
fn check_folder(folder: &Path, problems: &mut Problems) {
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
    // What remains where a sweep was killed before its description was complete.
    names.retain(|name| name != LOCK && !Description::is_unfinished(name));
    names.sort_unstable();
    if let Some(example) = names.first() {
        let message = format!("the folder holds no sweep, and it is not empty: it holds \"{example}\"");
        problems.push(place, message, "choose a folder that is empty, does not exist yet, or holds this sweep");
    }
}

fn described(model: &dyn Model, request: &SweepRequest, design: &Design, checked: &Checked, seeds: u32) -> Description {
    let flag = |(name, value): (&str, &str)| format!("--{name} {value}").trim_end().to_owned();
    let input = |(file, bytes, sum): &(String, u64, u64)| Input {
        file: file.clone(),
        bytes: *bytes,
        checksum: format!("{sum:016x}"),
    };
    Description {
        program: request.run.program.clone(),
        model: model.name().to_owned(),
        scenario: request.run.scenario.clone(),
        design: if request.latin_hypercube.is_some() { "Latin hypercube sample" } else { "full factorial" }.to_owned(),
        parameter_sets: design.sets(),
        seed: checked.seed,
        seeds,
        steps: request.run.steps.map(|steps| i64::try_from(steps).unwrap_or(i64::MAX)),
        set: request.scenario.changes.iter().map(|change| change.assignment.clone()).collect(),
        flags: request.scenario.flags.iter().map(flag).collect(),
        vary: request.vary.clone(),
        settings_checksum: format!("{:016x}", checked.hash),
        settings: checked.text.clone(),
        inputs: checked.inputs.iter().map(input).collect(),
    }
}

/// Opens the folder of a sweep: a new one, or that of the same sweep.
fn open(path: &Path, description: &Description, progress: &dyn Progress) -> Result<(RunFolder, Journal), Failure> {
    // Another folder has been refused before; what is in this one belongs to the sweep. Locks out another process.
    let folder = RunFolder::create(path, IfNotEmpty::Overwrite, "")?;
    Description::remove_unfinished(path);
    match Description::read(path)? {
        Some(there) => {
            there.refuse_other(description, path)?;
            if there.seeds != description.seeds {
                description.write(path)?;
                // Until the further runs are made, there is no report of this sweep. One that cannot be removed is replaced then.
                let _ = std::fs::remove_file(path.join(REPORT_NAME));
            }
        }
        None => description.write(path)?,
    }
    let (journal, dropped) = Journal::open(&path.join(JOURNAL))?;
    if dropped > 0 {
        progress.note(&format!("note: the last {dropped} bytes of {JOURNAL} are not complete, and were dropped"));
    }
    Ok((folder, journal))
}

/// The runs that are not finished, in order.
fn pending(design: &Design, seeds: u32, journal: &Journal, retry_failed: bool) -> Vec<RunId> {
    let all = (0..design.sets()).flat_map(|set| (0..seeds).map(move |replicate| RunId { set, replicate }));
    all.filter(|&id| journal.has_failed(id).is_none_or(|failed| failed && retry_failed)).collect()
}

#[cfg(test)]
mod tests;
