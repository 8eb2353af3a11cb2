//! The traits that make a model, from its name to its steps.

use std::path::{Path, PathBuf};

use throng_core::{Progress, Verified, Warnings};
use throng_device::{AnyDevice, DeviceInfo};
use throng_output::IfNotEmpty;

use crate::{AnyScenario, Failure, Flag, Run, ScenarioRequest, Simulated};

/// Something with verification cases: a model, or the programs of a paper.
pub trait Check: Sync {
    /// The name, in lower case, as users type it.
    fn name(&self) -> &'static str;

    /// Why there are no cases for a device, if there are none.
    fn unsuitable(&self, device: &DeviceInfo) -> Option<String> {
        let _ = device;
        None
    }

    /// Carries out all cases on a device, or on the CPU (`None`), and passes on each result as soon as it is there.
    fn verify(&self, device: Option<&AnyDevice>, tell: &mut dyn FnMut(Verified));
}

/// A model: one value that stands for it in lists.
pub trait Model: Check {
    /// What is simulated, in a few words.
    fn about(&self) -> &'static str;

    /// A scenario file to begin with, with a comment at each key.
    fn template(&self) -> String;

    /// All keys of scenario files, with meaning, unit, values allowed and default.
    fn schema(&self) -> String;

    /// The flags of `throng run` and `throng config` that only this model has.
    fn flags(&self) -> &'static [Flag] {
        &[]
    }

    /// Names of files beside `scenario.toml` that stand for a scenario of this model if their folder is named.
    fn files_in_folder(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether a file that is no `.toml`, or no file at all, is a scenario of this model.
    fn takes(&self, scenario: Option<&Path>) -> bool {
        let _ = scenario;
        false
    }

    /// The settings in force for what a user asks for. Inputs that settings name are not read yet.
    ///
    /// # Errors
    /// Everything that is wrong with the scenario and the changes to it, in one report.
    fn scenario(&self, request: &ScenarioRequest) -> Result<Box<dyn AnyScenario>, Failure>;
}

/// The output folder of a run, and what it means for the files that are there.
#[derive(Debug, Clone, Default)]
pub struct Output {
    /// The folder.
    pub folder: PathBuf,
    /// What is done if the folder holds something.
    pub if_not_empty: IfNotEmpty,
    /// What the names of all files begin with; nothing if it is empty.
    pub prefix: String,
    /// All names that files of the run may have, but for report, manifest and state hashes.
    pub names: Vec<&'static str>,
    /// Files that the run reads: neither deleted nor replaced.
    pub inputs: Vec<PathBuf>,
}

/// A scenario whose settings are in force and whose inputs have not been read.
pub trait Scenario: Sized + Send {
    /// The same with all inputs in memory.
    type Loaded: Loaded;

    /// Name of the model.
    fn model(&self) -> &'static str;

    /// Seed of all random draws.
    fn seed(&self) -> i64;

    /// What is odd about the settings.
    fn warnings(&self) -> Warnings {
        Warnings::new()
    }

    /// Notes about the settings, a sentence each.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// A scenario file with all settings in force.
    ///
    /// # Errors
    /// A file that cannot be read any more.
    fn effective(&self) -> Result<String, Failure>;

    /// Where results go.
    fn output(&self) -> Output;

    /// Threads for all that is not divided otherwise, at least 1.
    fn threads(&self) -> usize;

    /// Threads for the steps on the CPU, if they have threads of their own.
    fn threads_of_steps(&self) -> usize {
        self.threads()
    }

    /// Refuses inputs that are not there, before anything is done.
    ///
    /// # Errors
    /// All inputs that are missing.
    fn check_inputs(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// Wall-clock seconds that were needed to read what has been read so far.
    fn reading_s(&self) -> f64 {
        0.0
    }

    /// Reads the inputs.
    ///
    /// # Errors
    /// Everything that is wrong with them, as far as it can be told at once.
    fn load(self, warnings: &mut Warnings, progress: &dyn Progress) -> Result<Self::Loaded, Failure>;
}

/// A scenario that is complete: it can make its steps.
pub trait Loaded: Send {
    /// The model's own results, for programs; the command line uses the rest of [`Simulated`].
    type Results: Send;

    /// Why the CPU should simulate the first `steps` steps, where there is a choice.
    fn suits_cpu(&self, steps: Option<u64>) -> Option<String>;

    /// Whether a device needs double precision.
    fn needs_f64(&self) -> bool {
        false
    }

    /// Of so many launches of a kind one is timed, if timing was asked for; a launch that is timed waits for the device.
    fn timed_launches(&self) -> u64 {
        16
    }

    /// What computes: on a device with this label, or on the CPU with so many threads.
    fn executor(&self, device: Option<&str>, threads: usize) -> String {
        device.map_or_else(|| on_threads(threads), ToOwned::to_owned)
    }

    /// Makes all steps and writes all files but hashes, report and manifest.
    ///
    /// # Errors
    /// Whatever stops the run. Files that are not complete are removed.
    fn simulate(self, run: &mut Run<'_>) -> Result<Simulated<Self::Results>, Failure>;
}

/// The CPU with so many threads, in words.
pub fn on_threads(threads: usize) -> String {
    if threads == 1 { "cpu, 1 thread".to_owned() } else { format!("cpu, {threads} threads") }
}
