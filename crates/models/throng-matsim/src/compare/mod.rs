//! Checks whether two results are the same: events, tables and state hashes.
//!
//! * [`compare_events`] compares two event files as MATSim's own regression tests do; [`compare_log`] compares the
//!   events of a run, still in memory, with a file.
//! * [`compare_tables`] compares tables separated by `;`, cell by cell.
//! * [`compare_links`] finds the links on which the traffic of two runs differs most, and how well the volumes agree.
//! * [`compare_trips`] compares mode shares, trip times and distances; [`compare_calls`] compares public transport.
//! * [`DayComparison`] is all of this as text or as a page.
//! * [`compare_hashes`] finds the first step at which two runs have different state hashes.
//!
//! Two event files are read once, side by side, each on a separate thread. Only a few batches of events of each
//! file are in memory.

mod calls;
mod change;
mod day;
mod difference;
mod file_steps;
mod hashes;
mod lines;
mod links;
mod log_steps;
mod merge;
mod report;
mod rows;
mod step;
mod tables;
mod trips;
mod volumes;

use std::path::Path;

use throng_core::InputError;

pub use calls::{CallComparison, CallStatistics, compare_calls};
pub use day::DayComparison;
pub use hashes::{HashComparison, compare_hashes};
pub use links::{LinkChange, LinkComparison, compare_links};
pub use report::{EventComparison, EventList, SHOWN_EVENTS, Side, StepDifference};
pub use tables::{TableComparison, TableDifference, compare_tables};
pub use trips::{TIME_CLASS_S, TripComparison, TripStatistics, compare_trips};
pub use volumes::{Agreement, CLOSE_GEH, LargestGeh, VolumeComparison, geh};

use log_steps::LogSteps;
use step::Ignored;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::EventLog;

/// Options for comparing event files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompareOptions {
    /// Attributes to ignore, in addition to `x` and `y`.
    pub ignore_attributes: Vec<String>,
    /// Number of differing time stamps that are reported in full; all are counted.
    pub first: usize,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self { ignore_attributes: Vec::new(), first: 5 }
    }
}

/// Compares two event files, plain or compressed: A and B.
///
/// They are equal if, at every time stamp, their events form the same multiset of attribute maps. Times are compared as
/// numbers, all other values as strings. The coordinates `x` and `y` are ignored, and so is the order of attributes and
/// of events within a time stamp.
///
/// # Errors
/// If a file cannot be read, or its events are not sorted by time.
pub fn compare_events(a: &Path, b: &Path, options: &CompareOptions) -> Result<EventComparison, InputError> {
    let ignored = Ignored::new(&options.ignore_attributes);
    let names = [a.display().to_string(), b.display().to_string()];
    std::thread::scope(|scope| {
        let a = file_steps::start_reading(scope, a, &ignored)?;
        let b = file_steps::start_reading(scope, b, &ignored)?;
        merge::compare(names, a, b, &ignored, options.first)
    })
}

/// Compares the events of a run (A) with an event file (B), like [`compare_events`].
///
/// Events of the run have the attributes that MATSim 13 writes.
///
/// # Errors
/// If the file cannot be read, or the events of either side are not sorted by time.
pub fn compare_log(scenario: &Scenario, log: &EventLog, reference: &Path) -> Result<EventComparison, InputError> {
    compare_log_with(scenario, log, reference, &CompareOptions::default())
}

/// Like [`compare_log`], with options.
///
/// # Errors
/// If the file cannot be read, or the events of either side are not sorted by time.
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
