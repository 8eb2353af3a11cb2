//! Sweeps: runs of a scenario for many values of its parameters and many seeds, with tables and a report of all runs.
//!
//! [`Sweep::prepare`] checks everything before the first run, and [`Sweep::run`] executes all unfinished runs on
//! several threads. A finished run is immediately recorded in the journal of the folder, so that an interrupted sweep,
//! even a killed one, continues where it stopped. The tables are created from the journal at the end: they depend
//! neither on the number of threads nor on interruptions.
//!
//! ```text
//! SweepRequest -> vary, file -> design -> check ----> execute <-> until     -> journal -> tables, summary, report
//!                 values        sets      all valid?  threads     enough?     records    CSV...           HTML
//! ```

mod bands;
mod batch;
mod check;
mod collect;
mod columns;
mod csv_records;
pub(crate) mod description;
mod design;
mod design_file;
mod differences;
mod effect;
mod execute;
mod journal;
mod latin_hypercube;
mod layout;
mod moments;
mod quantiles;
mod report;
mod request;
mod stopping_rule;
mod student;
mod summary;
mod table;
mod table_store;
mod tables;
mod vary;

use std::path::{Path, PathBuf};

use throng_core::{Problems, Progress, Warnings};
use throng_output::{IfNotEmpty, PendingFile, RunFolder, WrittenFile};

use crate::executor::named_executor;
use crate::report::REPORT_NAME;
use crate::{Failure, Model, RunRequest, ScenarioRequest};
use check::{Checked, check};
use collect::{check_names, collected_name};
use description::{Description, Input};
use design::Design;
use design_file::DESIGN;
use execute::{Runs, execute, remove_folder};
use journal::{JOURNAL, Journal};
use report::SweepReport;
pub use request::SweepRequest;
use request::{Varied, check_folder, checked_jobs, checked_seeds, design, scenario_of_all, varied};
use stopping_rule::{StoppingRule, StoppingState};
use table_store::TABLES;
use tables::{FILE_NAMES, Finished};
use vary::{LATIN_HYPERCUBE, VARY};

pub use batch::Batch;

/// Folder of the runs in progress.
const UNDER_WAY: &str = "under_way";
/// Copy of the design file.
const DESIGN_COPY: &str = "design.csv";
/// Maximum number of replicates of a parameter set.
const MAX_SEEDS: u32 = 1_000_000;
/// Maximum number of runs of a sweep.
const MAX_RUNS: u64 = 10_000_000;

/// A sweep ready for execution: all its parameter sets are valid, and its folder is open.
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
    until: Option<StoppingRule>,
}

/// A completed sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweepOutcome {
    /// Number of runs in the tables.
    pub runs: u64,
    /// Number of runs executed now; the others were finished before.
    pub executed: u64,
    /// Number of runs, executed now or before, that are not in the tables because their parameter set has enough
    /// without them.
    pub surplus: u64,
    /// Numbers, from 1, of the parameter sets whose means are still less accurate than `until` requires after all runs.
    pub unmet: Vec<u32>,
    /// Number of failed runs, executed now or before.
    pub failed: u64,
    /// Number and message of the first failed run.
    pub first_failed: Option<(u64, String)>,
    /// Path of the report.
    pub report: PathBuf,
    /// Tables and report.
    pub files: Vec<WrittenFile>,
}

