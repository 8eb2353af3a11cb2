//! A scenario of whatever model, for lists of models.

use throng_core::{Progress, Warnings};

use crate::{Done, Failure, Output, RunRequest, Scenario};

/// A [`Scenario`] whose model is not known to the caller. Every scenario is one.
pub trait AnyScenario {
    /// Seed of all random draws.
    fn seed(&self) -> i64;
    /// Warnings about the settings.
    fn warnings(&self) -> Warnings;
    /// Notes about the settings, a sentence each.
    fn notes(&self) -> Vec<String>;
    /// A scenario file with all settings in force.
    ///
    /// # Errors
    /// A file that can no longer be read.
    fn effective(&self) -> Result<String, Failure>;
    /// Where results go.
    fn output(&self) -> Output;
    /// Names of all files that a run without a limit of steps may write, except report, manifest and state hashes.
    fn file_names(&self) -> Vec<String>;
    /// Threads for the steps on the CPU.
    fn threads_of_steps(&self) -> usize;
    /// Refuses missing inputs.
    ///
    /// # Errors
    /// All inputs that are missing.
    fn check_inputs(&self) -> Result<(), Failure>;
    /// As [`crate::run`], without the results of the model's own.
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
