//! The results of a run.

use std::path::PathBuf;

use throng_core::Warnings;
use throng_device::Ledger;
use throng_output::{ClosedFile, WrittenFile};

use crate::Measured;
use crate::report::Report;

/// The result of a model after all steps.
#[derive(Debug)]
pub struct Simulated<R> {
    /// Model-specific results.
    pub results: R,
    /// Summary for the user: names and values.
    pub lines: Vec<(&'static str, String)>,
    /// Results as JSON, for the manifest.
    pub numbers: serde_json::Value,
    /// Summary figures and series, for tables of many runs; if empty, `numbers` are used.
    pub measured: Measured,
    /// All effective settings, for report and manifest.
    pub settings: Vec<(String, String)>,
    /// Model-specific options other than settings.
    pub options: Vec<(String, String)>,
    /// Input files and their sizes in bytes.
    pub inputs: Vec<(String, u64)>,
    /// All files written.
    pub files: Vec<WrittenFile>,
    /// Files that get their names after report and manifest, such as a log that tells of success.
    pub last: Vec<ClosedFile>,
    /// Wall-clock time of all steps, in seconds.
    pub simulation_s: f64,
    /// Actual executor, if it differs from the planned one.
    pub executor: Option<String>,
    /// Body of `report.html`; `None` for no report.
    pub report: Option<Report>,
}

impl<R> Simulated<R> {
    /// Creates an otherwise empty value; for struct update syntax.
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
            last: Vec::new(),
            simulation_s: 0.0,
            executor: None,
            report: None,
        }
    }
}

/// A completed run; `R` are the model-specific results.
#[derive(Debug)]
pub struct Done<R> {
    /// Model-specific results.
    pub results: R,
    /// Summary figures and series.
    pub measured: Measured,
    /// Output folder.
    pub folder: PathBuf,
    /// Summary for the user: names and values.
    pub lines: Vec<(&'static str, String)>,
    /// File to open first: the report, or the manifest.
    pub main_file: PathBuf,
    /// Executor, and the reason for choosing it.
    pub device: String,
    /// Statistics of the device, if one was used.
    pub ledger: Option<Ledger>,
    /// Wall-clock time of each phase in seconds, in order.
    pub timings_s: Vec<(String, f64)>,
    /// Wall-clock time of all steps, in seconds.
    pub simulation_s: f64,
    /// Warnings about the input and the run.
    pub warnings: Warnings,
    /// All files of the run.
    pub files: Vec<WrittenFile>,
}

impl<R> Done<R> {
    /// Drops the model-specific results, for callers that are independent of the model.
    pub fn without_results(self) -> Done<()> {
        let Self {
            results: _,
            measured,
            folder,
            lines,
            main_file,
            device,
            ledger,
            timings_s,
            simulation_s,
            warnings,
            files,
        } = self;
        Done {
            results: (),
            measured,
            folder,
            lines,
            main_file,
            device,
            ledger,
            timings_s,
            simulation_s,
            warnings,
            files,
        }
    }
}
