//! The record of a run, the same for all models.

pub(crate) mod hash_log;
pub(crate) mod timings;

use std::path::PathBuf;

use throng_core::Warnings;
use throng_output::{ClosedFile, FileIdentity, Manifest, OutputError, RunFolder, WrittenFile};

use crate::Work;
use crate::report::{REPORT_NAME, Report, Row};
use crate::scenario_file::setting_effects::is_permission;

pub use hash_log::{HASHES_NAME, HashLog};
pub use timings::Timings;

/// The details and results of a run, for the report and the manifest.
#[derive(Debug, Clone, Default)]
pub struct RunRecord {
    /// Name and version of the program.
    pub program: String,
    /// Name of the model.
    pub model: String,
    /// The scenario as given by the user.
    pub scenario: String,
    /// The scenario file as it was before the run, if there is one.
    pub scenario_file: Option<FileIdentity>,
    /// The command and its working directory, if there was one.
    pub command: Option<(String, PathBuf)>,
    /// Executor, and the reason for choosing it.
    pub device: String,
    /// Seed of all random numbers.
    pub seed: i64,
    /// End of the run, as in `2026-11-20T17:03:00Z`.
    pub finished: String,
    /// Options other than settings.
    pub options: Vec<Row>,
    /// Effective settings: names and values.
    pub settings: Vec<Row>,
    /// Wall-clock time of each phase in seconds, in order.
    pub timings_s: Vec<(String, f64)>,
    /// Work of the run, if the model estimates it.
    pub work: Option<Work>,
    /// Warnings about the input and the run.
    pub warnings: Warnings,
    /// Input files and their sizes in bytes.
    pub inputs: Vec<(String, u64)>,
    /// Results as JSON; the model defines the content.
    pub numbers: serde_json::Value,
    /// All files written; those written by [`RunRecord::write`] come last.
    pub files: Vec<WrittenFile>,
}

impl RunRecord {
    /// Writes the report, if there is one, and then the manifest, and gives the files in `last` their names, which
    /// completes the folder.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(
        &mut self,
        folder: &RunFolder,
        report: Option<Report>,
        last: Vec<ClosedFile>,
    ) -> Result<(), OutputError> {
        if let Some(report) = report {
            let page = self.render(report);
            self.files.push(folder.write(REPORT_NAME, page.as_bytes())?);
        }
        self.files.extend(last.iter().map(ClosedFile::written));
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
            work: self.work.map(|Work { steps, units }| (steps, units)),
            warnings: self.warnings.iter().map(warning).collect(),
            inputs: self.inputs.clone(),
            results: self.numbers.clone(),
            files: self.files.clone(),
        };
        self.files.push(manifest.write_before(folder, last)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use throng_output::{IfNotEmpty, MANIFEST_NAME};

    use super::*;

    #[test]
    fn a_folder_without_report_or_manifest_has_no_last_file() {
        for refused in [REPORT_NAME, MANIFEST_NAME] {
            let dir = tempfile::tempdir().unwrap();
            let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
            let written = |folder: &RunFolder| {
                let last = vec![folder.fill("x.log", b"success").unwrap()];
                let report = Report {
                    title: String::new(),
                    subtitle: String::new(),
                    body: Box::new(|_, _| {}),
                    rows: Vec::new(),
                };
                RunRecord::default().write(folder, Some(report), last)
            };
            std::fs::create_dir(dir.path().join(refused)).unwrap();
            written(&folder).unwrap_err();
            assert!(!dir.path().join("x.log").exists(), "{refused}");
        }
    }
}