impl<'m> Sweep<'m> {
    /// Checks a sweep and opens its folder.
    ///
    /// # Errors
    /// When the request or its parameter sets have faults (the error lists all of them), the folder contains files
    /// that do not belong to this sweep, or a resource such as the named device is missing.
    pub fn prepare(model: &'m dyn Model, request: &SweepRequest, progress: &dyn Progress) -> Result<Self, Failure> {
        let mut problems = Problems::new();
        let seeds = checked_seeds(request.seeds, &mut problems);
        let jobs = checked_jobs(request, &mut problems);
        let until = StoppingRule::parse(&request.until, request.min_seeds, seeds, &mut problems);
        let varied = varied(request, &mut problems);
        let file = match &varied {
            Varied::File(file) if !file.file.is_empty() => {
                Some(Input::of(&format!("{DESIGN} {}", file.file), Path::new(&file.file))?)
            }
            _ => None,
        };
        let scenario = scenario_of_all(&request.scenario);
        check_folder(&request.folder, &mut problems);
        // The creation of this pool returns an error instead of panicking if the operating system refuses a thread.
        let pool = throng_core::thread_pool(jobs)?;
        let checked = pool.install(|| {
            let design = design(model, &scenario, varied, request.latin_hypercube, &mut problems)?;
            let Some(design) = design else { return Ok(None) };
            let checked = check(model, &scenario, &design, seeds, &mut problems, progress)?;
            if let Some(checked) = checked.as_ref().filter(|_| !request.collect.is_empty()) {
                check_names(&request.collect, &checked.file_names, &mut problems);
            }
            Ok::<_, Failure>(checked.map(|checked| (design, checked)))
        })?;
        drop(pool);
        if let Some((design, _)) = &checked {
            let runs = u64::from(design.sets()) * u64::from(seeds);
            // An invalid number of seeds has been reported already.
            if runs == 1 && request.seeds == 1 {
                let remedy = if request.design.is_some() {
                    format!("add rows to the file of {DESIGN}, or --seeds N; `throng run` makes a single run")
                } else if request.latin_hypercube.is_some() {
                    format!("give {LATIN_HYPERCUBE} 2 or more, or --seeds N; `throng run` makes a single run")
                } else {
                    format!("add {VARY} KEY=V1,V2,... or --seeds N; `throng run` makes a single run")
                };
                let place = if request.design.is_some() { DESIGN } else { VARY };
                problems.push(place, "nothing varies: this would be a single run", remedy);
            }
            if runs > MAX_RUNS {
                problems.push(
                    "--seeds",
                    format!("{runs} runs"),
                    format!("give fewer seeds or values; at most {MAX_RUNS} runs"),
                );
            }
        }
        problems.into_result()?;
        let (design, checked) =
            checked.ok_or_else(|| Failure::resource("the sweep has no design", "this is a bug, please report it"))?;
        // Opened now, because without it every run would fail.
        let _executor = named_executor(request.run.device, progress)?;
        let description = Description {
            design_file: file,
            min_seeds: until.as_ref().map(StoppingRule::min_seeds),
            ..described(model, request, &design, &checked, seeds)
        };
        let Checked { warnings, notes, .. } = checked;
        let (folder, mut journal) = open(&request.folder, &description, progress)?;
        if request.retry_failed {
            journal.forget_failed();
        }
        let without_files = request.collect.is_empty();
        let run = RunRequest { without_files, is_temporary: true, hash_every: 0, timing: false, ..request.run.clone() };
        Ok(Self { model, scenario, run, jobs, design, description, warnings, notes, folder, journal, until })
    }

    /// Returns warnings about the settings of the first parameter set.
    pub fn warnings(&self) -> &Warnings {
        &self.warnings
    }

    /// Returns notes about the settings of the first parameter set, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Describes the runs to execute, in one line:
    /// `800 runs: 8 parameter sets x 100 seeds (first: 1); 120 are finished`.
    pub fn plan(&self) -> String {
        let Description { parameter_sets, seeds, seed, min_seeds, .. } = self.description;
        let runs = u64::from(parameter_sets) * u64::from(seeds);
        let sets = if parameter_sets == 1 { "set" } else { "sets" };
        let (at_most, seeds) = match min_seeds {
            Some(least) if least == seeds => ("", format!("{seeds} seeds (first: {seed})")),
            Some(least) => ("at most ", format!("{least} to {seeds} seeds (first: {seed})")),
            None if seeds == 1 => ("", format!("seed {seed}")),
            None => ("", format!("{seeds} seeds (first: {seed})")),
        };
        let finished = match self.journal.len() {
            0 => String::new(),
            1 => "; 1 is finished".to_owned(),
            finished => format!("; {finished} are finished"),
        };
        format!("{at_most}{runs} runs: {parameter_sets} parameter {sets} x {seeds}{finished}")
    }

