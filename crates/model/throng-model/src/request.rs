//! A user's request: a scenario with changes, and a run of it.

use std::path::PathBuf;

use throng_core::{Change, InputError, Problems};
use throng_device::DeviceChoice;

use crate::MachineCosts;
use crate::flags::{Flag, Flags};
use crate::scenario_file::ScenarioFile;
use crate::threads::check_threads;

/// A scenario and the changes to it, as typed.
#[derive(Debug, Clone, Default)]
pub struct ScenarioRequest {
    /// Scenario file; for a folder, the scenario file in it.
    pub file: Option<ScenarioFile>,
    /// Changes to single parameters; the last change of a parameter takes effect.
    pub changes: Vec<Change>,
    /// Seed of all random numbers, overriding the scenario's.
    pub seed: Option<i64>,
    /// Number of threads.
    pub threads: Option<usize>,
    /// Output folder, overriding the scenario's.
    pub out: Option<PathBuf>,
    /// Whether results may replace the results of an earlier run of a different scenario.
    pub overwrite: bool,
    /// Model-specific flags.
    pub flags: Flags,
    /// Folder in which a model may keep inputs that it has read, for the next run; `None` to read and keep nothing
    /// there. Results do not depend on it.
    pub cache: Option<PathBuf>,
}

impl ScenarioRequest {
    /// Rejects invalid arguments: flags of other models, an `--out` that is not UTF-8, an invalid number of threads.
    ///
    /// # Errors
    /// When arguments are invalid; the error lists all of them.
    pub fn check(&self, model: &str, flags: &[Flag]) -> Result<(), InputError> {
        let mut problems = Problems::new();
        for (name, _) in self.flags.iter().filter(|(name, _)| !flags.iter().any(|flag| flag.name == *name)) {
            let place = format!("--{name}");
            problems.push(
                place,
                format!("the scenario is one of {model}"),
                "it belongs to another model; leave it out",
            );
        }
        if let Some(out) = self.out.as_deref().filter(|out| out.to_str().is_none()) {
            problems.push("--out", format!("{} is not UTF-8", out.display()), "name another folder");
        }
        if let Some(Err(InputError(refused))) = self.threads.map(check_threads) {
            problems.append(refused);
        }
        problems.into_result()
    }

    /// Checks the request and returns the scenario file, for a model that needs one.
    ///
    /// # Errors
    /// As for [`ScenarioRequest::check`], and when no file is given.
    pub fn checked_file(&self, model: &str, flags: &[Flag]) -> Result<&ScenarioFile, InputError> {
        self.check(model, flags)?;
        let missing = || InputError::one("SCENARIO", "is missing", format!("name a scenario file (.toml) of {model}"));
        self.file.as_ref().ok_or_else(missing)
    }

    /// Returns the flags common to all models and the typed changes, as changes to a TOML scenario file. The output
    /// folder comes last, so that the settings of a run, which include its folder, can be repeated in another folder.
    pub fn changes_as(&self, keys: CommonKeys) -> Vec<Change> {
        let CommonKeys { folder, overwrite, seed } = keys;
        let mut changes = Vec::new();
        if self.out.is_some() {
            // The permission in the file applies only to the file's own output folder.
            changes.push(Change::of_flag("--out", format!("{overwrite}=false")));
        }
        if self.overwrite {
            changes.push(Change::of_flag("--overwrite", format!("{overwrite}=true")));
        }
        changes.extend(self.seed.map(|value| Change::of_flag("--seed", format!("{seed}={value}"))));
        changes.extend(self.changes.iter().cloned());
        if let Some(out) = &self.out {
            let out = toml::Value::String(out.display().to_string());
            changes.push(Change::of_flag("--out", format!("{folder}={out}")));
        }
        changes
    }
}

/// The keys for common settings in a scenario file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommonKeys {
    /// Key of the output folder.
    pub folder: &'static str,
    /// Key of the permission to replace something other than an earlier run of the same scenario.
    pub overwrite: &'static str,
    /// Key of the seed of all random numbers.
    pub seed: &'static str,
}

/// The parameters of a run. Only the number of steps affects the results.
#[derive(Debug, Clone)]
pub struct RunRequest {
    /// The scenario as given by the user, for report and manifest.
    pub scenario: String,
    /// Scenario file, which the manifest identifies by its checksum; `None` if there is none.
    pub scenario_file: Option<PathBuf>,
    /// The command in POSIX shell syntax, for report and manifest; `None` in programs that use the library.
    pub command: Option<String>,
    /// Name and version of the program, for the manifest.
    pub program: String,
    /// Requested executor.
    pub device: DeviceChoice,
    /// Number of steps after which to stop.
    pub steps: Option<u64>,
    /// Interval between recorded state hashes, in steps; 0 for none.
    pub hash_every: u64,
    /// Whether to time launches on the device, which makes the run a little slower.
    pub timing: bool,
    /// Only [`crate::Measured`] is needed, and the output folder is deleted afterwards: no report and no manifest are
    /// written, and a model may omit all its files.
    pub without_files: bool,
    /// The output folder is deleted afterwards, so files are not flushed to the disk.
    pub is_temporary: bool,
    /// Costs of models that were measured on this machine; others are typical.
    pub costs: MachineCosts,
}

impl Default for RunRequest {
    fn default() -> Self {
        Self {
            scenario: String::new(),
            scenario_file: None,
            command: None,
            program: concat!("throng ", env!("CARGO_PKG_VERSION")).to_owned(),
            device: DeviceChoice::Auto,
            steps: None,
            hash_every: 0,
            timing: false,
            without_files: false,
            is_temporary: false,
            costs: MachineCosts::default(),
        }
    }
}

impl RunRequest {
    /// Returns the requested options other than settings, by flag name.
    pub(crate) fn options(&self) -> Vec<(String, String)> {
        let steps = self.steps.map(|steps| ("steps".to_owned(), steps.to_string()));
        let hash_every = (self.hash_every > 0).then(|| ("hash-every".to_owned(), self.hash_every.to_string()));
        steps.into_iter().chain(hash_every).collect()
    }
}
