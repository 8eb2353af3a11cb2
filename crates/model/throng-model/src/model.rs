//! The traits of a model, from its name to its steps.

use std::path::{Path, PathBuf};

use throng_core::{Progress, Verified, Warnings};
use throng_device::{DeviceInfo, Executor};
use throng_output::IfNotEmpty;

use crate::flags::Flag;
use crate::scenario_file::AnyScenario;
use crate::sweep::Batch;
use crate::{Calibration, Estimate, Failure, Replay, Run, ScenarioRequest, Simulated};

/// A source of verification cases: a model or a paper.
pub trait Check: Sync {
    /// Returns the name in lower case, as typed by users.
    fn name(&self) -> &'static str;

    /// Returns the name of a group that is checked together, such as `crowd`; `None` if it is in no group.
    fn group(&self) -> Option<&'static str> {
        None
    }

    /// Returns the reason why there are no cases for a device; `None` if there are cases.
    fn unsuitable(&self, device: &DeviceInfo) -> Option<String> {
        let _ = device;
        None
    }

    /// Runs all cases on a device or on the CPU, and calls `tell` with each result as soon as it is
    /// available.
    fn verify(&self, on: &Executor, tell: &mut dyn FnMut(Verified));
}

/// A model. The trait is dyn-compatible, so models can be stored in lists.
pub trait Model: Check {
    /// Returns the subject of the simulation, in a few words.
    fn about(&self) -> &'static str;

    /// Returns a template of a scenario file, with a comment for each key.
    fn template(&self) -> String;

    /// Returns all keys of scenario files, with meaning, unit, allowed values and default.
    fn schema(&self) -> String;

    /// Returns the model-specific flags of `throng run` and `throng config`.
    fn flags(&self) -> &'static [Flag] {
        &[]
    }

    /// Returns file names, other than `scenario.toml`, that mark a folder as a scenario of this model.
    fn files_in_folder(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the endings of names of files other than `.toml` that are scenarios of this model, such as `config.xml`.
    /// [`Model::takes`] may accept others.
    fn endings(&self) -> &'static [&'static str] {
        self.files_in_folder()
    }

    /// Whether a file other than `.toml`, or the absence of a file, is a scenario of this model.
    fn takes(&self, scenario: Option<&Path>) -> bool {
        let _ = scenario;
        false
    }

    /// Returns the scenarios from which the costs of the model are measured; `None` if they are not.
    fn calibration(&self) -> Option<Calibration> {
        None
    }

    /// Returns the joint execution of many runs of a sweep; `None` if runs are executed one at a time.
    fn batch(&self) -> Option<&dyn Batch> {
        None
    }

    /// Returns the conversion of runs to images and animations; `None` if they cannot be shown.
    fn replay(&self) -> Option<&'static dyn Replay> {
        None
    }

    /// Returns the effective settings for a request. Inputs named in settings are not read yet.
    ///
    /// # Errors
    /// When the scenario or the changes to it have faults; the error lists all of them.
    fn scenario(&self, request: &ScenarioRequest) -> Result<Box<dyn AnyScenario>, Failure>;
}

/// The output folder of a run, and the rules for existing files in it.
#[derive(Debug, Clone, Default)]
pub struct Output {
    /// Path of the output folder.
    pub folder: PathBuf,
    /// Policy for a folder that is not empty.
    pub if_not_empty: IfNotEmpty,
    /// Prefix of the names of all files; may be empty.
    pub prefix: String,
    /// All names that files of the run may have, except report, manifest and state hashes.
    pub names: Vec<&'static str>,
    /// Files that the run reads, which are neither deleted nor replaced.
    pub inputs: Vec<PathBuf>,
}

/// A scenario with effective settings, whose inputs have not been read yet.
pub trait Scenario: Sized + Send {
    /// The scenario with all inputs in memory.
    type Loaded: Loaded;

    /// Returns the name of the model.
    fn model(&self) -> &'static str;

    /// Returns the seed of all random numbers.
    fn seed(&self) -> i64;

    /// Returns warnings about the settings.
    fn warnings(&self) -> Warnings {
        Warnings::new()
    }

    /// Returns notes about the settings, one sentence each.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns a scenario file with all effective settings.
    ///
    /// # Errors
    /// When a file can no longer be read.
    fn effective(&self) -> Result<String, Failure>;

    /// Returns the output folder and its options.
    fn output(&self) -> Output;

    /// Returns the file names chosen by the settings, in addition to [`Output::names`], for a run of at most `steps`
    /// steps.
    fn own_names(&self, steps: Option<u64>) -> Vec<String> {
        let _ = steps;
        Vec::new()
    }

    /// Returns the number of threads for all work that has no separate setting; 0 for all cores.
    fn threads(&self) -> usize;

    /// Returns the number of threads for the steps on the CPU; [`Scenario::threads`] unless it is set separately.
    fn threads_of_steps(&self) -> usize {
        self.threads()
    }

    /// Checks that all inputs exist, before anything else is done.
    ///
    /// # Errors
    /// When inputs are missing; the error lists all of them.
    fn check_inputs(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// Returns the wall-clock time spent on reading so far, in seconds.
    fn reading_s(&self) -> f64 {
        0.0
    }

    /// Reads the inputs.
    ///
    /// # Errors
    /// When the inputs have problems; the error lists all that can be found at once.
    fn load(self, warnings: &mut Warnings, progress: &dyn Progress) -> Result<Self::Loaded, Failure>;
}

/// A complete scenario, ready to run its steps.
pub trait Loaded: Send {
    /// Model-specific results, for programs; the command line uses the other fields of [`Simulated`].
    type Results: Send;

    /// Returns a reason, other than its time, for simulating the scenario on the CPU if Throng chooses the executor.
    fn suits_cpu(&self) -> Option<String> {
        None
    }

    /// Returns an estimate of the first `steps` steps; `None` to prefer a device, whatever the size of the scenario.
    fn estimate(&self, steps: Option<u64>) -> Option<Estimate> {
        let _ = steps;
        None
    }

    /// Returns the reason why Throng must not choose a device for the scenario; `None` if it may.
    fn unsuitable(&self, device: &DeviceInfo) -> Option<String> {
        let _ = device;
        None
    }

    /// Returns the reason why no device can run the scenario, not even an explicitly requested one; `None` if devices
    /// can.
    fn refused(&self) -> Option<String> {
        None
    }

    /// Returns `n`, where every `n`-th launch of each kind is timed if timing was requested; a timed launch blocks
    /// until the device has finished.
    fn timed_launches(&self) -> u64 {
        16
    }

    /// Describes the executor: the device with this label, or the CPU with this number of threads.
    fn executor(&self, device: Option<&str>, threads: usize) -> String {
        device.map_or_else(|| crate::threads::cpu_label(threads), ToOwned::to_owned)
    }

    /// Runs all steps and writes all files except hashes, report and manifest.
    ///
    /// # Errors
    /// Any failure that stops the run. Incomplete files are removed.
    fn simulate(self, run: &mut Run<'_>) -> Result<Simulated<Self::Results>, Failure>;
}