    /// Returns the number of runs executed at the same time.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// Executes all unfinished runs, and writes the tables and the report. A failed run does not stop the others.
    ///
    /// # Errors
    /// When the folder cannot be written, a thread cannot be started, or a run lacks a table or figure that is needed.
    pub fn run(mut self, progress: &dyn Progress) -> Result<SweepOutcome, Failure> {
        let under_way = self.folder.path().join(UNDER_WAY);
        remove_folder(&under_way);
        let Description { seed, seeds, ref collect, .. } = self.description;
        let runs = Runs {
            model: self.model,
            base: &self.scenario,
            table: self.design.table(),
            seed,
            request: self.run,
            collect,
            until: self.until.as_ref(),
            folder: under_way.clone(),
        };
        let mut decisions = StoppingState::new(self.until.as_ref(), self.design.sets(), seeds);
        let mut executed = 0;
        loop {
            decisions.take_in(&self.journal)?;
            let pending = decisions.next(&self.journal, self.jobs);
            if pending.is_empty() {
                break;
            }
            execute(&runs, &pending, self.jobs, &mut self.journal, progress)?;
            executed += pending.len() as u64;
        }
        remove_folder(&under_way);
        progress.begin("writing tables", None, "");
        let collected: Vec<String> = collect.iter().map(|table| collected_name(table)).collect();
        let names: Vec<&str> = FILE_NAMES.into_iter().chain(collected.iter().map(String::as_str)).collect();
        self.folder.make_room_for(&names)?;
        let mut runs_before = vec![0];
        let mut runs = 0;
        for replicates in decisions.replicates() {
            runs += u64::from(replicates);
            runs_before.push(runs);
        }
        let finished = Finished { design: &self.design, journal: &self.journal, seed, runs_before, collect };
        let tabulated = finished.write(&self.folder)?;
        let unmet = decisions.unmet();
        let shown = SweepReport {
            description: &self.description,
            table: self.design.table(),
            keys: self.design.keys().into_iter().map(str::to_owned).collect(),
            runs,
            unmet: &unmet,
            tabulated: &tabulated,
        };
        let report = self.folder.write(REPORT_NAME, shown.page().as_bytes())?;
        self.folder.finish();
        progress.end();
        let (first_failed, failed) = tabulated.failed;
        Ok(SweepOutcome {
            runs,
            executed,
            unmet,
            surplus: (self.journal.len() as u64).saturating_sub(runs),
            failed,
            first_failed: first_failed.into_iter().next(),
            report: self.folder.path().join(REPORT_NAME),
            files: tabulated.files.into_iter().chain([report]).collect(),
        })
    }
}

fn described(model: &dyn Model, request: &SweepRequest, design: &Design, checked: &Checked, seeds: u32) -> Description {
    let flag = |(name, value): (&str, &str)| format!("--{name} {value}").trim_end().to_owned();
    Description {
        program: request.run.program.clone(),
        model: model.name().to_owned(),
        scenario: request.run.scenario.clone(),
        design: design.name().to_owned(),
        design_file: None,
        parameter_sets: design.sets(),
        seed: checked.seed,
        seeds,
        until: request.until.clone(),
        min_seeds: None,
        collect: request.collect.clone(),
        steps: request.run.steps.map(|steps| i64::try_from(steps).unwrap_or(i64::MAX)),
        set: request.scenario.changes.iter().map(|change| change.assignment.clone()).collect(),
        flags: request.scenario.flags.iter().map(flag).collect(),
        vary: request.vary.clone(),
        settings_checksum: format!("{:016x}", checked.hash),
        settings: checked.text.clone(),
        inputs: checked.inputs.clone(),
    }
}

/// Opens the folder of a sweep: a new folder, or the folder of the same sweep.
fn open(path: &Path, description: &Description, progress: &dyn Progress) -> Result<(RunFolder, Journal), Failure> {
    // Another folder has been rejected before, so the content belongs to the sweep. The lock excludes other processes.
    let folder = RunFolder::create(path, IfNotEmpty::Overwrite, "")?;
    Description::remove_unfinished(path);
    match Description::read(path)? {
        Some(existing) => {
            existing.refuse_other(description, path)?;
            if existing.number_of_runs() != description.number_of_runs() {
                description.write(path)?;
                // The old report is outdated until the additional runs are finished. If it cannot be removed, it is
                // replaced later.
                let _ = std::fs::remove_file(path.join(REPORT_NAME));
            }
        }
        None => description.write(path)?,
    }
    let copy = path.join(DESIGN_COPY);
    if let Some(Input { file, .. }) = description.design_file.as_ref().filter(|_| !copy.exists()) {
        copy_to(file, &copy)?;
    }
    let (journal, dropped) = Journal::open(&path.join(JOURNAL))?;
    if dropped > 0 {
        progress.note(&format!(
            "note: {dropped} bytes of {JOURNAL} are not complete records; the runs in them are repeated"
        ));
    }
    if description.collect.is_empty() {
        return Ok((folder, journal));
    }
    let (journal, incomplete) = journal.with_tables(&path.join(TABLES), description.collect.len())?;
    if incomplete > 0 {
        progress.note(&format!("note: the tables of {incomplete} runs are not complete; these runs are repeated"));
    }
    Ok((folder, journal))
}

fn copy_to(file: &str, target: &Path) -> Result<(), Failure> {
    let mut copy = PendingFile::create(target)?;
    std::fs::File::open(file)
        .and_then(|mut file| std::io::copy(&mut file, &mut copy))
        .map_err(|error| copy.error(error))?;
    copy.complete()?;
    Ok(())
}

#[cfg(test)]
mod tests;
