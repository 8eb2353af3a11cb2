//! The results of a run.

use std::path::PathBuf;

use throng_core::Warnings;
use throng_device::Ledger;
use throng_output::WrittenFile;

use crate::{Measured, Report};

/// The result of a model after all steps.
#[derive(Debug)]
pub struct Simulated<R> {
    /// The model's own results.
    pub results: R,
    /// The summary for the user: names and values.
    pub lines: Vec<(&'static str, String)>,
    /// Results in numbers, for the manifest.
    pub numbers: serde_json::Value,
    /// Summary figures and series, for tables of many runs; if empty, `numbers` are used.
    pub measured: Measured,
    /// All settings in force, for report and manifest.
    pub settings: Vec<(String, String)>,
    /// Options beside the settings that only this model has.
    pub options: Vec<(String, String)>,
    /// Input files and their sizes, bytes.
    pub inputs: Vec<(String, u64)>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
    /// Wall-clock seconds of all steps.
    pub simulation_s: f64,
    /// What computed, if it differs from the plan.
    pub executor: Option<String>,
    /// The body of `report.html`; without one there is no report.
    pub report: Option<Report>,
}

impl<R> Simulated<R> {
    /// Empty results; for the rest of a struct.
    pub fn new(results: R) -> Self {
        Self {
            results,
            lines: Vec::new(),
            numbers: serde_json::Value::Null,
            measured: Measured::default(),
            settings: Vec::new(),
            options: Vec::new(),
            inputs: Vec::new(),
            files: Vec::new(),
            simulation_s: 0.0,
            executor: None,
            report: None,
        }
    }
}

/// A run that was made; `R` are the model's own results.
#[derive(Debug)]
pub struct Done<R> {
    /// The model's own results.
    pub results: R,
    /// Summary figures and series.
    pub measured: Measured,
    /// The output folder.
    pub folder: PathBuf,
    /// The summary for the user: names and values.
    pub lines: Vec<(&'static str, String)>,
    /// The file to look at first: the report, or the manifest.
    pub look_at: PathBuf,
    /// What computed, and why.
    pub device: String,
    /// The work of the device, if there was one.
    pub ledger: Option<Ledger>,
    /// Wall-clock seconds of each phase, in order.
    pub timings_s: Vec<(String, f64)>,
    /// Wall-clock seconds of all steps.
    pub simulation_s: f64,
    /// Everything odd in the input and during the run.
    pub warnings: Warnings,
    /// All files of the run.
    pub files: Vec<WrittenFile>,
}

impl<R> Done<R> {
    /// The same for callers that are independent of the model.
    pub fn without_results(self) -> Done<()> {
        let Self {
            results: _,
            measured,
            folder,
            lines,
            look_at,
            device,
            ledger,
            timings_s,
            simulation_s,
            warnings,
            files,
        } = self;
        Done { results: (), measured, folder, lines, look_at, device, ledger, timings_s, simulation_s, warnings, files }
    }
}
