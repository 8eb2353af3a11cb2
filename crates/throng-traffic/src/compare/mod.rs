//! Are two results the same? Events, tables and state hashes.
//!
//! * [`compare_events`] compares two event files as MATSim's own regression tests do; [`compare_log`] compares the
//!   events of a run, still in memory, with a file.
//! * [`compare_tables`] compares tables separated by `;`, cell by cell.
//! * [`compare_hashes`] finds the first step at which two runs have different state hashes.
//!
//! Event files are read once, side by side, on a thread each; of either only the events of a few time stamps are in
//! memory.

mod difference;
mod file_steps;
mod hashes;
mod lines;
mod log_steps;
mod merge;
mod report;
mod step;
mod tables;

use std::path::Path;

use throng_core::InputError;

pub use hashes::{HashComparison, compare_hashes};
pub use report::{EventComparison, EventList, SHOWN_EVENTS, Side, StepDifference};
pub use tables::{TableComparison, TableDifference, compare_tables};

use crate::events::EventLog;
use crate::scenario::Scenario;
use log_steps::LogSteps;
use step::Ignored;

/// What counts when event files are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompareOptions {
    /// Attributes that do not count, besides `x` and `y`.
    pub ignore_attributes: Vec<String>,
    /// How many time stamps that differ are reported in full; all are counted.
    pub first: usize,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self { ignore_attributes: Vec::new(), first: 5 }
    }
}

/// Compares two event files, plain or packed: A and B.
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
        let a = file_steps::start(scope, a, &ignored)?;
        let b = file_steps::start(scope, b, &ignored)?;
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
        let b = file_steps::start(scope, reference, &ignored)?;
        merge::compare(names, a, b, &ignored, options.first)
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn write(folder: &tempfile::TempDir, name: &str, events: &[&str]) -> PathBuf {
        let path = folder.path().join(name);
        let body: String = events.iter().map(|event| format!("\t<event {event}  />\n")).collect();
        std::fs::write(&path, format!("<events version=\"1.0\">\n{body}</events>")).unwrap();
        path
    }

    fn compare_with(a: &[&str], b: &[&str], options: &CompareOptions) -> Result<EventComparison, InputError> {
        let folder = tempfile::tempdir().unwrap();
        compare_events(&write(&folder, "a.xml", a), &write(&folder, "b.xml", b), options)
    }

    fn compare(a: &[&str], b: &[&str]) -> EventComparison {
        compare_with(a, b, &CompareOptions::default()).unwrap()
    }

    #[test]
    fn order_within_a_time_stamp_and_of_attributes_and_coordinates_do_not_count() {
        let report = compare(
            &[
                r#"time="1.0" type="a" link="1""#,
                r#"time="1.0" type="b" x="3" y="4" link="1""#,
                r#"time="2.0" type="c""#,
            ],
            &[r#"time="1" type="b" link="1""#, r#"type="a" time="1.00" link="1" x="9""#, r#"time="2.0" type="c""#],
        );
        assert!(report.is_equal(), "{report}");
        assert_eq!(report.to_string(), "equal: 2 time stamps, 3 events");
        assert_eq!(report.spans, [Some((1.0, 2.0)); 2]);
    }

    #[test]
    fn an_event_that_occurs_twice_counts_twice() {
        let (once, twice) = (r#"time="1" type="a""#, [r#"time="1" type="a""#; 2]);
        let report = compare(&twice, &[once]);
        assert_eq!((report.different, report.only_in), (1, [1, 0]));
        assert_eq!(report.first[0].only_in_a.shown, [r#"<event time="1" type="a" />"#]);
    }

    #[test]
    fn an_event_at_another_time_differs_at_both_times() {
        let a = [r#"time="1" type="a" link="1""#, r#"time="2" type="a" link="2""#];
        let b = [r#"time="1" type="a" link="1""#, r#"time="3" type="a" link="2""#];
        let report = compare(&a, &b);
        assert_eq!((report.time_stamps, report.different), (3, 2));
        assert_eq!(report.missing_time_stamps, [1, 1]);
        let sides: Vec<_> = report.first.iter().map(|d| (d.time_s, d.missing_in)).collect();
        assert_eq!(sides, [(2.0, Some(Side::B)), (3.0, Some(Side::A))]);
        assert!(report.to_string().contains("A lacks 1 time stamps of B; it ends at 00:00:02 instead of 00:00:03"));
    }

    #[test]
    fn an_attribute_of_one_side_only_is_hinted_at_and_can_be_ignored() {
        let a = [r#"time="1" type="departure" person="p" legMode="car""#];
        let b = [r#"time="1" type="departure" person="p" legMode="car" routingMode="car""#];
        let report = compare(&a, &b);
        assert_eq!(report.hints().len(), 1);
        assert!(report.hints()[0].starts_with("attribute `routingMode` occurs in 1 of the events that are only in B"));
        let options = CompareOptions { ignore_attributes: vec!["routingMode".into()], ..CompareOptions::default() };
        assert!(compare_with(&a, &b, &options).unwrap().is_equal());
    }

    #[test]
    fn only_the_first_differences_are_shown_and_all_are_counted() {
        let events: Vec<String> = (0..100).map(|i| format!("time=\"{}\" type=\"a\" n=\"{i}\"", i / 50)).collect();
        let events: Vec<&str> = events.iter().map(String::as_str).collect();
        let options = CompareOptions { first: 1, ..CompareOptions::default() };
        let report = compare_with(&events, &[], &options).unwrap();
        assert_eq!((report.different, report.only_in, report.first.len()), (2, [100, 0], 1));
        let list = &report.first[0].only_in_a;
        assert_eq!((list.shown.len(), list.total), (SHOWN_EVENTS, 50));
        let text = report.to_string();
        assert!(text.contains("... and 30 more only in A") && text.contains("... and 1 more time stamps"), "{text}");
        assert!(text.contains("hint: B has no events at all"), "{text}");
    }

    #[test]
    fn unsorted_times_and_broken_files_are_errors() {
        let sorted = [r#"time="1" type="a""#];
        let unsorted = [r#"time="1" type="a""#, r#"time="2" type="a""#, r#"time="1" type="a""#];
        for (a, b, file) in [(&unsorted[..], &sorted[..], "a.xml:4"), (&sorted, &unsorted, "b.xml:4")] {
            let error = compare_with(a, b, &CompareOptions::default()).unwrap_err().to_string();
            assert!(error.contains(file) && error.contains("time 1 comes after time 2"), "{error}");
        }
        let error = compare_with(&[r#"time="1""#], &sorted, &CompareOptions::default()).unwrap_err().to_string();
        assert!(error.contains("a.xml:2: this event has no type"), "{error}");
    }
}
