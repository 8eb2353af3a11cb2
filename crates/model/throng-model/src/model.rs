//! The traits that make a model, from its name to its steps.

use std::path::{Path, PathBuf};

use throng_core::{Progress, Verified, Warnings};
use throng_device::{DeviceInfo, Executor};
use throng_output::IfNotEmpty;

use crate::{AnyScenario, Batch, Failure, Flag, Replay, Run, ScenarioRequest, Simulated};

/// Something with verification cases: a model, or the programs of a paper.
pub trait Check: Sync {
    /// The name, in lower case, as users type it.
    fn name(&self) -> &'static str;

    /// The name of a group with which several are checked at once, such as `crowd`; `None` if it is in no group.
    fn group(&self) -> Option<&'static str> {
        None
    }

    /// Why there are no cases for a device, if there are none.
    fn unsuitable(&self, device: &DeviceInfo) -> Option<String> {
        let _ = device;
        None
    }

    /// Runs all cases on a device, or on the CPU (`None`), and passes on each result as soon as it is available.
    fn verify(&self, on: &Executor, tell: &mut dyn FnMut(Verified));
}

/// A model: one value that stands for it in lists.
pub trait Model: Check {
    /// What is simulated, in a few words.
    fn about(&self) -> &'static str;

    /// A scenario file as a template, with a comment for each key.
    fn template(&self) -> String;

    /// All keys of scenario files, with meaning, unit, allowed values and default.
    fn schema(&self) -> String;

    /// The flags of `throng run` and `throng config` that only this model has.
    fn flags(&self) -> &'static [Flag] {
        &[]
    }

    /// Names of files, other than `scenario.toml`, that mark a folder as a scenario of this model.
    fn files_in_folder(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether a file that is not `.toml`, or the absence of a file, is a scenario of this model.
    fn takes(&self, scenario: Option<&Path>) -> bool {
        let _ = scenario;
        false
    }

    /// Executes many runs of a sweep together; `None` if they are executed one at a time.
    fn batch(&self) -> Option<&dyn Batch> {
        None
    }

    /// How its runs are shown in pictures and films; `None` if they are not.
    fn replay(&self) -> Option<&'static dyn Replay> {
        None
    }

    /// The settings in effect for a request. Inputs that settings name are not read yet.
    ///
    /// # Errors
    /// Everything that is wrong with the scenario and the changes to it, in one report.
    fn scenario(&self, request: &ScenarioRequest) -> Result<Box<dyn AnyScenario>, Failure>;
}

/// The output folder of a run, and the rules for existing files in it.
#[derive(Debug, Clone, Default)]
pub struct Output {
    /// The folder.
    pub folder: PathBuf,
    /// What to do if the folder is not empty.
    pub if_not_empty: IfNotEmpty,
    /// Prefix of the names of all files; may be empty.
    pub prefix: String,
    /// All names that files of the run may have, except report, manifest and state hashes.
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

    /// Warnings about the settings.
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
    /// A file that can no longer be read.
    fn effective(&self) -> Result<String, Failure>;

    /// Where results go.
    fn output(&self) -> Output;

    /// Names of files that the settings choose, besides those of [`Output::names`], in a run of at most `steps` steps.
    fn own_names(&self, steps: Option<u64>) -> Vec<String> {
        let _ = steps;
        Vec::new()
    }

    /// Threads for all work without its own number of threads, at least 1.
    fn threads(&self) -> usize;

    /// Threads for the steps on the CPU, if their number is set separately.
    fn threads_of_steps(&self) -> usize {
        self.threads()
    }

    /// Refuses missing inputs, before anything is done.
    ///
    /// # Errors
    /// All inputs that are missing.
    fn check_inputs(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// Wall-clock seconds spent on reading so far.
    fn reading_s(&self) -> f64 {
        0.0
    }

    /// Reads the inputs.
    ///
    /// # Errors
    /// All problems with them that can be found at once.
    fn load(self, warnings: &mut Warnings, progress: &dyn Progress) -> Result<Self::Loaded, Failure>;
}

/// A complete scenario, ready to run its steps.
pub trait Loaded: Send {
    /// The model's own results, for programs; the command line uses the rest of [`Simulated`].
    type Results: Send;

    /// Why the CPU should simulate the first `steps` steps, where there is a choice.
    fn suits_cpu(&self, steps: Option<u64>) -> Option<String>;

    /// Why a device cannot run the scenario, where there is a choice; `None` if it can.
    fn unsuitable(&self, device: &DeviceInfo) -> Option<String> {
        let _ = device;
        None
    }

    /// Why no device computes it, not even one that is named; `None` if devices do.
    fn refused(&self) -> Option<String> {
        None
    }

    /// One in this many launches of a kind is timed, if timing was requested; a timed launch waits for the device.
    fn timed_launches(&self) -> u64 {
        16
    }

    /// What computes: the device with this label, or the CPU with this number of threads.
    fn executor(&self, device: Option<&str>, threads: usize) -> String {
        device.map_or_else(|| on_threads(threads), ToOwned::to_owned)
    }

    /// Runs all steps and writes all files except hashes, report and manifest.
    ///
    /// # Errors
    /// Any failure that stops the run. Incomplete files are removed.
    fn simulate(self, run: &mut Run<'_>) -> Result<Simulated<Self::Results>, Failure>;
}

/// The CPU with this number of threads, in words.
pub fn on_threads(threads: usize) -> String {
    if threads == 1 { "cpu, 1 thread".to_owned() } else { format!("cpu, {threads} threads") }
}
