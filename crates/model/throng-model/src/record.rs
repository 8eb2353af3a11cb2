//! The record of a run, the same for all models.

use std::path::PathBuf;

use throng_core::Warnings;
use throng_output::{FileIdentity, Manifest, OutputError, RunFolder, WrittenFile};

use crate::setting_effects::is_permission;
use crate::{REPORT_NAME, Report, Row};

/// How a run was made, and its results; the frame of its report, and its manifest.
#[derive(Debug, Clone, Default)]
pub struct RunRecord {
    /// Name and version of the program.
    pub program: String,
    /// Name of the model.
    pub model: String,
    /// The scenario as the user gave it.
    pub scenario: String,
    /// The scenario file as it was before the run, if there is one.
    pub scenario_file: Option<FileIdentity>,
    /// The command and the folder in which it was typed, if there was one.
    pub command: Option<(String, PathBuf)>,
    /// What computed, and why.
    pub device: String,
    /// Seed of all random draws.
    pub seed: i64,
    /// When the run was finished, as in `2026-11-20T17:03:00Z`.
    pub finished: String,
    /// Options beside the settings.
    pub options: Vec<Row>,
    /// All settings in force.
    pub settings: Vec<Row>,
    /// Wall-clock seconds of each phase, in order.
    pub timings_s: Vec<(String, f64)>,
    /// Everything odd in the input and during the run.
    pub warnings: Warnings,
    /// Input files and their sizes, bytes.
    pub inputs: Vec<(String, u64)>,
    /// Results in numbers; the model decides which.
    pub numbers: serde_json::Value,
    /// All files that were written; those that [`RunRecord::write`] writes come last.
    pub files: Vec<WrittenFile>,
}

impl RunRecord {
    /// Writes the report, if there is one, and then the manifest, which completes the folder.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&mut self, folder: &RunFolder, report: Option<Report>) -> Result<(), OutputError> {
        if let Some(report) = report {
            let page = self.render(report);
            self.files.push(folder.write(REPORT_NAME, page.as_bytes())?);
        }
        let warning = |(kind, w): (&str, &throng_core::Warning)| (kind.to_owned(), w.count, w.detail().to_owned());
        let manifest = Manifest {
            program: self.program.clone(),
            model: self.model.clone(),
            scenario: self.scenario.clone(),
            scenario_file: self.scenario_file.clone(),
            command: self.command.clone(),
            seed: self.seed,
            device: self.device.clone(),
            finished: self.finished.clone(),
            options: self.options.clone(),
            settings: self.settings.iter().filter(|(key, _)| !is_permission(key)).cloned().collect(),
            timings_s: self.timings_s.clone(),
            warnings: self.warnings.iter().map(warning).collect(),
            inputs: self.inputs.clone(),
            results: self.numbers.clone(),
            files: self.files.clone(),
        };
        self.files.push(manifest.write(folder)?);
        Ok(())
    }
}
