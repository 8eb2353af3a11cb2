//! Runs that a model executes together.

use crate::{Failure, Measured, RunRequest, ScenarioRequest};

/// Executes several runs of a sweep together, where that is faster than one after the other: small scenarios that fill a
/// device only if there are many of them. A model has one in [`Model::batch`](crate::Model::batch).
///
/// The results of a run must not depend on the other runs of its batch: which runs are in a batch depends on where a
/// sweep was interrupted.
pub trait Batch: Sync {
    /// The most runs of a batch with this request, at least 1. It depends on the device, for example.
    fn most_runs(&self, request: &RunRequest) -> usize;

    /// Executes a run of each scenario, and returns their results in the same order. Scenarios differ in their changes and
    /// seeds; their settings have been checked. No files are written.
    fn run(&self, scenarios: &[ScenarioRequest], request: &RunRequest) -> Vec<Result<Measured, Failure>>;
}
