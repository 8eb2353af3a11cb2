//! Scenarios of any model, for lists of models.

use throng_core::{Progress, Warnings};

use crate::{Done, Failure, Output, RunRequest, Scenario};

/// A [`Scenario`] whose model is unknown to the caller. Every scenario implements it.
pub trait AnyScenario {
    /// Returns the seed of all random numbers.
    fn seed(&self) -> i64;
    /// Returns warnings about the settings.
    fn warnings(&self) -> Warnings;
    /// Returns notes about the settings, one sentence each.
    fn notes(&self) -> Vec<String>;
    /// Returns a scenario file with all effective settings.
    ///
    /// # Errors
    /// When a file can no longer be read.
    fn effective(&self) -> Result<String, Failure>;
    /// Returns the output folder and its options.
    fn output(&self) -> Output;
    /// Returns the names of all files that a run without a step limit may write, except report, manifest and state
    /// hashes.
    fn file_names(&self) -> Vec<String>;
    /// Returns the number of threads for the steps on the CPU.
    fn threads_of_steps(&self) -> usize;
    /// Checks that all inputs exist.
    ///
    /// # Errors
    /// All missing inputs.
    fn check_inputs(&self) -> Result<(), Failure>;
    /// Like [`crate::run`], without the model-specific results.
    ///
    /// # Errors
    /// See [`Failure`].
    fn run(self: Box<Self>, request: &RunRequest, progress: &dyn Progress) -> Result<Done<()>, Failure>;
}

impl<S: Scenario> AnyScenario for S {
    fn seed(&self) -> i64 {
        Scenario::seed(self)
    }

    fn warnings(&self) -> Warnings {
        Scenario::warnings(self)
    }

    fn notes(&self) -> Vec<String> {
        Scenario::notes(self)
    }

    fn effective(&self) -> Result<String, Failure> {
        Scenario::effective(self)
    }

    fn output(&self) -> Output {
        Scenario::output(self)
    }

    fn file_names(&self) -> Vec<String> {
        let names = Scenario::output(self).names.into_iter().map(str::to_owned);
        names.chain(self.own_names(None)).collect()
    }

    fn threads_of_steps(&self) -> usize {
        Scenario::threads_of_steps(self)
    }

    fn check_inputs(&self) -> Result<(), Failure> {
        Scenario::check_inputs(self)
    }

    fn run(self: Box<Self>, request: &RunRequest, progress: &dyn Progress) -> Result<Done<()>, Failure> {
        Ok(crate::run(*self, request, progress)?.without_results())
    }
}
