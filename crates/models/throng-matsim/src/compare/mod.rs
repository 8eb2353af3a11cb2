//! Are two results the same? Events, tables and state hashes.
//!
//! * [`compare_events`] compares two event files as MATSim's own regression tests do; [`compare_log`] compares the
//!   events of a run, still in memory, with a file.
//! * [`compare_tables`] compares tables separated by `;`, cell by cell.
//! * [`compare_links`] finds the links on which the traffic of two runs differs most.
//! * [`compare_hashes`] finds the first step at which two runs have different state hashes.
//!
//! Event files are read once, side by side, on a thread each; of either only the events of a few time stamps are in
//! memory.

mod difference;
mod file_steps;
mod hashes;
mod lines;
mod links;
mod log_steps;
mod merge;
mod report;
mod step;
mod tables;

use std::path::Path;

use throng_core::InputError;

pub use hashes::{HashComparison, compare_hashes};
pub use links::{LinkChange, LinkComparison, compare_links};
pub use report::{EventComparison, EventList, SHOWN_EVENTS, Side, StepDifference};
pub use tables::{TableComparison, TableDifference, compare_tables};

use log_steps::LogSteps;
use step::Ignored;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::EventLog;

/// Options for comparing event files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompareOptions {
    /// Attributes to ignore, in addition to `x` and `y`.
    pub ignore_attributes: Vec<String>,
    /// How many differing time stamps are reported in full; all are counted.
    pub first: usize,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self { ignore_attributes: Vec::new(), first: 5 }
    }
}

/// Compares two event files, plain or compressed: A and B.
///
/// They are equal when for every time stamp the events are the same as a multiset of attribute maps. Times are compared
/// as numbers, all other values as text; neither the order of events within a time stamp nor that of attributes
/// counts, nor the coordinates `x` and `y`.
///
/// # Errors
/// When a file cannot be read, or its events are not sorted by time.
pub fn compare_events(a: &Path, b: &Path, options: &CompareOptions) -> Result<EventComparison, InputError> {
    let ignored = Ignored::new(&options.ignore_attributes);
    let names = [a.display().to_string(), b.display().to_string()];
    std::thread::scope(|scope| {
        let a = file_steps::start_reading(scope, a, &ignored)?;
        let b = file_steps::start_reading(scope, b, &ignored)?;
        merge::compare(names, a, b, &ignored, options.first)
    })
}

/// Compares the events of a run (A) with an event file (B), as [`compare_events`] does.
///
/// The attributes of an event are those that MATSim 13 writes.
///
/// # Errors
/// When the file cannot be read, or the events of either are not sorted by time.
pub fn compare_log(scenario: &Scenario, log: &EventLog, reference: &Path) -> Result<EventComparison, InputError> {
    compare_log_with(scenario, log, reference, &CompareOptions::default())
}

/// As [`compare_log`], with options.
///
/// # Errors
/// When the file cannot be read, or the events of either are not sorted by time.
pub fn compare_log_with(
    scenario: &Scenario,
    log: &EventLog,
    reference: &Path,
    options: &CompareOptions,
) -> Result<EventComparison, InputError> {
    let ignored = Ignored::new(&options.ignore_attributes);
    let names = ["events of the run".to_owned(), reference.display().to_string()];
    std::thread::scope(|scope| {
        let a = LogSteps::new(scenario, log, &ignored);
        let b = file_steps::start_reading(scope, reference, &ignored)?;
        merge::compare(names, a, b, &ignored, options.first)
    })
}

#[cfg(test)]
mod tests;
