//! Joint execution of several runs of a model.

use crate::{Failure, Measured, RunRequest, ScenarioRequest};

/// Executes several runs of a sweep together, where that is faster than one after the other: small scenarios that
/// occupy a device only if there are many of them. [`Model::batch`](crate::Model::batch) returns it.
///
/// The results of a run must not depend on the other runs of its batch, because the composition of batches depends on
/// where a sweep was interrupted.
pub trait Batch: Sync {
    /// Returns the maximum number of runs per batch for a request, at least 1. It may depend on the device.
    fn max_runs(&self, request: &RunRequest) -> usize;

    /// Executes one run per scenario, and returns the results in the same order. The scenarios differ in their changes
    /// and seeds; their settings have already been checked. No files are written.
    fn run(&self, scenarios: &[ScenarioRequest], request: &RunRequest) -> Vec<Result<Measured, Failure>>;
}
