//! Executes runs on several threads and records each of them when it is finished.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Instant;

use throng_core::{NoProgress, Progress, panic_text, spawn_scoped};

use super::check::request_of;
use super::design::DesignTable;
use super::journal::{Journal, Record, RunId};
use crate::{Batch, Failure, Measured, Model, RunRequest, ScenarioRequest};

/// What all runs of a sweep have in common.
pub(super) struct Runs<'s> {
    pub model: &'s dyn Model,
    /// The scenario without the varied parameters.
    pub base: &'s ScenarioRequest,
    pub table: DesignTable<'s>,
    /// The seed of the first replicate.
    pub seed: i64,
    pub request: RunRequest,
    /// Where each run has a folder of its own while it is under way.
    pub folder: PathBuf,
}

/// Executes the pending runs, in order, on so many threads. Only this thread writes the journal.
///
/// # Errors
/// When the journal cannot be written, or a thread cannot be started. A run that fails is recorded, which is no error.
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
    let most_runs = |batch: &&dyn Batch| batch.most_runs(&runs.request).max(1);
    let batch = runs.model.batch().filter(|batch| most_runs(batch) > 1);
    let at_once = batch.as_ref().map_or(1, most_runs);
    let pieces: Vec<&[RunId]> = pending.chunks(at_once).collect();
    let next = AtomicUsize::new(0);
    let work = |finished: SyncSender<Record>| {
        while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            for record in runs.records(piece, batch) {
                // The other end is gone when the journal cannot be written.
                if finished.send(record).is_err() {
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
        for (done, record) in (1..).zip(&finished) {
            failed += u64::from(record.result.is_err());
            journal.append(&record)?;
            let note = if failed == 0 { String::new() } else { format!("{failed} failed") };
            progress.at(done, &note);
        }
        Ok::<(), Failure>(())
    })?;
    progress.end();
    Ok(journal.sync()?)
}

impl Runs<'_> {
    fn records(&self, ids: &[RunId], batch: Option<&dyn Batch>) -> Vec<Record> {
        let began = Instant::now();
        let results = match batch {
            None => ids.iter().map(|&id| guarded(|| self.run(id))).collect(),
            Some(batch) => self.run_together(batch, ids),
        };
        // Runs of a batch have equal shares.
        let wall_s = began.elapsed().as_secs_f64() / ids.len().max(1) as f64;
        let record = |(&id, result): (&RunId, Result<Measured, Failure>)| {
            let result = result.map_err(|failure| failure.to_string().trim_end().to_owned());
            Record { id, wall_s, result }
        };
        ids.iter().zip(results).map(record).collect()
    }

    fn run(&self, id: RunId) -> Result<Measured, Failure> {
        let folder = self.folder.join(format!("{}-{}", id.set, id.replicate));
        let request = ScenarioRequest { out: Some(folder.clone()), ..self.request_of(id) };
        let scenario = self.model.scenario(&request)?;
        let done = guarded(|| scenario.run(&self.request, &NoProgress));
        // What remains is removed at the end of the sweep.
        let _ = std::fs::remove_dir_all(&folder);
        Ok(done?.measured)
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
        // The check of the sweep has refused seeds that are too large.
        let seed = self.seed.saturating_add(id.replicate.into());
        request_of(self.base, &self.table, id.set, Some(seed))
    }
}

/// A panic of a run must not end the others.
fn guarded<R>(run: impl FnOnce() -> Result<R, Failure>) -> Result<R, Failure> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Err(bug(&panic_text(panic.as_ref()))))
}

fn bug(message: &str) -> Failure {
    Failure::resource(message, "this is a bug, please report it")
}

/// Removes the folders of runs that were under way when the program was killed.
pub(super) fn remove_unfinished(folder: &Path) {
    // A folder that stays costs only space.
    let _ = std::fs::remove_dir_all(folder);
}
