//! A user's request: a scenario with changes to it, and a run of it.

use std::path::PathBuf;

use throng_core::{Change, InputError, Problems};
use throng_device::DeviceChoice;

use crate::{Flag, Flags, ScenarioFile, check_threads};

/// A scenario and the changes to it, as typed.
#[derive(Debug, Clone, Default)]
pub struct ScenarioRequest {
    /// The scenario file; for a folder, the scenario file in it.
    pub file: Option<ScenarioFile>,
    /// Changes to single parameters, the last of which counts.
    pub changes: Vec<Change>,
    /// Seed of all random draws, instead of the scenario's.
    pub seed: Option<i64>,
    /// Threads to use.
    pub threads: Option<usize>,
    /// Folder for the results, instead of the scenario's.
    pub out: Option<PathBuf>,
    /// Whether results may replace those of an earlier run of another scenario.
    pub overwrite: bool,
    /// Flags that only some models have.
    pub flags: Flags,
}

impl ScenarioRequest {
    /// Refuses arguments that no scenario of a model can use: flags of other models, a number of threads out of range.
    ///
    /// # Errors
    /// All of it in one report.
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

    /// The scenario file, of a model that needs one; after [`ScenarioRequest::check`].
    ///
    /// # Errors
    /// As for [`ScenarioRequest::check`], and when no file is named.
    pub fn checked_file(&self, model: &str, flags: &[Flag]) -> Result<&ScenarioFile, InputError> {
        self.check(model, flags)?;
        let missing = || InputError::one("SCENARIO", "is missing", format!("name a scenario file (.toml) of {model}"));
        self.file.as_ref().ok_or_else(missing)
    }

    /// The flags common to all models and the changes that were typed, as changes to a TOML scenario file. The folder comes
    /// last: all settings of a run, which have its folder, repeat it in another one.
    pub fn changes_as(&self, keys: CommonKeys) -> Vec<Change> {
        let CommonKeys { folder, overwrite, seed } = keys;
        let mut changes = Vec::new();
        if self.out.is_some() {
            // The permission of the file applies to its own output folder.
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

/// The keys in a scenario file for what every model has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommonKeys {
    /// The output folder.
    pub folder: &'static str,
    /// Whether the output folder may hold something else than an earlier run of the same scenario.
    pub overwrite: &'static str,
    /// The seed of all random draws.
    pub seed: &'static str,
}

/// How a scenario is run; of this the results depend only on the number of steps.
#[derive(Debug, Clone)]
pub struct RunRequest {
    /// The scenario as the user gave it, for report and manifest.
    pub scenario: String,
    /// The scenario file, which the manifest identifies by its checksum; `None` without one.
    pub scenario_file: Option<PathBuf>,
    /// The command as a POSIX shell takes it, for report and manifest; `None` in programs that use the library.
    pub command: Option<String>,
    /// Name and version of the program, for the manifest.
    pub program: String,
    /// What computes.
    pub device: DeviceChoice,
    /// Stop after this many steps.
    pub steps: Option<u64>,
    /// Record the state hash after each multiple of this many steps; 0 for never.
    pub hash_every: u64,
    /// Time launches on the device; the run takes a little longer.
    pub timing: bool,
    /// Only [`crate::Measured`] is wanted, and the output folder is deleted afterwards: there is neither report nor
    /// manifest, and a model may leave out all its files.
    pub without_files: bool,
    /// The output folder is deleted afterwards: its files do not wait for the disk.
    pub is_temporary: bool,
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
        }
    }
}

impl RunRequest {
    /// Requested options other than settings, by the names of the flags.
    pub(crate) fn options(&self) -> Vec<(String, String)> {
        let steps = self.steps.map(|steps| ("steps".to_owned(), steps.to_string()));
        let hash_every = (self.hash_every > 0).then(|| ("hash-every".to_owned(), self.hash_every.to_string()));
        steps.into_iter().chain(hash_every).collect()
    }
}
