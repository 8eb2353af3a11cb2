//! Executes runs on several threads and records each run when it finishes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Instant;

use throng_core::{NoProgress, Progress, panic_text, spawn_scoped};

use super::check::request_of;
use super::collect;
use super::design::DesignTable;
use super::journal::{Journal, Record, RunId};
use super::stopping_rule::StoppingRule;
use crate::sweep::Batch;
use crate::{Failure, Measured, Model, RunRequest, ScenarioRequest};

/// The common properties of the runs of a sweep.
pub(super) struct Runs<'s> {
    pub model: &'s dyn Model,
    /// Scenario without the varied parameters.
    pub base: &'s ScenarioRequest,
    pub table: DesignTable<'s>,
    /// Seed of the first replicate.
    pub seed: i64,
    pub request: RunRequest,
    /// Tables to collect from each run.
    pub collect: &'s [String],
    /// Conditions under which a parameter set has enough runs.
    pub until: Option<&'s StoppingRule>,
    /// Parent of the temporary folders of the runs.
    pub folder: PathBuf,
}

/// A completed run.
struct FinishedRun {
    record: Record,
    /// Paths of the collected tables.
    tables: Vec<PathBuf>,
    /// Folder of the run, if it still exists.
    folder: Option<PathBuf>,
}

/// Executes the pending runs in order on `jobs` threads. Only the calling thread writes the journal.
///
/// # Errors
/// When the journal cannot be written, a thread cannot be started, or a run lacks a table or a figure that the sweep
/// needs. A failed run is recorded and is not an error, unless it failed for lack of disk space.
pub(super) fn execute(
    runs: &Runs<'_>,
    pending: &[RunId],
    jobs: usize,
    journal: &mut Journal,
    progress: &dyn Progress,
) -> Result<(), Failure> {
    if pending.is_empty() {
        return Ok(());
    }
    // Runs of a batch write no files.
    let batch = runs.model.batch().filter(|_| runs.collect.is_empty());
    let at_once = batch.as_ref().map_or(1, |batch| batch.max_runs(&runs.request).max(1));
    let batch = batch.filter(|_| at_once > 1);
    let pieces: Vec<&[RunId]> = pending.chunks(at_once).collect();
    let next = AtomicUsize::new(0);
    let work = |finished: SyncSender<Result<FinishedRun, Failure>>| {
        while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            for ended in runs.ended(piece, batch) {
                // The receiver is dropped when the sweep has failed.
                if finished.send(ended).is_err() {
                    return;
                }
            }
        }
    };
    progress.begin("sweeping", Some(pending.len() as u64), "runs");
    std::thread::scope(|scope| {
        let jobs = jobs.min(pieces.len());
        let (sender, finished) = sync_channel(jobs);
        for _ in 0..jobs {
            let sender = sender.clone();
            let work = &work;
            spawn_scoped(scope, "runs of a sweep", move || work(sender))?;
        }
        drop(sender);
        let mut failed = 0;
        for (done, ended) in (1..).zip(&finished) {
            let FinishedRun { mut record, tables, folder } = ended?;
            failed += u64::from(record.result.is_err());
            record.tables = journal.append_tables(&tables)?;
            journal.append(&record)?;
            if let Some(folder) = folder {
                remove_folder(&folder);
            }
            if let (Some(until), Ok(measured)) = (runs.until, &record.result) {
                until.check(measured)?;
            }
            let note = if failed == 0 { String::new() } else { format!("{failed} failed") };
            progress.at(done, &note);
        }
        Ok::<(), Failure>(())
    })?;
    progress.end();
    Ok(journal.sync()?)
}

/// The measurements or the failure of a run; its collected tables; and its folder, if that still exists.
type RunResult = (Result<Measured, Failure>, Vec<PathBuf>, Option<PathBuf>);

impl Runs<'_> {
    fn ended(&self, ids: &[RunId], batch: Option<&dyn Batch>) -> Vec<Result<FinishedRun, Failure>> {
        let began = Instant::now();
        let results = match batch {
            None => ids.iter().map(|&id| self.run(id)).collect(),
            Some(batch) => {
                let of_run = |result: Result<Measured, Failure>| Ok((result, Vec::new(), None));
                self.run_together(batch, ids).into_iter().map(of_run).collect()
            }
        };
        // The time of a batch is divided equally among its runs.
        let wall_s = began.elapsed().as_secs_f64() / ids.len().max(1) as f64;
        let ended = |(&id, result): (&RunId, Result<RunResult, Failure>)| {
            let (result, tables, folder) = result?;
            // A full disk is not a result of the run, which is repeated when the sweep is continued.
            if let Err(Failure::Output(error)) = &result
                && error.is_lack_of_room()
            {
                return Err(error.clone().into());
            }
            let result = result.map_err(|failure| failure.to_string().trim_end().to_owned());
            Ok(FinishedRun { record: Record { id, wall_s, result, tables: Vec::new() }, tables, folder })
        };
        ids.iter().zip::<Vec<Result<RunResult, Failure>>>(results).map(ended).collect()
    }

    /// Executes a run.
    ///
    /// # Errors
    /// When the run has not written a collected table; any other failure is returned as the result of the run.
    fn run(&self, id: RunId) -> Result<RunResult, Failure> {
        let folder = self.folder.join(format!("{}-{}", id.set, id.replicate));
        let done = guarded(|| {
            let request = ScenarioRequest { out: Some(folder.clone()), ..self.request_of(id) };
            let scenario = self.model.scenario(&request)?;
            let prefix = scenario.output().prefix;
            Ok((scenario.run(&self.request, &NoProgress)?, prefix))
        });
        let tables = match &done {
            Ok((done, prefix)) if !self.collect.is_empty() => {
                collect::of_run(self.collect, &folder, prefix, &done.files).inspect_err(|_| remove_folder(&folder))?
            }
            _ => Vec::new(),
        };
        if tables.is_empty() {
            remove_folder(&folder);
        }
        let kept = (!tables.is_empty()).then_some(folder);
        Ok((done.map(|(done, _)| done.measured), tables, kept))
    }

    fn run_together(&self, batch: &dyn Batch, ids: &[RunId]) -> Vec<Result<Measured, Failure>> {
        let requests: Vec<ScenarioRequest> = ids.iter().map(|&id| self.request_of(id)).collect();
        let results = guarded(|| Ok(batch.run(&requests, &self.request)));
        let (mut results, missing) = match results {
            Ok(results) => (results, bug("the batch has fewer results than runs")),
            Err(failure) => (Vec::new(), failure),
        };
        results.truncate(ids.len());
        results.resize_with(ids.len(), || Err(missing.clone()));
        results
    }

    fn request_of(&self, id: RunId) -> ScenarioRequest {
        // The check of the sweep has rejected seeds that overflow.
        let seed = self.seed.saturating_add(id.replicate.into());
        request_of(self.base, &self.table, id.set, Some(seed))
    }
}

/// Turns a panic of a run into a failure, so that the other runs continue.
fn guarded<R>(run: impl FnOnce() -> Result<R, Failure>) -> Result<R, Failure> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Err(bug(&panic_text(panic.as_ref()))))
}

fn bug(message: &str) -> Failure {
    Failure::resource(message, "this is a bug, please report it")
}

/// Removes the folder of a run, or of all runs that were in progress when the program was killed.
pub(super) fn remove_folder(folder: &Path) {
    // A leftover folder only wastes space.
    let _ = std::fs::remove_dir_all(folder);
}
